import { fingerprintArguments } from '../operation/fingerprint.ts';
import type { OperationArguments } from '../operation/tool-arguments.ts';

/** As long as a service keeps an answer under its key. Source: spec, "Limits". In ms. */
const KEY_LIFETIME_MS = 24 * 3_600_000;
const MAX_ENTRIES = 1_000;

/** What the words of a call came to, and when it was first made, in ms. */
export interface CachedArguments extends OperationArguments {
  readonly readAtMs: number;
}

/**
 * What plain words came to under an idempotency key: a repeated call is the very same request, though "yesterday" is
 * another day by now. Kept in memory, the oldest let go first.
 */
export function idempotentArgumentCache() {
  const entries = new Map<string, CachedArguments>();
  const entryKey = (operation: string, key: string, args: unknown): string =>
    JSON.stringify([operation, key, fingerprintArguments(args)]);
  return {
    earlier(operation: string, key: string, args: unknown, now: number): CachedArguments | null {
      const entry = entries.get(entryKey(operation, key, args));
      return entry !== undefined && now < entry.readAtMs + KEY_LIFETIME_MS ? entry : null;
    },
    keep(operation: string, key: string, args: unknown, cachedArguments: CachedArguments): void {
      entries.set(entryKey(operation, key, args), cachedArguments);
      for (const oldest of entries.keys()) {
        if (entries.size <= MAX_ENTRIES) break;
        entries.delete(oldest);
      }
    },
    /** After a refusal there is nothing to repeat: the words are read anew. */
    forget(operation: string, key: string, args: unknown): void {
      entries.delete(entryKey(operation, key, args));
    },
  };
}
