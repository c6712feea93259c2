import { CancelledError, throwIfCancelled } from '../../domain/event-loop.ts';

/** An answer that its readers share, before anything is added for the one who asked. */
export interface JsonAnswer {
  readonly json: string;
}

interface SharedAnswer<Answer> {
  readonly answer: Promise<Answer>;
  readonly computing: AbortController;
  /** Callers who have not left before the answer came. */
  readers: number;
  /** Null while the answer is being computed. */
  length: number | null;
}

/**
 * Keeps answers under a key that says everything they depend on. An answer that is still being
 * computed is shared too; it is cancelled once all who asked for it have gone. The answers that
 * were used last are kept, as long as they fit into the memory.
 */
export class SharedAnswers<Answer extends JsonAnswer> {
  readonly #maxLength: number;
  /** The answers stand in order of their last use. */
  readonly #shared = new Map<string, SharedAnswer<Answer>>();
  #totalLength = 0;

  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  async get(
    key: string,
    signal: AbortSignal | undefined,
    compute: (signal: AbortSignal) => Promise<Answer>,
  ): Promise<Answer> {
    throwIfCancelled(signal);
    const shared = this.#shared.get(key) ?? this.#begin(key, compute);
    this.#shared.delete(key);
    this.#shared.set(key, shared);

    shared.readers++;
    return shared.length === null && signal
      ? this.#untilCallerLeaves(key, shared, signal)
      : shared.answer;
  }

  #begin(key: string, compute: (signal: AbortSignal) => Promise<Answer>): SharedAnswer<Answer> {
    const computing = new AbortController();
    const shared: SharedAnswer<Answer> = {
      answer: compute(computing.signal),
      computing,
      readers: 0,
      length: null,
    };
    shared.answer.then(
      ({ json }) => this.#keep(shared, json.length),
      () => this.#forget(key, shared),
    );

    return shared;
  }

  #untilCallerLeaves(
    key: string,
    shared: SharedAnswer<Answer>,
    signal: AbortSignal,
  ): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        reject(new CancelledError());
        if (--shared.readers > 0 || shared.length !== null) return;
        this.#forget(key, shared);
        shared.computing.abort();
      };
      signal.addEventListener('abort', leave, { once: true });
      shared.answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
    });
  }

  #keep(shared: SharedAnswer<Answer>, length: number): void {
    shared.length = length;
    this.#totalLength += length;

    // From the one that was used longest ago.
    for (const [key, candidate] of this.#shared) {
      if (this.#totalLength <= this.#maxLength) return;
      if (candidate.length !== null) this.#forget(key, candidate);
    }
  }

  #forget(key: string, shared: SharedAnswer<Answer>): void {
    if (this.#shared.get(key) !== shared) return;
    this.#shared.delete(key);
    this.#totalLength -= shared.length ?? 0;
  }
}
