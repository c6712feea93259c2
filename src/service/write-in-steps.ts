import { setTimeout as pause } from 'node:timers/promises';
import type { Store } from '../store/store.ts';
import type { CompanyDb } from '../store/tables.ts';

/** Lets other processes write: they check every few milliseconds whether the lock is free. */
export const PAUSE_BETWEEN_STEPS_MS = 10;

/** Each step is a transaction. Once the signal is aborted, the rest is left undone. */
export async function writeInSteps(
  store: Store,
  companyId: number,
  step: (db: CompanyDb) => Promise<{ readonly isFinished: boolean }>,
  signal?: AbortSignal,
): Promise<void> {
  while (!signal?.aborted) {
    const { isFinished } = await store.write(companyId, step);
    if (isFinished) return;
    await pause(PAUSE_BETWEEN_STEPS_MS);
  }
}
