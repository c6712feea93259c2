import { SECOND_MS } from '../domain/periods.ts';

const CHECK_EVERY_MS = 5 * SECOND_MS;

/**
 * Shares one check of the store among all requests of five seconds, so that nobody can make it write
 * more often.
 */
export class Readiness {
  #result: Promise<void> | null = null;
  #checkedAt = 0;

  check(run: () => Promise<void>): Promise<void> {
    const now = performance.now();
    if (this.#result === null || now - this.#checkedAt >= CHECK_EVERY_MS) {
      this.#checkedAt = now;
      this.#result = run();
    }
    return this.#result;
  }
}
