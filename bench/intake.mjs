/**
 * What a reading costs: calls of three values of one probe with an armed alert, one after the
 * other. On PostgreSQL against the bare SQL of the same rows in one durable transaction; in a file
 * against an earlier build, that of ACEQUIA_BENCH_BEFORE or of the commit below.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { isPostgres, title, withDatabases } from './databases.mjs';
import { figure, median } from './figures.mjs';
import {
  importFarm,
  newKey,
  program,
  programBefore,
  serveCommand,
  startServer,
} from './program.mjs';
import { rounds, sized } from './sizes.mjs';

const BEFORE = '53ba518a';
const DEPTHS = [10, 20, 30];
const WARM_UP_MS = sized(3_000, 20);
const SLICE_MS = sized(1_000, 20);
const PAUSE_MS = 20;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Each call is of the next probe. The readings are live ones: those of the last day. */
const PROBES = sized(100, 1);
const FIRST_AT = Date.now() - DAY_MS;
const SPACING_MS = 10 * MINUTE_MS;
const TICKS_A_SECOND = 100;

const atOfCall = (call) => FIRST_AT + Math.floor(call / PROBES) * SPACING_MS;

const farm = {
  company: { name: 'Mas Rouge', timezone: 'Europe/Paris' },
  users: [{ email: 'ana@example.org', name: 'Ana', role: 'OWNER' }],
  parcels: [],
  modules: Array.from({ length: PROBES }, (_, index) => ({
    uid: `U${index + 1}`,
    name: `Probe ${index + 1}`,
    category: 'SOIL_PROBE',
    sensors: DEPTHS.map((depth) => ({ type: 'humidity', depth })),
  })),
};

const readingsOf = (call) =>
  DEPTHS.map((depth) => ({
    module: `U${(call % PROBES) + 1}`,
    type: 'humidity',
    depth,
    time: new Date(atOfCall(call)).toISOString(),
    value: 25,
  }));

/** The service of a build, with its own farm, an alert for each probe and a key. */
class Service {
  #server;
  #key;
  #calls = 0;

  static async start(db, binary) {
    const service = new Service();
    await importFarm(db, farm, { binary });
    service.#key = newKey(db, { binary });
    service.#server = await startServer(serveCommand(db, binary));
    for (let moduleId = 1; moduleId <= PROBES; moduleId++)
      await service.#post('alerts', { moduleId, threshold: 5 });
    return service;
  }

