import { SMALL_BODY_BYTES } from '../../domain/shares/bounded-things.ts';
import {
  type Share,
  type ShareLimits,
  Shares,
  type Shortage,
  type Taker,
} from '../../domain/shares/shares.ts';
import { type AcequiaError, plainError, tryAgainIn } from '../../schema/error.ts';
import { serverBusyError } from '../transport-errors.ts';

const RETRY_S = 2;

export interface BodyShareLimits {
  /** For bodies of at most 64 kB. */
  readonly small: ShareLimits;
  readonly large: ShareLimits;
}

/**
 * Memory for the bodies of requests. If it runs short, the slowest unfinished body of the company
 * that holds most is ended, but never a small one.
 */
export class RequestBodies {
  readonly #small: Shares;
  readonly #large: Shares;
  readonly #now: () => number;
  /** Large bodies that still arrive. */
  readonly #arriving = new Set<BodyMemory>();

  /** `now` is monotonic, in ms. */
  constructor({ small, large }: BodyShareLimits, now = () => performance.now()) {
    this.#small = new Shares(small, noMemoryError);
    this.#large = new Shares(large, noMemoryError);
    this.#now = now;
  }

  open(taker: Taker): BodyMemory {
    const memory: BodyMemory = new BodyMemory(taker, this.#now(), {
      small: (bytes) => this.#small.tryTake(taker, bytes),
      large: (bytes) => this.#takeLarge(memory, bytes),
      grow: (share, bytes) => this.#grow(memory, share, bytes),
      onComplete: () => this.#arriving.delete(memory),
    });
    return memory;
  }

  #takeLarge(memory: BodyMemory, bytes: number): Share | null {
    this.#makeRoom(memory, bytes);
    const share = this.#large.tryTake(memory.taker, bytes);
    if (share && !memory.isComplete) this.#arriving.add(memory);
    return share;
  }

  #grow(memory: BodyMemory, share: Share, bytes: number): boolean {
    this.#makeRoom(memory, bytes);
    return share.grow(bytes);
  }

  #makeRoom(memory: BodyMemory, bytes: number): void {
    for (;;) {
      const shortage = this.#large.shortage(memory.taker, bytes);
      const slowest = shortage && this.#slowest(this.#candidates(shortage, memory.taker));
      if (!slowest) return;

      this.#arriving.delete(slowest);
      slowest.end();
      if (slowest === memory) return;
    }
  }

  #candidates(shortage: Shortage, taker: Taker): BodyMemory[] {
    const arriving = [...this.#arriving];
    if (shortage === 'all') return this.#ofLargestCompany(arriving);
    const ofCompany = arriving.filter((each) => each.taker.company === taker.company);
    return shortage === 'key'
      ? ofCompany.filter((each) => each.taker.key === taker.key)
      : ofCompany;
  }

  #ofLargestCompany(arriving: readonly BodyMemory[]): BodyMemory[] {
    const held = arriving.map(({ taker }) => this.#large.heldBy(taker.company));
    const most = Math.max(...held);
    const largest = arriving[held.indexOf(most)]?.taker.company;
    return arriving.filter(({ taker }) => taker.company === largest);
  }

  #slowest(candidates: readonly BodyMemory[]): BodyMemory | null {
    const now = this.#now();
    const speed = ({ bytes, startedAt }: BodyMemory): number =>
      bytes / Math.max(1, now - startedAt);
    return candidates.reduce<BodyMemory | null>(
      (slowest, each) => (slowest && speed(slowest) <= speed(each) ? slowest : each),
      null,
    );
  }
}

interface MemorySource {
  readonly small: (bytes: number) => Share | null;
  readonly large: (bytes: number) => Share | null;
  readonly grow: (share: Share, bytes: number) => boolean;
  readonly onComplete: () => void;
}

/** The memory of one body, from its arrival to its answer. */
export class BodyMemory {
  readonly taker: Taker;
  readonly startedAt: number;
  bytes = 0;
  /** It has arrived; what is added now is inflated. */
  isComplete = false;
  readonly #source: MemorySource;
  readonly #ending = new AbortController();
  #share: Share | null = null;
  #isReleased = false;

  constructor(taker: Taker, startedAt: number, source: MemorySource) {
    this.taker = taker;
    this.startedAt = startedAt;
    this.#source = source;
  }

  get isSmall(): boolean {
    return this.bytes <= SMALL_BODY_BYTES;
  }

  /** Aborted with a refusal once the body is ended for want of memory. */
  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  /** Throws if there is no memory for the additional bytes. */
  add(bytes: number): void {
    const wasSmall = this.isSmall;
    this.bytes += bytes;
    const isHeld = wasSmall ? this.#addToSmall(bytes) : this.#addToLarge(bytes);
    this.#ending.signal.throwIfAborted();
    if (!isHeld) throw noMemoryError();
  }

  complete(): void {
    this.isComplete = true;
    this.#source.onComplete();
  }

  end(): void {
    this.#ending.abort(endedBodyError());
    this.release();
  }

  release(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.#source.onComplete();
    this.#share?.release();
  }

  #addToSmall(bytes: number): boolean {
    if (this.isSmall && this.#share) return this.#share.grow(bytes);

    const small = this.#share;
    this.#share = this.isSmall ? this.#source.small(bytes) : this.#source.large(this.bytes);
    small?.release();
    return this.#share !== null;
  }

  #addToLarge(bytes: number): boolean {
    return this.#share !== null && this.#source.grow(this.#share, bytes);
  }
}

const noMemoryError = (): AcequiaError =>
  serverBusyError(
    'The service has no memory left for this request at present.',
    'Send fewer or smaller requests at once.',
  );

const endedBodyError = (): AcequiaError =>
  plainError({
    code: 'request_timeout',
    status: 408,
    message: 'The body arrived too slowly while the service was short of memory.',
    hint: `${tryAgainIn(RETRY_S)} Send it without pauses, or in smaller parts.`,
    retryAfterS: RETRY_S,
  });
