/**
 * Answers each message of the parent process with the functions that were entered since the one
 * before: `node --import ./coverage.mjs ...`.
 */
import { Session } from 'node:inspector/promises';

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

process.on('message', async () => {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  process.send(
    result.flatMap(({ url, functions }) =>
      functions.flatMap(({ ranges: [{ startOffset, count }] }) =>
        // The function at the start of a file is the file itself, which runs as it is loaded.
        count > 0 && startOffset > 0 ? [{ url, startOffset, count }] : [],
      ),
    ),
  );
});
// The channel does not keep the process alive.
process.channel.unref();
