/** A fair lock: who asks first is served first. */
export class Mutex {
  readonly #waiting: (() => void)[] = [];
  #held = false;

  async lock(): Promise<void> {
    if (!this.#held) {
      this.#held = true;
      return;
    }
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Hands the lock over to the next in line; it is never free in between, so nobody can jump the queue. */
  unlock(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#held = false;
  }
}
