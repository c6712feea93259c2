import { addCivilDays, formatIsoDate, isIsoDate, parseIsoDate } from '../../domain/calendar.ts';
import type { TimeSlice } from '../../domain/event-loop.ts';
import { normalizeDeviceId } from '../../domain/ingest/payload-values.ts';
import { HOUR_MS, LONGEST_DAY_MS, MINUTE_MS } from '../../domain/periods.ts';
import { civilAt } from '../../domain/time-zone.ts';
import type { RejectionReason } from '../../schema/ingest/csv-import.ts';
import {
  type RainRow,
  rainRow,
  type WeatherRow,
  weatherRow,
} from '../../schema/ingest/ingest-batch.ts';
import type { UnassignedReading } from '../../store/ingest/unassigned-readings.ts';
import type { CompanyDb } from '../../store/tables.ts';
import {
  gaugeTimeOf,
  insertRains,
  movedRainOfGauges,
  type Rain,
  rainOfGauges,
  updateRain,
} from '../../store/weather/rain.ts';
import type { StationReading } from '../../store/weather/station-readings.ts';
import { wholeDay } from '../weather/rain.ts';
import {
  type DeviceDirectory,
  type DeviceUpdates,
  toUnassignedRain,
  toUnassignedWeather,
} from './device-readings.ts';
import { createReadingTimeParser, type ReadingTimeParser } from './reading-times.ts';
import { type BatchRejections, parseRow, rowExcerpt } from './rejected-rows.ts';
import { findModules, type SensorIndex } from './sensor-index.ts';

interface StationContext {
  readonly index: SensorIndex;
  readonly devices: DeviceDirectory;
  /** The zone of times without an offset. */
  readonly zone: string;
  readonly now: number;
  readonly slice: TimeSlice;
}

type FoundStation =
  | { readonly refused: RejectionReason }
  /** The device is not assigned. */
  | { readonly device: string; readonly station: null }
  | { readonly device: string | null; readonly station: SensorIndex['modules'][number] };

function findStation(
  row: Pick<WeatherRow, 'module' | 'device'>,
  { index, devices }: Pick<StationContext, 'index' | 'devices'>,
): FoundStation {
  const device = row.device === undefined ? null : normalizeDeviceId(row.device);
  const assignment = device === null ? null : devices.assignments.get(device);
  if (device !== null && assignment === undefined) return { device, station: null };

  const found = findModules(index, moduleText(assignment?.moduleId ?? row.module));
  const [station] = found;
  if (station === undefined) return { refused: 'unknown_module' };
  if (found.length > 1) return { refused: 'several_modules' };

  return station.category === 'WEATHER_STATION'
    ? { device, station }
    : { refused: { text: 'the module is not a weather station' } };
}

const moduleText = (module: WeatherRow['module']): string =>
  typeof module === 'number' ? `#${module}` : (module ?? '');

/** Reads rows of wind and radiation. */
export async function readStationWeather(
  rows: Iterable<unknown>,
  context: StationContext,
  rejections: BatchRejections,
  updates: DeviceUpdates | null,
): Promise<StationReading[]> {
  const times = createReadingTimeParser(context.zone, context.now);
  const found: StationReading[] = [];
  let index = 0;

  for (const value of rows) {
    const rowPath = `weather[${index++}]`;
    const refuse = (reason: RejectionReason): void =>
      rejections.add(rowPath, () => rowExcerpt(value), [{ reason }]);

    const parsed = parseRow(weatherRow, value);
    if ('refused' in parsed) refuse(parsed.refused);
    else {
      const { row } = parsed;
      const at = times.parse(row.time);
      const source = findStation(row, context);

      if (Number.isNaN(at)) refuse(times.refusal);
      else if ('refused' in source) refuse(source.refused);
      else {
        if (source.device !== null) updates?.senders.add(source.device);
        if (source.station === null)
          updates?.readings.push({
            reading: toUnassignedWeather(source.device, at, row),
            rowPath,
            row: value,
          });
        // At night, a sensor of radiation may measure slightly less than 0.
        else
          found.push({
            module_id: source.station.id,
            type: row.type,
            at,
            value: Math.max(0, row.value),
          });
      }
    }

    if (context.slice.isOver()) await context.slice.renew();
  }

  return lastOfEach(found);
}

