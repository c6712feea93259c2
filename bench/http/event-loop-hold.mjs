/** In a program started with an IPC channel and `--import`: sends the longest hold of its event loop since the last message. */
import { monitorEventLoopDelay } from 'node:perf_hooks';

const RESOLUTION_MS = 1;
const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
delays.enable();
process.on('message', () => {
  process.send(Math.max(0, delays.max / 1e6 - RESOLUTION_MS));
  delays.reset();
});
process.channel.unref();
