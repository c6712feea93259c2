import { chunksOf } from '../../../src/domain/groups.ts';
import { FARM_NOW, HOUR, type TestFarm } from '../../farm.ts';

export const PROBES = ['North 1', 'North 2', 'North 3'];
const MIN = 20;

/** Past waterings of 20 min without a dose, one an hour on each of these probes. */
export async function addUndosedWaterings(
  farm: TestFarm,
  perProbe: number,
  probes: readonly (string | number)[] = PROBES,
  more: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const rows = probes.flatMap((probe) =>
    Array.from({ length: perProbe }, (_, index) => ({
      module_id: typeof probe === 'string' ? farm.idOf(probe) : probe,
      started_at: FARM_NOW - (index + 1) * HOUR,
      is_detached: 0 as const,
      input_mode: 'duration' as const,
      duration_min: MIN,
      dose_fraction_wetted_is_default: 0 as const,
      status: 'done' as const,
      source: 'manual' as const,
      created_at: 0,
      ...more,
    })),
  );
  await farm.write(async (db) => {
    for (const chunk of chunksOf(rows, 200))
      await db.insertInto('waterings').values(chunk).execute();
  });
}

/** Reads the rows as stored, while doses may be pending. */
export const storedWaterings = (farm: TestFarm) =>
  farm.store.readAll((all) => all.selectFrom('waterings').selectAll().orderBy('id').execute());

export const dosedCount = async (farm: TestFarm): Promise<number> =>
  (await storedWaterings(farm)).filter(({ water_mm }) => water_mm !== null).length;

export const pendingProbes = async (farm: TestFarm): Promise<number> =>
  (await farm.store.readAll((all) => all.selectFrom('pending_doses').selectAll().execute())).length;

export const pendingUndos = async (farm: TestFarm): Promise<number> =>
  (await farm.store.readAll((all) => all.selectFrom('pending_undos').selectAll().execute())).length;
