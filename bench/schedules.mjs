/**
 * Creating a schedule with 12 daily start times on a parcel of 50 probes, which has 54,000
 * waterings in 90 days, by create_schedule of the built server, against inserts of the same rows in
 * one transaction: prepared ones in a file of the same kind, or a thousand rows per statement in
 * tables of the same shape on the same server.
 */
import { isPostgres, title, withDatabases } from './databases.mjs';
import { figure, inTurn } from './figures.mjs';
import { importFarm, sidesOfBuilds } from './program.mjs';
import {
  EVENTS,
  farm,
  openServer,
  PROBES,
  schedule,
  scheduledRows,
} from './schedule-of-parcel.mjs';
import { inWords, rounds } from './sizes.mjs';

async function secondsToCreate(db, binary) {
  const server = await openServer(db, binary);
  await server.call('list_schedules');
  const startedMs = performance.now();
  await server.call('create_schedule', schedule);
  const seconds = (performance.now() - startedMs) / 1000;
  await server.end();
  return seconds;
}

await withDatabases(async ({ empty, copy, drop, rowsOf, plainInserts }) => {
  const stock = await empty();
  await importFarm(stock, farm);
  const filled = await copy(stock);
  await secondsToCreate(filled);
  const durations = await inTurn(rounds(10), {
    baseline: plainInserts({ stock, filled, tables: await scheduledRows(rowsOf, filled) }),
    ...(await sidesOfBuilds(async (binary) => {
      const own = await empty();
      await importFarm(own, farm, { binary });
      return async () => {
        const db = await copy(own);
        const seconds = await secondsToCreate(db, binary);
        await drop(db);
        return seconds;
      };
    })),
  });
  figure({
    what: `${title}12 daily start times on a parcel of ${PROBES} probes, 90 days (${inWords(EVENTS)} events), doses included`,
    against: isPostgres
      ? 'inserts of the same rows, 1,000 a statement, in one transaction on the same server'
      : 'inserts of the same rows in one transaction',
    unit: 's',
    digits: 2,
    ...durations,
    target: 3,
  });
});
