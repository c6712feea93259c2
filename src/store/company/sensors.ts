import { firstOf } from '../../domain/items.ts';
import { type SensorCalibration, UNCALIBRATED } from '../../domain/moisture/calibration.ts';
import { preparedQuery } from '../queries/prepared-query.ts';
import type { CompanyDb } from '../tables.ts';

const orderedSensors = (db: CompanyDb) =>
  db
    .selectFrom('sensors')
    .select(['id', 'module_id as moduleId', 'type', 'depth', 'label', 'calibration'])
    .orderBy('module_id')
    .orderBy('depth', (depth) => depth.asc().nullsFirst())
    .orderBy('type')
    .orderBy('id');

const sensorsOfModule = preparedQuery((db, moduleId: number) =>
  orderedSensors(db).where('module_id', '=', moduleId),
);

const sensorsOfCompany = preparedQuery(orderedSensors);

type SensorRow = Awaited<ReturnType<typeof sensorsOfModule>>[number];

/** The depth is in cm; 0 is the surface. */
export interface Sensor extends Omit<SensorRow, 'calibration'> {
  readonly calibration: SensorCalibration;
}

const toSensor = ({ calibration, ...sensor }: SensorRow): Sensor => ({
  ...sensor,
  calibration: calibration === null ? UNCALIBRATED : JSON.parse(calibration),
});

export const allSensors = async (db: CompanyDb): Promise<Sensor[]> =>
  (await sensorsOfCompany(db)).map(toSensor);

export async function sensorsOf(db: CompanyDb, moduleIds: readonly number[]): Promise<Sensor[]> {
  if (moduleIds.length === 0) return [];
  const rows =
    moduleIds.length === 1
      ? await sensorsOfModule(db, firstOf(moduleIds))
      : await orderedSensors(db).where('module_id', 'in', moduleIds).execute();
  return rows.map(toSensor);
}

export async function setCalibration(
  db: CompanyDb,
  sensorId: number,
  calibration: SensorCalibration,
): Promise<void> {
  await db
    .updateTable('sensors')
    .set({ calibration: calibration.length === 0 ? null : JSON.stringify(calibration) })
    .where('id', '=', sensorId)
    .execute();
}
