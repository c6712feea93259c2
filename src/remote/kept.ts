import { ticking } from './bounds.ts';

/** Something fetched from the service that stays good for a while. A failure is not kept. */
export interface Kept<T> {
  /** What is kept, or fetched before `deadline`; `anew` fetches even so. Calls that meet share one fetch. */
  get(deadline: number, anew?: boolean): Promise<T>;
  /** Whether `get` would answer without fetching. */
  isAtHand(): boolean;
}

export interface Keeping<T> {
  /** In ms. */
  goodForMs(value: T): number;
  /** How long a fetch may last, in ms: who began it may have less time than who joins it. */
  readonly withinMs: number;
  fetch(deadline: number): Promise<T>;
  /** The error of a call whose time is over before the fetch is; after so many ms. */
  late(waitedMs: number): Error;
}

export function kept<T>({ goodForMs, withinMs, fetch, late }: Keeping<T>): Kept<T> {
  let held: { readonly value: T; readonly until: number } | null = null;
  let underWay: Promise<T> | null = null;
  const isAtHand = (): boolean => held !== null && ticking() < held.until;
  return {
    isAtHand,
    async get(deadline, anew = false) {
      if (!anew && held !== null && isAtHand()) return held.value;
      underWay ??= fetch(ticking() + withinMs)
        .then((value) => {
          held = { value, until: ticking() + goodForMs(value) };
          return value;
        })
        .finally(() => {
          underWay = null;
        });
      return before(deadline, underWay, late);
    },
  };
}

/** The same, as long as there is time. */
async function before<T>(deadline: number, awaited: Promise<T>, late: (waitedMs: number) => Error): Promise<T> {
  const left = Math.max(0, deadline - ticking());
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late(left)), left);
  });
  return Promise.race([awaited, over]).finally(() => clearTimeout(timer));
}
