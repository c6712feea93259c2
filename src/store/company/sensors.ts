import { firstOf } from '../../domain/items.ts';
import { preparedQuery } from '../queries/prepared-query.ts';
import type { CompanyDb } from '../tables.ts';

const orderedSensors = (db: CompanyDb) =>
  db
    .selectFrom('sensors')
    .select(['id', 'module_id as moduleId', 'type', 'depth', 'label'])
    .orderBy('module_id')
    .orderBy('depth', (depth) => depth.asc().nullsFirst())
    .orderBy('type')
    .orderBy('id');

const sensorsOfModule = preparedQuery((db, moduleId: number) =>
  orderedSensors(db).where('module_id', '=', moduleId),
);

/** The depth is in cm; 0 is the surface. */
export type Sensor = Awaited<ReturnType<typeof sensorsOfModule>>[number];

export const allSensors = preparedQuery(orderedSensors);

export async function sensorsOf(db: CompanyDb, moduleIds: readonly number[]): Promise<Sensor[]> {
  if (moduleIds.length === 0) return [];
  if (moduleIds.length === 1) return sensorsOfModule(db, firstOf(moduleIds));
  return orderedSensors(db).where('module_id', 'in', moduleIds).execute();
}
