import { newTimeSlice, type TimeSlice } from '../../domain/event-loop.ts';
import { normalizeDeviceId } from '../../domain/ingest/payload-values.ts';
import { quote } from '../../domain/text.ts';
import { isTimeZone } from '../../domain/time-zone.ts';
import {
  describeReason,
  describeSkip,
  type Rejection,
} from '../../language/ingest/import-report.ts';
import type { LastStage, StagedCall } from '../../operation/call.ts';
import { invalidInput } from '../../schema/error.ts';
import {
  type IngestResult,
  MAX_INGEST_READINGS,
  MAX_REPORTED_COLUMNS,
  type ReadingRow,
  readingRow,
} from '../../schema/ingest/ingest-batch.ts';
import { farmRows, gatewaysByImei } from '../../store/farm/farm-rows.ts';
import type { UnassignedReading } from '../../store/ingest/unassigned-readings.ts';
import type { CompanyDb } from '../../store/tables.ts';
import { toIso } from '../wire-format.ts';
import { type BatchNames, type BatchRows, namesInBatch } from './batch-names.ts';
import { createReadingBuffer, type ReadingBuffer, writeInStages } from './batch-writes.ts';
import { createCellReader } from './csv/cell-reader.ts';
import { csvLines } from './csv/csv-lines.ts';
import {
  ARGUMENT_NAMES,
  type CsvOptions,
  type CsvUnderstanding,
  createCsvReader,
} from './csv/csv-reader.ts';
import {
  type DeviceAssignment,
  type DeviceDirectory,
  type DeviceUpdates,
  depthOnDevice,
  isMoistureReading,
  isRainReading,
  isWeatherReading,
  loadDevices,
  NO_PERIOD,
  readDeviceRows,
  sourceOnDevice,
  toRainRow,
  toReadingRow,
  toWeatherRow,
  updateDevices,
} from './device-readings.ts';
import { validateGatewayStatuses } from './gateways.ts';
import { measurementRange, parseMeasurement, refusalOfValue } from './reading-parsers.ts';
import { createReadingTimeParser, type ReadingTimeParser } from './reading-times.ts';
import {
  type BatchRejections,
  createBatchRejections,
  MAX_LISTED_ROWS,
  parseRow,
  type RowSink,
  rowExcerpt,
} from './rejected-rows.ts';
import { loadSensorIndex, loadSensorIndexOf, type SensorIndex } from './sensor-index.ts';
import { readGaugeRain, readStationWeather } from './station-rows.ts';

export interface IngestBatch extends BatchRows, CsvOptions {
  /** One text, or chunks of it. */
  readonly csv?: CsvText | undefined;
}

type CsvText = string | Iterable<string | Uint8Array>;

/**
 * Validates all rows, then writes the valid ones. Never creates modules, sensors or gateways. The
 * same batch again changes nothing, so a client completes a batch that was interrupted by sending
 * it again.
 */
