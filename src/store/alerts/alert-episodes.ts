import type { AlertEpisode } from '../../domain/alerts/alert-episodes.ts';
import { preparedQuery } from '../queries/prepared-query.ts';
import type { CompanyDb } from '../tables.ts';

const episodesOf = (db: CompanyDb, alertId: string) =>
  db
    .selectFrom('alert_episodes')
    .select(['started_at as start', 'ended_at as end', 'lowest'])
    .where('alert_id', '=', alertId);

/** The episode that began at `from` or later and is still open after the values at `at`. */
export async function episodeLastingAt(
  db: CompanyDb,
  alertId: string,
  from: number,
  at: number,
): Promise<AlertEpisode | null> {
  return (await queryLastingEpisode(db, alertId, from, at))[0] ?? null;
}

const queryLastingEpisode = preparedQuery((db, alertId: string, from: number, at: number) =>
  episodesOf(db, alertId)
    .where('started_at', '>=', from)
    .where('started_at', '<=', at)
    .where((eb) => eb.or([eb('ended_at', 'is', null), eb('ended_at', '>', at)]))
    .orderBy('started_at', 'desc')
    .limit(1),
);

export const episodeStartingAt = async (
  db: CompanyDb,
  alertId: string,
  start: number,
): Promise<AlertEpisode | null> => (await queryEpisodeStarting(db, alertId, start))[0] ?? null;

const queryEpisodeStarting = preparedQuery((db, alertId: string, start: number) =>
  episodesOf(db, alertId).where('started_at', '=', start),
);

/** Replaces the episodes that began at `from` or later. */
export async function replaceEpisodes(
  db: CompanyDb,
  alertId: string,
  from: number,
  episodes: readonly AlertEpisode[],
): Promise<void> {
  await deleteEpisodesFrom(db, alertId, from);

  for (const { start, end, lowest } of episodes)
    await db
      .insertInto('alert_episodes')
      .values({ alert_id: alertId, started_at: start, ended_at: end, lowest })
      .execute();
}

const deleteEpisodesFrom = preparedQuery((db, alertId: string, from: number) =>
  db.deleteFrom('alert_episodes').where('alert_id', '=', alertId).where('started_at', '>=', from),
);

/** Ends the open episode, if there is one. */
export async function endEpisode(db: CompanyDb, alertId: string, at: number): Promise<void> {
  await db
    .updateTable('alert_episodes')
    .set({ ended_at: at })
    .where('alert_id', '=', alertId)
    .where('ended_at', 'is', null)
    .execute();
}
