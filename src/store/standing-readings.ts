import type { CompanyDb } from './tables.ts';

/** How many sensors and instants one query is asked about: together below the bound on parameters of either database. */
const MAX_SENSORS = 100;
const MAX_INSTANTS = 400;

/** A reading that stands: instant in ms, value in the sensor's unit. */
export interface StoredReading {
  readonly sensorId: number;
  readonly at: number;
  readonly value: number;
}

/** The readings that some sensors have at some instants (ms). */
export async function readingsAtInstants(
  db: CompanyDb,
  sensorIds: readonly number[],
  instants: readonly number[],
): Promise<StoredReading[]> {
  const found: StoredReading[] = [];
  for (const sensors of chunks(sensorIds, MAX_SENSORS))
    for (const ats of chunks(instants, MAX_INSTANTS))
      found.push(
        ...(await db
          .selectFrom('readings')
          .select(['sensor_id as sensorId', 'at', 'value'])
          .where('sensor_id', 'in', sensors)
          .where('at', 'in', ats)
          .execute()),
      );
  return found;
}

const chunks = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, part) => all.slice(part * size, (part + 1) * size));
