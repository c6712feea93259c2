import type { CompanyDb } from './tables.ts';

/** How many sensors and instants one query is asked about: together below the bound on parameters of either database. */
const SENSORS_A_QUERY = 100;
const INSTANTS_A_QUERY = 400;

/** A reading that stands: instant in ms, value in the sensor's unit. */
export interface StandingReading {
  readonly sensorId: number;
  readonly at: number;
  readonly value: number;
}

/** The readings that some sensors have at some instants (ms). */
export async function standingReadings(
  db: CompanyDb,
  sensorIds: readonly number[],
  instants: readonly number[],
): Promise<StandingReading[]> {
  const found: StandingReading[] = [];
  for (const sensors of inParts(sensorIds, SENSORS_A_QUERY))
    for (const ats of inParts(instants, INSTANTS_A_QUERY))
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

const inParts = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, part) => all.slice(part * size, (part + 1) * size));
