import { recordKeyUses } from '../store/api-keys.ts';
import type { Store } from '../store/store.ts';

/** Uses are gathered this long, in ms, and written together. */
const FLUSH_DELAY_MS = 500;

/** When keys were last used, written behind the answers. */
export interface KeyUseRecorder {
  record(keyId: number): void;
  /** Writes what is still to be written. */
  close(): Promise<void>;
}

/** A use that cannot be written is reported and forgotten: no answer depends on it. */
export function createKeyUseRecorder(
  store: Store,
  clock: () => number,
  report: (error: unknown) => Promise<unknown>,
): KeyUseRecorder {
  const used = new Set<number>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<unknown> = Promise.resolve();

  function write(): void {
    clearTimeout(timer);
    timer = undefined;
    if (used.size === 0) return;
    const ids = [...used];
    used.clear();
    // In no company's turn: a use is the later of two, whoever writes first, and the books of a company hold none.
    writing = writing.then(() => store.writeUnlocked((all) => recordKeyUses(all, ids, clock())).catch(report));
  }

  return {
    record(keyId) {
      used.add(keyId);
      timer ??= setTimeout(write, FLUSH_DELAY_MS);
    },
    async close() {
      write();
      await writing;
    },
  };
}
