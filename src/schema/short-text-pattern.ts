/** In UTF-16 units. */
const MAX_LENGTH = 200;

/**
 * A regular expression that may backtrack, for texts that are short by nature. It reads no more
 * than the start of a longer text. A match up to the end of that start does not count, since what
 * follows could change it.
 */
export class ShortTextPattern {
  readonly #pattern: RegExp;

  constructor(pattern: RegExp) {
    this.#pattern = pattern;
  }

  exec(text: string): RegExpExecArray | null {
    const match = this.#pattern.exec(text.slice(0, MAX_LENGTH));
    if (match === null || text.length <= MAX_LENGTH) return match;
    return match.index + match[0].length < MAX_LENGTH ? match : null;
  }

  test(text: string): boolean {
    return this.exec(text) !== null;
  }
}
