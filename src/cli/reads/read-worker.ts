import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { operationsByName, toolsByName } from '../../../tools/index.ts';
import { CancelledError } from '../../domain/event-loop.ts';
import type { LongRead } from '../../operation/reads/long-reads.ts';
import { runLongRead } from '../../operation/reads/run-long-read.ts';
import { AcequiaError } from '../../schema/error.ts';
import { openStore } from '../../store/store.ts';
import type { WorkerReply, WorkerRequest, WorkerSettings } from './worker-messages.ts';

const LOWER_PRIORITY = 10;

/** Linux has a priority for each thread; elsewhere this would slow the whole service down. */
function lowerPriority(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(LOWER_PRIORITY);
  } catch {
    // A sandbox may forbid it.
  }
}

lowerPriority();

/** Tools that open the page have no endpoint of their own. */
const readsByName = new Map([...operationsByName, ...toolsByName]);

// This file runs only as the file of a worker.
const port = parentPort!;
const { db } = workerData as WorkerSettings;
const store = openStore({ db });
/** A failure is reported by the first read. */
store.catch(() => undefined);
let running = new AbortController();

async function answer(read: LongRead, signal: AbortSignal): Promise<WorkerReply> {
  try {
    return {
      kind: 'answer',
      answer: await runLongRead(await store, readsByName, read, signal),
    };
  } catch (error) {
    if (error instanceof CancelledError) return { kind: 'cancelled' };
    if (error instanceof AcequiaError) return { kind: 'refusal', problem: error.problem };
    return { kind: 'failure', error: error instanceof Error ? error : new Error(String(error)) };
  }
}

port.on('message', async (request: WorkerRequest) => {
  switch (request.kind) {
    case 'read':
      running = new AbortController();
      port.postMessage(await answer(request.read, running.signal));
      return;
    case 'cancel':
      running.abort();
      return;
    case 'close':
      await store.then((opened) => opened.close()).catch(() => undefined);
      port.close();
  }
});
