import { SECOND_MS } from '../../domain/periods.ts';
import { AcequiaError, tryAgainIn } from '../../schema/error.ts';

/** Per key: fewer than a store's connections for reads, so that some are left for other keys. */
const MAX_IN_PROGRESS = 2;
const MAX_WAIT_MS = 10 * SECOND_MS;
const KEY_RETRY_S = 5;

interface Queue {
  inProgress: number;
  /** In the order of arrival; each begins its request. */
  readonly waiting: Set<() => void>;
}

/** Runs two requests of a key at once. Up to `maxWaiting` others wait, for at most ten seconds. */
export class KeyQueue {
  readonly #maxWaiting: number;
  readonly #maxWaitMs: number;
  readonly #queues = new Map<string, Queue>();

  constructor(maxWaiting: number, maxWaitMs = MAX_WAIT_MS) {
    this.#maxWaiting = maxWaiting;
    this.#maxWaitMs = maxWaitMs;
  }

  async run<T>(key: string, body: () => Promise<T>): Promise<T> {
    const queue = this.#queues.get(key) ?? { inProgress: 0, waiting: new Set() };
    this.#queues.set(key, queue);
    if (queue.inProgress < MAX_IN_PROGRESS) queue.inProgress += 1;
    else await this.#waitForTurn(queue);

    try {
      return await body();
    } finally {
      this.#endTurn(key, queue);
    }
  }

  async #waitForTurn({ waiting }: Queue): Promise<void> {
    if (waiting.size >= this.#maxWaiting) throw keyBusyError();

    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.delete(begin);
        reject(keyBusyError());
      }, this.#maxWaitMs);

      const begin = (): void => {
        clearTimeout(timer);
        waiting.delete(begin);
        resolve();
      };

      waiting.add(begin);
    });
  }

  /** If a request waits, it takes this turn, and the number in progress stays the same. */
  #endTurn(key: string, queue: Queue): void {
    const [beginNext] = queue.waiting;
    if (beginNext) {
      beginNext();
      return;
    }

    queue.inProgress -= 1;
    if (queue.inProgress === 0) this.#queues.delete(key);
  }
}

const keyBusyError = (): AcequiaError =>
  new AcequiaError({
    code: 'rate_limited',
    status: 429,
    message: 'Earlier requests of this key are still in progress.',
    hint: `${tryAgainIn(KEY_RETRY_S)} Send fewer long reads at once.`,
    retryAfterS: KEY_RETRY_S,
  });
