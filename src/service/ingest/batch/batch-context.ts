import { newTimeSlice, type TimeSlice } from '../../../domain/event-loop.ts';
import { quote } from '../../../domain/text.ts';
import { isTimeZone } from '../../../domain/time-zone.ts';
import type { StagedCall } from '../../../operation/call.ts';
import { invalidInputError } from '../../../schema/error.ts';
import { farmRows, gatewaysByImei } from '../../../store/farm/farm-rows.ts';
import type { CompanyDb } from '../../../store/tables.ts';
import type { CsvOptions } from '../csv/format-detection.ts';
import { type DeviceDirectory, loadDevices } from '../devices/device-readings.ts';
import {
  loadCsvIndex,
  loadSensorIndex,
  loadSensorIndexOf,
  type SensorIndex,
} from '../sensor-index.ts';
import type { CsvText } from './batch-csv.ts';
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

/** `names` are those in the batch; null to load all modules, devices and gateways. */
export async function loadBatchContext(
  { read, now, zone: companyZone }: StagedCall,
  names: BatchNames | null,
  { csv, module, timezone }: CsvOptions & { readonly csv?: CsvText | undefined },
): Promise<BatchContext> {
  const zone = batchZone(timezone, companyZone);
  const loadIndex = (db: CompanyDb, texts: readonly string[]): Promise<SensorIndex> =>
    csv === undefined ? loadSensorIndexOf(db, texts) : loadCsvIndex(db, module, texts);

  const stored = await read(async (db) => {
    const devices = await loadDevices(db, names?.devices ?? null);
    const index =
      names === null
        ? await loadSensorIndex(db)
        : await loadIndex(db, [...names.modules, ...moduleIdTexts(devices)]);
    return { devices, index, imeis: await loadImeis(db, names) };
  });

  return { ...stored, zone, companyZone, now, slice: newTimeSlice() };
}

const moduleIdTexts = ({ assignments }: DeviceDirectory): string[] =>
  Array.from(assignments.values(), ({ moduleId }) => `#${moduleId}`);

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
