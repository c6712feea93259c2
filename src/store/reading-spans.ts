import type { CompanyDb } from './tables.ts';

/** How many instants one query is asked about; well below the bound on parameters of either database. */
const MAX_INSTANTS_PER_QUERY = 500;

/** First and last instant (ms) that a sensor has a reading at, or null without any. */
export async function readingPeriod(db: CompanyDb, sensorId: number): Promise<{ from: number; to: number } | null> {
  const of = db.selectFrom('readings').select('at').where('sensor_id', '=', sensorId).limit(1);
  const first = await of.orderBy('at', 'asc').executeTakeFirst();
  const last = await of.orderBy('at', 'desc').executeTakeFirst();
  return first && last ? { from: first.at, to: last.at } : null;
}

/** Those of the instants (ms) that a sensor has a reading at. */
export async function existingInstants(
  db: CompanyDb,
  sensorId: number,
  instants: readonly number[],
): Promise<number[]> {
  const taken: number[] = [];
  for (let start = 0; start < instants.length; start += MAX_INSTANTS_PER_QUERY) {
    const rows = await db
      .selectFrom('readings')
      .select('at')
      .where('sensor_id', '=', sensorId)
      .where('at', 'in', instants.slice(start, start + MAX_INSTANTS_PER_QUERY))
      .execute();
    for (const row of rows) taken.push(row.at);
  }
  return taken;
}
