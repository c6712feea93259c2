/**
 * Import of a readings file: a million rows of CSV, parsed and checked, with the sums per hour and
 * day, against prepared inserts of the same rows in one transaction; a file of many sensors in
 * order of time against one in order of sensors; and the peak memory that a file ten times as large
 * adds.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { childEnvironment } from './client.mjs';
import { figure, inTurn } from './figures.mjs';
import {
  DEPTHS,
  MODULES,
  ROWS,
  reading,
  writeReadings,
  writeReadingsInTimeOrder,
  ZONE,
} from './million-readings.mjs';
import { newFarm as createFarm, programBefore, sidesOfBuilds } from './program.mjs';
import { inWords, rounds, sized } from './sizes.mjs';

const ROUNDS = rounds(5);
/** Memory that a file ten times as large may add. */
const MOST_ADDED_MB = 20;
/** 305 sensors. */
const MANY_MODULES = 61;
const ROWS_OF_MANY = 305 * sized(1_000, 2);
const MOST_TIMES_FOR_TIME_ORDER = 4;

/** Bundled as in the build, so that the figure does not depend on an old dist. */
async function bundle(folder) {
  const { build } = await import('esbuild');
  const outfile = join(folder, 'import.mjs');
  const root = new URL('..', import.meta.url).pathname;
  await build({
    stdin: {
      contents: `export { importReadings } from './src/service/ingest/readings-import.ts'; export { openStore } from './src/store/store.ts'; export { insertCompany } from './src/store/company/companies.ts';`,
      resolveDir: root,
    },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    outfile,
    external: ['@photostructure/sqlite'],
    banner: {
      js: `import { createRequire } from 'node:module'; const require = createRequire(${JSON.stringify(`${root}package.json`)});`,
    },
    plugins: [
      {
        name: 'installed-sqlite',
        setup: ({ onResolve }) =>
          onResolve({ filter: /^@photostructure\/sqlite$/ }, () => ({
            path: installedSqlite(),
            external: true,
          })),
      },
    ],
  });
  return pathToFileURL(outfile).href;
}

const installedSqlite = () => createRequire(import.meta.url).resolve('@photostructure/sqlite');

async function newFarm({ openStore, insertCompany }, file, modules) {
  const store = await openStore({ db: file });
  await store.writeAll(async (db) => {
    await insertCompany(db, { name: 'Bench' });
    const own = store.scopeToCompany(db, 1);
    for (let module = 1; module <= modules; module++) {
      await own
        .insertInto('modules')
        .values({ uid: `P${module}`, name: `Probe ${module}` })
        .execute();
      for (const depth of DEPTHS)
        await own
          .insertInto('sensors')
          .values({ module_id: module, type: 'humidity', depth, label: null })
          .execute();
    }
  });
  return store;
}

async function importOnce(bundled, folder, csv, modules = MODULES) {
  const store = await newFarm(bundled, join(folder, 'measured.db'), modules);
  const started = performance.now();
  const report = await bundled.importReadings(createReadStream(csv, { highWaterMark: 1 << 18 }), {
    store,
    companyId: 1,
    zone: ZONE,
    now: Date.now(),
  });
  const seconds = (performance.now() - started) / 1000;
  await store.close();
  await rm(join(folder, 'measured.db'));
  return { seconds, report };
}

async function insertOnce(folder) {
  const { DatabaseSync } = await import(pathToFileURL(installedSqlite()).href).then(
    (m) => m.default ?? m,
  );
  const file = join(folder, 'baseline.db');
  const db = new DatabaseSync(file);
  db.exec('pragma journal_mode = wal; pragma synchronous = full');
  db.exec(
    'create table readings (company_id integer, sensor_id integer, at integer, value real, primary key (company_id, sensor_id, at)) without rowid',
  );
  const rows = Array.from({ length: ROWS }, (_, row) => reading(row, ROWS));
  const started = performance.now();
  db.exec('begin immediate');
  const insert = db.prepare('insert into readings values (1, ?, ?, ?)');
  for (const { sensor, at, value } of rows) insert.run(sensor + 1, at, value);
  db.exec('commit');
  const seconds = (performance.now() - started) / 1000;
  db.close();
  for (const each of [file, `${file}-wal`, `${file}-shm`]) await rm(each, { force: true });
  return seconds;
}

