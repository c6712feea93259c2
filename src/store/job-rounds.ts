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

/** Of processes that have run a round with a mail server. */
export async function recordMailAttempt(
  db: Kysely<Tables>,
  runner: JobRunner,
  attempt: { readonly deliveredAt: number } | { readonly failedAt: number },
): Promise<void> {
  await db
    .updateTable('job_rounds')
    .set(
      'failedAt' in attempt
        ? { failed_at: attempt.failedAt }
        : { delivered_at: attempt.deliveredAt },
    )
    .where('runner', '=', runner)
    .where('has_mail_server', '=', 1)
    .execute();
}

export async function jobRounds(db: Kysely<Tables>): Promise<JobRound[]> {
  const rows = await db.selectFrom('job_rounds').selectAll().execute();
  return rows.map(({ runner, has_mail_server, ran_at, delivered_at, failed_at }) => ({
    runner,
    hasMailServer: has_mail_server === 1,
    ranAt: ran_at,
    deliveredAt: delivered_at,
    failedAt: failed_at,
  }));
}