export async function ingestBatch(
  call: StagedCall,
  batch: IngestBatch,
  names: BatchNames | null = namesInBatch(batch),
): Promise<LastStage<IngestResult>> {
  const { read, now, sender } = call;
  refuseIncompleteBatch(batch);

  const {
    readings = [],
    rain: rainRows = [],
    weather: weatherRows = [],
    gateways = [],
    devices: deviceRows = [],
    csv,
  } = batch;

  const zone = batchZone(batch.timezone, call.zone);
  const loadIndex = csv === undefined && names !== null ? loadSensorIndexOf : loadSensorIndex;
  const { index, devices, imeis } = await read((db) => loadPlaces(db, names, loadIndex));
  const context = { index, devices, zone, now, slice: newTimeSlice() };
  const updates: DeviceUpdates = {
    readings: [],
    senders: new Set(),
    rows: readDeviceRows(deviceRows),
  };

  const buffer = createReadingBuffer();
  const rejections = createBatchRejections();
  await readJsonRows(readings, context, buffer, rejections, updates);

  // Refusals of stored readings are not reported: the sensors of the module were checked when the
  // device was assigned.
  const { unassignedReadings } = devices;
  const sensorReadings = unassignedReadings.filter(
    (reading) => !isRainReading(reading) && !isWeatherReading(reading),
  );
  await readJsonRows(
    sensorReadings.map(toReadingRow),
    context,
    buffer,
    createBatchRejections(),
    null,
  );

  const sink = rowSink(buffer, rejections, csvPlace);
  const skippedColumns =
    csv === undefined
      ? []
      : (await readCsv(csv, { ...batch, isSentByProbes: true }, context, sink, buffer))
          .understanding.skippedColumns;

  const refusedReadings = rejections.count;
  const rainContext = { ...context, localZone: call.zone };
  const rain = [
    ...(await readGaugeRain(
      unassignedReadings.filter(isRainReading).map(toRainRow),
      rainContext,
      createBatchRejections(),
      null,
    )),
    ...(await readGaugeRain(rainRows, rainContext, rejections, updates)),
  ];

  const refusedRain = rejections.count - refusedReadings;
  const weather = [
    ...(await readStationWeather(
      unassignedReadings.filter(isWeatherReading).map(toWeatherRow),
      context,
      createBatchRejections(),
      null,
    )),
    ...(await readStationWeather(weatherRows, context, rejections, updates)),
  ];

  const refusedWeather = rejections.count - refusedReadings - refusedRain;
  const statuses = await validateGatewayStatuses({ ...context, imeis }, gateways, rejections);
  const refusedGateways = rejections.count - refusedReadings - refusedRain - refusedWeather;

  const writeLastStage = await writeInStages(
    call,
    { buffer, rain, weather, statuses },
    context.slice,
  );

  return async (db) => {
    const total = await writeLastStage(db);
    const lateRejections = createBatchRejections();
    const stored = await updateDevices(
      db,
      { now, zone, index, sender },
      unassignedReadings,
      updates,
      lateRejections,
    );

    const unchanged = total.readings.unchanged + stored.unchanged;
    return {
      readings: {
        ...total.readings,
        unchanged,
        repeated: buffer.repeatedCount,
        refused: refusedReadings + lateRejections.count,
        kept: stored.kept,
      },
      rain: { ...total.rain, refused: refusedRain },
      weather: { written: weather.length, refused: refusedWeather },
      gateways: { ...total.gateways, refused: refusedGateways },
      modules: newestReadings(index, buffer),
      reasons: [...rejections.reasons(), ...lateRejections.reasons()].map(({ reason, count }) => ({
        reason: describeReason(reason, 'en'),
        count,
      })),
      refused: [...rejections.first, ...lateRejections.first].slice(0, MAX_LISTED_ROWS),
      skippedColumns: skippedColumns
        .slice(0, MAX_REPORTED_COLUMNS)
        .map(({ name, why, nearest }) => ({
          name: name.slice(0, 200),
          why: describeSkip(why, 'en'),
          nearest,
        })),
    };
  };
}

/** For a CSV, whose names are not known yet, `loadIndex` loads all modules. */
async function loadPlaces(
  db: CompanyDb,
  names: BatchNames | null,
  loadIndex: typeof loadSensorIndexOf | typeof loadSensorIndex,
) {
  const devices = await loadDevices(db, names?.devices ?? null);
  const assigned = Array.from(devices.assignments.values(), ({ moduleId }) => `#${moduleId}`);
  const index = await loadIndex(db, [...(names?.modules ?? []), ...assigned]);
  const gateways =
    names === null ? await farmRows(db, 'gateways') : await gatewaysByImei(db, [...names.imeis]);
  return { index, devices, imeis: new Set(gateways.map(({ imei }) => imei)) };
}

function refuseIncompleteBatch({
  readings,
  rain,
  weather,
  gateways,
  csv,
  module,
}: IngestBatch): void {
  if ([readings, rain, weather, gateways, csv].every((part) => part === undefined))
    throw invalidInput('invalid_body', 'The batch has no readings, rain, weather or gateways.', {
      hint: 'Send readings, rain, weather or gateways as JSON, or readings as CSV.',
      field: 'readings',
    });

  if (module !== undefined && csv === undefined)
    throw invalidInput(
      'invalid_body',
      'module names the module of a CSV, and the batch has no CSV.',
      {
        hint: 'Name the module of each reading in the reading.',
        field: 'module',
      },
    );
}

export function batchZone(timezone: string | undefined, defaultZone: string): string {
  if (timezone === undefined || isTimeZone(timezone)) return timezone ?? defaultZone;
  throw invalidInput('INVALID_TIMEZONE', `${quote(timezone)} is not a time zone.`, {
    hint: 'Give an IANA zone such as Europe/Paris; times in UTC end in Z.',
    field: 'timezone',
  });
}

export const rowSink = (
  buffer: ReadingBuffer,
  rejections: BatchRejections,
  rowPath: (row: number) => string,
): RowSink => ({
  add: buffer.add,
  reject: (row, text, _, reasons) => rejections.add(rowPath(row), text, reasons),
});

interface RowContext {
  readonly index: SensorIndex;
  readonly zone: string;
  readonly now: number;
  readonly slice: TimeSlice;
}

interface JsonRowContext extends RowContext {
  readonly devices: DeviceDirectory;
}

