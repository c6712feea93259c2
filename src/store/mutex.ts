/** A fair lock, or several places that are alike: who asks first is served first. */
export class Mutex {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(places = 1) {
    this.#free = places;
  }

  /** There is nothing to wait for where it is free. */
  lock(): Promise<void> | undefined {
    if (this.#free === 0) return new Promise((resolve) => this.#waiting.push(resolve));
    this.#free--;
    return undefined;
  }

  /** Hands the lock over to the next in line; it is never free in between, so nobody can jump the queue. */
  unlock(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free++;
  }
}
