import { normalizeDeviceId } from '../../domain/ingest/device-id.ts';
import type { MeasurementType } from '../../domain/moisture/series.ts';
import { visibleText } from '../../language/text.ts';
import { deviceRow, type RainRow, type ReadingRow } from '../../schema/imports/ingest-batch.ts';
import {
  allDevices,
  type DeviceRecord,
  deleteKeptReadings,
  deviceNamed,
  type KeptReading,
  keepReadings,
  keptReadings,
  MAX_UNASSIGNED_DEVICES,
  saveDevice,
} from '../../store/ingest/devices.ts';
import type { CompanyDb } from '../../store/tables.ts';
import { toIso } from '../wire-format.ts';

export interface DevicePlace {
  readonly moduleId: number;
  readonly depths: readonly number[];
}

export interface DeviceDirectory {
  readonly places: ReadonlyMap<string, DevicePlace>;
  /** Readings that came before their device was assigned. */
  readonly kept: readonly KeptReading[];
}

export async function loadDevices(db: CompanyDb): Promise<DeviceDirectory> {
  const assigned = (await allDevices(db)).filter(({ module_id: moduleId }) => moduleId !== null);
  const kept: KeptReading[] = [];
  for (const { name } of assigned) kept.push(...(await keptReadings(db, name)));
  return { places: new Map(assigned.map((row) => [row.name, placeOf(row)!])), kept };
}

export const placeOf = ({ module_id: moduleId, depths }: DeviceRecord): DevicePlace | null =>
  moduleId === null ? null : { moduleId, depths: depths === null ? [] : JSON.parse(depths) };

type DeviceReading = Pick<ReadingRow, 'position' | 'depth'>;

/** Null without a depth: a sensor of the module that has none. */
export const depthOnDevice = ({ depths }: DevicePlace, { position = 0, depth }: DeviceReading): number | null =>
  depth !== undefined ? depth : (depths[position] ?? null);

export const keptPlace = ({ position = 0, depth }: DeviceReading): string =>
  depth === undefined ? `#${position}` : String(depth);

export const isKeptRain = ({ type }: KeptReading): boolean => type === 'rain';

export const keptRain = (device: string, at: number, { mm, minutes, isDayTotal }: RainRow): KeptReading => ({
  ...{ device, at, type: 'rain', value: mm },
  place: isDayTotal ? 'day' : String(minutes ?? ''),
});

/** As a row of a batch. */
export const rainOfKept = ({ device, at, place, value }: KeptReading): RainRow => ({
  ...{ device, time: toIso(at), mm: value },
  ...(place === 'day' ? { isDayTotal: true } : place !== '' && { minutes: Number(place) }),
});

/** As a row of a batch. */
export const rowOfKept = ({ device, at, type, place, value }: KeptReading): ReadingRow => ({
  device,
  type: type as MeasurementType,
  ...(place.startsWith('#')
    ? { position: Number(place.slice(1)) }
    : { depth: place === 'null' ? null : Number(place) }),
  time: toIso(at),
  value,
});

export interface UnassignedRows {
  readonly readings: KeptReading[];
  readonly payloads: Map<string, string>;
}

export function readPayloads(rows: Iterable<unknown>, payloads: Map<string, string>): void {
  for (const value of rows) {
    const row = deviceRow.safeParse(value);
    if (row.success) payloads.set(normalizeDeviceId(row.data.device), visibleText(row.data.payload));
  }
}

/** In the last transaction of a batch: readings that were written since are kept no longer, those without a module are. */
export async function settleDevices(
  db: CompanyDb,
  now: number,
  written: readonly KeptReading[],
  { readings, payloads }: UnassignedRows,
): Promise<number> {
  await deleteKeptReadings(db, written);
  const names = new Set(readings.map(({ device }) => device));
  if (names.size === 0) return 0;
  let unassigned = (await allDevices(db)).filter(({ module_id: moduleId }) => moduleId === null).length;
  const listed = new Set<string>();
  for (const name of names) {
    const known = await deviceNamed(db, name);
    if (known === undefined && unassigned++ >= MAX_UNASSIGNED_DEVICES) continue;
    const payload = payloads.get(name) ?? known?.payload ?? null;
    const fresh = { name, module_id: null, depths: null, first_seen_at: now };
    await saveDevice(db, { ...(known ?? fresh), last_seen_at: now, payload });
    listed.add(name);
  }
  const kept = readings.filter(({ device }) => listed.has(device));
  await keepReadings(db, kept);
  return kept.length;
}
