/**
 * A new setup of a parcel of 50 probes, whose schedule of 12 daily start times has 54,000 planned waterings, as
 * set_parcel_installation of the built server answers it, against prepared inserts of the very same rows in one
 * transaction; and the longest time for which another process cannot write meanwhile, with one schedule and with five.
 */
import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { bringIn, inFolder } from './program.mjs';
import { contentsOf, filesOf, insertOnce } from './rows.mjs';
import { EVENTS, redose, reportRedose, sharedSetupFarm } from './schedule-of-parcel.mjs';

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
  const redoseOnce = async (schedules, db = join(folder, 'measured.db')) => {
    await copyFile(empty, db);
    const result = await redose(db, schedules, () => watchLock(db));
    if (db !== made) await remove(db);
    return result;
  };
  await redoseOnce(1, made);
  const tables = ['schedules', 'waterings'].map((table) => contentsOf(made, table));
  const count = tables[1].rows.length;
  if (count !== EVENTS) throw new Error(`${count} waterings are not ${EVENTS}`);
  await reportRedose({
    name: '',
    against: 'inserts of the same rows in one transaction',
    others: 'another process',
    insertOnce: () => insertOnce(empty, join(folder, 'baseline.db'), tables),
    redoseOnce,
  });
});
