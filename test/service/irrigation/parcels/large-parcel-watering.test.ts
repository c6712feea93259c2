import { afterEach, expect, vi } from 'vitest';
import type { ChangeBody } from '../../../../src/schema/changes/change.ts';
import type { ParcelWateringAnswer } from '../../../../src/schema/irrigation/watering.ts';
import { FARM_NOW, HOUR, iso, it, type TestFarm } from '../../../farm.ts';
import { statementsOfWrites } from '../../../transactions.ts';

/** So many that they are read before the lock. */
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
      category: 'SOIL_PROBE',
      parcel: 'Large block',
    })),
  });
  await declare(farm, 6);
}

const declare = (farm: TestFarm, flowMmPerH: number) =>
  farm.declareParcel('Large block', {
    ...{ system: 'sprinkler', flowMmPerH },
    effectiveFrom: `2026-01-0${flowMmPerH}T00:00`,
  });

const logWatering = (farm: TestFarm) =>
  farm.tool<ParcelWateringAnswer>('log_watering', { parcel: 'Large block', ...ENTRY });

const dosesOf = ({ waterings }: ParcelWateringAnswer) =>
  new Set(waterings.map(({ event }) => event.waterMm));

/** Changes the equipment as soon as the call has read it, at most `times`. */
function changeEquipmentAfterReads(farm: TestFarm, times: number): void {
  const { read } = farm.store;
  let declared = 0;
  vi.spyOn(farm.store, 'read').mockImplementation((async (...args: Parameters<typeof read>) => {
    let readsWaterings = false;
    const onQuery = (sql: string) => {
      readsWaterings ||= sql.includes('"interval_node"');
    };
    const observer = { onConnectionAcquired() {}, onBegin() {}, onQuery };
    const result = await read.call(farm.store, args[0], args[1], { ...args[2], observer });
    if (readsWaterings && declared < times) await declare(farm, 6 + ++declared);
    return result;
  }) as typeof read);
}

afterEach(() => void vi.restoreAllMocks());

it('reads what a watering of a large parcel overlaps before it takes the lock', async ({
  farm,
}) => {
  await parcelOfMany(farm);
  const transactions = await statementsOfWrites(farm, async () => {
    // 40 min at 6 mm/h.
    expect(dosesOf(await logWatering(farm))).toEqual(new Set([4]));
  });
  const reads = transactions.flat().filter((text) => text.includes('"interval_node" in'));
  expect(reads).toEqual([]);
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

it.for([1, 2, 3])(
  'computes the doses of a large parcel again if equipment has changed since, %i times',
  async (times, { farm }) => {
    await parcelOfMany(farm);
    changeEquipmentAfterReads(farm, times);
    const [dose, ...others] = dosesOf(await logWatering(farm));
    expect(others).toEqual([]);
    // It is read twice at most, and then within the transaction, as the second change left it.
    expect(dose).toBeCloseTo((40 / 60) * (6 + Math.min(2, times)), 1);
  },
);
