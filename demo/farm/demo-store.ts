import { existsSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { dataFolder, defaultDb } from '../../src/cli/process/settings.ts';
import { MINUTE_MS } from '../../src/domain/periods.ts';
import { say, verbatimText } from '../../src/domain/text/say.ts';
import { readToolArguments } from '../../src/operation/arguments/tool-arguments.ts';
import { ownerOfOnlyCompany } from '../../src/operation/authorization.ts';
import { LocalRunner } from '../../src/operation/local/local-runner.ts';
import { plainError, storeUnavailableError } from '../../src/schema/error.ts';
import { importFarm } from '../../src/service/farm/farm-import.ts';
import { runHousekeepingRound } from '../../src/service/jobs/housekeeping.ts';
import { NO_FOLDER } from '../../src/store/backups/backup-location.ts';
import { ensureFolderRecord } from '../../src/store/backups/folder-records.ts';
import { moduleNames } from '../../src/store/company/modules.ts';
import { sensorsOf } from '../../src/store/company/sensors.ts';
import { recordReadings } from '../../src/store/ingest/reading-writes.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { isServerUrl } from '../../src/store/store-location.ts';
import { operationsByName } from '../../tools/index.ts';
import { type DemoClient, startDemoClient } from '../servers/mcp-client.ts';
import { DEMO_COMPANY, demoFarm, EAST_GATEWAY } from './demo-farm.ts';
import { type DemoHistory, gatewaySilence } from './history.ts';
import type { DemoWatering } from './waterings.ts';

const READINGS_PER_BATCH = 10_000;

export interface DemoFarmCounts {
  readonly readings: number;
  readonly waterings: number;
}

/** Half open, in ms. */
interface ReadingPeriod {
  readonly from: number;
  readonly to: number;
}

interface CallAt {
  readonly at: number;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** The farm as it is at `now`, after the calls. */
export async function makeFarm(
  file: string,
  history: DemoHistory,
  now = history.instants.at(-1)!,
  calls: readonly CallAt[] = [],
): Promise<DemoFarmCounts> {
  const store = await openStore({ db: file });
  try {
    const startsAt = history.instants[0]!;
    const farm = demoFarm(startsAt, now);
    await store.writeUnlocked((all) => ensureFolderRecord(all, NO_FOLDER));
    await importFarm(store, JSON.stringify(farm), startsAt);
    const recorded = history.waterings.filter(({ isRecorded }) => isRecorded);
    await runCalls(store, [...recorded.map(toCall), ...calls]);
    const readings = await recordSeries(store, history, { from: 0, to: now + 1 });
    // So that what was planned for the past counts as done before the story begins.
    await runHousekeepingRound(store, { now, holder: 'the demo' });
    return { readings, waterings: recorded.length };
  } finally {
    await store.close();
  }
}

/** Time passes: the readings after `from` arrive, and the gateways have been seen at `now`. */
export async function passTime(
  file: string,
  history: DemoHistory,
  { from, now }: { readonly from: number; readonly now: number },
): Promise<void> {
  const store = await openStore({ db: file });
  try {
    const { company, gateways } = demoFarm(history.instants[0]!, now);
    await importFarm(store, JSON.stringify({ company, gateways }), now);
    await recordSeries(store, history, { from: from + 1, to: now + 1 });
  } finally {
    await store.close();
  }
}

const toCall = ({ module, startedAt, durationMin }: DemoWatering): CallAt => ({
  at: startedAt + (durationMin + 10) * MINUTE_MS,
  tool: 'log_watering',
  args: {
    module,
    startedAt: new Date(startedAt).toISOString(),
    inputMode: 'duration',
    durationMin,
  },
});

async function runCalls(store: Store, calls: readonly CallAt[]): Promise<void> {
  let clock = 0;
  const runner = new LocalRunner({
    store,
    operations: operationsByName,
    clock: () => clock,
    lang: 'en',
    source: 'mcp',
  });
  for (const { at, tool, args } of calls) {
    clock = at;
    const operation = operationsByName.get(tool)!;
    await runner.run(operation, {
      rawArguments: args,
      readArguments: (context) => readToolArguments(operation, args, context),
    });
  }
}

const silentModules = new Set(
  demoFarm(0, 0)
    .modules!.filter(({ gateway }) => gateway === EAST_GATEWAY)
    .map(({ name }) => name!),
);

async function recordSeries(
  store: Store,
  { instants, series }: DemoHistory,
  period: ReadingPeriod,
): Promise<number> {
  const company = (await store.readAll(ownerOfOnlyCompany)).company.id;
  const { sensors, idOf } = await store.read(company, async (db) => {
    const modules = await moduleNames(db);
    return {
      sensors: await sensorsOf(
        db,
        modules.map(({ id }) => id),
      ),
      idOf: new Map(modules.map(({ id, name }) => [name, id])),
    };
  });
  const silence = gatewaySilence(instants.at(-1)!);
  const batch = {
    sensorIds: new Float64Array(READINGS_PER_BATCH),
    at: new Float64Array(READINGS_PER_BATCH),
    values: new Float64Array(READINGS_PER_BATCH),
    length: 0,
  };
  let recorded = 0;
  const write = async (): Promise<void> => {
    await store.write(company, (db) => recordReadings(db, batch));
    recorded += batch.length;
    batch.length = 0;
  };
  for (const { module, type, depth, values } of series) {
    const sensor = sensors.find(
      (each) => each.moduleId === idOf.get(module) && each.type === type && each.depth === depth,
    )!;
    for (const [index, at] of instants.entries()) {
      if (at < period.from || at >= period.to) continue;
      if (silentModules.has(module) && at >= silence.from && at < silence.to) continue;
      batch.sensorIds[batch.length] = sensor.id;
      batch.at[batch.length] = at;
      batch.values[batch.length] = values[index]!;
      batch.length += 1;
      if (batch.length === READINGS_PER_BATCH) await write();
    }
  }
  await write();
  return recorded;
}

/** Never the default store, which holds the user's own farm. */
export function demoFilePath(db: string): string {
  if (isServerUrl(db))
    throw storeUnavailableError(
      say`The demo farm is created and removed as a file, but a database was named.`,
      say`Leave --db and ACEQUIA_DB out, or name a file that does not exist yet.`,
    );
  return db === defaultDb() ? join(dataFolder(), 'demo.db') : db;
}

/**
 * Also removes a farm of an interrupted run, but no other file. `server` serves the file in its own
 * process, because a store is released only when its process ends.
 */
export async function removeDemoFarm(file: string, server: readonly string[]): Promise<void> {
  if (existsSync(file) && statSync(file).size > 0) {
    const client = await startDemoClient(process.execPath, [...server]);
    try {
      await assertSameFarm(client, file);
    } finally {
      await client.close();
    }
  }
  try {
    // SQLite's log and index must not be applied to a new file of the same name.
    for (const each of [file, `${file}-wal`, `${file}-shm`]) if (existsSync(each)) await rm(each);
  } catch (error) {
    throw storeUnavailableError(
      verbatimText(
        `The demo farm ${file} cannot be removed (${(error as NodeJS.ErrnoException).code}).`,
      ),
      say`Close the assistant or program that uses it, check that the folder can be written, then try again.`,
    );
  }
}

async function assertSameFarm(client: DemoClient, file: string): Promise<void> {
  const { result, refusal } = await client.call('get_company', {});
  if (result?.name === DEMO_COMPANY || refusal?.code === 'not_found') return;
  if (refusal?.code === 'STORE_UNAVAILABLE') throw plainError(refusal);
  throw plainError({
    code: 'NOT_A_DEMO_FARM',
    status: 409,
    message: `The store ${file} holds a farm that is not the demo's; it was left unchanged.`,
    hint: 'Leave --db and ACEQUIA_DB out, or name a file that does not exist yet.',
  });
}
