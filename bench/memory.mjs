/** Resident memory after tools/list, and after the first background jobs. */
import { setTimeout as pause } from 'node:timers/promises';
import { Client, residentMb } from './client.mjs';
import { figure, inTurn } from './figures.mjs';
import { echo, program, withFarm } from './program.mjs';

/**
 * Until the server is idle after an answer, and after the first background jobs, which run 2 s
 * after the start.
 */
const SETTLED_MS = 200;
const JOBS_DONE_MS = 3_500;

async function resident(argv, afterMs) {
  const client = await new Client(argv).open();
  await client.ask('tools/list');
  await pause(afterMs);
  const megabytes = residentMb(client.pid);
  await client.kill();
  return megabytes;
}

await withFarm(async (db) => {
  const ours = [program, '--db', db];
  const against = (afterMs) => ({
    baseline: () => resident([echo], SETTLED_MS),
    measured: () => resident(ours, afterMs),
  });
  const common = { against: 'one tool on the plain SDK', unit: 'MB' };
  figure({
    what: 'resident memory after tools/list',
    ...common,
    ...(await inTurn(12, against(SETTLED_MS))),
    target: 0.9,
  });
  figure({
    what: 'resident memory after the first housekeeping',
    ...common,
    ...(await inTurn(10, against(JOBS_DONE_MS))),
    target: 1.2,
  });
});
