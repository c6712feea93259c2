import type { OperationArguments } from '../operation/arguments/operation-arguments.ts';
import { fingerprintArguments } from '../operation/replay/idempotency.ts';
import type { ReadingFormats } from '../operation/rest-conventions.ts';
import { REPLAY_WINDOW_MS } from '../store/idempotency.ts';

const MAX_ENTRIES = 1_000;

export interface CachedArguments extends OperationArguments {
  readonly readIn: ReadingFormats | null;
  readonly readAtMs: number;
}

export interface KeyedCall {
  /** The name of the operation. */
  readonly operation: string;
  readonly idempotencyKey: string;
  readonly rawArguments: unknown;
}

/**
 * A call repeated with its key sends the same request, even if "yesterday" has become another day.
 */
export class IdempotentArgumentCache {
  readonly #entries = new Map<string, CachedArguments>();

  get(call: KeyedCall, now: number): CachedArguments | null {
    const entry = this.#entries.get(entryKey(call));
    return entry !== undefined && now < entry.readAtMs + REPLAY_WINDOW_MS ? entry : null;
  }

  set(call: KeyedCall, cachedArguments: CachedArguments): void {
    this.#entries.set(entryKey(call), cachedArguments);

    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= MAX_ENTRIES) break;
      this.#entries.delete(oldest);
    }
  }

  delete(call: KeyedCall): void {
    this.#entries.delete(entryKey(call));
  }
}

const entryKey = ({ operation, idempotencyKey, rawArguments }: KeyedCall): string =>
  JSON.stringify([operation, idempotencyKey, fingerprintArguments(rawArguments)]);
