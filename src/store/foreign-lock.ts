import { SECOND_MS } from '../domain/periods.ts';

/** The time that a write waits for a lock. */
const MAX_LOCKED_MS = 30 * SECOND_MS;

/** How long another program has held a lock that writes need, as far as attempts have shown. */
export class ForeignLock {
  #since: number | null = null;

  get isHeldTooLong(): boolean {
    return this.#since !== null && performance.now() - this.#since >= MAX_LOCKED_MS;
  }

  found(): void {
    this.#since ??= performance.now();
  }

  gone(): void {
    this.#since = null;
  }
}
