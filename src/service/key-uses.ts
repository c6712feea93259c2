import { noteUses } from '../store/api-keys.ts';
import type { Store } from '../store/store.ts';

/** Uses are gathered this long, in ms, and written together. */
const GATHERED_MS = 500;

/** When keys were last used, written behind the answers. */
export interface KeyUses {
  note(keyId: number): void;
  /** Writes what is still to be written. */
  close(): Promise<void>;
}

/** A use that cannot be written is reported and forgotten: no answer depends on it. */
export function keyUses(store: Store, clock: () => number, report: (error: unknown) => Promise<unknown>): KeyUses {
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
    writing = writing.then(() => store.writeBeside((all) => noteUses(all, ids, clock())).catch(report));
  }

  return {
    note(keyId) {
      used.add(keyId);
      timer ??= setTimeout(write, GATHERED_MS);
    },
    async close() {
      write();
      await writing;
    },
  };
}
