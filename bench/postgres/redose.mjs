/**
 * A new setup of a parcel of 50 probes whose schedule has 54,000 planned waterings on PostgreSQL, by
 * set_parcel_installation of the built server, against inserts of the same rows, a thousand per statement, in one
 * transaction; and how long other processes cannot write to the company meanwhile.
 */
import pg from 'pg';
import { bringIn } from '../program.mjs';
import { EVENTS, redose, reportRedose, sharedSetupFarm } from '../schedule-of-parcel.mjs';
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
  const database = await copy(stock);
  await redose(database, 1, () => watchLock(database));
  const statements = await insertsOf(database, EVENTS);
  await reportRedose({
    name: 'PostgreSQL: ',
    against: 'inserts of the same rows, 1,000 a statement, in one transaction on the same server',
    others: 'others of the company',
    insertOnce: () => insertOnce(database, statements),
    redoseOnce: async (schedules) => {
      const db = await copy(stock);
      const result = await redose(db, schedules, () => watchLock(db));
      await drop(db);
      return result;
    },
  });
});
