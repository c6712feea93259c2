import { importFarmFile } from '../../imported-data.ts';
import { rowsOf } from '../../stores/stores.ts';
import { DAY, HOUR } from '../../time.ts';
import { createTestKey } from '../rest-service.ts';

export const QUARTER = 15 * 60_000;

/** Two months ago, so that the load spans several monthly partitions. */
export const LOAD_START = Math.floor(Date.now() / HOUR) * HOUR - 60 * DAY;

export const LOAD_DEPTHS = [10, 20, 30];

/** Readings of the last probe are corrected again and again. */
export const LOAD_PROBES = ['A1', 'A2', 'A3', 'B1'];
export const RECORRECTED_PROBE = LOAD_PROBES.length - 1;

/** %, from 10.0 to 29.9. */
export const loadMoistureAt = (at: number): number => 10 + ((at / QUARTER) % 200) / 10;

export interface LoadCompany {
  readonly name: string;
  readonly key: string;
  readonly modules: readonly number[];
}

const farm = (name: string) => ({
  company: { name, timezone: 'Europe/Paris' },
  users: [{ email: 'ana@example.org', name: 'Ana', role: 'OWNER' }],
  parcels: [{ name: 'North block', installation: { system: 'sprinkler', flowMmPerH: 6 } }],
  modules: LOAD_PROBES.map((uid, index) => ({
    uid,
    name: `Probe ${uid}`,
    category: 'SOIL_PROBE',
    parcel: 'North block',
    commissionedAt: new Date(LOAD_START - 30 * DAY).toISOString(),
    sensors: LOAD_DEPTHS.map((depth) => ({ type: 'humidity', depth })),
    ...(index % 2 === 0
      ? {
          installation: { system: 'drip', emitterFlowLph: 1.6, emittersPerM2: 2 },
        }
      : {}),
  })),
});

export async function importLoadCompanies(db: string): Promise<LoadCompany[]> {
  const companies: LoadCompany[] = [];
  for (const name of ['Mas Rouge', 'Mas Bleu']) {
    await importFarmFile(db, farm(name));
    const { key } = await createTestKey(db, '--company', name);
    const modules = await rowsOf<{ id: number }>(
      db,
      `select modules.id from modules join companies on companies.id = company_id
         where companies.name = '${name}' order by uid`,
    );
    companies.push({ name, key, modules: modules.map(({ id }) => id) });
  }
  return companies;
}
