import type { StoreKind } from '../../domain/alerts/means-of-notice.ts';
import type { Lang } from '../../domain/lang.ts';
import { MINUTE_MS } from '../../domain/periods.ts';
import { BOUNDED_THINGS, withSize } from '../../domain/shares/bounded-things.ts';
import { Shares } from '../../domain/shares/shares.ts';
import type { Advisory } from '../../schema/advisory.ts';
import { serviceBusyError } from '../../schema/error.ts';
import { type Identity, takerOf } from '../authorization.ts';
import type { Picture } from '../operation-result.ts';
import { SharedAnswers } from './shared-answers.ts';

/** A read whose arguments are understood. Plain data, because it may run in another thread. */
export interface LongRead {
  /** The name of the operation. */
  readonly operation: string;
  readonly input: Record<string, unknown>;
  readonly advisories: readonly Advisory[];
  readonly identity: Pick<Identity, 'company' | 'source'> & {
    readonly caller: Omit<Identity['caller'], 'credential'>;
  };
  readonly now: number;
  readonly lang: Lang | undefined;
  readonly pageUrl: string | undefined;
  readonly storeKind: StoreKind | undefined;
  /**
   * Changes of the company that the caller's snapshot has seen; null for an answer that no other
   * caller shares.
   */
  readonly changeCount: number | null;
}

export interface LongReadAnswer {
  /** The body, before anything is added for the one caller. */
  readonly json: string;
  readonly advisories: readonly Advisory[];
  readonly picture: Picture | undefined;
}

export type RunLongRead = (
  read: LongRead,
  signal: AbortSignal | undefined,
) => Promise<LongReadAnswer>;

interface LongReadOptions {
  readonly signal: AbortSignal | undefined;
  /** Called when the read has found a place and runs. */
  readonly onPlace: (() => void) | undefined;
}

/** In characters: some hundred answers about large farms. */
const MAX_SHARED_LENGTH = 32 * 1024 * 1024;

/** Short answers are limited too, because each holds a connection while it is computed. */
export const shortReadShares = (): Shares =>
  new Shares(BOUNDED_THINGS.shortReads, serviceBusyError);

/**
 * Runs the reads that take long in a few places, which companies share, and computes equal answers
 * once.
 */
export class LongReads {
  readonly #run: RunLongRead;
  readonly #places: Shares;
  readonly #shared = new SharedAnswers<LongReadAnswer>(MAX_SHARED_LENGTH);

  constructor(run: RunLongRead, { places }: { places: number }) {
    this.#run = run;
    this.#places = new Shares(withSize(BOUNDED_THINGS.longReads, places), serviceBusyError);
  }

  answer(read: LongRead, options: LongReadOptions): Promise<LongReadAnswer> {
    if (read.changeCount === null) return this.#runInPlace(read, options);

    // Others may be waiting for a shared answer, which its first caller alone cannot cancel.
    return this.#shared.get(shareKey(read), options.signal, (signal) =>
      this.#runInPlace(read, { ...options, signal }),
    );
  }

  /** Refuses the reads that wait, and later ones. Those that run are answered. */
  stop(): void {
    this.#places.close();
  }

  async #runInPlace(read: LongRead, { signal, onPlace }: LongReadOptions): Promise<LongReadAnswer> {
    const place = await this.#places.take(takerOf(read.identity.caller), signal);
    try {
      onPlace?.();
      return await this.#run(read, signal);
    } finally {
      place.release();
    }
  }
}

/** Everything that a shared answer depends on. It may be up to a minute old. */
function shareKey({
  operation,
  input,
  advisories,
  identity,
  now,
  lang,
  changeCount,
}: LongRead): string {
  const { caller, company } = identity;
  const minute = Math.floor(now / MINUTE_MS);
  const scopes = [...caller.scopes].sort();
  return JSON.stringify([
    operation,
    company.id,
    changeCount,
    minute,
    lang,
    scopes,
    input,
    advisories,
  ]);
}
