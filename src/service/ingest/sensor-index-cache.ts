import { moduleNames } from '../../store/company/modules.ts';
import { allSensors } from '../../store/company/sensors.ts';
import { readingRetention } from '../../store/moisture/reading-retention.ts';
import type { CompanyDb } from '../../store/tables.ts';
import { ProbesCache } from '../probes-cache.ts';
import { buildSensorIndex, type SensorIndex } from './sensor-index.ts';

/** In modules and sensors of all cached indexes, which then take some 50 MB. */
const MAX_SIZE = 100_000;

const indexes = new ProbesCache<SensorIndex>({
  maxSize: MAX_SIZE,
  sizeOf: ({ modules, sensorById }) => modules.length + sensorById.size,
});

/** Reads the modules and sensors of the company only if some have changed since the last call. */
export const loadSensorIndex = (db: CompanyDb): Promise<SensorIndex> =>
  indexes.load(db, 'index', async () => {
    const retention = await readingRetention(db);
    return buildSensorIndex(
      await moduleNames(db),
      await allSensors(db),
      retention?.keptFrom ?? null,
    );
  });
