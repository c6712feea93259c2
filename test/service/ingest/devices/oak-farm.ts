import { type Advised, it, type TestFarm } from '../../../farm.ts';

/** On a farm with the probes "Oak 1" and "Oak 2", which have these sensors at 20 cm, and others. */
export const itOnOaks = (
  types: readonly string[] = ['humidity'],
  others: readonly object[] = [],
): typeof it =>
  it.extend<{ farm: TestFarm }>({
    farm: async ({ farm }, use) => {
      const sensors = types.map((type) => ({ type, depth: 20 }));
      const oaks = ['Oak 1', 'Oak 2'].map((uid) => ({ uid, name: uid, sensors }));
      await farm.importFile({ modules: [...oaks, ...others] });
      await use(farm);
    },
  });

/** "Oak 1 24", the oldest first. */
export async function storedReadings(farm: TestFarm): Promise<string[]> {
  const rows = await farm.write((db) =>
    db
      .selectFrom('readings')
      .innerJoin('sensors', 'sensors.id', 'readings.sensor_id')
      .innerJoin('modules', 'modules.id', 'sensors.module_id')
      .select(['uid', 'value'])
      .orderBy('at')
      .orderBy('sensor_id')
      .execute(),
  );
  return rows.map(({ uid, value }) => `${uid} ${value}`);
}

/** Undoes the newest change, or an earlier one. */
export async function undoChange(farm: TestFarm, earlier = 0): Promise<Advised> {
  const { data } = await farm.tool<{ data: { id: number }[] }>('list_changes', {});
  const changeId = String(data[earlier]!.id);
  return farm.tool('undo', { changeId });
}
