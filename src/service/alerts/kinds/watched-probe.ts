import type { SettingsVersion } from '../../../domain/moisture/probe-settings.ts';
import { type Module, moduleById } from '../../../store/company/modules.ts';
import { type Sensor, sensorsOf } from '../../../store/company/sensors.ts';
import { settingsVersionsOf } from '../../../store/moisture/settings-versions.ts';
import { layersOfModule, type SoilLayer } from '../../../store/soil/soil-layers.ts';
import type { CompanyDb } from '../../../store/tables.ts';
import { ProbesCache } from '../../probes-cache.ts';

/** The facts of its probe that the evaluation of an alert needs, beside the readings. */
export interface WatchedProbe {
  readonly id: number;
  readonly category: string | null;
  readonly sensors: readonly Sensor[];
  readonly settings: readonly SettingsVersion[];
  readonly layers: readonly SoilLayer[];
}

/** They take some 20 MB. */
const MAX_PROBES = 10_000;

const probes = new ProbesCache<WatchedProbe | null>({ maxSize: MAX_PROBES, sizeOf: () => 1 });

/** Null without such a module. */
export const loadWatchedProbe = (db: CompanyDb, moduleId: number): Promise<WatchedProbe | null> =>
  probes.load(db, moduleId, async () => {
    const module = await moduleById(db, moduleId);
    return module && watchedProbe(db, module);
  });

export async function watchedProbe(
  db: CompanyDb,
  { id, category }: Pick<Module, 'id' | 'category'>,
): Promise<WatchedProbe> {
  const [sensors, settings, layers] = await Promise.all([
    sensorsOf(db, [id]),
    settingsVersionsOf(db, id),
    layersOfModule(db, id),
  ]);
  return { id, category, sensors, settings, layers };
}
