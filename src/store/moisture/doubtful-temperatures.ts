import type { Kysely, Selectable } from 'kysely';
import type { DoubtfulTemperature } from '../../domain/facts/farm-facts.ts';
import { isDoubtfulTemperature, LOWEST_DOUBTFUL_C } from '../../domain/ingest/doubtful-readings.ts';
import { DAY_MS } from '../../domain/periods.ts';
import type { CompanyDb, CompanyTables, Tables } from '../tables.ts';

type NamedModule = Pick<
  Selectable<CompanyTables['modules']>,
  'uid' | 'name' | 'number' | 'category'
>;

/** Those of all companies, with their modules. */
export async function doubtfulTemperaturesOfAll(
  all: Kysely<Tables>,
  now: number,
): Promise<(Omit<DoubtfulTemperature, 'moduleId'> & { readonly module: NamedModule })[]> {
  const rows = await all
    .selectFrom('sensors')
    .innerJoin('modules', (join) =>
      join
        .onRef('modules.company_id', '=', 'sensors.company_id')
        .onRef('modules.id', '=', 'sensors.module_id'),
    )
    .innerJoin('readings', (join) =>
      join
        .onRef('readings.company_id', '=', 'sensors.company_id')
        .onRef('readings.sensor_id', '=', 'sensors.id'),
    )
    .select(['modules.uid', 'modules.name', 'modules.number', 'modules.category'])
    .select(['depth', 'value as celsius'])
    .where('sensors.type', '=', 'temperature')
    .where('value', '>', LOWEST_DOUBTFUL_C)
    .where('at', '>', now - DAY_MS)
    .where('at', '=', ({ selectFrom }) =>
      selectFrom('readings as newest')
        .whereRef('newest.company_id', '=', 'sensors.company_id')
        .whereRef('newest.sensor_id', '=', 'sensors.id')
        .select(({ fn }) => fn.max<number>('newest.at').as('at')),
    )
    .execute();

  return rows
    .filter(({ celsius, depth }) => isDoubtfulTemperature(celsius, depth))
    .map(({ depth, celsius, ...module }) => ({ depth, celsius, module }));
}

/** Of each sensor the newest reading, if it is of the last day and no soil is as warm. */
export async function doubtfulTemperatures(
  db: CompanyDb,
  now: number,
): Promise<DoubtfulTemperature[]> {
  const rows = await db
    .selectFrom('sensors')
    .innerJoin('readings', 'readings.sensor_id', 'sensors.id')
    .select(['module_id as moduleId', 'depth', 'value as celsius'])
    .where('type', '=', 'temperature')
    .where('value', '>', LOWEST_DOUBTFUL_C)
    .where('at', '>', now - DAY_MS)
    .where('at', '=', ({ selectFrom }) =>
      selectFrom('readings as newest')
        .whereRef('newest.sensor_id', '=', 'sensors.id')
        .select(({ fn }) => fn.max<number>('newest.at').as('at')),
    )
    .orderBy('module_id')
    .orderBy('depth')
    .execute();
  return rows.filter(({ celsius, depth }) => isDoubtfulTemperature(celsius, depth));
}
