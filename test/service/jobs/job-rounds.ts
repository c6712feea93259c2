import type { JobRound } from '../../../src/domain/alerts/job-rounds.ts';
import { recordMailAttempt, recordRound } from '../../../src/store/job-rounds.ts';
import type { Store } from '../../../src/store/store.ts';
import { MINUTE } from '../../time.ts';

interface PastRound extends Partial<Pick<JobRound, 'runner' | 'hasMailServer'>> {
  readonly minutesAgo?: number;
  /** True if mail failed since. */
  readonly hasFailed?: boolean;
}

/** The default is a round of a running service with a mail server. */
export const addRound = (
  store: Store,
  { runner = 'serve', hasMailServer = true, minutesAgo = 1, hasFailed = false }: PastRound = {},
): Promise<void> =>
  store.writeUnlocked(async (all) => {
    const ranAt = Date.now() - minutesAgo * MINUTE;
    await recordRound(all, { runner, hasMailServer, ranAt });
    await recordMailAttempt(all, runner, 'tried', ranAt - 1);
    if (hasFailed) await recordMailAttempt(all, runner, 'failed', ranAt);
  });
