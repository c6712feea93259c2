/**
 * Loaded by `--import` into a program with an IPC channel: reports how long the event loop was held
 * at most since the last message.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';

const RESOLUTION_MS = 1;
const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
delays.enable();
process.on('message', () => {
  process.send(Math.max(0, delays.max / 1e6 - RESOLUTION_MS));
  delays.reset();
});
process.channel.unref();
