import { AcequiaError } from '../schema/error.ts';
import { Mutex } from '../store/mutex.ts';
import type { HttpLimits } from './limits.ts';
import type { ResponseHeaders } from './response-headers.ts';

/** Batches, each of another key, that are validated and stored at once. The others wait. */
const MAX_RUNNING = 4;

/** How many batches of the largest size may be in memory: of all keys, and of one. */
const MAX_HELD = 4;
const MAX_HELD_OF_KEY = 2;

const RETRY_AFTER_SECONDS = '2';

export interface BatchPass {
  /** Counts bytes of the batch that are now in memory. Throws 503 if all batches together, or those of the key, have too many. */
  hold(bytes: number): void;
  run<T>(body: () => Promise<T>): Promise<T>;
  release(): void;
}

/** Refuses batches for which there is no memory, and runs those of a key one after the other. */
export function batchGate({ batchBytes }: Pick<HttpLimits, 'batchBytes'>) {
  const heldByKey = new Map<string, number>();
  const queues = new Map<string, { readonly mutex: Mutex; users: number }>();
  const running = new Mutex(MAX_RUNNING);
  let held = 0;

  return (key: string, headers: ResponseHeaders): BatchPass => {
    let heldByBatch = 0;
    const add = (bytes: number): void => {
      heldByBatch += bytes;
      held += bytes;
      const ofKey = (heldByKey.get(key) ?? 0) + bytes;
      if (ofKey === 0) heldByKey.delete(key);
      else heldByKey.set(key, ofKey);
    };
    return {
      hold(bytes) {
        const ofKey = heldByKey.get(key) ?? 0;
        if (held + bytes > MAX_HELD * batchBytes || ofKey + bytes > MAX_HELD_OF_KEY * batchBytes) {
          headers['Retry-After'] = RETRY_AFTER_SECONDS;
          throw serverBusy();
        }
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
      release: () => add(-heldByBatch),
    };
  };
}

const serverBusy = (): AcequiaError =>
  new AcequiaError({
    code: 'server_busy',
    status: 503,
    message: 'The service has as many batches in memory as it can hold.',
    hint: `Send the batch again after ${RETRY_AFTER_SECONDS} s, as Retry-After says, and fewer or smaller ones at once.`,
  });