  /**
   * The time until a call is answered and the processor time of the service for it, ms. After each
   * answer there is time to evaluate alerts, which would otherwise be evaluated for several calls.
   */
  async measure(ms) {
    const usedMs = this.#processorMs();
    const startedMs = performance.now();
    const answerMs = [];
    while (performance.now() - startedMs < ms) {
      const sentMs = performance.now();
      await this.#post('ingest', { readings: readingsOf(this.#calls++) });
      answerMs.push(performance.now() - sentMs);
      await pause(PAUSE_MS);
    }
    return {
      ms: median(answerMs),
      processorMs: (this.#processorMs() - usedMs) / answerMs.length,
    };
  }

  stop() {
    return this.#server.stop();
  }

  async #post(path, body) {
    const answer = await fetch(`http://127.0.0.1:${this.#server.port}/v1/${path}`, {
      method: 'POST',
      headers: { 'x-api-key': this.#key, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(text);
  }

  #processorMs() {
    const stat = readFileSync(`/proc/${this.#server.pid}/stat`, 'utf8');
    const [userTicks, systemTicks] = stat.slice(stat.lastIndexOf(')')).split(' ').slice(12, 14);
    return ((Number(userTicks) + Number(systemTicks)) * 1000) / TICKS_A_SECOND;
  }
}

const SUMS = {
  reading_hours: { from: 'readings', at: 'at', count: 'count(*)', sum: 'sum(value)' },
  reading_days: { from: 'reading_hours', at: 'bucket_at', count: 'sum(count)', sum: 'sum(sum)' },
  reading_local_days: {
    from: 'reading_hours',
    at: 'bucket_at',
    count: 'sum(count)',
    sum: 'sum(sum)',
  },
};

const sumsInto = (table) => {
  const { from, at, count, sum } = SUMS[table];
  return `insert into ${table} (company_id, sensor_id, bucket_at, count, sum)
    select $1, sensor_id, $3, ${count}, ${sum} from ${from}
      where company_id = $1 and sensor_id = any($2::bigint[]) and ${at} >= $3 and ${at} < $4
      group by sensor_id
    on conflict (company_id, sensor_id, bucket_at) do update
      set count = excluded.count, sum = excluded.sum`;
};

/** The statements for the rows of a call, prepared and sent without waiting for each other. */
function bareStatements(call) {
  const at = atOfCall(call);
  const probe = call % PROBES;
  const sensorIds = DEPTHS.map((_, index) => probe * DEPTHS.length + index + 1);
  const list = (values) => `{${values.join(',')}}`;
  const ids = list(sensorIds);
  const sums = (table, length) => {
    const start = Math.floor(at / length) * length;
    return { name: table, text: sumsInto(table), values: [1, ids, start, start + length] };
  };
  return [
    {
      name: 'readings',
      text: `insert into readings (company_id, sensor_id, at, value)
        select $1, unnest($2::bigint[]), $3, 25
        on conflict (company_id, sensor_id, at) do update set value = excluded.value`,
      values: [1, ids, at],
    },
    sums('reading_hours', HOUR_MS),
    sums('reading_days', DAY_MS),
    sums('reading_local_days', DAY_MS),
    {
      name: 'version',
      text: `insert into reading_versions (company_id, module_id, version) values (1, $2, $1)
        on conflict (company_id, module_id) do update set version = excluded.version`,
      values: [String(at), probe + 1],
    },
    {
      name: 'state',
      text: `update alert_states set pending_marks = pending_marks + 1,
          evaluated_marks = pending_marks + 1, evaluated_at = $1, value = 25, due_at = $1
        where company_id = 1 and alert_id = (select id from alerts where module_id = $2)`,
      values: [at, probe + 1],
    },
    {
      name: 'count',
      text: 'update change_counts set count = count + 1 where company_id = 1',
      values: [],
    },
  ];
}

const BEGIN = `begin; set local synchronous_commit = on; set local acequia.company = '1'`;

/** A transaction of the bare SQL, ms. */
async function bareMs(client, nextCall, ms) {
  const startedMs = performance.now();
  const times = [];
  while (performance.now() - startedMs < ms) {
    const statements = bareStatements(nextCall());
    const sentMs = performance.now();
    await Promise.all([BEGIN, ...statements, 'commit'].map((each) => client.query(each)));
    times.push(performance.now() - sentMs);
    await pause(PAUSE_MS);
  }
  return median(times);
}

async function compareWithBareSql({ empty, analyze }) {
  const db = await empty();
  const service = await Service.start(db, program);
  const bareDb = await empty();
  const bareService = await Service.start(bareDb, program);
  await bareService.measure(WARM_UP_MS);
  await bareService.stop();

  const client = new pg.Client({ connectionString: bareDb, pipeline: true });
  await client.connect();
  let calls = 0;
  const bare = (ms) => bareMs(client, () => calls++, ms);
  const samples = { bare: [], ms: [], processorMs: [] };
  try {
    await service.measure(WARM_UP_MS);
    await bare(WARM_UP_MS);
    await analyze(db);
    await analyze(bareDb);
    for (let round = 0; round < rounds(12); round++) {
      samples.bare.push(await bare(SLICE_MS));
      const { ms, processorMs } = await service.measure(SLICE_MS);
      samples.ms.push(ms);
      samples.processorMs.push(processorMs);
    }
  } finally {
    await client.end();
    await service.stop();
  }

  const against = 'the bare SQL of the same rows in one durable transaction';
  const baseline = median(samples.bare);
  const measured = { what: 'POST /v1/ingest of three values, an alert armed', key: 'ms' };
  report(measured, { against, baseline, samples, target: 4 });
  const used = { what: 'the processor time of the service for such a call', key: 'processorMs' };
  report(used, { against, baseline, samples, target: '–' });
}

function report({ what, key }, { against, baseline, samples, target }) {
  const measured = median(samples[key]);
  figure({ what: `${title}${what}`, against, unit: 'ms', digits: 2, baseline, measured, target });
}

/** Builds the earlier commit with the packages of this one, beside it on the same disk. */
async function withBuildBefore(body) {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const tree = await mkdtemp(join(root, 'dist', 'before-'));
  try {
    execFileSync('git', ['clone', '--quiet', '--no-checkout', '--shared', root, tree]);
    execFileSync('git', ['checkout', '--quiet', BEFORE], { cwd: tree });
    // Links would be followed to this folder, whose files the page may not contain.
    const packages = join(root, 'node_modules');
    execFileSync('cp', ['-al', packages, join(tree, 'node_modules')]);
    execFileSync('node', ['scripts/build.mjs'], { cwd: tree, stdio: 'ignore' });
    return await body(join(tree, 'dist', 'acequia.js'));
  } finally {
    await rm(tree, { recursive: true, force: true });
  }
}

async function compareWithBefore({ empty }, { binary: binaryBefore, against, target }) {
  const services = [
    await Service.start(await empty(), binaryBefore),
    await Service.start(await empty(), program),
  ];
  const samples = services.map(() => ({ ms: [], processorMs: [] }));
  try {
    for (const service of services) await service.measure(WARM_UP_MS);
    for (let round = 0; round < rounds(12); round++)
      for (const [side, service] of services.entries()) {
        const { ms, processorMs } = await service.measure(SLICE_MS);
        samples[side].ms.push(ms);
        samples[side].processorMs.push(processorMs);
      }
  } finally {
    for (const service of services) await service.stop();
  }

  const [before, now] = samples;
  const figures = {
    ms: 'POST /v1/ingest of three values, an alert armed',
    processorMs: 'the processor time of the service for such a call',
  };
  for (const [key, what] of Object.entries(figures))
    report({ what, key }, { against, baseline: median(before[key]), samples: now, target });
}

await withDatabases((databases) => {
  if (isPostgres) return compareWithBareSql(databases);
  // No commit is built in the smallest size.
  const binaryBefore = programBefore ?? sized(undefined, program);
  if (binaryBefore !== undefined) {
    const against = `the build of ${binaryBefore}`;
    return compareWithBefore(databases, { binary: binaryBefore, against, target: '–' });
  }
  const against = `the build of ${BEFORE}`;
  return withBuildBefore((binary) =>
    compareWithBefore(databases, { binary, against, target: 0.5 }),
  );
});
