import { describe, expect } from 'vitest';
import type { FarmPageBody } from '../../../src/schema/advice/farm-page.ts';
import type { OverviewBody } from '../../../src/schema/advice/overview.ts';
import type { AgronomicStateBody } from '../../../src/schema/moisture/series.ts';
import { DAY, FARM_NOW, HOUR, iso, it, minutesAt } from '../../farm.ts';
import { declareSoil, installProbe, moistureSensorsAt } from '../moisture/probe-farm.ts';

const LOAM = 6;

describe('get_farm_page', () => {
  it('has the rows of farm_overview in their order', async ({ farm }) => {
    const page = await farm.wire<FarmPageBody>('get_farm_page');
    const { data, groups, probes, stations } = await farm.wire<OverviewBody>('farm_overview', {
      limit: 200,
    });
    expect(page.data.map(({ need: _, sparkline: __, comfort: ___, ...row }) => row)).toEqual(data);
    expect(page).toMatchObject({ groups, probes, stations });
    expect(data.length).toBeGreaterThan(2);
  });

  it('names the caller, and the scopes that the role allows', async ({ farm }) => {
    const scopes = ['readings:read', 'irrigation:write', 'alerts:write'] as const;
    const asViewer = await farm.wire<FarmPageBody>(
      'get_farm_page',
      {},
      { caller: { role: 'VIEWER', scopes } },
    );
    expect(asViewer.user).toMatchObject({ role: 'VIEWER', scopes: ['readings:read'] });
    const asManager = await farm.wire<FarmPageBody>(
      'get_farm_page',
      {},
      { caller: { role: 'MANAGER', scopes } },
    );
    expect(asManager.user!.scopes).toEqual(['irrigation:write', 'alerts:write', 'readings:read']);
    expect(asManager.company).toMatchObject({ name: 'Mas Rouge', timezone: 'Europe/Paris' });
  });

  it('has a week of each probe in steps of three hours, a gap where there are no readings, and its comfort band', async ({
    farm,
  }) => {
    await declareSoil(farm, 'North block', [[LOAM, 0, 80]]);
    const probe = await installProbe(farm, {
      name: 'Ash',
      parcel: 'North block',
      sensors: moistureSensorsAt(15, 45),
    });
    await probe.recordAll([FARM_NOW - 9 * DAY, FARM_NOW - 2 * DAY, FARM_NOW - HOUR], 21.3);
    const { data } = await farm.wire<FarmPageBody>('get_farm_page');
    const { sparkline, comfort, moduleId } = data.find(({ name }) => name === 'Ash')!;
    // 10:00 UTC is an hour after a step.
    expect(sparkline).toMatchObject({ start: iso(FARM_NOW - 7 * DAY - HOUR), stepMin: 180 });
    expect(sparkline!.values).toHaveLength(57);
    const measured = sparkline!.values.flatMap((value, index) =>
      value === null ? [] : [[index, value]],
    );
    expect(measured).toEqual([
      [5 * 8, 21.3],
      [7 * 8, 21.3],
    ]);
    const state = await farm.wire<AgronomicStateBody>('get_agronomic_state', { moduleId });
    expect(comfort).toEqual({ low: state.stressPoint, high: state.fieldCapacity });
    expect(comfort!.low).toBeGreaterThan(13.6);
    expect(data.find(({ name }) => name === 'Loose')).toMatchObject({ sparkline: null });
  });

  it('lists the waterings to confirm', async ({ farm }) => {
    const planned = await farm.log('North 1', minutesAt(FARM_NOW - DAY, 30, { status: 'planned' }));
    await farm.log('North 1', minutesAt(FARM_NOW + DAY, 30));
    const { toConfirm } = await farm.wire<FarmPageBody>('get_farm_page');
    const { configSnapshot: _, ...waiting } = planned.event;
    expect(toConfirm).toEqual([waiting]);
    await farm.correct(planned.event, { status: 'done' });
    expect((await farm.wire<FarmPageBody>('get_farm_page')).toConfirm).toEqual([]);
  });
});
