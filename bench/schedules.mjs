/**
 * Creation of a schedule with 12 daily start times on a parcel of 50 probes: 54,000 waterings of 90 days with their
 * doses, by create_schedule of the built server, against prepared inserts of the same rows in one transaction on a
 * file of the same kind.
 */
import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { figure, inTurn, rounds } from './figures.mjs';
import { bringIn, inFolder } from './program.mjs';
import { contentsOf, filesOf, insertOnce } from './rows.mjs';
import { EVENTS, farm, secondsToCreate } from './schedule-of-parcel.mjs';

const ROUNDS = rounds(10);

async function createOnce(empty, db) {
  await copyFile(empty, db);
  return secondsToCreate(db);
}

await inFolder(async (folder) => {
  const empty = join(folder, 'farm.db');
  await bringIn(empty, farm);
  const changed = join(folder, 'changed.db');
  await createOnce(empty, changed);
  const schedules = contentsOf(changed, 'schedules');
  const waterings = contentsOf(changed, 'waterings');
  const doses = waterings.rows.filter((row) => row[waterings.columns.indexOf('water_mm')] !== null).length;
  if (waterings.rows.length !== EVENTS || doses !== EVENTS)
    throw new Error(`${waterings.rows.length} waterings, of which ${doses} have a dose, are not ${EVENTS}`);

  const durations = await inTurn(ROUNDS, {
    baseline: () => insertOnce(empty, join(folder, 'baseline.db'), [schedules, waterings]),
    measured: async () => {
      const db = join(folder, 'measured.db');
      const seconds = await createOnce(empty, db);
      for (const each of filesOf(db)) await rm(each, { force: true });
      return seconds;
    },
  });
  figure({
    what: '12 daily start times on a parcel of 50 probes, 90 days (54,000 events), doses included',
    against: 'inserts of the same rows in one transaction',
    unit: 's',
    digits: 2,
    ...durations,
    reach: 3,
  });
});
