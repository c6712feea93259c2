/**
 * A warm read: get_company over stdio against an echo tool, which on PostgreSQL reads one row by
 * its key. The figure is the median of the calls of a server that has warmed up.
 */
import { callEcho, typicalCall } from './client.mjs';
import { COUNTS, isPostgres, withDatabases } from './databases.mjs';
import { figure, inTurn } from './figures.mjs';
import { echo, farm, importFarm, sidesOfBuilds } from './program.mjs';
import { rounds } from './sizes.mjs';

/** Measures a build on a farm of its own. */
async function readerOf(binary, db) {
  await importFarm(db, farm, { binary });
  return () => typicalCall([binary, '--db', db], (client) => client.call('get_company'), COUNTS);
}

await withDatabases(async ({ empty }) => {
  const baseline = isPostgres ? [echo, await empty(), 'read'] : [echo];
  const times = await inTurn(rounds(isPostgres ? 10 : 20), {
    baseline: () => typicalCall(baseline, callEcho, COUNTS),
    ...(await sidesOfBuilds(async (binary) => readerOf(binary, await empty()))),
  });
  figure({
    what: isPostgres
      ? 'PostgreSQL: warm read, get_company over stdio, p50'
      : 'warm read: get_company over stdio, p50',
    against: isPostgres
      ? 'echo and one row read by its key on the same server'
      : 'echo on the plain SDK',
    unit: 'ms',
    digits: 3,
    ...times,
    target: 2.2,
  });
});
