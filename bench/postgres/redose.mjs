/**
 * A new setup of a parcel of 50 probes whose schedule has 54,000 planned waterings on PostgreSQL, by
 * set_parcel_installation of the built server, against inserts of the same rows, a thousand per statement, in one
 * transaction; and how long other processes cannot write to the company meanwhile.
 */
import pg from 'pg';
import { figure, inTurn, limit, rounds } from '../figures.mjs';
import { bringIn } from '../program.mjs';
import { EVENTS, LONGEST_HOLD_MS, redose, sharedSetupFarm } from '../schedule-of-parcel.mjs';
import { insertOnce, insertsOf } from './rows.mjs';
import { withServer } from './server.mjs';

/** The lock of the only company, as src/store/postgres/locks.ts takes it. */
const TRY_LOCK = 'select pg_try_advisory_xact_lock(1094927701, 1) as free';

async function watchLock(url) {
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

await withServer(async ({ empty, copy, drop }) => {
  const stock = await empty();
  await bringIn(stock, sharedSetupFarm);
  const redoseOnce = async (schedules, db) => redose(db, schedules, () => watchLock(db));
  const database = await copy(stock);
  await redoseOnce(1, database);
  const statements = await insertsOf(database, EVENTS);
  const holds = [];
  const durations = await inTurn(rounds(5), {
    baseline: () => insertOnce(database, statements),
    measured: async () => {
      const db = await copy(stock);
      const { seconds, longestHoldMs } = await redoseOnce(1, db);
      holds.push(longestHoldMs);
      await drop(db);
      return seconds;
    },
  });
  figure({
    what: 'PostgreSQL: a new setup of a parcel of 50 probes: 54,000 planned waterings get a new dose',
    against: 'inserts of the same rows, 1,000 a statement, in one transaction on the same server',
    unit: 's',
    digits: 2,
    ...durations,
    reach: 3,
  });
  limit({
    what: 'PostgreSQL: the longest that others cannot write to the company meanwhile',
    unit: 'ms',
    measured: holds,
    reach: LONGEST_HOLD_MS,
  });
  const db = await copy(stock);
  const { seconds, longestHoldMs } = await redoseOnce(5, db);
  limit({
    what: `PostgreSQL: the same with five schedules (270,000 planned waterings, ${seconds.toFixed(1)} s)`,
    unit: 'ms',
    measured: [longestHoldMs],
    reach: LONGEST_HOLD_MS,
  });
});
