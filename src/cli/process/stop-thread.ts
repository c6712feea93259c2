// Ends the process if its event loop is blocked and does not react to signals.
import { write } from 'node:fs';
import { createRequire } from 'node:module';
import { workerData } from 'node:worker_threads';
import type { StopThreadSettings } from './stop-signals.ts';

interface SignalWatch {
  onsignal: () => void;
  start(signal: number): number;
}

/**
 * `process.on` takes signals in the main thread alone, and Node has no other interface for them. Its
 * own bindings work in each thread (Node 20 to 26). Where they are missing this throws, and the
 * thread ends: signals then wait for the event loop.
 */
const { internalBinding } = createRequire(import.meta.url)('internal/test/binding');
const SignalWatch: new () => SignalWatch = internalBinding('signal_wrap').Signal;
const abortProcess: () => never = internalBinding('process_methods').abort;

const { signals, endAfterFirstMs, endAfterSecondMs } = workerData as StopThreadSettings;
let received = 0;

function onSignal(): void {
  received += 1;
  if (received === 1) setTimeout(endProcess, endAfterFirstMs);
  if (received === 2) setTimeout(endProcess, endAfterSecondMs);
}

/** Not `writeSync`, which waits for a reader of the pipe. */
const LOG_TIMEOUT_MS = 20;

function endProcess(): void {
  const line = { level: 50, time: Date.now(), pid: process.pid, msg: 'ended by force' };
  write(2, `${JSON.stringify(line)}\n`, () => undefined);
  setTimeout(() => {
    process.kill(process.pid, 'SIGKILL');
    // The first process of a container cannot be killed from within.
    setTimeout(abortProcess, LOG_TIMEOUT_MS);
  }, LOG_TIMEOUT_MS);
}

for (const signal of signals) {
  const watch = new SignalWatch();
  watch.onsignal = onSignal;
  watch.start(signal);
}
