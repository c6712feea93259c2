/**
 * A new setup of a parcel of 50 probes whose schedule of 12 daily start times has 54,000 planned
 * waterings: the time until set_parcel_installation of the built server has answered, against
 * inserts of the same rows in one transaction; and the longest time for which others cannot write
 * meanwhile, with one schedule and with five.
 */
import { DatabaseSync } from '@photostructure/sqlite';
import { isPostgres, title, withDatabases } from './databases.mjs';
import { figure, inTurn, limit } from './figures.mjs';
import { importFarm } from './program.mjs';
import {
  EVENTS,
  openServer,
  PROBES,
  schedule,
  scheduledRows,
  sharedSetupFarm,
} from './schedule-of-parcel.mjs';
import { inWords, rounds } from './sizes.mjs';

/** Longest time, in ms, for which one write may hold the lock. */
const LONGEST_HOLD_MS = 250;

/**
 * Takes the write lock again and again; `stop` returns the longest time in ms for which others held
 * it.
 */
function watchFileLock(db) {
  const database = new DatabaseSync(db);
  database.exec('pragma busy_timeout = 0');
  let longest = 0;
  let free = performance.now();
  const timer = setInterval(() => {
    try {
      database.exec('begin immediate; rollback');
      longest = Math.max(longest, performance.now() - free);
      free = performance.now();
    } catch {}
  }, 1);
  return {
    stop() {
      clearInterval(timer);
      database.close();
      return longest;
    },
  };
}

/** The lock of the only company, as src/store/postgres/locks.ts takes it. */
const TRY_LOCK = 'select pg_try_advisory_xact_lock(1094927701, 1) as free';

async function watchServerLock(url) {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  let longest = 0;
  let isWatching = true;
  const watching = (async () => {
    for (let free = performance.now(); isWatching; ) {
      const { rows } = await client.query(TRY_LOCK);
      if (!rows[0].free) continue;
      longest = Math.max(longest, performance.now() - free);
      free = performance.now();
    }
  })();
  return {
    async stop() {
      isWatching = false;
      await watching;
      await client.end();
      return longest;
    },
  };
}

/**
 * Creates schedules, then gives the parcel a new setup. Returns the seconds until
 * set_parcel_installation has answered, and the longest time in ms for which others could not write
 * meanwhile.
 */
async function redose(db, schedules) {
  const server = await openServer(db);
  for (let count = 0; count < schedules; count++) await server.call('create_schedule', schedule);
  const watch = await (isPostgres ? watchServerLock(db) : watchFileLock(db));
  const startedMs = performance.now();
  await server.call('set_parcel_installation', {
    parcel: 'North block',
    system: 'sprinkler',
    flowMmPerH: 7,
  });
  const seconds = (performance.now() - startedMs) / 1000;
  const longestHoldMs = await watch.stop();
  await server.end();
  return { seconds, longestHoldMs };
}

/** Five schedules plan more rows than a company of 50 probes may add in a day. */
const farm = {
  ...sharedSetupFarm,
  modules: [
    ...sharedSetupFarm.modules,
    ...sharedSetupFarm.modules.map(({ uid, name, category }) => ({
      uid: `Spare ${uid}`,
      name: `Spare ${name}`,
      category,
    })),
  ],
};

const limitHold = (what, measured) =>
  limit({ what: title + what, unit: 'ms', measured, target: LONGEST_HOLD_MS });

await withDatabases(async ({ empty, copy, drop, rowsOf, plainInserts }) => {
  const stock = await empty();
  await importFarm(stock, farm);
  const filled = await copy(stock);
  await redose(filled, 1);
  const redoseOnce = async (schedules) => {
    const db = await copy(stock);
    const result = await redose(db, schedules);
    await drop(db);
    return result;
  };

  const holds = [];
  const durations = await inTurn(rounds(5), {
    baseline: plainInserts({ stock, filled, tables: await scheduledRows(rowsOf, filled) }),
    measured: async () => {
      const { seconds, longestHoldMs } = await redoseOnce(1);
      holds.push(longestHoldMs);
      return seconds;
    },
  });

  figure({
    what: `${title}a new setup of a parcel of ${PROBES} probes with 12 daily start times: ${inWords(EVENTS)} planned waterings get a new dose`,
    against: isPostgres
      ? 'inserts of the same rows, 1,000 a statement, in one transaction on the same server'
      : 'inserts of the same rows in one transaction',
    unit: 's',
    digits: 2,
    ...durations,
    target: 3,
  });
  const others = isPostgres ? 'others of the company' : 'another process';
  limitHold(`the longest that ${others} cannot write meanwhile`, holds);
  const { seconds, longestHoldMs } = await redoseOnce(5);
  limitHold(
    `the same with five such schedules (${inWords(5 * EVENTS)} planned waterings, ${seconds.toFixed(1)} s)`,
    [longestHoldMs],
  );
});
