import type { Kysely } from 'kysely';
import type { DoubtfulTemperature } from '../../domain/facts/farm-facts.ts';
import { isDoubtfulTemperature } from '../../domain/ingest/doubtful-readings.ts';
import { entryOf } from '../../domain/items.ts';
import { DAY_MS } from '../../domain/periods.ts';
import { type ModuleName, moduleNames } from '../company/modules.ts';
import { companyDb } from '../scope/company-db.ts';
import type { CompanyDb, Tables } from '../tables.ts';

/** The newest reading of each sensor, if it is of the last day and no soil is as warm. */
export async function doubtfulTemperatures(
  db: CompanyDb,
  now: number,
): Promise<DoubtfulTemperature[]> {
  // In a join, SQLite reads the readings of all sensors first.
  const rows = await db
    .selectFrom('sensors')
    .select(({ selectFrom }) => [
      'module_id as moduleId',
      'depth',
      selectFrom('readings')
        .select('value')
        .whereRef('readings.sensor_id', '=', 'sensors.id')
        .where('at', '>', now - DAY_MS)
        .orderBy('at', 'desc')
        .limit(1)
        .as('celsius'),
    ])
    .where('type', '=', 'temperature')
    .orderBy('module_id')
    .orderBy('depth')
    .execute();
  return rows.flatMap(({ celsius, ...sensor }) =>
    celsius !== null && isDoubtfulTemperature(celsius, sensor.depth)
      ? [{ ...sensor, celsius }]
      : [],
  );
}

/** The doubtful temperatures of all companies, with their modules. */
export async function doubtfulTemperaturesOfAll(
  all: Kysely<Tables>,
  now: number,
): Promise<(DoubtfulTemperature & { readonly module: ModuleName })[]> {
  const found = [];
  for (const { id } of await all.selectFrom('companies').select('id').orderBy('id').execute()) {
    const db = companyDb(all, id);
    const doubtful = await doubtfulTemperatures(db, now);
    if (doubtful.length === 0) continue;

    const modules = new Map((await moduleNames(db)).map((module) => [module.id, module]));
    for (const temperature of doubtful)
      found.push({ ...temperature, module: entryOf(modules, temperature.moduleId) });
  }
  return found;
}
