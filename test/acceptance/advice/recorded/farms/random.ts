/** Choices that a seed decides, the same each time. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** Returns a number from 0 to below 1. Mulberry32, by Tommy Ettinger. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  happens(probability: number): boolean {
    return this.next() < probability;
  }

  between(least: number, most: number): number {
    return least + (most - least) * this.next();
  }

  /** A whole number, both bounds included. */
  wholeBetween(least: number, most: number): number {
    return Math.floor(this.between(least, most + 1));
  }

  pick<T>(values: readonly T[]): T {
    return values[Math.floor(this.next() * values.length)]!;
  }

  shuffled<T>(values: readonly T[]): T[] {
    return values
      .map((value) => ({ value, order: this.next() }))
      .sort((a, b) => a.order - b.order)
      .map(({ value }) => value);
  }
}
