import { BOUNDED_THINGS } from '../domain/shares/bounded-things.ts';
import { Shares } from '../domain/shares/shares.ts';
import { storeBusyError } from '../schema/error.ts';

/** Shared by all jobs of the process. */
const turns = new Shares(BOUNDED_THINGS.jobs, storeBusyError);

type JobName = 'housekeeping' | 'alerts';

/**
 * Runs a step of a job when it is the company's turn, so that the rows of one company do not keep
 * the jobs of the others waiting.
 */
export async function inJobTurn<T>(
  companyId: number,
  job: JobName,
  step: () => Promise<T>,
): Promise<T> {
  const turn = await turns.take({ company: companyId, key: job });
  try {
    return await step();
  } finally {
    turn.release();
  }
}
