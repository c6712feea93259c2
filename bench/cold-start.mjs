/** Cold start: from spawn to the answer of tools/list. */
import { Client } from './client.mjs';
import { figure, inTurn } from './figures.mjs';
import { echo, inFolder, newFarm, sidesOfBuilds } from './program.mjs';
import { rounds } from './sizes.mjs';

async function start(argv) {
  const startedMs = performance.now();
  const client = await new Client(argv).open();
  await client.ask('tools/list');
  const elapsed = performance.now() - startedMs;
  await client.kill();
  return elapsed;
}

await inFolder(async (folder) => {
  const times = await inTurn(rounds(30), {
    baseline: () => start([echo]),
    ...(await sidesOfBuilds(async (binary) => {
      const db = await newFarm(folder, binary);
      return () => start([binary, '--db', db]);
    })),
  });
  figure({
    what: 'cold start: spawn to the answer of tools/list',
    against: 'one tool on the plain SDK',
    unit: 'ms',
    ...times,
    target: 0.6,
  });
});
