import { fingerprintOf } from '../operation/fingerprint.ts';
import type { Understood } from '../operation/tool-arguments.ts';

/** As long as a service keeps an answer under its key. Source: spec, "Limits". In ms. */
const KEPT_MS = 24 * 3_600_000;
const MOST = 1_000;

/** What the words of a call came to, and when it was first made, in ms. */
export interface Meant extends Understood {
  readonly at: number;
}

/**
 * What plain words came to under an idempotency key: a repeated call is the very same request, though "yesterday" is
 * another day by now. Kept in memory, the oldest let go first.
 */
export function wordsKept() {
  const kept = new Map<string, Meant>();
  const place = (operation: string, key: string, given: unknown): string =>
    JSON.stringify([operation, key, fingerprintOf(given)]);
  return {
    earlier(operation: string, key: string, given: unknown, now: number): Meant | null {
      const found = kept.get(place(operation, key, given));
      return found !== undefined && now < found.at + KEPT_MS ? found : null;
    },
    keep(operation: string, key: string, given: unknown, meant: Meant): void {
      kept.set(place(operation, key, given), meant);
      for (const oldest of kept.keys()) {
        if (kept.size <= MOST) break;
        kept.delete(oldest);
      }
    },
    /** After a refusal there is nothing to repeat: the words are read anew. */
    forget(operation: string, key: string, given: unknown): void {
      kept.delete(place(operation, key, given));
    },
  };
}
