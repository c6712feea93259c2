/** A warm read on PostgreSQL: get_company over stdio against an echo that reads one row by its key, p50 of the calls. */
import { figure, inTurn, rounds } from '../figures.mjs';
import { bringIn, echoAndQuery, farm, program } from '../program.mjs';
import { typicalCall } from '../typical-call.mjs';
import { COUNTS, withServer } from './server.mjs';

await withServer(async ({ empty }) => {
  const [db, plain] = [await empty(), await empty()];
  await bringIn(db, farm);
  const times = await inTurn(rounds(10), {
    baseline: () =>
      typicalCall([echoAndQuery, plain, 'read'], (client, i) => client.call('echo', { text: `call ${i}` }), COUNTS),
    measured: () => typicalCall([program, '--db', db], (client) => client.call('get_company'), COUNTS),
  });
  figure({
    what: 'PostgreSQL: warm read, get_company over stdio, p50',
    against: 'echo and one row read by its key on the same server',
    unit: 'ms',
    digits: 3,
    ...times,
    reach: 2.2,
  });
});
