/**
 * A year of five depths at 15 minutes, 175,200 readings, as daily points on PostgreSQL: get_moisture_series over stdio
 * against the plain SQL group-by over the same rows, as a prepared statement on a connection that has run it before.
 */
import { rounds } from '../figures.mjs';
import { bringYears, CALLS, DAY_MS, DEPTHS, END, START, tellYear, yearCalls } from '../year-of-depths.mjs';
import { withClient, withServer } from './server.mjs';

const GROUP_BY = {
  name: 'by day',
  text: `select sensor_id, at / ${DAY_MS} as day, avg(value) from readings
    where company_id = 1 and sensor_id = any($1) and at >= $2 and at < $3 group by sensor_id, day`,
};

async function groupBy(client) {
  const begun = performance.now();
  const { rows } = await client.query({ ...GROUP_BY, values: [[1, 2, 3, 4, 5], START, END] });
  if (rows.length !== 365 * DEPTHS.length) throw new Error(`${rows.length} rows`);
  return performance.now() - begun;
}

await withServer(async ({ empty }) => {
  const db = await empty();
  await bringYears(db, 1);
  await withClient(db, async (client) => {
    await client.query('analyze readings');
    await groupBy(client);
    const times = { baseline: [], measured: [], first: [] };
    for (let round = 0; round < rounds(10); round++) {
      const [first, ...others] = await yearCalls(db);
      times.measured.push(first, ...others);
      times.first.push(first);
      for (let call = 0; call < CALLS; call++) times.baseline.push(await groupBy(client));
    }
    tellYear(times, {
      title: 'PostgreSQL: ',
      against: 'the plain SQL group-by over the same rows on the same server',
    });
  });
});
