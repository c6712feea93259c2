import { normalizeDeviceId } from '../../../domain/ingest/payload-values.ts';
import { parseRainCounter, type RainCounter } from '../../../domain/weather/rain-counter.ts';
import { statusOfDevices } from '../../../store/ingest/devices.ts';
import type { CompanyDb } from '../../../store/tables.ts';
import { type BatchItems, isDeviceName } from '../batch/batch-names.ts';

/** The running totals of the rain gauges that a batch names, as they were before it. */
export async function storedRainCounters(
  db: CompanyDb,
  { rain = [] }: BatchItems,
): Promise<ReadonlyMap<string, RainCounter>> {
  const names = new Set<string>();
  for (const item of rain) {
    const { device, isRunningTotal } = Object(item);
    if (isRunningTotal === true && isDeviceName(device)) names.add(normalizeDeviceId(device));
  }

  const statuses = names.size === 0 ? new Map() : await statusOfDevices(db, [...names]);
  const counters = new Map<string, RainCounter>();
  for (const [name, { rain_counter: counter }] of statuses)
    if (counter !== null) counters.set(name, parseRainCounter(counter));
  return counters;
}
