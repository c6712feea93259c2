import { type ImportReadingsOptions, importReadings } from '../../../src/service/ingest/readings-import.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { newEmptyStore } from '../../stores/template-stores.ts';

/** Long after every reading of the tests; a reading may lie at most a day ahead of it. */
export const IMPORT_NOW = Date.UTC(2026, 6, 1, 12);

/** A company in Europe/Paris with a probe "North 1" (uid A1B2C3), moisture at 10 and 20 cm and an air temperature. */
export interface ImportFarm {
  readonly store: Store;
  readonly companyId: number;
  importText(text: string, options?: Partial<ImportReadingsOptions>): ReturnType<typeof importReadings>;
  /** What the store holds, as "humidity_10 2026-01-01T00:00:00.000Z 5", by sensor and instant. */
  readings(): Promise<string[]>;
  remove(): Promise<void>;
}

export async function newImportFarm(): Promise<ImportFarm> {
  const emptyStore = await newEmptyStore();
  const store = await openStore({ db: emptyStore.db });
  const companyId = await store.writeAll(async (db) => {
    const company = { name: 'Mas Rouge', timezone: 'Europe/Paris' };
    const { id } = await db
      .insertInto('companies')
      .values({
        ...company,
        legal_name: null,
        country_code: null,
        currency: null,
        city: null,
        postal_code: null,
        region: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const companyDb = store.scopeToCompany(db, id);
    for (const [uid, name] of [
      ['A1B2C3', 'North 1'],
      ['D4E5F6', 'Sonde été'],
    ] as const) {
      const unset = {
        number: null,
        serial_hex: null,
        category: 'SOIL_PROBE',
        parcel_id: null,
        gateway_id: null,
        commissioned_at: 0,
        lat: null,
        lon: null,
        location_source: null,
        location_gateway_id: null,
        root_depth_cm: null,
        depth_weights: null,
      };
      const module = await companyDb
        .insertInto('modules')
        .values({ uid, name, ...unset })
        .returning('id')
        .executeTakeFirstOrThrow();
      for (const [type, depth] of [
        ['humidity', 10],
        ['humidity', 20],
        ['temperature', null],
      ] as const)
        await companyDb.insertInto('sensors').values({ module_id: module.id, type, depth, label: null }).execute();
    }
    return id;
  });
  return {
    store,
    companyId,
    importText: (text, options) =>
      importReadings(inPieces(text), { store, companyId, zone: 'Europe/Paris', now: IMPORT_NOW, ...options }),
    async readings() {
      const rows = await store.read(companyId, (db) =>
        db
          .selectFrom('readings')
          .innerJoin('sensors', 'sensors.id', 'readings.sensor_id')
          .select(['sensors.type', 'sensors.depth', 'sensors.module_id', 'readings.at', 'readings.value'])
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

/** The text as bytes, in pieces that break lines and characters anywhere. */
async function* inPieces(text: string): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  for (let start = 0; start < bytes.length; start += 4093) yield bytes.subarray(start, start + 4093);
}
