import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { CancelledError, withTimeout } from '../../domain/event-loop.ts';
import { SECOND_MS } from '../../domain/periods.ts';
import { say } from '../../domain/text/say.ts';
import type { LongRead, LongReadAnswer } from '../../operation/reads/long-reads.ts';
import {
  AcequiaError,
  type Problem,
  StoreClosedError,
  storeUnavailableError,
} from '../../schema/error.ts';
import type { WorkerReply, WorkerRequest, WorkerSettings } from './worker-messages.ts';

/** Two companies always find a place; more workers than processors would only take memory. */
export const READ_PLACES = Math.min(4, Math.max(2, availableParallelism()));

const CLOSE_TIMEOUT_MS = 5 * SECOND_MS;

/**
 * Threads that run long reads, each with a connection of its own. They start when they are needed.
 */
export class ReadWorkers {
  readonly #file: URL;
  readonly #settings: WorkerSettings;
  readonly #idle: ReadWorker[] = [];
  readonly #all = new Set<ReadWorker>();

  constructor(file: URL, settings: WorkerSettings) {
    this.#file = file;
    this.#settings = settings;
  }

  async run(read: LongRead, signal: AbortSignal | undefined): Promise<LongReadAnswer> {
    const worker = this.#idle.pop() ?? this.#start();
    try {
      return await worker.run(read, signal);
    } finally {
      if (worker.isAlive) this.#idle.push(worker);
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#all].map((worker) => worker.close()));
  }

  #start(): ReadWorker {
    const worker = new ReadWorker(this.#file, this.#settings);
    this.#all.add(worker);
    void worker.exited.then(() => {
      this.#all.delete(worker);
      const index = this.#idle.indexOf(worker);
      if (index >= 0) this.#idle.splice(index, 1);
    });
    return worker;
  }
}

interface RunningRead {
  readonly resolve: (reply: WorkerReply) => void;
  readonly reject: (error: unknown) => void;
}

class ReadWorker {
  readonly exited: Promise<void>;
  readonly #worker: Worker;
  #running: RunningRead | null = null;
  #isAlive = true;
  #isClosing = false;
  #failure: unknown = new Error('The thread of a long read has ended');

  constructor(file: URL, settings: WorkerSettings) {
    this.#worker = new Worker(file, { workerData: settings });
    this.#worker.on('message', (reply: WorkerReply) => this.#running?.resolve(reply));
    this.#worker.on('error', (error) => {
      this.#failure = error;
    });
    this.exited = new Promise((resolve) => {
      this.#worker.once('exit', () => {
        this.#isAlive = false;
        this.#running?.reject(this.#failure);
        resolve();
      });
    });
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  async run(read: LongRead, signal: AbortSignal | undefined): Promise<LongReadAnswer> {
    const cancel = (): void => this.#send({ kind: 'cancel' });

    signal?.addEventListener('abort', cancel, { once: true });
    try {
      const reply = await new Promise<WorkerReply>((resolve, reject) => {
        this.#running = { resolve, reject };
        this.#send({ kind: 'read', read });
      });
      return answerIn(reply);
    } catch (error) {
      throw this.#isClosing ? new StoreClosedError('of this service') : error;
    } finally {
      this.#running = null;
      signal?.removeEventListener('abort', cancel);
    }
  }

  /** Cancels a read that still runs: its clients have gone. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#send({ kind: 'cancel' });
    this.#send({ kind: 'close' });
    await withTimeout(this.exited, CLOSE_TIMEOUT_MS);
    await this.#worker.terminate();
  }

  #send(request: WorkerRequest): void {
    this.#worker.postMessage(request);
  }
}

function answerIn(reply: WorkerReply): LongReadAnswer {
  switch (reply.kind) {
    case 'answer':
      return reply.answer;
    case 'refusal':
      throw refusalOf(reply.problem);
    case 'cancelled':
      throw new CancelledError();
    case 'failure':
      throw reply.error;
  }
}

/** A message between threads loses the class of an error, by which StoreUnavailableError is known. */
const refusalOf = (problem: Problem): AcequiaError =>
  problem.code === 'STORE_UNAVAILABLE'
    ? storeUnavailableError(problem.message, problem.hint ?? say``)
    : new AcequiaError(problem);
