import { SECOND_MS } from '../../domain/periods.ts';
import { AcequiaError, tryAgainIn } from '../../schema/error.ts';
import { Mutex } from '../../store/mutex.ts';
import type { HttpLimits } from '../limits.ts';

/** Per key: fewer than a store's connections for reads, so that some are left for other keys. */
const MAX_IN_PROGRESS = 2;
const MAX_WAIT_MS = 10 * SECOND_MS;
const KEY_RETRY_S = 5;

export type RunQueued = <T>(key: string, body: () => Promise<T>) => Promise<T>;

interface Queue {
  inProgress: number;
  readonly waiting: Set<() => void>;
}

/** Runs two requests of a key at once. Up to `maxWaiting` others wait, for at most ten seconds. */
export function keyQueue(maxWaiting: number, maxWaitMs = MAX_WAIT_MS): RunQueued {
  const queues = new Map<string, Queue>();

  async function waitForTurn({ waiting }: Queue): Promise<void> {
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

  return async (key, body) => {
    const queue = queues.get(key) ?? { inProgress: 0, waiting: new Set() };
    queues.set(key, queue);
    if (queue.inProgress < MAX_IN_PROGRESS) queue.inProgress++;
    else await waitForTurn(queue);

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
    hint: `${tryAgainIn(KEY_RETRY_S)} Send fewer long reads at once.`,
    retryAfterS: KEY_RETRY_S,
  });

/** Batches, each of another key, that are validated and stored concurrently. The others wait. */
const MAX_RUNNING = 4;

/** Memory limits for all keys and for one key, in batches of the largest size. */
const MAX_IN_MEMORY = 4;
const MAX_IN_MEMORY_OF_KEY = 2;

const BATCH_RETRY_S = 2;

export interface BatchSlot {
  /**
   * Counts bytes of the batch that are now in memory. Throws 503 if all batches together, or those
   * of the key, have too many.
   */
  reserveMemory(bytes: number): void;
  run<T>(body: () => Promise<T>): Promise<T>;
  release(): void;
}

/** Refuses batches for which there is no memory, and runs those of a key one after the other. */
export function batchSlots({ batchBytes }: Pick<HttpLimits, 'batchBytes'>) {
  const reservedByKey = new Map<string, number>();
  const queues = new Map<string, { readonly mutex: Mutex; users: number }>();
  const running = new Mutex(MAX_RUNNING);
  let reserved = 0;

  return (key: string): BatchSlot => {
    let reservedByBatch = 0;

    const add = (bytes: number): void => {
      reservedByBatch += bytes;
      reserved += bytes;
      const ofKey = (reservedByKey.get(key) ?? 0) + bytes;
      if (ofKey === 0) reservedByKey.delete(key);
      else reservedByKey.set(key, ofKey);
    };

    return {
      reserveMemory(bytes) {
        const ofKey = reservedByKey.get(key) ?? 0;
        const isFull =
          reserved + bytes > MAX_IN_MEMORY * batchBytes ||
          ofKey + bytes > MAX_IN_MEMORY_OF_KEY * batchBytes;
        if (isFull) throw serverBusy();
        add(bytes);
      },
      async run(body) {
        const queue = queues.get(key) ?? { mutex: new Mutex(), users: 0 };
        queues.set(key, queue);
        queue.users++;
        await queue.mutex.lock();

        try {
          await running.lock();
          try {
            return await body();
          } finally {
            running.unlock();
          }
        } finally {
          queue.mutex.unlock();
          if (--queue.users === 0) queues.delete(key);
        }
      },
      release: () => add(-reservedByBatch),
    };
  };
}

const serverBusy = (): AcequiaError =>
  new AcequiaError({
    code: 'server_busy',
    status: 503,
    message: 'The service has no memory left for another batch at present.',
    hint: `${tryAgainIn(BATCH_RETRY_S)} Send fewer or smaller batches at once.`,
    retryAfterS: BATCH_RETRY_S,
  });
