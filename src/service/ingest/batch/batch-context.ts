import { newTimeSlice, type TimeSlice } from '../../../domain/event-loop.ts';
import { quote } from '../../../domain/text.ts';
import { isTimeZone } from '../../../domain/time-zone.ts';
import type { StagedCall } from '../../../operation/call.ts';
import { invalidInputError } from '../../../schema/error.ts';
import { farmRows, gatewaysByImei } from '../../../store/farm/farm-rows.ts';
import type { CompanyDb } from '../../../store/tables.ts';
import type { CsvOptions } from '../csv/format-detection.ts';
import { type DeviceDirectory, loadDevices } from '../devices/device-readings.ts';
import type { SensorIndex } from '../sensor-index.ts';
import { loadSensorIndex } from '../sensor-index-cache.ts';
import type { BatchNames } from './batch-names.ts';

/** What the items of a batch are checked against. */
export interface BatchContext {
  readonly index: SensorIndex;
  readonly devices: DeviceDirectory;
  /** The gateways of the company. */
  readonly imeis: ReadonlySet<string>;
  /** The zone of times without an offset. */
  readonly zone: string;
  /** The zone of the company, in which days begin and end. */
  readonly companyZone: string;
  readonly now: number;
  readonly slice: TimeSlice;
}

/** `names` are those in the batch; null to load all devices and gateways. */
export async function loadBatchContext(
  { read, now, zone: companyZone }: StagedCall,
  names: BatchNames | null,
  { timezone }: Pick<CsvOptions, 'timezone'>,
): Promise<BatchContext> {
  const zone = batchZone(timezone, companyZone);

  const stored = await read(async (db) => ({
    index: await loadSensorIndex(db),
    devices: await loadDevices(db, names?.devices ?? null),
    imeis: await loadImeis(db, names),
  }));

  return { ...stored, zone, companyZone, now, slice: newTimeSlice() };
}

async function loadImeis(db: CompanyDb, names: BatchNames | null): Promise<ReadonlySet<string>> {
  const gateways =
    names === null ? await farmRows(db, 'gateways') : await gatewaysByImei(db, [...names.imeis]);
  return new Set(gateways.map(({ imei }) => imei));
}

export function batchZone(timezone: string | undefined, defaultZone: string): string {
  if (timezone === undefined) return defaultZone;
  if (isTimeZone(timezone)) return timezone;

  throw invalidInputError('INVALID_TIMEZONE', `${quote(timezone)} is not a time zone.`, {
    hint: 'Give an IANA zone such as Europe/Paris; times in UTC end in Z.',
    field: 'timezone',
  });
}
