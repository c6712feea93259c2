/**
 * Loaded by `--import` into the program: answers each line on a socket with the ms for which the
 * event loop of the main thread was held at most since the last one.
 */
import { createServer } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

const RESOLUTION_MS = 1;
const path = process.env.EVENT_LOOP_SOCKET;

if (isMainThread && path) {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  createServer((socket) => {
    socket.unref();
    socket.on('data', () => {
      socket.write(`${Math.max(0, delays.max / 1e6 - RESOLUTION_MS)}\n`);
      delays.reset();
    });
  })
    .listen(path)
    .unref();
}
