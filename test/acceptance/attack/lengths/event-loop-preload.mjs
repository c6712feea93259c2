/**
 * Loaded by `--import` into the program: answers each line on a socket with the ms for which the
 * event loop of the main thread was held at most since the last one. A process that waits for its
 * processor holds its loop, too; what it held by its own work is no more than its processor time.
 */
import { createServer } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

const RESOLUTION_MS = 1;
const path = process.env.EVENT_LOOP_SOCKET;

if (isMainThread && path) {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  let usage = process.cpuUsage();
  createServer((socket) => {
    socket.unref();
    socket.on('data', () => {
      const { user, system } = process.cpuUsage(usage);
      const heldMs = Math.max(0, delays.max / 1e6 - RESOLUTION_MS);
      socket.write(`${Math.min(heldMs, (user + system) / 1000)}\n`);
      usage = process.cpuUsage();
      delays.reset();
    });
  })
    .listen(path)
    .unref();
}
