/**
 * Loaded by `--import` into a program with an IPC channel: reports how long the event loop was held
 * at most since the last message.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

const RESOLUTION_MS = 1;

// The threads of the program load it as well, and have no channel.
if (isMainThread) {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  process.on('message', () => {
    process.send(Math.max(0, delays.max / 1e6 - RESOLUTION_MS));
    delays.reset();
  });
  process.channel.unref();
}
