import { operationsByName } from '../../../tools/index.ts';
import { localPerformer } from '../../operation/local-performer.ts';
import { readToolArguments } from '../../operation/tool-arguments.ts';
import { importFarm } from '../../service/farm-file.ts';
import { sensorsOf } from '../../store/modules.ts';
import { recordReadings } from '../../store/readings.ts';
import { openStore, type Store } from '../../store/store.ts';
import { MINUTE_MS } from './calendar.ts';
import { demoFarm, EAST_GATEWAY } from './farm.ts';
import { type DemoHistory, gatewaySilence } from './readings.ts';
import type { DemoWatering } from './waterings.ts';

/** Readings of one transaction. */
const READINGS_A_BATCH = 10_000;

export interface DemoFarmCounts {
  readonly readings: number;
  readonly waterings: number;
}

/** Writes the demo farm and its history to a new file. */
export async function makeFarm(file: string, history: DemoHistory): Promise<DemoFarmCounts> {
  const store = await openStore({ db: file });
  try {
    const startsAt = history.instants[0]!;
    const now = history.instants.at(-1)!;
    const farm = demoFarm(startsAt, now);
    const { company, named } = await importFarm(store, JSON.stringify(farm), startsAt);
    const idOf = new Map(named.map(({ name, id }) => [name!, id]));
    const booked = history.waterings.filter(({ isRecorded }) => isRecorded);
    await logWaterings(store, booked, idOf);
    const silent = farm.modules!.filter(({ gateway }) => gateway === EAST_GATEWAY).map(({ name }) => name!);
    const readings = await recordSeries(store, company.id, history, idOf, new Set(silent));
    return { readings, waterings: booked.length };
  } finally {
    await store.close();
  }
}

/** Logs waterings as an assistant would have on their day, a few minutes after their end, so that doses are frozen by the rules. */
async function logWaterings(
  store: Store,
  waterings: readonly DemoWatering[],
  idOf: ReadonlyMap<string, number>,
): Promise<void> {
  let clock = 0;
  const performer = localPerformer({
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
    await performer.perform(logWatering, {
      rawArguments: args,
      readArguments: (context) => readToolArguments(logWatering, args, context),
    });
  }
}

/** Records what the sensors measured, less what the `silent` modules could not send; returns how many readings there are. */
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
    sensorIds: new Float64Array(READINGS_A_BATCH),
    at: new Float64Array(READINGS_A_BATCH),
    values: new Float64Array(READINGS_A_BATCH),
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
      if (batch.length === READINGS_A_BATCH) await write();
    }
  }
  await write();
  return recorded;
}
