/** Resident memory after tools/list, and after the first background jobs. */
import { setTimeout as pause } from 'node:timers/promises';
import { Client, residentMb } from './client.mjs';
import { figure, inTurn } from './figures.mjs';
import { echo, inFolder, newFarm, sidesOfBuilds } from './program.mjs';
import { rounds } from './sizes.mjs';

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

await inFolder(async (folder) => {
  const against = async (afterMs) => ({
    baseline: () => resident([echo], SETTLED_MS),
    ...(await sidesOfBuilds(async (binary) => {
      const db = await newFarm(folder, binary);
      return () => resident([binary, '--db', db], afterMs);
    })),
  });
  const common = { against: 'one tool on the plain SDK', unit: 'MB' };
  figure({
    what: 'resident memory after tools/list',
    ...common,
    ...(await inTurn(rounds(12), await against(SETTLED_MS))),
    target: 0.9,
  });
  figure({
    what: 'resident memory after the first housekeeping',
    ...common,
    ...(await inTurn(rounds(10), await against(JOBS_DONE_MS))),
    target: 1.2,
  });
});
