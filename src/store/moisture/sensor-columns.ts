import { type RawBuilder, sql } from 'kysely';
import { adapterOf } from '../store-adapter.ts';
import type { CompanyDb } from '../tables.ts';

// One row a sensor, with its readings as a JSON text: of thousands of sensors that is several times
// as fast as a row a reading, whose objects cost more than the look-up.

/** Rows of one sensor, oldest first. */
export interface SensorColumns {
  readonly at: readonly number[];
  readonly values: readonly number[];
}

/** `values` are the sums of the hours. */
export interface HourColumns extends SensorColumns {
  readonly counts: readonly number[];
}

/** For each sensor, its last readings before an instant, and the instant of its newest reading of all. */
export interface LastReadings extends SensorColumns {
  readonly newestAt: number | null;
}

/** The columns of the rows of a subquery, each as a JSON array in the order of the rows. */
function jsonColumns(db: CompanyDb, ...columns: string[]): RawBuilder<string> {
  const [array, list] =
    adapterOf(db).dialect === 'sqlite'
      ? ['json_array', 'json_group_array']
      : ['json_build_array', 'json_agg'];
  const lists = columns.map((column) => sql`${sql.raw(list)}(${sql.ref(column)})`);
  return sql<string>`cast(${sql.raw(array)}(${sql.join(lists)}) as text)`;
}

/** PostgreSQL writes null for the column of no rows. */
const parseColumns = (text: string | null, count: number): number[][] => {
  const columns: (number[] | null)[] = text === null ? [] : JSON.parse(text);
  return Array.from({ length: count }, (_, index) => columns[index] ?? []);
};

export async function lastReadingsOfSensors(
  db: CompanyDb,
  sensorIds: readonly number[],
  before: number,
  limit: number,
): Promise<Map<number, LastReadings>> {
  if (sensorIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('sensors')
    .where('id', 'in', sensorIds)
    .select((sensor) => {
      const readings = sensor
        .selectFrom('readings')
        .whereRef('readings.sensor_id', '=', 'sensors.id');
      const last = readings
        .where('at', '<', before)
        .select(['at', 'value'])
        .orderBy('at', 'desc')
        .limit(limit);

      return [
        'id',
        readings.select(({ fn }) => fn.max<number | null>('at').as('at')).as('newestAt'),
        sensor
          .selectFrom(last.as('last'))
          .select(jsonColumns(db, 'at', 'value').as('columns'))
          .as('columns'),
      ];
    })
    .execute();

  return new Map(
    rows.map(({ id, newestAt, columns }) => {
      const [at = [], values = []] = parseColumns(columns, 2);
      return [id, { newestAt, at: at.reverse(), values: values.reverse() }];
    }),
  );
}

/** The readings in a period; sensors without one are left out. */
export async function readingsOfSensors(
  db: CompanyDb,
  sensorIds: readonly number[],
  { start, end }: { readonly start: number; readonly end: number },
): Promise<Map<number, SensorColumns>> {
  if (sensorIds.length === 0 || start >= end) return new Map();
  const rows = await db
    .selectFrom((eb) =>
      eb
        .selectFrom('readings')
        .where('sensor_id', 'in', sensorIds)
        .where('at', '>=', start)
        .where('at', '<', end)
        .select(['sensor_id', 'at', 'value'])
        .orderBy('sensor_id')
        .orderBy('at')
        .as('rows'),
    )
    .groupBy('sensor_id')
    .select(['sensor_id', jsonColumns(db, 'at', 'value').as('columns')])
    .execute();

  return new Map(
    rows.map(({ sensor_id: id, columns }) => {
      const [at = [], values = []] = parseColumns(columns, 2);
      return [id, { at, values }];
    }),
  );
}

/** Hourly sums in a period of whole hours; sensors without one are left out. */
export async function hoursOfSensors(
  db: CompanyDb,
  sensorIds: readonly number[],
  { start, end }: { readonly start: number; readonly end: number },
): Promise<Map<number, HourColumns>> {
  if (sensorIds.length === 0 || start >= end) return new Map();
  const rows = await db
    .selectFrom((eb) =>
      eb
        .selectFrom('reading_hours')
        .where('sensor_id', 'in', sensorIds)
        .where('bucket_at', '>=', start)
        .where('bucket_at', '<', end)
        .select(['sensor_id', 'bucket_at', 'sum', 'count'])
        .orderBy('sensor_id')
        .orderBy('bucket_at')
        .as('rows'),
    )
    .groupBy('sensor_id')
    .select(['sensor_id', jsonColumns(db, 'bucket_at', 'sum', 'count').as('columns')])
    .execute();

  return new Map(
    rows.map(({ sensor_id: id, columns }) => {
      const [at = [], sums = [], counts = []] = parseColumns(columns, 3);
      return [id, { at, counts, values: sums }];
    }),
  );
}
