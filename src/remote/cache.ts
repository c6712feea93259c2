import { monotonicMs } from './limits.ts';

/** Something fetched from the service that stays good for a while. A failure is not kept. */
export interface RemoteCache<T> {
  /** What is kept, or fetched before `deadline`; `anew` fetches even so. Calls that meet share one fetch. */
  get(deadline: number, anew?: boolean): Promise<T>;
  /** Whether `get` would answer without fetching. */
  isFresh(): boolean;
}

export interface CacheOptions<T> {
  /** In ms. */
  ttlMs(value: T): number;
  /** How long a fetch may last, in ms: who began it may have less time than who joins it. */
  readonly fetchTimeoutMs: number;
  fetch(deadline: number): Promise<T>;
  /** The error of a call whose time is over before the fetch is; after so many ms. */
  timeoutError(waitedMs: number): Error;
}

export function remoteCache<T>({ ttlMs, fetchTimeoutMs, fetch, timeoutError }: CacheOptions<T>): RemoteCache<T> {
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

/** The same, as long as there is time. */
async function withDeadline<T>(
  deadline: number,
  awaited: Promise<T>,
  timeoutError: (waitedMs: number) => Error,
): Promise<T> {
  const remainingMs = Math.max(0, deadline - monotonicMs());
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(timeoutError(remainingMs)), remainingMs);
  });
  return Promise.race([awaited, over]).finally(() => clearTimeout(timer));
}
