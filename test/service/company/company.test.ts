import { describe, expect } from 'vitest';
import type { ParcelBody } from '../../../src/schema/company/company.ts';
import { chooseCompany } from '../../../src/service/company/company.ts';
import { updateCompany } from '../../../src/store/company/companies.ts';
import { insertFarmRow, type NewFarmRow } from '../../../src/store/farm/farm-rows.ts';
import type { Store } from '../../../src/store/store.ts';
import { advisoriesOf, bodyOf, it, type TestFarm } from '../../farm.ts';

describe('the company', () => {
  it('has every field', async ({ farm }) => {
    const declared = {
      legal_name: 'SCEA Mas Rouge',
      country_code: 'FR',
      currency: 'EUR',
      city: 'Lunel',
      postal_code: '34400',
      region: 'Occitanie',
    };
    await farm.store.writeAll((all) => updateCompany(all, 1, declared));
    expect(bodyOf(await farm.tool('get_company'))).toEqual({
      id: 1,
      name: 'Mas Rouge',
      legalName: 'SCEA Mas Rouge',
      countryCode: 'FR',
      currency: 'EUR',
      city: 'Lunel',
      postalCode: '34400',
      region: 'Occitanie',
      timezone: 'Europe/Paris',
      units: null,
    });
  });

  it('is the one of the caller', async ({ farm }) => {
    expect(await farm.tool('get_company', {}, { company: 'Mas Bleu' })).toMatchObject({
      name: 'Mas Bleu',
    });
  });

  it('has the default time zone if none is declared, also for local times', async ({ farm }) => {
    await farm.store.writeAll((all) => updateCompany(all, 1, { timezone: null }));
    expect(await farm.tool('get_company')).toMatchObject({ timezone: null });
    const { event } = await farm.log('North 1', {
      startedAt: 'today 06:00',
      inputMode: 'depth_mm',
      inputDepthMm: 1,
    });
    expect(event.startedAt).toBe('2026-07-01T04:00:00.000Z');
  });

  it('without a time zone leads to a note in every summary with a time', async ({ farm }) => {
    const summariesHaveNote = async () => {
      const logged = await farm.log('North 1', {
        startedAt: 'today 06:00',
        inputMode: 'depth_mm',
        inputDepthMm: 1,
      });
      const { summary: reviewed } = await farm.tool('review_waterings', { module: 'North 1' });
      const { summary: morning } = await farm.tool('morning_brief');
      return [logged.summary, reviewed, morning].map((summary) =>
        summary.includes('has no time zone'),
      );
    };
    expect(await summariesHaveNote()).toEqual([false, false, false]);
    await farm.store.writeAll((all) => updateCompany(all, 1, { timezone: null }));
    expect(await summariesHaveNote()).toEqual([true, true, true]);
    expect((await farm.tool('morning_brief')).summary).toContain('so times are in Europe/Paris.');
    const { summary: summaryWithoutTimes } = await farm.tool('list_soil_horizons');
    expect(summaryWithoutTimes).not.toContain('time zone');
  });

  it('determines the zone of local times', async ({ farm }) => {
    await farm.store.writeAll((all) => updateCompany(all, 1, { timezone: 'Australia/Adelaide' }));
    const { event } = await farm.log('North 1', {
      startedAt: 'today 06:00',
      inputMode: 'depth_mm',
      inputDepthMm: 1,
    });
    expect(event.startedAt).toBe('2026-06-30T20:30:00.000Z');
  });
});

describe('the list of users', () => {
  it('is sorted by id, and has ids as text', async ({ farm }) => {
    const [karim, lea] = await farm.write(async (db) => [
      await insertFarmRow(db, 'users', {
        email: 'karim@example.org',
        name: 'Karim',
        role: 'MANAGER',
      }),
      await insertFarmRow(db, 'users', { email: 'lea@example.org', name: 'Léa', role: 'VIEWER' }),
    ]);
    const { data } = await farm.tool<{ data: Record<string, string>[] }>('list_users');
    expect(data).toEqual([
      { userId: data[0]!.userId, name: 'Ana', email: 'ana@example.org', role: 'OWNER' },
      { userId: String(karim), name: 'Karim', email: 'karim@example.org', role: 'MANAGER' },
      { userId: String(lea), name: 'Léa', email: 'lea@example.org', role: 'VIEWER' },
    ]);
  });
});

interface ParcelPage {
  readonly data: ParcelBody[];
  readonly next_cursor: string | null;
}
const listParcels = (farm: TestFarm, args = {}) => farm.tool<ParcelPage>('list_parcels', args);

const addParcel = (farm: TestFarm, row: Partial<NewFarmRow<'parcels'>> & { name: string }) =>
  farm.write((db) => insertFarmRow(db, 'parcels', { type: null, geometry: null, ...row }));

const outline = {
  type: 'Polygon',
  coordinates: [
    [
      [3.9, 43.6],
      [3.91, 43.6],
      [3.91, 43.61],
      [3.9, 43.6],
    ],
  ],
};

describe('the list of parcels', () => {
  it('is sorted by id, and has the use of each parcel', async ({ farm }) => {
    await addParcel(farm, { name: 'Olives', type: 'olive', geometry: null });
    const page = await listParcels(farm);
    expect(page.data.map(({ name, type }) => [name, type])).toEqual([
      ['North block', null],
      ['South block', null],
      ['Fallow', null],
      ['Olives', 'olive'],
    ]);
    expect(advisoriesOf(page, 'total')).toMatchObject([{ count: 4 }]);
  });

  it('has outlines as they were declared', async ({ farm }) => {
    await addParcel(farm, { name: 'Olives', type: null, geometry: JSON.stringify(outline) });
    expect((await listParcels(farm, { detail: 'full' })).data.at(-1)).toMatchObject({
      name: 'Olives',
      geometry: outline,
    });
  });

  it('has an outline without rings if none was declared', async ({ farm }) => {
    expect((await listParcels(farm, { detail: 'full' })).data[0]!.geometry).toEqual({
      type: 'Polygon',
      coordinates: [],
    });
  });

  it('continues at next_cursor, which is null on the last page', async ({ farm }) => {
    const first = await listParcels(farm, { limit: 2 });
    await addParcel(farm, { name: 'Newcomer', type: null, geometry: null });
    const second = await listParcels(farm, { limit: 2, cursor: first.next_cursor });
    expect([...first.data, ...second.data].map(({ name }) => name)).toEqual([
      'North block',
      'South block',
      'Fallow',
      'Newcomer',
    ]);
    expect(second.next_cursor).toBeNull();
  });
});

describe('the companies of a store', () => {
  it('are named up to five, and the others counted', async () => {
    const names = Array.from({ length: 40 }, (_, index) => ({
      id: index + 1,
      name: `Farm ${index + 1}`,
    }));
    const store = { readAll: async () => names } as unknown as Store;
    await expect(chooseCompany(store, undefined)).rejects.toMatchObject({
      message: 'The store holds several companies.',
      hint: 'Say which with --company: "Farm 1" (#1), "Farm 2" (#2), "Farm 3" (#3), "Farm 4" (#4), "Farm 5" (#5), and 35 more.',
    });
  });
});
