import { itemAt } from '../items.ts';
import type { TimedValue } from './series.ts';

/**
 * The lowest or highest point of a window that moves along a curve, the newest of equal ones.
 * Whatever the length of the window, each point is added and dropped once.
 */
export class WindowExtreme {
  readonly #points: readonly TimedValue[];
  readonly #isBeyond: (a: number, b: number) => boolean;
  /** Rows of the window, each less extreme than the one before. */
  readonly #rows: number[] = [];
  #first = 0;

  private constructor(points: readonly TimedValue[], isBeyond: (a: number, b: number) => boolean) {
    this.#points = points;
    this.#isBeyond = isBeyond;
  }

  static lowest = (points: readonly TimedValue[]): WindowExtreme =>
    new WindowExtreme(points, (a, b) => a < b);

  static highest = (points: readonly TimedValue[]): WindowExtreme =>
    new WindowExtreme(points, (a, b) => a > b);

  /** Call it with each row in turn. */
  add(row: number): void {
    const { value } = itemAt(this.#points, row);
    while (this.#rows.length > this.#first && !this.#isBeyond(this.#valueOf(-1), value))
      this.#rows.pop();
    this.#rows.push(row);
  }

  /** Drops what lies before a row or an instant, which never move back; null for an empty window. */
  since(row: number, at: number): number | null {
    while (this.#first < this.#rows.length) {
      const first = itemAt(this.#rows, this.#first);
      if (first >= row && itemAt(this.#points, first).at >= at) return first;
      this.#first++;
    }
    return null;
  }

  #valueOf(fromEnd: number): number {
    return itemAt(this.#points, itemAt(this.#rows, this.#rows.length + fromEnd)).value;
  }
}
