import { AcequiaError, tryAgainIn } from '../../schema/error.ts';
import { Mutex } from '../../store/mutex.ts';
import type { HttpLimits } from '../limits.ts';

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

interface BatchQueue {
  readonly mutex: Mutex;
  /** Batches that run or wait. */
  size: number;
}

/** Refuses batches for which there is no memory, and runs those of a key one after the other. */
export class BatchSlots {
  readonly #batchBytes: number;
  readonly #queues = new Map<string, BatchQueue>();
  readonly #running = new Mutex(MAX_RUNNING);
  readonly #reservedBytesByKey = new Map<string, number>();
  #reservedBytes = 0;

  constructor({ batchBytes }: Pick<HttpLimits, 'batchBytes'>) {
    this.#batchBytes = batchBytes;
  }

  open(key: string): BatchSlot {
    let slotBytes = 0;
    return {
      reserveMemory: (bytes) => {
        this.#assertMemoryLeft(key, bytes);
        this.#addReserved(key, bytes);
        slotBytes += bytes;
      },
      run: (body) => this.#run(key, body),
      release: () => this.#addReserved(key, -slotBytes),
    };
  }

  #assertMemoryLeft(key: string, bytes: number): void {
    const reservedByKey = this.#reservedBytesByKey.get(key) ?? 0;
    const isFull =
      this.#reservedBytes + bytes > MAX_IN_MEMORY * this.#batchBytes ||
      reservedByKey + bytes > MAX_IN_MEMORY_OF_KEY * this.#batchBytes;
    if (isFull) throw serverBusyError();
  }

  #addReserved(key: string, bytes: number): void {
    this.#reservedBytes += bytes;
    const reservedByKey = (this.#reservedBytesByKey.get(key) ?? 0) + bytes;
    if (reservedByKey === 0) this.#reservedBytesByKey.delete(key);
    else this.#reservedBytesByKey.set(key, reservedByKey);
  }

  async #run<T>(key: string, body: () => Promise<T>): Promise<T> {
    const queue = this.#queues.get(key) ?? { mutex: new Mutex(), size: 0 };
    this.#queues.set(key, queue);
    queue.size += 1;
    await queue.mutex.lock();

    try {
      return await this.#runWithPermit(body);
    } finally {
      queue.mutex.unlock();
      queue.size -= 1;
      if (queue.size === 0) this.#queues.delete(key);
    }
  }

  async #runWithPermit<T>(body: () => Promise<T>): Promise<T> {
    await this.#running.lock();
    try {
      return await body();
    } finally {
      this.#running.unlock();
    }
  }
}

const serverBusyError = (): AcequiaError =>
  new AcequiaError({
    code: 'server_busy',
    status: 503,
    message: 'The service has no memory left for another batch at present.',
    hint: `${tryAgainIn(BATCH_RETRY_S)} Send fewer or smaller batches at once.`,
    retryAfterS: BATCH_RETRY_S,
  });
