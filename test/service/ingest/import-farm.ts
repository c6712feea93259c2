import {
  type ImportReadingsOptions,
  importReadings,
} from '../../../src/service/ingest/readings-import.ts';
import { insertCompany } from '../../../src/store/company/companies.ts';
import { insertFarmRow } from '../../../src/store/farm/farm-rows.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { bareModule, NO_DETAILS } from '../../farm.ts';
import { newEmptyStore } from '../../stores/template-stores.ts';
import { moistureSensorsAt } from '../moisture/probe-farm.ts';

/** Later than every reading of the tests: a reading may be at most a day in the future. */
export const IMPORT_NOW = Date.UTC(2026, 6, 1, 12);

export interface ImportFarm {
  readonly store: Store;
  readonly companyId: number;
  importText(
    text: string,
    options?: Partial<ImportReadingsOptions>,
  ): ReturnType<typeof importReadings>;
  /** Lines such as "humidity_10 2026-01-01T00:00:00.000Z 5", by sensor and instant. */
  readings(): Promise<string[]>;
  remove(): Promise<void>;
}

/** Both probes have moisture at 10 and 20 cm, a temperature without a depth, and `moreSensors`. */
export async function newImportFarm(
  moreSensors: readonly (readonly [type: 'tensio' | 'temperature', depth: number])[] = [],
): Promise<ImportFarm> {
  const emptyStore = await newEmptyStore();
  const store = await openStore({ db: emptyStore.db });
  const companyId = await store.writeAll(async (all) => {
    const id = await insertCompany(all, {
      name: 'Mas Rouge',
      timezone: 'Europe/Paris',
      ...NO_DETAILS,
    });
    const db = store.scopeToCompany(all, id);
    for (const [uid, name] of [
      ['A1B2C3', 'North 1'],
      ['D4E5F6', 'Sonde été'],
    ] as const) {
      const moduleId = await insertFarmRow(db, 'modules', bareModule({ uid, name }));
      for (const [type, depth] of [
        ...moistureSensorsAt(10, 20),
        ['temperature', null] as const,
        ...moreSensors,
      ])
        await insertFarmRow(db, 'sensors', { module_id: moduleId, type, depth, label: null });
    }
    return id;
  });
  return {
    store,
    companyId,
    importText: (text, options) =>
      importReadings(inPieces(text), {
        store,
        companyId,
        zone: 'Europe/Paris',
        now: IMPORT_NOW,
        ...options,
      }),
    async readings() {
      const rows = await store.read(companyId, (db) =>
        db
          .selectFrom('readings')
          .innerJoin('sensors', 'sensors.id', 'readings.sensor_id')
          .select([
            'sensors.type',
            'sensors.depth',
            'sensors.module_id',
            'readings.at',
            'readings.value',
          ])
          .orderBy('sensors.id')
          .orderBy('readings.at')
          .execute(),
      );
      return rows.map(({ type, depth, module_id, at, value }) => {
        const sensor = `${depth === null ? type : `${type}_${depth}`}${module_id === 1 ? '' : `@${module_id}`}`;
        return `${sensor} ${new Date(at).toISOString()} ${value}`;
      });
    },
    async remove() {
      await store.close();
      await emptyStore.remove();
    },
  };
}

async function* inPieces(text: string): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  for (let start = 0; start < bytes.length; start += 4093)
    yield bytes.subarray(start, start + 4093);
}
