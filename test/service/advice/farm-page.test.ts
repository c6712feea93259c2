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
    expect(
      page.data.map(({ need: _, checkText: __, sparkline: ___, comfort: ____, ...row }) => row),
    ).toEqual(data);
    expect(page).toMatchObject({ groups, probes, stations });
    expect(data.length).toBeGreaterThan(2);
  });

  it('says what waits for a person, in the language of the page', async ({ farm }) => {
    expect(await farm.wire<FarmPageBody>('get_farm_page')).not.toHaveProperty('waiting');
    await farm.wire('ingest', {
      readings: ['A1', 'B2'].map((device) => ({
        device,
        type: 'field:soil_moist',
        time: iso(FARM_NOW - HOUR),
        value: 24,
      })),
      unread: [{ sender: 'C3', reason: 'the payload is not JSON' }],
    });
    const waitingIn = async (lang: string) =>
      (await farm.wire<FarmPageBody>('get_farm_page', { lang })).waiting;
    expect(await waitingIn('en')).toBe('2 devices to assign · messages of 1 sender not read');
    expect(await waitingIn('fr')).toBe('2 appareils à affecter · messages de 1 émetteur non lus');
    expect(await waitingIn('es')).toBe(
      '2 dispositivos por asignar · mensajes de 1 emisor sin leer',
    );
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

  it('has the rows of the modules that are asked for as in the whole, and their tensiometer', async ({
    farm,
  }) => {
    const tensiometer = { category: 'TENSIOMETER', parcel: 'North block' } as const;
    const probe = await installProbe(farm, {
      name: 'Tense',
      sensors: [['tensio', 30]],
      ...tensiometer,
    });
    await probe.recordAll([FARM_NOW - HOUR], 60);
    await farm.log('North 1', minutesAt(FARM_NOW - DAY, 30));
    await farm.log('North 1', minutesAt(FARM_NOW + HOUR, 30));
    for (const name of ['North 1', 'North 2', 'South 1'])
      await farm.log(name, minutesAt(FARM_NOW - DAY, 30, { status: 'planned' }));
    const whole = await farm.wire<FarmPageBody>('get_farm_page');
    const pageOf = (...names: string[]) =>
      farm.wire<FarmPageBody>('get_farm_page', {
        moduleIds: names.map((name) => farm.idOf(name)).join(','),
      });
    const rowsIn = <Row extends { moduleId: number }>(rows: readonly Row[], ...ids: number[]) =>
      rows.filter(({ moduleId }) => ids.includes(moduleId));

    const [north1, south1] = [farm.idOf('North 1'), farm.idOf('South 1')];
    const north = await pageOf('North 1');
    expect(north.data).toEqual(rowsIn(whole.data, north1, probe.id));
    expect(north.data).toHaveLength(2);
    expect(north.toConfirm).toEqual(rowsIn(whole.toConfirm, north1));
    expect(north.toConfirm).toHaveLength(1);
    const both = await pageOf('South 1', 'North 1');
    expect(both.data).toEqual(rowsIn(whole.data, north1, south1, probe.id));
    expect(both.toConfirm).toEqual(rowsIn(whole.toConfirm, north1, south1));
    expect((await pageOf('Blue 1')).data).toEqual([]);
  });

  it.for(['', '1,', 'x', '1;2', Array.from({ length: 21 }, (_, n) => n + 1).join(',')])(
    'refuses "%s" in place of ids of modules',
    async (moduleIds, { farm }) => {
      await expect(farm.wire('get_farm_page', { moduleIds })).rejects.toMatchObject({
        code: 'invalid_parameter',
        field: 'moduleIds',
      });
    },
  );
});
