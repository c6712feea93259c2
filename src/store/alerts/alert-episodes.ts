import type { CompanyDb } from '../tables.ts';

/** A period during which an alert fired. Instants in ms. */
export interface StoredEpisode {
  readonly start: number;
  /** Null while it is firing. */
  readonly end: number | null;
  /** Lowest moisture in % volumetric between start and end. */
  readonly lowest: number;
}

/** The episode in progress after the values at `at`, of those that began at `from` or later. */
export async function episodeLastingAt(
  db: CompanyDb,
  alertId: string,
  from: number,
  at: number,
): Promise<StoredEpisode | null> {
  const row = await db
    .selectFrom('alert_episodes')
    .select(['start_at as start', 'end_at as end', 'lowest'])
    .where('alert_id', '=', alertId)
    .where('start_at', '>=', from)
    .where('start_at', '<=', at)
    .where((eb) => eb.or([eb('end_at', 'is', null), eb('end_at', '>', at)]))
    .orderBy('start_at', 'desc')
    .executeTakeFirst();
  return row ?? null;
}

export async function episodeStartingAt(db: CompanyDb, alertId: string, start: number): Promise<StoredEpisode | null> {
  const row = await db
    .selectFrom('alert_episodes')
    .select(['start_at as start', 'end_at as end', 'lowest'])
    .where('alert_id', '=', alertId)
    .where('start_at', '=', start)
    .executeTakeFirst();
  return row ?? null;
}

export async function replaceEpisodes(
  db: CompanyDb,
  alertId: string,
  from: number,
  episodes: readonly StoredEpisode[],
): Promise<void> {
  await db.deleteFrom('alert_episodes').where('alert_id', '=', alertId).where('start_at', '>=', from).execute();
  for (const { start, end, lowest } of episodes)
    await db.insertInto('alert_episodes').values({ alert_id: alertId, start_at: start, end_at: end, lowest }).execute();
}

export async function endEpisode(db: CompanyDb, alertId: string, at: number): Promise<void> {
  await db
    .updateTable('alert_episodes')
    .set({ end_at: at })
    .where('alert_id', '=', alertId)
    .where('end_at', 'is', null)
    .execute();
}