/** One statement cannot write a row twice. */
const lastOfEach = (rows: readonly StationReading[]): StationReading[] => [
  ...new Map(rows.map((row) => [`${row.module_id} ${row.type} ${row.at}`, row])).values(),
];

/** A record as a gauge sends it. */
type GaugeRain = Omit<Rain, 'id' | 'moduleId' | 'endedAt'> & {
  readonly moduleId: number;
  /** For the total of a day, the instant until which rain is included. */
  readonly endedAt: number | null;
};

interface RainContext extends StationContext {
  /** The zone of the company, in which days begin and end. */
  readonly localZone: string;
}

export async function readGaugeRain(
  rows: Iterable<unknown>,
  context: RainContext,
  rejections: BatchRejections,
  updates: DeviceUpdates | null,
): Promise<GaugeRain[]> {
  const times = createReadingTimeParser(context.zone, context.now);
  const found: GaugeRain[] = [];
  let index = 0;

  for (const value of rows) {
    const rowPath = `rain[${index++}]`;
    const parsed = parseRainRow(value, times, context);
    if ('refused' in parsed)
      rejections.add(rowPath, () => rowExcerpt(value), [{ reason: parsed.refused }]);
    else {
      if (parsed.device !== null) updates?.senders.add(parsed.device);
      if ('reading' in parsed)
        updates?.readings.push({ reading: parsed.reading, rowPath, row: value });
      else found.push(parsed.rain);
    }

    if (context.slice.isOver()) await context.slice.renew();
  }

  return found;
}

type ParsedRain =
  | { readonly refused: RejectionReason }
  | { readonly device: string; readonly reading: UnassignedReading }
  | { readonly device: string | null; readonly rain: GaugeRain };

function parseRainRow(value: unknown, times: ReadingTimeParser, context: RainContext): ParsedRain {
  const parsed = parseRow(rainRow, value);
  if ('refused' in parsed) return parsed;

  const day = isIsoDate(parsed.row.time) ? wholeDay(parsed.row.time, context.localZone) : null;
  const row = day === null ? parsed.row : { ...parsed.row, isDayTotal: true };
  // The total of today may still rise.
  const at =
    day === null
      ? times.parse(row.time)
      : Math.min(day.endedAt, Math.max(day.startedAt + 1, context.now));
  if (Number.isNaN(at)) return { refused: times.refusal };

  const period = periodOfRainRow(row, at, context.localZone);
  if (period.startedAt < 0) return { refused: 'time_before_1970' };
  if (at > context.now + MAX_CLOCK_ERROR_MS)
    return { refused: { text: 'time more than an hour ahead' } };

  const source = findStation(row, context);
  if ('refused' in source) return source;

  const { device, station: gauge } = source;
  if (gauge === null) return { device, reading: toUnassignedRain(device, at, row) };

  const { id: moduleId, parcelId } = gauge;
  const origin = {
    source: 'gauge',
    gaugeTime: null,
    note: null,
    createdBy: null,
    createdAt: context.now,
  } as const;

  return { device, rain: { ...period, moduleId, parcelId, mm: row.mm, ...origin } };
}

/** How far the clock of a gauge may be ahead. */
const MAX_CLOCK_ERROR_MS = HOUR_MS;

function periodOfRainRow({ minutes, isDayTotal }: RainRow, at: number, zone: string) {
  const startedAt = at - (minutes ?? 0) * MINUTE_MS;
  // A total at midnight is that of the day that ends.
  const localDay = formatIsoDate(civilAt(isDayTotal ? at - 1 : startedAt, zone));
  if (isDayTotal) return { ...wholeDay(localDay, zone), endedAt: at };
  return { localDay, startedAt, endedAt: minutes === undefined ? null : at, isWholeDay: false };
}

