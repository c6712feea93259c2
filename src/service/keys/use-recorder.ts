import { MINUTE_MS } from '../../domain/periods.ts';
import { recordUses } from '../../store/keys/api-keys.ts';
import type { Store } from '../../store/store.ts';

/** The last use is written at most this often. */
const USE_RECORDED_EVERY_MS = MINUTE_MS;

export const isUseToRecord = (lastUsedAt: number | null, now: number): boolean =>
  lastUsedAt === null || now - lastUsedAt >= USE_RECORDED_EVERY_MS;

const FLUSH_DELAY_MS = 500;

/** A use that cannot be written is only reported: no answer depends on it. */
export function createUseRecorder(
  table: 'api_keys' | 'sessions',
  store: Store,
  clock: () => number,
  report: (error: unknown) => Promise<unknown>,
) {
  const used = new Set<number>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<unknown> = Promise.resolve();

  function write(): void {
    clearTimeout(timer);
    timer = undefined;
    if (used.size === 0) return;
    const ids = [...used];
    used.clear();
    // No company lock is needed: of two uses the later one counts, whichever is written first.
    writing = writing.then(() => store.writeUnlocked((all) => recordUses(all, table, ids, clock())).catch(report));
  }

  return {
    record(id: number) {
      used.add(id);
      timer ??= setTimeout(write, FLUSH_DELAY_MS);
    },
    async close() {
      write();
      await writing;
    },
  };
}
