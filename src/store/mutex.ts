/** Granted in the order of the requests; a semaphore if it has several permits. */
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
