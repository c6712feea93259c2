import type { AlertEpisode } from '../../domain/alerts/alert-episodes.ts';
import type { CompanyDb } from '../tables.ts';

const episodesOf = (db: CompanyDb, alertId: string) =>
  db
    .selectFrom('alert_episodes')
    .select(['start_at as start', 'end_at as end', 'lowest'])
    .where('alert_id', '=', alertId);

/** The episode in progress after the values at `at`, of those that began at `from` or later. */
export async function episodeLastingAt(
  db: CompanyDb,
  alertId: string,
  from: number,
  at: number,
): Promise<AlertEpisode | null> {
  const row = await episodesOf(db, alertId)
    .where('start_at', '>=', from)
    .where('start_at', '<=', at)
    .where((eb) => eb.or([eb('end_at', 'is', null), eb('end_at', '>', at)]))
    .orderBy('start_at', 'desc')
    .executeTakeFirst();
  return row ?? null;
}

export const episodeStartingAt = async (db: CompanyDb, alertId: string, start: number): Promise<AlertEpisode | null> =>
  (await episodesOf(db, alertId).where('start_at', '=', start).executeTakeFirst()) ?? null;

export async function replaceEpisodes(
  db: CompanyDb,
  alertId: string,
  from: number,
  episodes: readonly AlertEpisode[],
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
