import { describe, expect } from 'vitest';
import { updateCompany } from '../../../src/store/farm/farm-rows.ts';
import { it } from '../../farm.ts';

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
    const { summary, replayed: _, ...body } = await farm.tool('get_company');
    expect(body).toEqual({
      id: 1,
      name: 'Mas Rouge',
      legalName: 'SCEA Mas Rouge',
      countryCode: 'FR',
      currency: 'EUR',
      city: 'Lunel',
      postalCode: '34400',
      region: 'Occitanie',
      timezone: 'Europe/Paris',
    });
    expect(summary).toBe('Mas Rouge, Lunel; the time zone is Europe/Paris.');
  });

  it('is that of the caller', async ({ farm }) => {
    expect(await farm.tool('get_company', {}, { company: 'Mas Bleu' })).toMatchObject({ name: 'Mas Bleu' });
  });

  it('has the default time zone if none is declared, also for local times', async ({ farm }) => {
    await farm.store.writeAll((all) => updateCompany(all, 1, { timezone: null }));
    const { timezone, summary } = await farm.tool<{ timezone: string | null }>('get_company');
    expect(timezone).toBeNull();
    expect(summary).toContain('Europe/Paris (none is set)');
    const { event } = await farm.log('North 1', { startedAt: 'today 06:00', inputMode: 'depth_mm', inputDepthMm: 1 });
    expect(event.startedAt).toBe('2026-07-01T04:00:00.000Z');
  });

  it('without a time zone has a note in every summary with a time', async ({ farm }) => {
    const said = async () => {
      const logged = await farm.log('North 1', { startedAt: 'today 06:00', inputMode: 'depth_mm', inputDepthMm: 1 });
      const { summary: reviewed } = await farm.tool('review_waterings', { module: 'North 1' });
      const { summary: morning } = await farm.tool('morning_brief');
      return [logged.summary, reviewed, morning].map((summary) => summary.includes('has no time zone'));
    };
    expect(await said()).toEqual([false, false, false]);
    await farm.store.writeAll((all) => updateCompany(all, 1, { timezone: null }));
    expect(await said()).toEqual([true, true, true]);
    expect((await farm.tool('morning_brief')).summary).toContain(
      'so times are in Europe/Paris: set timezone in the farm file.',
    );
    const { summary: without } = await farm.tool('list_soil_horizons');
    expect(without).not.toContain('time zone');
  });

  it('determines the zone of local times', async ({ farm }) => {
    await farm.store.writeAll((all) => updateCompany(all, 1, { timezone: 'Australia/Adelaide' }));
    const { event, summary } = await farm.log('North 1', {
      startedAt: 'today 06:00',
      inputMode: 'depth_mm',
      inputDepthMm: 1,
    });
    expect(event.startedAt).toBe('2026-06-30T20:30:00.000Z');
    expect(summary).toContain('today 06:00 (Australia/Adelaide)');
  });
});