/** Uses the reader of CSV rows, so that the same reading has the same result in both formats. */
async function readJsonRows(
  rows: Iterable<unknown>,
  { index, devices, zone, now, slice }: JsonRowContext,
  buffer: ReadingBuffer,
  rejections: BatchRejections,
  updates: DeviceUpdates | null,
): Promise<void> {
  const rowPath = (index: number): string => `readings[${index}]`;

  const times = createReadingTimeParser(zone, now);
  const reader = createCellReader(index, times, '', rowSink(buffer, rejections, rowPath));
  let rowIndex = 0;

  for (const value of rows) {
    const parsed = parseRow(readingRow, value);
    if ('refused' in parsed)
      rejections.add(rowPath(rowIndex), () => rowExcerpt(value), [{ reason: parsed.refused }]);
    else {
      const { row } = parsed;
      const device = row.device === undefined ? null : normalizeDeviceId(row.device);
      const assigned = device === null ? null : devices.assignments.get(device);
      if (device !== null) updates?.senders.add(device);

      if (
        assigned &&
        isMoistureReading(row) &&
        index.byId.get(assigned.moduleId)?.category === 'WEATHER_STATION'
      )
        rejections.add(rowPath(rowIndex), () => rowExcerpt(value), [{ reason: SOIL_ON_STATION }]);
      else if (device === null || assigned)
        reader.read(cellsOfReading(row, assigned ?? null), rowIndex, JSON.stringify(value), null);
      else {
        const reading = toUnassignedReading(row, device, times);
        if ('reason' in reading)
          rejections.add(rowPath(rowIndex), () => rowExcerpt(value), [reading]);
        else updates?.readings.push({ reading, rowPath: rowPath(rowIndex), row: value });
      }
    }

    rowIndex++;
    if (slice.isOver()) await slice.renew();
  }

  reader.end();
}

/** Stored until the device is assigned to a module. */
function toUnassignedReading(
  row: ReadingRow,
  device: string,
  times: ReadingTimeParser,
): UnassignedReading | Rejection {
  const at = times.parse(row.time);
  if (Number.isNaN(at)) return { reason: times.refusal };
  const range = measurementRange(row.type);
  const value = parseMeasurement(String(row.value), range, null, '');
  if (Number.isNaN(value)) return { reason: refusalOfValue(String(row.value), range, '') };
  return { device, at, type: row.type, value, ...sourceOnDevice(row), ...NO_PERIOD };
}

const SOIL_ON_STATION = {
  text: 'the moisture of the soil of a device that is assigned to a weather station',
};

function cellsOfReading(row: ReadingRow, device: DeviceAssignment | null) {
  const module = device?.moduleId ?? row.module;
  const depth = device === null ? row.depth : depthOnDevice(device, row);
  return {
    module: typeof module === 'number' ? `#${module}` : (module ?? ''),
    type: row.type,
    depth: depth == null ? '' : String(depth),
    time: row.time,
    value: String(row.value),
  };
}

export const csvPlace = (line: number): string => `line ${line}`;

export async function readCsv(
  csv: CsvText,
  options: CsvOptions,
  context: RowContext,
  sink: RowSink,
  buffer: ReadingBuffer,
): Promise<{ rows: number; understanding: CsvUnderstanding }> {
  const reader = createCsvReader(options, ARGUMENT_NAMES, context, sink);
  for await (const lines of csvLines(textChunks(csv)))
    for (const text of lines) {
      reader.readLine(text);
      if (reader.rows > MAX_INGEST_READINGS) throw tooManyInCsv('rows');
      if (buffer.count > MAX_INGEST_READINGS) throw tooManyInCsv('readings');
      if (context.slice.isOver()) await context.slice.renew();
    }

  reader.end();
  return { rows: reader.rows, understanding: reader.understanding! };
}

const tooManyInCsv = (what: string) =>
  invalidInput('invalid_body', `The CSV has more than ${MAX_INGEST_READINGS} ${what}.`, {
    hint: 'Send the batch in parts.',
    field: 'csv',
  });

/** In characters. A long text is split into lines chunk by chunk. */
const CHUNK_LENGTH = 65_536;

async function* textChunks(text: CsvText): AsyncGenerator<string | Uint8Array> {
  if (typeof text !== 'string') return yield* text;
  for (let start = 0; start < text.length; start += CHUNK_LENGTH)
    yield text.slice(start, start + CHUNK_LENGTH);
}

function newestReadings(
  { modules, sensors }: SensorIndex,
  buffer: ReadingBuffer,
): IngestResult['modules'] {
  const moduleOfSensor = new Map(sensors.map(({ id, moduleId }) => [id, moduleId]));
  const newest = new Map<number, number>();
  for (const [sensorId, { to }] of buffer.periods()) {
    const id = moduleOfSensor.get(sensorId)!;
    newest.set(id, Math.max(newest.get(id) ?? to, to));
  }
  return modules
    .filter(({ id }) => newest.has(id))
    .map(({ id, uid }) => ({ id, uid, newest: toIso(newest.get(id)!) }));
}
