import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { z } from 'zod/v3';
import type { MeasurementType } from '../../src/domain/moisture/measurement.ts';
import { readToolArguments } from '../../src/operation/arguments/tool-arguments.ts';
import { LocalRunner } from '../../src/operation/local/local-runner.ts';
import type { farmFile } from '../../src/schema/farm/farm-file.ts';
import { importFarm } from '../../src/service/farm/farm-import.ts';
import { sensorsOf } from '../../src/store/company/sensors.ts';
import { recordReadings } from '../../src/store/ingest/reading-writes.ts';
import { openStore } from '../../src/store/store.ts';
import { operationsByName } from '../../tools/index.ts';

export type FarmFields = Omit<z.input<typeof farmFile>, 'company' | 'users'>;

/** Of volumetric moisture in %, or of another type in its unit. */
export interface Reading {
  readonly module: string;
  readonly depthCm: number;
  readonly at: number;
  readonly value: number;
}

/** A farm in a temporary store, whose tools answer as to an assistant at the instant `now`. */
export interface ValidationFarm {
  now: number;
  ask<Body>(tool: string, args: Record<string, unknown>): Promise<Body>;
  /** Of moisture unless said otherwise. */
  record(readings: readonly Reading[], type?: MeasurementType): Promise<void>;
}

const BATCH = 10_000;

export async function withFarm<T>(
  fields: FarmFields,
  startsAt: number,
  body: (farm: ValidationFarm) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'acequia-validate-'));
  const store = await openStore({ db: join(folder, 'farm.db') });
  try {
    const file = {
      company: { name: 'Validation', timezone: 'Europe/Athens' },
      users: [{ email: 'ana@example.org', name: 'Ana', role: 'OWNER' }],
      ...fields,
      // The days that are compared count, also those of winter without a thermometer.
      modules: fields.modules?.map((module) => ({
        ...module,
        settings: { restFrom: 'never', ...module.settings },
      })),
    };
    const { company, moduleResults } = await importFarm(store, JSON.stringify(file), startsAt);
    const idOf = new Map(moduleResults.map(({ uid, id }) => [uid, id]));
    const sensors = await store.read(company.id, (db) => sensorsOf(db, [...idOf.values()]));
    const sensorIds = new Map(
      sensors.map(({ id, moduleId, type, depth }) => [`${moduleId} ${type} ${depth}`, id]),
    );
    const runner = new LocalRunner({
      store,
      operations: operationsByName,
      clock: () => farm.now,
      lang: 'en',
      source: 'mcp',
    });
    const farm: ValidationFarm = {
      now: startsAt,
      async ask(tool, args) {
        const operation = operationsByName.get(tool)!;
        const { body: answer } = await runner.run(operation, {
          rawArguments: args,
          readArguments: (context) => readToolArguments(operation, args, context),
        });
        return operation.output.parse(answer);
      },
      async record(readings, type = 'humidity') {
        for (let from = 0; from < readings.length; from += BATCH) {
          const rows = readings.slice(from, from + BATCH);
          const batch = {
            sensorIds: Float64Array.from(
              rows,
              ({ module, depthCm }) => sensorIds.get(`${idOf.get(module)} ${type} ${depthCm}`)!,
            ),
            at: Float64Array.from(rows, ({ at }) => at),
            values: Float64Array.from(rows, ({ value }) => value),
            length: rows.length,
          };
          await store.write(company.id, (db) => recordReadings(db, batch));
        }
      },
    };
    return await body(farm);
  } finally {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  }
}
