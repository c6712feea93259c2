import { describe, expect } from 'vitest';
import type { WateringBody, WateringTotalsBody } from '../../../src/schema/irrigation/watering.ts';
import {
  advisoriesOf,
  DAY,
  depthAt,
  FARM_NOW,
  HOUR,
  it,
  minutesAt,
  type TestFarm,
} from '../../farm.ts';

interface Page {
  readonly data: WateringBody[];
  readonly next_cursor: string | null;
  readonly totals: WateringTotalsBody;
}
const list = (farm: TestFarm, args = {}) =>
  farm.tool<Page>('list_waterings', { detail: 'full', ...args });

/** 10 mm/h on 1,000 m2, half of it wetted. */
const equip = (farm: TestFarm, probe: string, fields = {}) =>
  farm.declare(probe, {
    system: 'drip',
    flowMmPerH: 10,
    fractionWetted: 0.5,
    irrigatedAreaM2: 1000,
    ...fields,
  });

describe('the totals of listed waterings', () => {
  it('are those of the whole selection, with the first page only', async ({ farm }) => {
    await equip(farm, 'North 1');
    // 30 min at 10 mm/h are 5 mm, on 1,000 m2 5 m3; twice that in the wetted half.
    for (let day = 1; day <= 5; day++)
      await farm.log('North 1', minutesAt(FARM_NOW - day * DAY, 30));
    const first = await list(farm, { module: 'North 1', limit: 2 });
    const second = await list(farm, { module: 'North 1', limit: 2, cursor: first.next_cursor });
    expect(first.totals).toMatchObject({
      done: {
        waterings: 5,
        irrigations: 5,
        waterMm: 25,
        waterMmWetted: 50,
        hours: 2.5,
        volumeM3: 25,
        withoutDose: 0,
        modules: 1,
      },
      planned: { waterings: 0, waterMm: null, hours: null, volumeM3: null },
      skipped: 0,
    });
    expect(second.data).toHaveLength(2);
    expect(second).not.toHaveProperty('totals');
    expect(advisoriesOf(second, 'waterings_by_status')).toEqual([]);
    expect(
      (await list(farm, { module: 'North 1', from: '2026-06-29', to: '2026-07-01' })).totals.done
        .waterMm,
    ).toBe(10);
  });

  it.for(['newest_first', 'past_first'])(
    'are left out where nobody reads them: %s',
    async (order, { farm }) => {
      await farm.log('North 1', minutesAt(FARM_NOW - DAY, 30));
      await farm.log('North 1', minutesAt(FARM_NOW + DAY, 30));
      const page = await farm.wire<Page>('list_waterings', {
        totals: 'none',
        rain: 'totals',
        order,
      });
      expect(page).not.toHaveProperty('totals');
      expect(page.advisories).toEqual([]);
    },
  );

  it('have the rain of the same time beside them, as it counts for the place', async ({ farm }) => {
    await farm.log('North 1', depthAt(FARM_NOW - DAY, 4));
    const rain = (mm: number, when: string, more = {}) =>
      farm.tool('log_rain', { mm, when, ...more });
    await rain(10, '2026-06-30');
    await rain(12, '2026-06-30');
    await rain(5, '2026-06-20');
    await rain(16, '2026-06-30', { parcel: 'North block' });
    const parcelId = farm.idOf('North block');
    const ofProbe = await list(farm, { module: 'North 1', from: '2026-06-29', to: '2026-07-01' });
    expect(ofProbe.totals.rain).toEqual([{ parcelId, mm: 16, days: 1 }]);
    expect((await list(farm, { parcel: 'South block' })).totals.rain).toMatchObject([
      { mm: 17, days: 2 },
    ]);
    const all = await list(farm, { from: '2026-06-01' });
    expect(all.totals.rain).toEqual([
      { parcelId: null, mm: 17, days: 2 },
      { parcelId, mm: 21, days: 2 },
    ]);
    expect((await list(farm, { module: 'Loose' })).totals.rain).toMatchObject([
      { parcelId: null, mm: 17 },
    ]);
    expect((await list(farm, { status: 'planned' })).totals.rain).toEqual([]);
    expect((await list(farm, { detail: 'concise', module: 'North 1' })).totals).toHaveProperty(
      'rain',
    );
    const { totals } = await farm.wire<Page>('list_waterings', {});
    expect(totals).not.toHaveProperty('rain');
    expect((await farm.wire<Page>('list_waterings', { rain: 'totals' })).totals.rain).toHaveLength(
      2,
    );
  });

  it('add tenths without floating-point noise: 0.1 + 0.2 mm are 0.3 mm', async ({ farm }) => {
    for (const [hours, mm] of [0.1, 0.2, 0.7].entries())
      await farm.log('Loose', depthAt(FARM_NOW - (hours + 1) * HOUR, mm));
    const { totals } = await list(farm, { module: 'Loose' });
    expect(totals.done).toMatchObject({
      waterMm: 1,
      waterMmWetted: null,
      hours: null,
      withoutDuration: 3,
    });
    expect(
      (await list(farm, { module: 'Loose', from: '2026-07-01 09:30' })).totals.done.waterMm,
    ).toBe(0.3);
  });

  it('keep what was planned or skipped, or has no dose, apart from what was given', async ({
    farm,
  }) => {
    await farm.log('Loose', depthAt(FARM_NOW - HOUR, 4));
    await farm.log('Loose', minutesAt(FARM_NOW - 2 * HOUR, 45));
    await farm.log('Loose', depthAt(FARM_NOW + HOUR, 8));
    await farm.log('Loose', depthAt(FARM_NOW - 3 * HOUR, 16, { status: 'skipped' }));
    const { totals } = await list(farm, { module: 'Loose' });
    expect(totals).toMatchObject({
      done: { waterings: 2, waterMm: 4, withoutDose: 1, hours: 0.75, withoutDuration: 1 },
      planned: { waterings: 1, waterMm: 8 },
      skipped: 1,
    });
  });

  it('count one irrigation of a parcel once in hours and volume, and its millimetres for each probe', async ({
    farm,
  }) => {
    await equip(farm, 'North 1');
    await equip(farm, 'North 2', { flowMmPerH: 6 });
    const entry = minutesAt(FARM_NOW - HOUR, 60);
    for (const probe of ['North 1', 'North 2', 'North 3']) await farm.log(probe, entry);
    await farm.write((db) => db.updateTable('waterings').set({ irrigation_id: 1 }).execute());
    await farm.log('North 1', minutesAt(FARM_NOW - DAY, 30));
    const { totals } = await list(farm, { parcel: 'North block' });
    expect(totals.done).toMatchObject({
      waterings: 4,
      irrigations: 2,
      hours: 1.5,
      withoutDuration: 0,
      waterMm: 10.5,
      volumeM3: 15,
      withoutVolume: 0,
      withoutDose: 1,
    });
    expect(totals.byModule.map(({ moduleId, waterMm }) => [moduleId, waterMm])).toEqual([
      [farm.idOf('North 1'), 15],
      [farm.idOf('North 2'), 6],
      [farm.idOf('North 3'), null],
    ]);
  });

  it('count what a schedule of a parcel plans for one time once', async ({ farm }) => {
    const area = { system: 'sprinkler', flowMmPerH: 6, irrigatedAreaM2: 1000 };
    await farm.declareParcel('North block', area);
    await farm.createSchedule({
      parcel: 'North block',
      endsOn: '2026-07-03',
      inputMode: 'volume_m3',
      inputVolumeM3: 40,
    });
    const { planned } = (await list(farm, { parcel: 'North block', status: 'planned' })).totals;
    expect(planned).toMatchObject({ waterings: 6, irrigations: 2, volumeM3: 80, waterMm: 80 });
  });

  it('are those of the caller’s company', async ({ farm }) => {
    await farm.log('Loose', depthAt(FARM_NOW - HOUR, 4));
    const blue = await farm.tool<Page>(
      'list_waterings',
      { detail: 'full' },
      { company: 'Mas Bleu' },
    );
    expect(blue.totals).toMatchObject({
      done: { waterings: 0, waterMm: null, irrigations: 0, modules: 0 },
    });
  });
});
