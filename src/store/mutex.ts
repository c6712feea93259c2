/** A fair lock, or several places that are alike: who asks first is served first. */
export class Mutex {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(places = 1) {
    this.#free = places;
  }

  async lock(): Promise<void> {
    if (this.#free > 0) {
      this.#free--;
      return;
    }
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Hands the lock over to the next in line; it is never free in between, so nobody can jump the queue. */
  unlock(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free++;
  }
}
