// Loaded into the program by a test: SIGUSR2 blocks its event loop for a minute.
import { writeSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const BLOCKED_MS = 60_000;

if (isMainThread) {
  process.on('worker', (thread) => thread.once('online', () => writeSync(2, 'thread started\n')));
  process.on('SIGUSR2', () => {
    writeSync(2, 'blocked\n');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BLOCKED_MS);
  });
}
