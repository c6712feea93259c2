/** An answer that its readers share, before anything is added for the one who asked. */
export interface JsonAnswer {
  readonly json: string;
}

/**
 * Keeps answers under a key that says everything they depend on. An answer that is still being computed is shared too.
 * The answers that were used last are kept, as long as they fit into the memory.
 */
export class SharedAnswers<Answer extends JsonAnswer> {
  readonly #maxLength: number;
  /** In order of their last use. */
  readonly #answers = new Map<string, Promise<Answer>>();
  readonly #lengths = new Map<string, number>();
  #totalLength = 0;

  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  get(key: string, compute: () => Promise<Answer>): Promise<Answer> {
    const known = this.#answers.get(key);
    if (known) {
      this.#answers.delete(key);
      this.#answers.set(key, known);
      return known;
    }

    const answer = compute();
    this.#answers.set(key, answer);
    answer.then(
      ({ json }) => this.#keep(key, json.length),
      () => this.#answers.delete(key),
    );
    return answer;
  }

  #keep(key: string, length: number): void {
    this.#lengths.set(key, length);
    this.#totalLength += length;

    for (const oldest of this.#answers.keys()) {
      if (this.#totalLength <= this.#maxLength) return;
      this.#forget(oldest);
    }
  }

  /** Answers that are still being computed have no size yet and stay. */
  #forget(key: string): void {
    const length = this.#lengths.get(key);
    if (length === undefined) return;
    this.#lengths.delete(key);
    this.#answers.delete(key);
    this.#totalLength -= length;
  }
}
