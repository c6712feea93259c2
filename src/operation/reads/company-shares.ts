import { CancelledError, throwIfCancelled } from '../../domain/event-loop.ts';
import { firstOf } from '../../domain/items.ts';
import { serviceBusyError } from '../../schema/error.ts';

export interface ShareLimits {
  readonly places: number;
  /** At most half of the places, so that another company always finds one. */
  readonly placesPerCompany: number;
  readonly maxWaiting: number;
  readonly maxWaitingPerCompany: number;
  readonly maxWaitMs: number;
}

/** Must be released once, when the read has ended. */
export interface Place {
  release(): void;
}

interface Share {
  running: number;
  /** The reads that wait, in order of arrival. */
  readonly waiting: Set<(place: Place) => void>;
}

/**
 * Divides the places in which reads run among the companies that want them. A read without a place
 * waits. It is refused with BUSY if too many wait already, or once it has waited too long.
 */
export class CompanyShares {
  readonly #limits: ShareLimits;
  /**
   * Companies with a read that runs or waits. One that gets a place moves to the end: they take
   * turns.
   */
  readonly #shares = new Map<number, Share>();
  /** Refuse the reads that wait, in all companies. */
  readonly #refusals = new Set<() => void>();
  #running = 0;
  #isClosed = false;

  constructor(limits: ShareLimits) {
    this.#limits = limits;
  }

  /** Null if the company has to wait. */
  tryTake(companyId: number): Place | null {
    const share = this.#shareOf(companyId);
    return this.#hasPlaceFor(share) ? this.#grant(companyId, share) : null;
  }

  async take(companyId: number, signal?: AbortSignal): Promise<Place> {
    throwIfCancelled(signal);
    if (this.#isClosed) throw serviceBusyError();

    const place = this.tryTake(companyId);
    if (place) return place;

    const share = this.#shareOf(companyId);
    const { maxWaiting, maxWaitingPerCompany } = this.#limits;
    const isFull = this.#refusals.size >= maxWaiting || share.waiting.size >= maxWaitingPerCompany;
    if (isFull) throw serviceBusyError();

    this.#shares.set(companyId, share);
    return this.#waitForPlace(companyId, share, signal);
  }

  /** Refuses the reads that wait, and later ones. */
  close(): void {
    this.#isClosed = true;
    for (const refuse of [...this.#refusals]) refuse();
  }

  #waitForPlace(companyId: number, share: Share, signal: AbortSignal | undefined): Promise<Place> {
    return new Promise((resolve, reject) => {
      const stopWaiting = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', cancel);
        share.waiting.delete(begin);
        this.#refusals.delete(refuse);
      };

      const begin = (place: Place): void => {
        stopWaiting();
        resolve(place);
      };

      const giveUp = (error: Error): void => {
        stopWaiting();
        this.#forgetIfIdle(companyId, share);
        reject(error);
      };

      const cancel = (): void => giveUp(new CancelledError());
      const refuse = (): void => giveUp(serviceBusyError());

      const timer = setTimeout(refuse, this.#limits.maxWaitMs);

      share.waiting.add(begin);
      this.#refusals.add(refuse);
      signal?.addEventListener('abort', cancel, { once: true });
    });
  }

  #grant(companyId: number, share: Share): Place {
    share.running++;
    this.#running++;
    this.#shares.delete(companyId);
    this.#shares.set(companyId, share);

    return {
      release: () => {
        share.running--;
        this.#running--;
        this.#forgetIfIdle(companyId, share);
        this.#grantNext();
      },
    };
  }

  /**
   * The free place goes to the company with the fewest, and among these to the one that got none
   * for longest.
   */
  #grantNext(): void {
    const candidates = [...this.#shares].filter(
      ([, share]) => share.waiting.size > 0 && this.#hasPlaceFor(share),
    );
    if (candidates.length === 0) return;

    const [companyId, share] = candidates.reduce((best, each) =>
      each[1].running < best[1].running ? each : best,
    );
    const begin = firstOf([...share.waiting]);
    begin(this.#grant(companyId, share));
  }

  #hasPlaceFor({ running }: Share): boolean {
    const { places, placesPerCompany } = this.#limits;
    return this.#running < places && running < placesPerCompany;
  }

  #shareOf(companyId: number): Share {
    return this.#shares.get(companyId) ?? { running: 0, waiting: new Set() };
  }

  #forgetIfIdle(companyId: number, { running, waiting }: Share): void {
    if (running === 0 && waiting.size === 0) this.#shares.delete(companyId);
  }
}
