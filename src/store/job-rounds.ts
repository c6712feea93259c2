import type { Kysely } from 'kysely';
import type { JobRound, JobRunner } from '../domain/alerts/job-rounds.ts';
import { type Tables, toFlag } from './tables.ts';

export async function recordRound(
  db: Kysely<Tables>,
  { runner, hasMailServer, ranAt }: Pick<JobRound, 'runner' | 'hasMailServer' | 'ranAt'>,
): Promise<void> {
  await db
    .insertInto('job_rounds')
    .values({ runner, has_mail_server: toFlag(hasMailServer), ran_at: ranAt })
    .onConflict((conflict) =>
      conflict.columns(['runner', 'has_mail_server']).doUpdateSet({ ran_at: ranAt }),
    )
    .execute();
}

type MailAttempt = 'delivered' | 'failed' | 'tried';

/** Changes the row of processes with a mail server, because no others attempt mail. */
export async function recordMailAttempt(
  db: Kysely<Tables>,
  runner: JobRunner,
  attempt: MailAttempt,
  at: number,
): Promise<void> {
  await db
    .updateTable('job_rounds')
    .set({ [`${attempt}_at` as const]: at })
    .where('runner', '=', runner)
    .where('has_mail_server', '=', 1)
    .execute();
}

/** Another process of the kind says with its next round that it still runs. */
export async function recordStop(
  db: Kysely<Tables>,
  {
    runner,
    hasMailServer,
    stoppedAt,
  }: Pick<JobRound, 'runner' | 'hasMailServer'> & { readonly stoppedAt: number },
): Promise<void> {
  await db
    .updateTable('job_rounds')
    .set({ stopped_at: stoppedAt })
    .where('runner', '=', runner)
    .where('has_mail_server', '=', toFlag(hasMailServer))
    .execute();
}

export async function jobRounds(db: Kysely<Tables>): Promise<JobRound[]> {
  const rows = await db.selectFrom('job_rounds').selectAll().execute();
  return rows.map((row) => ({
    runner: row.runner,
    hasMailServer: row.has_mail_server === 1,
    ranAt: row.ran_at,
    stoppedAt: row.stopped_at,
    triedAt: row.tried_at,
    deliveredAt: row.delivered_at,
    failedAt: row.failed_at,
  }));
}
