/**
 * A year of five depths at 15 minutes, 175,200 readings, as daily points: get_moisture_series over
 * stdio, with its summary, against a plain SQL group-by over the same rows, as a prepared statement
 * on a connection that has run it before. The figure includes the first call of every server, which
 * loads the operations and opens the store; that call is also shown separately.
 */
import { DatabaseSync } from '@photostructure/sqlite';
import { Client } from './client.mjs';
import { isPostgres, title, withDatabases } from './databases.mjs';
import { figure, median } from './figures.mjs';
import { program } from './program.mjs';
import { rounds, sized } from './sizes.mjs';
import { DAY_MS, DEPTHS, END, importYears } from './year-of-depths.mjs';

const START = END - 365 * DAY_MS;
const CALLS = sized(10, 2);

const groupBy = (
  sensors,
  start,
  end,
) => `select sensor_id, at / ${DAY_MS} as day, avg(value) from readings
  where company_id = 1 and sensor_id ${sensors} and at >= ${start} and at < ${end} group by sensor_id, day`;

/** Runs `body` with a function that runs the group-by once and returns the time in ms. */
async function withFileGroupBy(db, body) {
  const database = new DatabaseSync(db, { readOnly: true });
  const query = database.prepare(groupBy('in (1, 2, 3, 4, 5)', '?', '?'));
  query.setReturnArrays(true);
  await body(() => {
    const startedMs = performance.now();
    const rows = query.all(START, END);
    const ms = performance.now() - startedMs;
    // The reference keeps the database from being garbage-collected: a statement alone does not.
    if (!database.isOpen || rows.length !== 365 * DEPTHS.length)
      throw new Error(`${rows.length} rows`);
    return ms;
  });
}

async function withServerGroupBy(db, body) {
  const { withClient } = await import('./postgres.mjs');
  const query = {
    name: 'by day',
    text: groupBy('= any($1)', '$2', '$3'),
    values: [[1, 2, 3, 4, 5], START, END],
  };
  await withClient(db, async (client) => {
    await client.query('analyze readings');
    await body(async () => {
      const startedMs = performance.now();
      const { rows } = await client.query(query);
      if (rows.length !== 365 * DEPTHS.length) throw new Error(`${rows.length} rows`);
      return performance.now() - startedMs;
    });
  });
}

const REQUEST = {
  module: 'North 1',
  start: new Date(START).toISOString(),
  end: new Date(END).toISOString(),
  interval: DAY_MS / 1000,
};

/** One more local day than UTC days, because a year of UTC begins and ends within a local day. */
const POINTS = 366;

async function yearCalls(db) {
  const client = await new Client([program, '--db', db]).open();
  await client.ask('tools/list');
  const times = [];
  for (let call = 0; call < CALLS; call++) {
    const startedMs = performance.now();
    const { structuredContent } = await client.call('get_moisture_series', REQUEST);
    times.push(performance.now() - startedMs);
    const { data, summary } = structuredContent;
    if (data.length !== POINTS || !summary.endsWith('No reading is missing.'))
      throw new Error(`${data.length} points: ${summary}`);
  }
  await client.kill();
  return times;
}

async function measure(db, years, runGroupBy) {
  await runGroupBy();
  const times = { baseline: [], measured: [], first: [] };
  for (let round = 0; round < rounds(10); round++) {
    const [first, ...others] = await yearCalls(db);
    times.measured.push(first, ...others);
    times.first.push(first);
    for (let call = 0; call < CALLS; call++) times.baseline.push(await runGroupBy());
  }
  const store = years === 1 ? '' : `, ${years} years in the store`;
  const common = {
    against: `the plain SQL group-by over the same rows${isPostgres ? ' on the same server' : ''}`,
    unit: 'ms',
    baseline: median(times.baseline),
  };
  figure({
    what: `${title}a year of five depths at 15 min as daily points${store}: p50 of ${CALLS} calls, the first included`,
    ...common,
    measured: median(times.measured),
    target: 0.3,
  });
  figure({
    what: `${title}the first of these calls, which loads the operations and opens the store${store}`,
    ...common,
    measured: median(times.first),
    target: '',
  });
}

await withDatabases(async ({ empty }) => {
  for (const years of isPostgres ? [1] : sized([1, 10], [1])) {
    const db = await empty();
    await importYears(db, years);
    const withGroupBy = isPostgres ? withServerGroupBy : withFileGroupBy;
    await withGroupBy(db, (runGroupBy) => measure(db, years, runGroupBy));
  }
});
