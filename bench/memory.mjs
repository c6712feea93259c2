/** Resident memory after tools/list. */
import { setTimeout as pause } from 'node:timers/promises';
import { Client, residentMb } from './client.mjs';
import { figure, inTurn } from './figures.mjs';
import { echo, program, withFarm } from './program.mjs';

/** Resident memory in MB once the tools are listed and nothing runs any more. */
async function resident(argv) {
  const client = await new Client(argv).open();
  await client.ask('tools/list');
  await pause(200);
  const taken = residentMb(client.pid);
  await client.kill();
  return taken;
}

await withFarm(async (db) => {
  const taken = await inTurn(12, { baseline: () => resident([echo]), measured: () => resident([program, '--db', db]) });
  figure({
    what: 'resident memory after tools/list',
    against: 'one tool on the plain SDK',
    unit: 'MB',
    ...taken,
    reach: 0.9,
  });
});
