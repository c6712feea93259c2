/**
 * A new setup of a parcel of 50 probes, whose schedule of 12 daily start times has 54,000 planned waterings, as
 * set_parcel_installation of the built server answers it, against prepared inserts of the very same rows in one
 * transaction; and the longest time for which another process cannot write meanwhile, with one schedule and with five.
 */
import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { figure, inTurn, limit, rounds } from './figures.mjs';
import { bringIn, inFolder } from './program.mjs';
import { contentsOf, filesOf, insertOnce } from './rows.mjs';
import { EVENTS, LONGEST_HOLD_MS, redose, sharedSetupFarm } from './schedule-of-parcel.mjs';

const ROUNDS = rounds(5);

/** Takes the write lock again and again; `stop` gives the longest time in ms for which it was held by others. */
function watchLock(db) {
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

await inFolder(async (folder) => {
  const empty = join(folder, 'farm.db');
  await bringIn(empty, sharedSetupFarm);
  const made = join(folder, 'made.db');
  const remove = async (db) => {
    for (const file of filesOf(db)) await rm(file, { force: true });
  };
  const redoseOnce = async (schedules, db) => {
    await copyFile(empty, db);
    return redose(db, schedules, () => watchLock(db));
  };
  await redoseOnce(1, made);
  const schedules = contentsOf(made, 'schedules');
  const waterings = contentsOf(made, 'waterings');
  if (waterings.rows.length !== EVENTS) throw new Error(`${waterings.rows.length} waterings are not ${EVENTS}`);

  const holds = [];
  const measured = join(folder, 'measured.db');
  const taken = await inTurn(ROUNDS, {
    baseline: () => insertOnce(empty, join(folder, 'baseline.db'), [schedules, waterings]),
    measured: async () => {
      const { seconds, longestHoldMs } = await redoseOnce(1, measured);
      holds.push(longestHoldMs);
      await remove(measured);
      return seconds;
    },
  });
  figure({
    what: 'A new setup of a parcel of 50 probes with 12 daily start times: 54,000 planned waterings get a new dose',
    against: 'inserts of the same rows in one transaction',
    unit: 's',
    digits: 2,
    ...taken,
    reach: 3,
  });
  limit({
    what: 'the longest that another process cannot write meanwhile',
    unit: 'ms',
    measured: holds,
    reach: LONGEST_HOLD_MS,
  });
  const { seconds, longestHoldMs } = await redoseOnce(5, measured);
  limit({
    what: `the same with five such schedules (270,000 planned waterings, ${seconds.toFixed(1)} s)`,
    unit: 'ms',
    measured: [longestHoldMs],
    reach: LONGEST_HOLD_MS,
  });
});
