import { type SensorCalibration, UNCALIBRATED } from '../../domain/moisture/calibration.ts';
import { preparedListQuery, preparedQuery } from '../queries/prepared-query.ts';
import type { CompanyDb } from '../tables.ts';

const sensors = (db: CompanyDb) =>
  db
    .selectFrom('sensors')
    .select(['id', 'module_id as moduleId', 'type', 'depth', 'label', 'calibration']);

/**
 * Sensors with a depth and those without one have an index each, so one condition would use none.
 */
const sensorsOfModules = preparedListQuery((db, moduleIds) => {
  const found = sensors(db).where('module_id', 'in', moduleIds);
  return found.where('depth', 'is not', null).unionAll(found.where('depth', 'is', null));
});

const sensorsOfCompany = preparedQuery(sensors);

type SensorRow = Awaited<ReturnType<typeof sensorsOfCompany>>[number];

/** The depth is in cm; 0 is the surface. */
export interface Sensor extends Omit<SensorRow, 'calibration'> {
  readonly calibration: SensorCalibration;
}

const toSensor = ({ calibration, ...sensor }: SensorRow): Sensor => ({
  ...sensor,
  calibration: calibration === null ? UNCALIBRATED : JSON.parse(calibration),
});

const NO_DEPTH = Number.NEGATIVE_INFINITY;

/** By module and depth, those without a depth first. */
function inOrder(a: SensorRow, b: SensorRow): number {
  const [depth, otherDepth] = [a.depth ?? NO_DEPTH, b.depth ?? NO_DEPTH];
  if (a.moduleId !== b.moduleId) return a.moduleId - b.moduleId;
  if (depth !== otherDepth) return depth < otherDepth ? -1 : 1;
  if (a.type !== b.type) return a.type < b.type ? -1 : 1;
  return a.id - b.id;
}

const orderedSensors = (rows: readonly SensorRow[]): Sensor[] =>
  [...rows].sort(inOrder).map(toSensor);

export const allSensors = async (db: CompanyDb): Promise<Sensor[]> =>
  orderedSensors(await sensorsOfCompany(db));

export const sensorsOf = async (db: CompanyDb, moduleIds: readonly number[]): Promise<Sensor[]> =>
  orderedSensors(await sensorsOfModules(db, moduleIds));

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
