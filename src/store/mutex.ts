/** Grants the lock in the order of the requests. With several permits it is a semaphore. */
export class Mutex {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(permits = 1) {
    this.#free = permits;
  }

  lock(): Promise<void> | undefined {
    if (this.#free === 0) return new Promise((resolve) => this.#waiting.push(resolve));
    this.#free--;
    return undefined;
  }

  unlock(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free++;
  }
}
