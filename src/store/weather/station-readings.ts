import type { Selectable } from 'kysely';
import { chunksOf } from '../../domain/groups.ts';
import { entryOf } from '../../domain/items.ts';
import { MINUTE_MS } from '../../domain/periods.ts';
import type { ReadingSpan } from '../../domain/weather/station-days.ts';
import { STATION_MEASURES } from '../../schema/ingest/ingest-items.ts';
import { bucketStartSql } from '../moisture/sum-queries.ts';
import { preparedListQuery, preparedQuery } from '../queries/prepared-query.ts';
import { type CompanyDb, type CompanyTables, toFlag } from '../tables.ts';

export type StationReading = Selectable<CompanyTables['station_readings']>;

const ROWS_PER_QUERY = 500;

/** A later value of the same instant replaces the earlier one. */
export async function saveStationReadings(
  db: CompanyDb,
  rows: readonly StationReading[],
): Promise<void> {
  for (const chunk of chunksOf(rows, ROWS_PER_QUERY))
    await db
      .insertInto('station_readings')
      .values(chunk)
      .onConflict((conflict) =>
        conflict
          .columns(['module_id', 'type', 'at'])
          .doUpdateSet((eb) => ({ value: eb.ref('excluded.value') })),
      )
      .execute();
}

export async function deleteStationReadings(
  db: CompanyDb,
  rows: readonly StationReading[],
): Promise<void> {
  for (const row of rows)
    await db
      .deleteFrom('station_readings')
      .where((eb) => eb.and(row))
      .execute();
}

interface Bounds {
  readonly first: number | null;
  readonly last: number | null;
}

/** The instants of the first and the last rain, wind or radiation of a station since an instant. */
export async function weatherBounds(
  db: CompanyDb,
  moduleId: number,
  since: number,
): Promise<Bounds[]> {
  const measures = await db
    .selectFrom('station_readings')
    .select(({ fn }) => [
      fn.min<number | null>('at').as('first'),
      fn.max<number | null>('at').as('last'),
    ])
    .where('module_id', '=', moduleId)
    .where('at', '>=', since)
    .executeTakeFirstOrThrow();
  const rain = await db
    .selectFrom('rain')
    .select(({ fn }) => [
      fn.min<number | null>('ended_at').as('first'),
      fn.max<number | null>('ended_at').as('last'),
    ])
    .where('module_id', '=', moduleId)
    .where('ended_at', '>=', since)
    .executeTakeFirstOrThrow();
  return [measures, rain];
}

/** The instant of the newest rain, wind or radiation of a station; null without any. */
export async function newestWeatherAt(db: CompanyDb, moduleId: number): Promise<number | null> {
  const instants: number[] = [];

  for (const type of STATION_MEASURES) {
    const newest = await db
      .selectFrom('station_readings')
      .select('at')
      .where('module_id', '=', moduleId)
      .where('type', '=', type)
      .orderBy('at', 'desc')
      .limit(1)
      .executeTakeFirst();
    if (newest !== undefined) instants.push(newest.at);
  }

  // In the index by gauge, totals of days are apart from the other rain.
  for (const isWholeDay of [false, true]) {
    const newest = await db
      .selectFrom('rain')
      .select(['started_at', 'ended_at'])
      .where('module_id', '=', moduleId)
      .where('is_whole_day', '=', toFlag(isWholeDay))
      .orderBy('started_at', 'desc')
      .limit(1)
      .executeTakeFirst();
    if (newest !== undefined) instants.push(newest.ended_at ?? newest.started_at);
  }

  return instants.length === 0 ? null : Math.max(...instants);
}

export type StationMeasure = 'temperature' | 'humidity' | StationReading['type'];

export interface StationSpan extends ReadingSpan {
  readonly stationId: number;
  readonly measure: StationMeasure;
}

/** Every current time-zone offset is a multiple of 15 min, so no span crosses a local midnight. */
const SPAN_MS = 15 * MINUTE_MS;

/** Station sensors without a depth in the soil measure the air. */
const airSensors = preparedQuery((db) =>
  db
    .selectFrom('sensors')
    .innerJoin('modules', 'modules.id', 'sensors.module_id')
    .select(['sensors.id as sensorId', 'sensors.module_id as stationId', 'sensors.type as measure'])
    .where('modules.category', '=', 'WEATHER_STATION')
    .where('sensors.type', 'in', ['temperature', 'humidity'])
    .$narrowType<{ measure: 'temperature' | 'humidity' }>()
    .where((eb) => eb.or([eb('sensors.depth', 'is', null), eb('sensors.depth', '=', 0)]))
    .orderBy('sensors.id'),
);

export const airSensorIds = async (db: CompanyDb): Promise<ReadonlySet<number>> =>
  new Set((await airSensors(db)).map(({ sensorId }) => sensorId));

const sensorSpans = preparedListQuery((db, sensorIds, start: number, end: number) =>
  db
    .selectFrom('readings')
    .where('sensor_id', 'in', sensorIds)
    .where('at', '>=', start)
    .where('at', '<', end)
    .select(({ fn }) => [
      'sensor_id as sensorId',
      fn.min<number>('at').as('at'),
      fn.min<number>('value').as('min'),
      fn.max<number>('value').as('max'),
      fn.avg<number>('value').as('mean'),
    ])
    .groupBy(['sensor_id', bucketStartSql('at', SPAN_MS)]),
);

const stationReadingSpans = preparedQuery((db, start: number, end: number) =>
  db
    .selectFrom('station_readings')
    .where('at', '>=', start)
    .where('at', '<', end)
    .select(({ fn }) => [
      'module_id as stationId',
      'type as measure',
      fn.min<number>('at').as('at'),
      fn.min<number>('value').as('min'),
      fn.max<number>('value').as('max'),
      fn.avg<number>('value').as('mean'),
    ])
    .groupBy(['module_id', 'type', bucketStartSql('at', SPAN_MS)]),
);

/** The spans of all measures of all stations, oldest first. */
export async function stationSpans(
  db: CompanyDb,
  { start, end }: { readonly start: number; readonly end: number },
): Promise<StationSpan[]> {
  const sensors = new Map((await airSensors(db)).map((sensor) => [sensor.sensorId, sensor]));
  const rows = sensors.size === 0 ? [] : await sensorSpans(db, [...sensors.keys()], start, end);
  const airSpans = rows.map(({ sensorId, ...span }): StationSpan => {
    const { stationId, measure } = entryOf(sensors, sensorId);
    return { ...span, stationId, measure };
  });
  return [...airSpans, ...(await stationReadingSpans(db, start, end))].sort((a, b) => a.at - b.at);
}
