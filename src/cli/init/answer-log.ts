/**
 * The answers as they were typed. An interview is held again with them up to any question: to go
 * back, or to go on with a draft.
 */
export class AnswerLog {
  readonly #answers: string[];
  readonly #onChange: (answers: readonly string[]) => void;
  #position = 0;

  constructor(
    answers: readonly string[] = [],
    onChange: (answers: readonly string[]) => void = () => undefined,
  ) {
    this.#answers = [...answers];
    this.#onChange = onChange;
  }

  get position(): number {
    return this.#position;
  }

  rewind(): void {
    this.#position = 0;
  }

  /** The next answer from before; null once all were taken. */
  next(): string | null {
    const answer = this.#answers[this.#position] ?? null;
    if (answer !== null) this.#position += 1;
    return answer;
  }

  add(answer: string): void {
    this.#answers.push(answer);
    this.#position = this.#answers.length;
    this.#onChange(this.#answers);
  }

  /** Forgets the answers from a position on. */
  cut(position: number): void {
    this.#answers.splice(position);
    this.#position = Math.min(this.#position, position);
    this.#onChange(this.#answers);
  }

  /** Returns false if there is no answer to take back. */
  dropLast(): boolean {
    if (this.#answers.length === 0) return false;
    this.cut(this.#answers.length - 1);
    return true;
  }
}
