import { existsSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { dataFolder, defaultDb } from '../../src/cli/process/settings.ts';
import { MINUTE_MS } from '../../src/domain/periods.ts';
import { readToolArguments } from '../../src/operation/arguments/tool-arguments.ts';
import { LocalRunner } from '../../src/operation/local/local-runner.ts';
import { AcequiaError, storeUnavailableError } from '../../src/schema/error.ts';
import { importFarm } from '../../src/service/farm/farm-import.ts';
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

export async function makeFarm(file: string, history: DemoHistory): Promise<DemoFarmCounts> {
  const store = await openStore({ db: file });
  try {
    const startsAt = history.instants[0]!;
    const now = history.instants.at(-1)!;
    const farm = demoFarm(startsAt, now);
    const { company, moduleResults } = await importFarm(store, JSON.stringify(farm), startsAt);
    const idOf = new Map(moduleResults.map(({ name, id }) => [name!, id]));
    const recorded = history.waterings.filter(({ isRecorded }) => isRecorded);
    await logWaterings(store, recorded, idOf);
    const silent = farm
      .modules!.filter(({ gateway }) => gateway === EAST_GATEWAY)
      .map(({ name }) => name!);
    const readings = await recordSeries(store, company.id, history, idOf, new Set(silent));
    return { readings, waterings: recorded.length };
  } finally {
    await store.close();
  }
}

async function logWaterings(
  store: Store,
  waterings: readonly DemoWatering[],
  idOf: ReadonlyMap<string, number>,
): Promise<void> {
  let clock = 0;
  const runner = new LocalRunner({
    store,
    operations: operationsByName,
    clock: () => clock,
    lang: 'en',
    source: 'mcp',
  });
  const logWatering = operationsByName.get('log_watering')!;
  for (const { module, startedAt, durationMin } of waterings) {
    clock = startedAt + (durationMin + 10) * MINUTE_MS;
    const args = {
      module: `#${idOf.get(module)}`,
      startedAt: new Date(startedAt).toISOString(),
      inputMode: 'duration',
      durationMin,
    };
    await runner.run(logWatering, {
      rawArguments: args,
      readArguments: (context) => readToolArguments(logWatering, args, context),
    });
  }
}

async function recordSeries(
  store: Store,
  companyId: number,
  { instants, series }: DemoHistory,
  idOf: ReadonlyMap<string, number>,
  silent: ReadonlySet<string>,
): Promise<number> {
  const sensors = await store.read(companyId, (db) => sensorsOf(db, [...idOf.values()]));
  const silence = gatewaySilence(instants.at(-1)!);
  const batch = {
    sensorIds: new Float64Array(READINGS_PER_BATCH),
    at: new Float64Array(READINGS_PER_BATCH),
    values: new Float64Array(READINGS_PER_BATCH),
    length: 0,
  };
  let recorded = 0;
  const write = async (): Promise<void> => {
    await store.write(companyId, (db) => recordReadings(db, batch));
    recorded += batch.length;
    batch.length = 0;
  };
  for (const { module, type, depth, values } of series) {
    const sensor = sensors.find(
      (each) => each.moduleId === idOf.get(module) && each.type === type && each.depth === depth,
    )!;
    for (const [index, at] of instants.entries()) {
      if (silent.has(module) && at >= silence.from && at < silence.to) continue;
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
      'The demo farm is created and removed as a file, but a database was named.',
      'Leave --db and ACEQUIA_DB out, or name a file that does not exist yet.',
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
      `The demo farm ${file} cannot be removed (${(error as NodeJS.ErrnoException).code}).`,
      'Close the assistant or program that uses it, check that the folder can be written, then try again.',
    );
  }
}

async function assertSameFarm(client: DemoClient, file: string): Promise<void> {
  const { result, refusal } = await client.call('get_company', {});
  if (result?.name === DEMO_COMPANY || refusal?.code === 'not_found') return;
  if (refusal?.code === 'STORE_UNAVAILABLE') throw new AcequiaError(refusal);
  throw new AcequiaError({
    code: 'NOT_A_DEMO_FARM',
    status: 409,
    message: `The store ${file} holds a farm that is not the demo's; it was left unchanged.`,
    hint: 'Leave --db and ACEQUIA_DB out, or name a file that does not exist yet.',
  });
}
