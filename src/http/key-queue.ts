import { SECOND_MS } from '../domain/periods.ts';
import { AcequiaError } from '../schema/error.ts';
import type { ResponseHeaders } from './response-headers.ts';

/** Fewer than a store's connections for reads, so that some are left for other keys. */
const MAX_IN_PROGRESS = 2;
const MAX_WAIT_MS = 10 * SECOND_MS;
const RETRY_AFTER_SECONDS = '5';

export type RunOfKey = <T>(key: string, headers: ResponseHeaders, body: () => Promise<T>) => Promise<T>;

interface Queue {
  inProgress: number;
  readonly waiting: Set<() => void>;
}

/** Runs two requests of a key at once. Up to `maxWaiting` others wait, for at most ten seconds. */
export function keyQueue(maxWaiting: number, maxWaitMs = MAX_WAIT_MS): RunOfKey {
  const queues = new Map<string, Queue>();

  async function turnOf({ waiting }: Queue): Promise<void> {
    if (waiting.size >= maxWaiting) throw keyBusy();
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.delete(begin);
        reject(keyBusy());
      }, maxWaitMs);
      const begin = (): void => {
        clearTimeout(timer);
        waiting.delete(begin);
        resolve();
      };
      waiting.add(begin);
    });
  }

  return async (key, headers, body) => {
    const queue = queues.get(key) ?? { inProgress: 0, waiting: new Set() };
    queues.set(key, queue);
    if (queue.inProgress < MAX_IN_PROGRESS) queue.inProgress++;
    else
      await turnOf(queue).catch((error) => {
        headers['Retry-After'] = RETRY_AFTER_SECONDS;
        throw error;
      });
    try {
      return await body();
    } finally {
      const [next] = queue.waiting;
      if (next) next();
      else if (--queue.inProgress === 0) queues.delete(key);
    }
  };
}

const keyBusy = (): AcequiaError =>
  new AcequiaError({
    code: 'rate_limited',
    status: 429,
    message: 'Earlier requests of this key are still in progress.',
    hint: `Send it again after ${RETRY_AFTER_SECONDS} s, as Retry-After says, and fewer long reads at once.`,
  });