const probes = {
  company: { name: 'Bench', timezone: ZONE },
  modules: Array.from({ length: MODULES }, (_, module) => ({
    uid: `P${module + 1}`,
    name: `Probe ${module + 1}`,
    category: 'SOIL_PROBE',
    sensors: DEPTHS.map((depth) => ({ type: 'humidity', depth })),
  })),
};

/** By the command of each build, its start included. */
async function compareBuilds(folder, csv, baseline) {
  const secondsOf = (binary) => async () => {
    const db = await createFarm(folder, binary, probes);
    const startedMs = performance.now();
    execFileSync(process.execPath, [binary, 'import', csv, '--db', db], {
      stdio: 'ignore',
      env: childEnvironment(),
    });
    const seconds = (performance.now() - startedMs) / 1000;
    await rm(db);
    return seconds;
  };
  figure({
    what: `import of ${inWords(ROWS)} CSV rows by the command`,
    against: 'prepared inserts of the same rows in one transaction',
    unit: 's',
    digits: 2,
    baseline,
    ...(await inTurn(ROUNDS, await sidesOfBuilds(secondsOf))),
    target: 2.5,
  });
}

function peakMemory(folder, csv, bundled) {
  const child = spawnSync(
    process.execPath,
    [new URL(import.meta.url).pathname, '--peak', bundled, folder, csv],
    {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  return JSON.parse(child.stdout).peakMb;
}

async function compareOrders(modules, folder) {
  const files = { baseline: join(folder, 'sensors.csv'), measured: join(folder, 'times.csv') };
  await writeReadings(files.baseline, ROWS_OF_MANY, MANY_MODULES);
  await writeReadingsInTimeOrder(files.measured, ROWS_OF_MANY, MANY_MODULES);
  const secondsOf = (file) => async () => {
    const { seconds, report } = await importOnce(modules, folder, file, MANY_MODULES);
    if (report.stored !== ROWS_OF_MANY)
      throw new Error(`stored ${report.stored} of ${ROWS_OF_MANY}`);
    return seconds;
  };
  const durations = await inTurn(ROUNDS, {
    baseline: secondsOf(files.baseline),
    measured: secondsOf(files.measured),
  });
  figure({
    what: `import of ${inWords(ROWS_OF_MANY)} CSV rows of 305 sensors in order of time`,
    against: 'the same rows in order of sensors',
    unit: 's',
    digits: 2,
    ...durations,
    target: MOST_TIMES_FOR_TIME_ORDER,
  });
}

async function main() {
  const folder = await mkdtemp(join(tmpdir(), 'acequia-bench-import-'));
  try {
    const bundled = await bundle(folder);
    const modules = await import(bundled);
    const csv = join(folder, 'readings.csv');
    await writeReadings(csv, ROWS);
    const { baseline, measured } = await inTurn(ROUNDS, {
      baseline: () => insertOnce(folder),
      measured: async () => {
        const { seconds, report } = await importOnce(modules, folder, csv);
        if (report.stored !== ROWS) throw new Error(`stored ${report.stored} of ${ROWS}`);
        return seconds;
      },
    });
    figure({
      what: `import of ${inWords(ROWS)} CSV rows, sums included`,
      against: 'prepared inserts of the same rows in one transaction',
      unit: 's',
      digits: 2,
      baseline,
      measured,
      target: 2.5,
    });

    if (programBefore !== undefined) await compareBuilds(folder, csv, baseline);
    await compareOrders(modules, folder);

    const small = peakMemory(folder, csv, bundled);
    await rm(csv);
    const large = join(folder, 'large.csv');
    await writeReadings(large, ROWS * 10);
    figure({
      what: `peak memory of an import of ${inWords(ROWS * 10)} rows`,
      against: `the same of ${inWords(ROWS)} rows`,
      unit: 'MB',
      digits: 0,
      baseline: small,
      measured: peakMemory(folder, large, bundled),
      target: Math.round(((small + MOST_ADDED_MB) / small) * 100) / 100,
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

if (process.argv[2] === '--peak') {
  const [bundled, folder, csv] = process.argv.slice(3);
  await importOnce(await import(bundled), folder, csv);
  console.log(JSON.stringify({ peakMb: process.resourceUsage().maxRSS / 1024 }));
} else await main();
