/** A warm read: get_company over stdio against an echo tool, p50 of the calls of a server that has warmed up. */
import { figure, inTurn } from './figures.mjs';
import { echo, program, withFarm } from './program.mjs';
import { typicalCall } from './typical-call.mjs';

await withFarm(async (db) => {
  const times = await inTurn(20, {
    baseline: () => typicalCall([echo], (client, i) => client.call('echo', { text: `call ${i}` })),
    measured: () => typicalCall([program, '--db', db], (client) => client.call('get_company')),
  });
  figure({
    what: 'warm read: get_company over stdio, p50',
    against: 'echo on the plain SDK',
    unit: 'ms',
    digits: 3,
    ...times,
    reach: 2.2,
  });
});
