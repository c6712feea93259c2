/**
 * 32 writers of different companies on PostgreSQL, against a plain client that runs the same
 * statements for the inserts and their sums, prepared and in the same transactions, on as many
 * connections as a process has for its writes: more would get a larger share of a busy machine. A
 * batch is what a gateway delivers in an hour: four readings of 25 probes at three depths; and a
 * single message of one probe. Writers are transactions of the store in one process, and calls of
 * `acequia serve`.
 */
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import pg from 'pg';
import { figure, median } from './figures.mjs';
import { requestText, responsesPerSecond } from './http/load.mjs';
import { analyze, withServer } from './postgres.mjs';
import { importFarm, newKey, serveCommand, startServer } from './program.mjs';
import { rounds, sized } from './sizes.mjs';

const WRITERS = sized(32, 1);
/** MAX_WRITERS of src/store/postgres/pool.ts. */
const CONNECTIONS = 4;
const PROBES = sized(25, 1);
const DEPTHS = [10, 20, 30];
const BATCHES = [
  { name: `a batch of ${PROBES * 12} readings`, probes: PROBES, instants: 4 },
  { name: 'a message of three readings', probes: 1, instants: 1 },
];
const WARM_UP_MS = sized(1_500, 20);
const SLICE_MS = sized(1_000, 20);
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NOW = new Date();
/** The start of last month, whose partition exists. */
const FIRST = Date.UTC(NOW.getUTCFullYear(), NOW.getUTCMonth() - 1);
/** More days than one side of a comparison fills. */
const DAYS_PER_SIDE = 4;

const farmOf = (company) => ({
  company: { name: `Mas ${company}`, timezone: 'UTC' },
  users: [{ email: 'ana@example.org', name: 'Ana', role: 'OWNER' }],
  parcels: [],
  modules: Array.from({ length: PROBES }, (_, index) => ({
    uid: `U${index + 1}`,
    name: `Probe ${index + 1}`,
    category: 'SOIL_PROBE',
    sensors: DEPTHS.map((depth) => ({ type: 'humidity', depth })),
  })),
});

/** The rows of the next batch of a writer, which no batch before has had. */
function* batchesOf({ probes, instants }, startAt) {
  for (let hour = 0; ; hour++)
    for (let first = 0; first < PROBES; first += probes) {
      const rows = [];
      for (let probe = first; probe < first + probes; probe++)
        for (const [sensor, depth] of DEPTHS.entries())
          for (let instant = 0; instant < instants; instant++)
            rows.push({ probe, sensor, depth, at: startAt + hour * HOUR_MS + instant * 900_000 });
      yield rows;
    }
}

const list = (values) => `{${values.join(',')}}`;

const BEGIN = (companyId) => `begin isolation level read committed;
  select pg_advisory_xact_lock_shared(1, 0); select pg_advisory_xact_lock(2, ${companyId});
  select set_config('acequia.company', '${companyId}', true)`;

const INSERT = `insert into readings (company_id, sensor_id, at, value)
  select $1, unnest($2::bigint[]), unnest($3::bigint[]), unnest($4::double precision[])
  on conflict (company_id, sensor_id, at) do update set value = excluded.value`;

const sums = ({ to, from, at, length, count, sum }) => `
  insert into ${to} (company_id, sensor_id, bucket_at, count, sum)
    select $1, period.sensor_id, sums.*
      from unnest($2::bigint[], $3::bigint[], $4::bigint[]) as period (sensor_id, start, stop)
      cross join lateral (
        select ${at} - (${at} % ${length} + ${length}) % ${length}, ${count}, ${sum} from ${from}
          where company_id = $1 and sensor_id = period.sensor_id and ${at} >= period.start and ${at} < period.stop
          group by 1
      ) as sums
    on conflict (company_id, sensor_id, bucket_at) do update set count = excluded.count, sum = excluded.sum`;

const HOURS = sums({
  to: 'reading_hours',
  from: 'readings',
  at: 'at',
  length: HOUR_MS,
  count: 'count(*)',
  sum: 'sum(value)',
});
const DAYS = sums({
  to: 'reading_days',
  from: 'reading_hours',
  at: 'bucket_at',
  length: DAY_MS,
  count: 'sum(count)',
  sum: 'sum(sum)',
});

async function plainWrite(pool, { companyId, sensorIds }, rows) {
  const client = await pool.connect();
  const ids = rows.map(({ probe, sensor }) => sensorIds[probe * DEPTHS.length + sensor]);
  const at = rows.map((row) => row.at);
  const written = [...new Set(ids)];

  const start = (length) => Math.floor(at[0] / length) * length;
  const periods = (length) => [
    companyId,
    list(written),
    list(written.map(() => start(length))),
    list(written.map(() => start(length) + length)),
  ];
  await Promise.all([
    client.query(BEGIN(companyId)),
    client.query({
      name: 'readings',
      text: INSERT,
      values: [companyId, list(ids), list(at), list(rows.map(() => 25))],
    }),
    client.query({ name: 'hours', text: HOURS, values: periods(HOUR_MS) }),
    client.query({ name: 'days', text: DAYS, values: periods(DAY_MS) }),
    client.query('commit'),
  ]);
  client.release();
}