export interface RainCounts {
  readonly written: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly lower: number;
}

const rainKey = (record: GaugeRain | Rain): string => `${record.moduleId} ${gaugeTimeOf(record)}`;

const dayTotalKey = (moduleId: number, localDay: string): string => `${moduleId} ${localDay}`;

/**
 * A gauge has one record for each start and one total for each day. Sending the same rows again
 * changes nothing.
 */
export async function writeGaugeRain(
  db: CompanyDb,
  rows: readonly GaugeRain[],
): Promise<RainCounts> {
  const counts = { written: 0, changed: 0, unchanged: 0, lower: 0 };
  if (rows.length === 0) return counts;

  const starts = rows.map(({ startedAt }) => startedAt);
  const period = { from: Math.min(...starts) - LONGEST_DAY_MS, to: Math.max(...starts) };
  const gauges = [...new Set(rows.map(({ moduleId }) => moduleId))];
  const storedRain = await rainOfGauges(db, gauges, period);
  const records = new Map<string, GaugeRain | Rain>(
    storedRain.map((record) => [rainKey(record), record]),
  );
  for (const record of await movedRainOfGauges(db, gauges))
    records.set(`${record.moduleId} ${record.gaugeTime}`, record);
  const changedKeys = new Set<string>();

  for (const row of rows) {
    const key = rainKey(row);
    const stored = records.get(key);
    const dayBefore = formatIsoDate(addCivilDays(parseIsoDate(row.localDay), -1));
    const result = classifyRain(
      row,
      stored,
      records.get(dayTotalKey(row.moduleId, dayBefore))?.mm ?? 0,
    );

    counts[result]++;
    if (result === 'unchanged' || result === 'lower') continue;

    records.set(key, { ...stored, ...row });
    changedKeys.add(key);
  }

  const written = [...changedKeys].map((key) => records.get(key)!);
  await insertRains(
    db,
    written.filter((row) => !('id' in row)),
  );
  for (const row of written) if ('id' in row) await updateRain(db, row);

  return counts;
}

/** A record that a person corrected no longer follows its gauge. */
function classifyRain(
  row: GaugeRain,
  stored: GaugeRain | Rain | undefined,
  mmOfDayBefore: number,
): keyof RainCounts {
  if (stored === undefined) return row.mm === 0 ? 'unchanged' : 'written';
  if (stored.source !== 'gauge') return 'unchanged';
  if (row.isWholeDay && row.endedAt !== stored.endedAt)
    return compareDayTotals(row, stored, mmOfDayBefore);
  return row.mm === stored.mm ? 'unchanged' : 'changed';
}

/**
 * Normally the highest total of a day stays: a counter falls when the gauge loses power or a
 * message shows 0 by mistake, which look the same. Soon after midnight, however, a gauge may still
 * send the total of the day before.
 */
function compareDayTotals(
  row: GaugeRain,
  stored: GaugeRain | Rain,
  mmOfDayBefore: number,
): keyof RainCounts {
  const mayBeOfDayBefore = (total: GaugeRain | Rain): boolean =>
    mmOfDayBefore > 0 &&
    total.mm >= mmOfDayBefore &&
    total.endedAt! - total.startedAt < MAX_CLOCK_DIFFERENCE_MS;

  const isNewer = row.endedAt! > stored.endedAt!;
  if (!isNewer) return row.mm > stored.mm && !mayBeOfDayBefore(row) ? 'changed' : 'unchanged';
  // The same total later in the day shows that it is of this day.
  if (row.mm === stored.mm)
    return mayBeOfDayBefore(stored) && !mayBeOfDayBefore(row) ? 'changed' : 'unchanged';

  return row.mm > stored.mm || mayBeOfDayBefore(stored) ? 'changed' : 'lower';
}

/**
 * How far midnight of a gauge may be from that of the company: its clock may be slow, its zone
 * another, a message late.
 */
const MAX_CLOCK_DIFFERENCE_MS = 3 * HOUR_MS;
