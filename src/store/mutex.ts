/** Grants the lock in the order of the requests. With several permits it is a semaphore. */
export class Mutex {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(permits = 1) {
    this.#free = permits;
  }

  /** Undefined if the lock is granted at once. */
  lock(): Promise<void> | undefined {
    if (this.#free === 0) return new Promise((resolve) => this.#waiting.push(resolve));
    this.#free--;
    return undefined;
  }

  unlock(): void {
    // The permit passes to the next request without becoming free in between.
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free++;
  }
}
