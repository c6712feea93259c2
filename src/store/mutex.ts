/** A lock that is granted in the order of the requests; a semaphore where it has several places. */
export class Mutex {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(places = 1) {
    this.#free = places;
  }

  /** Undefined if the lock was free and is taken at once. */
  lock(): Promise<void> | undefined {
    if (this.#free === 0) return new Promise((resolve) => this.#waiting.push(resolve));
    this.#free--;
    return undefined;
  }

  /** Passes the lock to the next request, without freeing it in between. */
  unlock(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free++;
  }
}
