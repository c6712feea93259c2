/** A durable write on PostgreSQL: log_watering over stdio against an echo that makes one raw insert, p50 of the calls. */
import { figure, inTurn, rounds } from '../figures.mjs';
import { nextWatering, wateredFarm } from '../next-watering.mjs';
import { bringIn, echoAndQuery, program } from '../program.mjs';
import { typicalCall } from '../typical-call.mjs';
import { COUNTS, withServer } from './server.mjs';

await withServer(async ({ empty }) => {
  const [db, plain] = [await empty(), await empty()];
  await bringIn(db, wateredFarm);
  const times = await inTurn(rounds(10), {
    baseline: () =>
      typicalCall([echoAndQuery, plain, 'write'], (client, i) => client.call('echo', { text: `call ${i}` }), COUNTS),
    measured: () => typicalCall([program, '--db', db], (client) => client.call('log_watering', nextWatering()), COUNTS),
  });
  figure({
    what: 'PostgreSQL: log_watering over stdio, durable, p50',
    against: 'echo and one raw insert on the same server, synchronous_commit on',
    unit: 'ms',
    digits: 3,
    ...times,
    reach: 6,
  });
});
