/** A durable write: log_watering over stdio against an echo that makes one raw insert, p50 of the calls. */
import { join } from 'node:path';
import { figure, inTurn } from './figures.mjs';
import { nextWatering, wateredFarm } from './next-watering.mjs';
import { bringIn, echoAndInsert, inFolder, program } from './program.mjs';
import { typicalCall } from './typical-call.mjs';

await inFolder(async (folder) => {
  const db = join(folder, 'farm.db');
  await bringIn(db, wateredFarm);
  const times = await inTurn(12, {
    baseline: () =>
      typicalCall([echoAndInsert, join(folder, 'baseline.db')], (client, i) =>
        client.call('echo', { text: `call ${i}` }),
      ),
    measured: () => typicalCall([program, '--db', db], (client) => client.call('log_watering', nextWatering())),
  });
  figure({
    what: 'log_watering over stdio, durable, p50',
    against: 'echo and one raw insert, synchronous FULL',
    unit: 'ms',
    digits: 3,
    ...times,
    reach: 4,
  });
});
