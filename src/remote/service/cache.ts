import { monotonicMs, withDeadline } from './deadline.ts';

interface CacheOptions<T> {
  ttlMs(value: T): number;
  /**
   * The fetch has a time limit of its own, because the call that starts it may have less time than
   * one that joins it.
   */
  readonly fetchTimeoutMs: number;
  fetch(deadline: number): Promise<T>;
  timeoutError(waitedMs: number): Error;
}

/** Caches one value that a service is asked for. */
export class RemoteCache<T> {
  readonly #options: CacheOptions<T>;
  #entry: { readonly value: T; readonly freshUntilMs: number } | null = null;
  #pendingFetch: Promise<T> | null = null;

  constructor(options: CacheOptions<T>) {
    this.#options = options;
  }

  isFresh(): boolean {
    return this.#entry !== null && monotonicMs() < this.#entry.freshUntilMs;
  }

  /** Null without a fresh value. */
  cached(): T | null {
    return this.#entry !== null && this.isFresh() ? this.#entry.value : null;
  }

  /** Concurrent calls share one fetch. */
  get(deadline: number): Promise<T> {
    if (this.#entry !== null && this.isFresh()) return Promise.resolve(this.#entry.value);
    return this.refresh(deadline);
  }

  /** Fetches even if the value is fresh. */
  refresh(deadline: number): Promise<T> {
    this.#pendingFetch ??= this.#fetch().finally(() => {
      this.#pendingFetch = null;
    });
    return withDeadline(deadline, this.#pendingFetch, this.#options.timeoutError);
  }

  async #fetch(): Promise<T> {
    const { fetch, fetchTimeoutMs, ttlMs } = this.#options;
    const value = await fetch(monotonicMs() + fetchTimeoutMs);
    this.#entry = { value, freshUntilMs: monotonicMs() + ttlMs(value) };
    return value;
  }
}
