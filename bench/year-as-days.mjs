/**
 * A year of five depths at 15 minutes, 175,200 readings, as daily points: get_moisture_series over stdio, with its
 * summary, against the plain SQL group-by over the same rows on a warm connection. The first call of every server,
 * which loads the operations and opens the store, is included, and also shown separately.
 */
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { inFolder } from './program.mjs';
import { bringYears, CALLS, DAY_MS, DEPTHS, END, START, tellYear, yearCalls } from './year-of-depths.mjs';

const ROUNDS = 10;

const GROUP_BY = `select sensor_id, at / ${DAY_MS} as day, avg(value) from readings
  where company_id = 1 and sensor_id in (1, 2, 3, 4, 5) and at >= ? and at < ? group by sensor_id, day`;

function plainGroupBy(db) {
  const database = new DatabaseSync(db, { readOnly: true });
  const query = database.prepare(GROUP_BY);
  query.setReturnArrays(true);
  return () => {
    const begun = performance.now();
    const rows = query.all(START, END);
    const times = performance.now() - begun;
    // The reference keeps the database from being garbage-collected: a statement alone does not.
    if (!database.isOpen || rows.length !== 365 * DEPTHS.length) throw new Error(`${rows.length} rows`);
    return times;
  };
}

await inFolder(async (folder) => {
  for (const years of [1, 10]) {
    const db = join(folder, `years-${years}.db`);
    await bringYears(db, years);
    const groupBy = plainGroupBy(db);
    groupBy();
    const times = { baseline: [], measured: [], first: [] };
    for (let round = 0; round < ROUNDS; round++) {
      const [first, ...others] = await yearCalls(db);
      times.measured.push(first, ...others);
      times.first.push(first);
      for (let call = 0; call < CALLS; call++) times.baseline.push(groupBy());
    }
    tellYear(times, {
      store: years === 1 ? '' : `, ${years} years in the store`,
      against: 'the plain SQL group-by over the same rows',
    });
  }
});
