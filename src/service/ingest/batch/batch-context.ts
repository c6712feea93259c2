import { describePlaces, zoneOfClock } from '../../../domain/company/place-zones.ts';
import type { TimeSlice } from '../../../domain/event-loop.ts';
import { quotedName, say } from '../../../domain/text/say.ts';
import type { RainCounter } from '../../../domain/weather/rain-counter.ts';
import type { StagedCall } from '../../../operation/call.ts';
import { invalidInputError } from '../../../schema/error.ts';
import { farmRows, gatewaysByImei } from '../../../store/farm/farm-rows.ts';
import { sliceOfCompany } from '../../../store/scope/company-db.ts';
import { adapterOf, type BatchSteps } from '../../../store/store-adapter.ts';
import type { CompanyDb } from '../../../store/tables.ts';
import type { CsvOptions } from '../csv/format-detection.ts';
import { type DeviceDirectory, loadDevices } from '../devices/device-readings.ts';
import {
  type DeviceSources,
  loadDeviceSources,
  withDeviceNames,
} from '../devices/device-sources.ts';
import { storedRainCounters } from '../devices/rain-counters.ts';
import type { SensorIndex } from '../sensor-index.ts';
import { loadSensorIndex } from '../sensor-index-cache.ts';
import { type BatchItems, type BatchNames, namesInBatch } from './batch-names.ts';
import { SenderClocks } from './sender-clocks.ts';

export interface BatchPace {
  readonly slice: TimeSlice;
  readonly steps: BatchSteps;
}

export const batchPace = (db: CompanyDb): BatchPace => ({
  slice: sliceOfCompany(db),
  steps: adapterOf(db).batchSteps,
});

/** The facts against which the items of a batch are checked. */
export interface BatchContext extends BatchPace {
  readonly index: SensorIndex;
  readonly devices: DeviceDirectory;
  /** The gateways of the company. */
  readonly imeis: ReadonlySet<string>;
  /** The zone of times without an offset. */
  readonly zone: string;
  /** The zone of the company, in which days begin and end. */
  readonly companyZone: string;
  readonly now: number;
  readonly clocks: SenderClocks;
  readonly sources: DeviceSources;
  /** True if a change records the waiting readings of devices that the batch writes. */
  readonly isRecorded: boolean;
  /** The running totals of the rain gauges in the batch, as they were before it. */
  readonly rainCounters: ReadonlyMap<string, RainCounter>;
}

export type IngestCall = Omit<StagedCall, 'existsAnywhere'>;

interface SentBatch extends BatchItems, Pick<CsvOptions, 'timezone'> {
  readonly source?: string | undefined;
  readonly isRecorded?: boolean | undefined;
}

/** A batch with the names of its devices as they are stored, and what it is checked against. */
interface LoadedBatch<Batch> {
  readonly batch: Batch;
  readonly context: BatchContext;
}

/** `knownNames` is null to load all devices and gateways. Default: those in the batch. */
export async function loadBatch<Batch extends SentBatch>(
  { read, now, zone: companyZone }: IngestCall,
  sent: Batch,
  knownNames: BatchNames | null | undefined,
): Promise<LoadedBatch<Batch>> {
  const zone = batchZone(sent.timezone, companyZone);

  return read(async (db) => {
    const sources = await loadDeviceSources(db, sent, sent.source);
    const batch = withDeviceNames(sent, sources);
    const names = knownNames === undefined ? namesInBatch(batch) : knownNames;
    const [index, devices, imeis, rainCounters] = await Promise.all([
      loadSensorIndex(db),
      loadDevices(db, names?.devices ?? null),
      loadImeis(db, names),
      storedRainCounters(db, batch),
    ]);
    const clocks = new SenderClocks(zone, sent.timezone !== undefined);
    const stored = { index, devices, imeis, rainCounters };
    const pace = batchPace(db);
    const isRecorded = sent.isRecorded ?? false;
    const context = { ...stored, ...pace, clocks, sources, zone, companyZone, now, isRecorded };
    return { batch, context };
  });
}

async function loadImeis(db: CompanyDb, names: BatchNames | null): Promise<ReadonlySet<string>> {
  const gateways =
    names === null ? await farmRows(db, 'gateways') : await gatewaysByImei(db, [...names.imeis]);
  return new Set(gateways.map(({ imei }) => imei));
}

export function batchZone(timezone: string | undefined, defaultZone: string): string {
  if (timezone === undefined) return defaultZone;
  const zone = zoneOfClock(timezone);
  if (zone !== null) return zone;

  throw invalidInputError('INVALID_TIMEZONE', say`${quotedName(timezone)} is not a time zone.`, {
    hint: say`Give ${describePlaces(timezone) ?? say`an IANA zone such as Europe/Paris`}, or an offset such as +01:00 if the clock stays the same all year.`,
    field: 'timezone',
  });
}
