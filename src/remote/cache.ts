import { monotonicMs } from './limits.ts';

export interface RemoteCache<T> {
  /** Concurrent calls share one fetch; `refresh` fetches even if the value is fresh. */
  get(deadline: number, refresh?: boolean): Promise<T>;
  isFresh(): boolean;
}

interface CacheOptions<T> {
  ttlMs(value: T): number;
  /**
   * A fetch has its own time limit: the call that started it may have less time than one that joins
   * it.
   */
  readonly fetchTimeoutMs: number;
  fetch(deadline: number): Promise<T>;
  timeoutError(waitedMs: number): Error;
}

export function remoteCache<T>({
  ttlMs,
  fetchTimeoutMs,
  fetch,
  timeoutError,
}: CacheOptions<T>): RemoteCache<T> {
  let entry: { readonly value: T; readonly until: number } | null = null;
  let pending: Promise<T> | null = null;
  const isFresh = (): boolean => entry !== null && monotonicMs() < entry.until;

  return {
    isFresh,
    async get(deadline, refresh = false) {
      if (!refresh && entry !== null && isFresh()) return entry.value;

      pending ??= fetch(monotonicMs() + fetchTimeoutMs)
        .then((value) => {
          entry = { value, until: monotonicMs() + ttlMs(value) };
          return value;
        })
        .finally(() => {
          pending = null;
        });

      return withDeadline(deadline, pending, timeoutError);
    },
  };
}

async function withDeadline<T>(
  deadline: number,
  promise: Promise<T>,
  timeoutError: (waitedMs: number) => Error,
): Promise<T> {
  const remainingMs = Math.max(0, deadline - monotonicMs());
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(timeoutError(remainingMs)), remainingMs);
  });
  return Promise.race([promise, timeout]).finally(() => clearTimeout(timer));
}