/** The store of the sources, because the program has no command that only writes readings. */
async function openStore(db) {
  const outfile = fileURLToPath(new URL('../dist/bench-store.tmp.mjs', import.meta.url));
  const contents = `export { openStore } from '../src/store/store.ts';
    export { recordReadings } from '../src/store/ingest/reading-writes.ts';`;
  const resolveDir = fileURLToPath(new URL('.', import.meta.url));
  await build({
    stdin: { contents, resolveDir, loader: 'ts' },
    outfile,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
  });
  try {
    const { openStore: open, recordReadings } = await import(outfile);
    return { store: await open({ db }), recordReadings };
  } finally {
    await rm(outfile);
  }
}

async function storeWrite({ store, recordReadings }, { companyId, sensorIds }, rows) {
  const batch = {
    sensorIds: rows.map(({ probe, sensor }) => sensorIds[probe * DEPTHS.length + sensor]),
    at: rows.map(({ at }) => at),
    values: rows.map(() => 25),
    length: rows.length,
  };
  await store.write(companyId, (db) => recordReadings(db, batch));
}

/** Batches a second of all writers, each of which writes one after the other. */
async function batchesPerSecond(companies, ms, write) {
  const startedMs = performance.now();
  let written = 0;
  const run = async (company) => {
    while (performance.now() - startedMs < ms) {
      await write(company, company.batches.next().value);
      written++;
    }
  };
  await Promise.all(companies.map(run));
  return written / ((performance.now() - startedMs) / 1000);
}

async function callsPerSecond(port, companies, ms) {
  const rates = companies.map(({ key, batches }) => {
    const next = () => {
      const readings = batches.next().value.map(({ probe, depth, at }) => ({
        module: `U${probe + 1}`,
        type: 'humidity',
        depth,
        time: new Date(at).toISOString(),
        value: 25,
      }));
      return requestText({ method: 'POST', path: '/v1/ingest', key, body: { readings } });
    };
    return responsesPerSecond(port, { connections: 1, ms, next, status: 200 });
  });
  return (await Promise.all(rates)).reduce((sum, rate) => sum + rate, 0);
}

async function addCompanies(db) {
  const companies = [];
  for (let n = 1; n <= WRITERS; n++) {
    await importFarm(db, farmOf(n), { options: n === 1 ? [] : ['--new-company'] });
    companies.push({
      companyId: n,
      key: newKey(db, { options: n === 1 ? [] : ['--company', `Mas ${n}`] }),
    });
  }
  const client = new pg.Client({ connectionString: db, options: '-c acequia.company=all' });
  await client.connect();
  const { rows } = await client.query(
    'select company_id::int as company, id::int from sensors order by id',
  );
  await client.end();
  for (const company of companies)
    company.sensorIds = rows.filter((row) => row.company === company.companyId).map(({ id }) => id);
  return companies;
}

/** Alternates the three, each with instants of its own, and prints the figures. */
async function compare(db, companies, batch, startAt) {
  const pool = new pg.Pool({ connectionString: db, pipeline: true, max: CONNECTIONS });
  const opened = await openStore(db);
  await opened.store.ensurePartitions(Date.now());
  const server = await startServer(serveCommand(db));

  const withBatches = (offset) =>
    companies.map((company) => ({
      ...company,
      batches: batchesOf(batch, startAt + offset * DAY_MS),
    }));
  const [plain, stored, called] = [0, 1, 2].map((side) => withBatches(side * DAYS_PER_SIDE));
  const sides = [
    (ms) => batchesPerSecond(plain, ms, (company, rows) => plainWrite(pool, company, rows)),
    (ms) => batchesPerSecond(stored, ms, (company, rows) => storeWrite(opened, company, rows)),
    (ms) => callsPerSecond(server.port, called, ms),
  ];
  const rates = sides.map(() => []);
  try {
    for (const side of sides) await side(WARM_UP_MS);
    for (let round = 0; round < rounds(6); round++)
      for (const [index, side] of sides.entries()) rates[index].push(await side(SLICE_MS));
  } finally {
    await server.stop();
    await opened.store.close();
    await pool.end();
  }

  const [baseline, store, calls] = rates.map(median);
  for (const [what, measured] of Object.entries({
    'transactions of the store': store,
    'calls of the program': calls,
  }))
    figure({
      what: `PostgreSQL: ${WRITERS} writers of different companies, each ${batch.name}: ${what}`,
      against: 'the inserts and their sums alone, prepared, on as many connections',
      unit: 'a second',
      digits: 0,
      baseline,
      measured,
      target: what.startsWith('transactions') && batch.instants > 1 ? 'at least 0.8x' : undefined,
    });
}

await withServer(async (server) => {
  const db = await server.empty();
  const companies = await addCompanies(db);
  await analyze(db);
  for (const [index, batch] of BATCHES.entries())
    await compare(db, companies, batch, FIRST + index * 3 * DAYS_PER_SIDE * DAY_MS);
});
