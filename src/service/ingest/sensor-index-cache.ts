import { probesVersion } from '../../store/changes/change-counts.ts';
import { moduleNames } from '../../store/company/modules.ts';
import { allSensors } from '../../store/company/sensors.ts';
import { companyIdOf } from '../../store/scope/company-db.ts';
import type { CompanyDb } from '../../store/tables.ts';
import { buildSensorIndex, type SensorIndex } from './sensor-index.ts';

/** In modules and sensors of all cached indexes, which then take some 50 MB. */
const MAX_SIZE = 100_000;

interface CachedIndex {
  readonly version: string;
  readonly index: SensorIndex;
}

const sizeOf = ({ index }: CachedIndex): number => index.modules.length + index.sensorById.size;

/**
 * The indexes of companies, the least recently used first. One that is larger than MAX_SIZE is
 * cached alone.
 */
class SensorIndexCache {
  readonly #byCompany = new Map<number, CachedIndex>();
  #size = 0;

  /** Null unless the index has this version. */
  get(companyId: number, version: string): SensorIndex | null {
    const cached = this.#byCompany.get(companyId);
    if (cached?.version !== version) return null;

    this.#byCompany.delete(companyId);
    this.#byCompany.set(companyId, cached);
    return cached.index;
  }

  set(companyId: number, version: string, index: SensorIndex): void {
    this.#delete(companyId);
    const added = { version, index };
    this.#byCompany.set(companyId, added);
    this.#size += sizeOf(added);

    for (const id of this.#byCompany.keys()) {
      if (this.#size <= MAX_SIZE || id === companyId) return;
      this.#delete(id);
    }
  }

  #delete(companyId: number): void {
    const cached = this.#byCompany.get(companyId);
    if (cached === undefined) return;
    this.#byCompany.delete(companyId);
    this.#size -= sizeOf(cached);
  }
}

const cache = new SensorIndexCache();

/** Reads the modules and sensors of the company only if some have changed since the last call. */
export async function loadSensorIndex(db: CompanyDb): Promise<SensorIndex> {
  const version = await probesVersion(db);
  if (version === null) return readSensorIndex(db);

  const companyId = companyIdOf(db);
  const cached = cache.get(companyId, version);
  if (cached !== null) return cached;

  const index = await readSensorIndex(db);
  cache.set(companyId, version, index);
  return index;
}

const readSensorIndex = async (db: CompanyDb): Promise<SensorIndex> =>
  buildSensorIndex(await moduleNames(db), await allSensors(db));
