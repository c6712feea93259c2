import { expect } from 'vitest';
import type { ChangeBody } from '../../../../src/schema/changes/change.ts';
import type { ParcelWateringAnswer } from '../../../../src/schema/irrigation/watering.ts';
import { FARM_NOW, HOUR, iso, it, MINUTE, type TestFarm } from '../../../farm.ts';
import { isOnPostgres } from '../../../stores/stores.ts';
import { statementsOfWrites } from '../../../transactions.ts';

const PROBES = 120;
const ENTRY = {
  startedAt: iso(FARM_NOW - HOUR),
  inputMode: 'duration',
  durationMin: 40,
  detail: 'full',
};

async function parcelOfMany(farm: TestFarm): Promise<void> {
  await farm.importFile({
    parcels: [{ name: 'Large block' }],
    modules: Array.from({ length: PROBES }, (_, index) => ({
      uid: `vine-${index}`,
      name: `Vine ${index}`,
      category: 'SOIL_PROBE',
      parcel: 'Large block',
    })),
  });
  await farm.declareParcel('Large block', { system: 'sprinkler', flowMmPerH: 6 });
}

const logWatering = (farm: TestFarm) =>
  farm.tool<ParcelWateringAnswer>('log_watering', { parcel: 'Large block', ...ENTRY });

const dosesOf = ({ waterings }: ParcelWateringAnswer) =>
  new Set(waterings.map(({ event }) => event.waterMm));

it('stores a watering of a large parcel with few statements', async ({ farm }) => {
  await parcelOfMany(farm);
  const transactions = await statementsOfWrites(farm, async () => {
    // 40 min at 6 mm/h.
    expect(dosesOf(await logWatering(farm))).toEqual(new Set([4]));
  });
  expect(transactions.flat().length).toBeLessThan(PROBES / 4);
});

it('computes the dose of each probe of a large parcel with equipment of its own', async ({
  farm,
}) => {
  await parcelOfMany(farm);
  await farm.declare('Vine 7', {
    system: 'sprinkler',
    flowMmPerH: 12,
    effectiveFrom: iso(FARM_NOW - 2 * HOUR),
  });
  const { waterings } = await logWatering(farm);
  const doses = waterings.map(({ event }) => [event.waterMm, event.configSnapshot?.scope]);
  const [own, ...others] = doses.sort(([a], [b]) => Number(b) - Number(a));
  expect(own).toEqual([8, 'module']);
  expect(others).toEqual(Array(PROBES - 1).fill([4, 'parcel']));
  expect(new Set(waterings.map(({ event }) => event.moduleId)).size).toBe(PROBES);
});

it('restores a planned watering of a large parcel with few statements', async ({ farm }) => {
  await parcelOfMany(farm);
  await farm.tool('log_watering', {
    ...ENTRY,
    parcel: 'Large block',
    startedAt: iso(FARM_NOW + HOUR),
  });
  await farm.tool('undo');
  const [newest] = (await farm.wire<{ data: ChangeBody[] }>('list_changes', { limit: 1 })).data;
  const transactions = await statementsOfWrites(farm, () =>
    farm.tool('undo', { changeId: newest!.id }),
  );
  expect(transactions.flat().length).toBeLessThan(PROBES);
});

it('updates the doses of a schedule on a large parcel with few statements', async ({ farm }) => {
  await parcelOfMany(farm);
  await farm.declare('Vine 7', { system: 'sprinkler', flowMmPerH: 12 });
  await farm.createSchedule({
    parcel: 'Large block',
    startTimes: ['20:00'],
    endsOn: '2026-07-02',
    inputMode: 'duration',
    durationMin: 20,
  });
  farm.now += MINUTE;
  const transactions = await statementsOfWrites(farm, () =>
    farm.declareParcel('Large block', { system: 'sprinkler', flowMmPerH: 9 }),
  );
  // On PostgreSQL the later steps are not among those that are observed.
  expect(transactions.length).toBeGreaterThan(isOnPostgres ? 0 : 1);
  expect(transactions.flat().length).toBeLessThan(PROBES);

  const planned = await farm.write((db) =>
    db.selectFrom('waterings').select('water_mm').orderBy('water_mm').execute(),
  );
  // On two days each; 20 min at 9 mm/h, or at 12 mm/h.
  const doses = [...Array(2 * (PROBES - 1)).fill(3), 4, 4];
  expect(planned.map(({ water_mm: mm }) => mm)).toEqual(doses);
});
