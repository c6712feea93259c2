/**
 * The time from closing standard input to the exit of the process. A plain SDK server does not exit
 * by itself.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from './client.mjs';
import { limit } from './figures.mjs';
import { program, withFarm } from './program.mjs';
import { rounds } from './sizes.mjs';

const ROUNDS = rounds(12);

async function ending(db, prepare) {
  const client = await new Client([program, '--db', db]).open();
  await prepare(client);
  await pause(100);
  const startedMs = performance.now();
  await client.end();
  return performance.now() - startedMs;
}

await withFarm(async (db) => {
  for (const [after, prepare] of [
    ['tools/list', (client) => client.ask('tools/list')],
    ['a call', (client) => client.call('get_company')],
  ]) {
    const times = [];
    for (let round = 0; round < ROUNDS; round++) times.push(await ending(db, prepare));
    limit({
      what: `end of input after ${after} to exit`,
      unit: 'ms',
      measured: times,
      target: 100,
    });
  }
});
