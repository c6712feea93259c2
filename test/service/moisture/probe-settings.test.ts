import { describe, expect } from 'vitest';
import type { MoistureSeriesBody } from '../../../src/schema/moisture/series.ts';
import { DAY, FARM_NOW, HOUR, iso, it } from '../../farm.ts';
import { declareSoil, installProbe, instantsEvery, moistureSensorsAt } from './probe-farm.ts';

const set = 'set_probe_settings';
const NONE = {
  rootDepthCm: null,
  depthWeights: null,
  allowedDepletion: null,
  refillPercent: null,
  efficiencyPercent: null,
  leachingPercent: null,
  hoursPerDay: null,
  restFrom: null,
  restUntil: null,
};

describe('the settings of a probe', () => {
  it('are answered with what they were, from when they apply, and with the defaults', async ({
    farm,
  }) => {
    const module = 'North 1';
    const first = await farm.tool(set, { module, allowedDepletion: 0.4, efficiencyPercent: 90 });
    expect(first).toMatchObject({
      settings: { ...NONE, allowedDepletion: 0.4, efficiencyPercent: 90, validFrom: iso(0) },
      validTo: null,
      before: { allowedDepletion: null, efficiencyPercent: null },
      defaults: {
        allowedDepletion: 0.5,
        refillPercent: 100,
        efficiencyPercent: 100,
        leachingPercent: 0,
        hoursPerDay: 24,
      },
    });
    farm.now += DAY;
    const second = await farm.tool(set, {
      module,
      efficiencyPercent: 75,
      clear: ['allowedDepletion'],
    });
    expect(second).toMatchObject({
      settings: { ...NONE, efficiencyPercent: 75, validFrom: iso(FARM_NOW + DAY) },
      before: { allowedDepletion: 0.4, efficiencyPercent: 90 },
    });
    const { settings, settingsVersions } = await farm.setup(module);
    expect(settings).toEqual(second.settings);
    expect(settingsVersions).toEqual([second.settings, first.settings]);
  });

  it('are named with the equipment where they are set', async ({ farm }) => {
    const module = 'Loose';
    const settings = {
      rootDepthCm: 60,
      allowedDepletion: 0.4,
      efficiencyPercent: 90,
      hoursPerDay: 3,
    };
    await farm.tool(set, { module, ...settings });
    expect(await farm.tool('get_irrigation_setup', { module })).toMatchObject({ settings });
  });

  it('are corrected in place from the start of a version', async ({ farm }) => {
    const module = 'North 1';
    await farm.tool(set, { module, rootDepthCm: 60 });
    farm.now += DAY;
    await farm.tool(set, { module, hoursPerDay: 8 });
    const answer = await farm.tool(set, {
      module,
      rootDepthCm: 40,
      effectiveFrom: '1970-01-01T00:00:00Z',
    });
    expect(answer).toMatchObject({ before: { rootDepthCm: 60 }, validTo: null });
    const { settingsVersions } = await farm.setup(module);
    expect(settingsVersions).toMatchObject([
      { rootDepthCm: 40, hoursPerDay: 8 },
      { rootDepthCm: 40, hoursPerDay: null },
    ]);
  });

  it('are written by no call that changes nothing', async ({ farm }) => {
    const args = { module: 'North 1', rootDepthCm: 60 };
    await farm.tool(set, args);
    farm.now += DAY;
    expect(await farm.tool(set, args)).toMatchObject({ before: {} });
    expect((await farm.setup('North 1')).settingsVersions).toHaveLength(1);
  });

  it('of the end of a series shape it, and the present ones the state', async ({ farm }) => {
    const probe = await installProbe(farm, {
      parcel: 'North block',
      sensors: [
        ['humidity', 10],
        ['humidity', 30],
      ],
    });
    const instants = instantsEvery(HOUR, FARM_NOW - 3 * DAY, FARM_NOW);
    await probe.record(
      0,
      instants.map((at) => [at, 10]),
    );
    await probe.record(
      1,
      instants.map((at) => [at, 30]),
    );
    await declareSoil(farm, 'North block', [[6, 0, 60]]);
    const module = 'Oak';
    await farm.tool(set, { module, depthWeights: ['10: 1'] });
    const changedAt = FARM_NOW - DAY;
    await farm.tool(set, {
      module,
      depthWeights: ['30 cm: 1'],
      rootDepthCm: 40,
      effectiveFrom: iso(changedAt),
    });
    const summaryUntil = async (end: number) => {
      const series = await farm.tool<MoistureSeriesBody>('get_moisture_series', {
        module,
        end: iso(end),
        depths: true,
      });
      return [series.data.at(-1)?.value_vwc, series.rootDepthCm];
    };
    expect(await summaryUntil(changedAt - 1)).toEqual([10, null]);
    expect(await summaryUntil(FARM_NOW)).toEqual([30, 40]);
    expect(await farm.tool('get_agronomic_state', { module })).toMatchObject({ value_vwc: 30 });
  });

  it('of a parcel hold at its probes, field by field, until a probe has its own', async ({
    farm,
  }) => {
    const ofParcel = await farm.tool(set, {
      parcel: 'North block',
      rootDepthCm: 60,
      restFrom: '15 November',
      restUntil: '1er mars',
    });
    expect(ofParcel).toMatchObject({
      parcelId: expect.any(Number),
      settings: { ...NONE, rootDepthCm: 60, restFrom: '11-15', restUntil: '03-01' },
      before: { rootDepthCm: null, restFrom: null, restUntil: null },
    });
    expect(await farm.setup('North 1')).toMatchObject({
      settings: { rootDepthCm: 60, restFrom: '11-15', restUntil: '03-01' },
    });

    farm.now += DAY;
    const own = await farm.tool(set, { module: 'North 1', rootDepthCm: 80, restFrom: 'never' });
    expect(own).toMatchObject({
      settings: { rootDepthCm: 80, restFrom: 'never', restUntil: null },
      before: { rootDepthCm: 60, restFrom: '11-15' },
      defaults: { rootDepthCm: 60, restFrom: '11-15', restUntil: '03-01' },
    });
    farm.now += DAY;
    const cleared = await farm.tool(set, { module: 'North 1', clear: ['rootDepthCm', 'restFrom'] });
    expect(cleared).toMatchObject({
      settings: { rootDepthCm: 60, restFrom: '11-15', restUntil: '03-01' },
    });
  });

  it('may be entered ahead, with a near date in words', async ({ farm }) => {
    const module = 'North 1';
    await farm.tool(set, { module, allowedDepletion: '40 %' });
    const ahead = await farm.tool(set, {
      module,
      allowedDepletion: '70 %',
      effectiveFrom: '1 August',
    });
    expect(ahead).toMatchObject({
      settings: { allowedDepletion: 0.7, validFrom: '2026-07-31T22:00:00.000Z' },
      before: { allowedDepletion: 0.4 },
    });
    const setup = await farm.tool<{ summary: string }>('get_irrigation_setup', { module });
    expect(setup.summary).toContain('Settings: allowed depletion 40 %.');
    expect(setup.summary).toMatch(/Ahead, from .*1 Aug.*: allowed depletion 70 %\./);
    expect(await farm.setup(module)).toMatchObject({ settings: { allowedDepletion: 0.4 } });

    farm.now = Date.parse('2026-08-01T06:00:00Z');
    expect(await farm.setup(module)).toMatchObject({ settings: { allowedDepletion: 0.7 } });
    expect(await farm.tool('get_agronomic_state', { module })).toMatchObject({
      basis: { allowedDepletion: 'setting' },
    });
  });

  it('of a parcel are undone as one change, unless later ones follow', async ({ farm }) => {
    await farm.tool(set, { parcel: 'North block', hoursPerDay: 5 });
    await farm.tool('undo', {});
    expect(await farm.setup('North 1')).toMatchObject({ settings: { hoursPerDay: null } });
  });

  it.for([
    [{ restFrom: '15 November' }, 'has no last day'],
    [{ restUntil: '1 March' }, 'without a first day'],
    [{ restFrom: '5/11', restUntil: '1 March' }, 'can be read two ways'],
    [{ depthWeights: ['10: 1'] }, 'sensors of one probe'],
  ] as const)('of a parcel are refused in %j', async ([entry, reason], { farm }) => {
    await expect(farm.tool(set, { parcel: 'North block', ...entry })).rejects.toMatchObject({
      message: expect.stringContaining(reason),
    });
  });

  it('may have no effect, or reach far below the sensors', async ({ farm }) => {
    await installProbe(farm, { sensors: [['tensio', 30]], category: 'TENSIOMETER' });
    await installProbe(farm, { name: 'Elm', sensors: moistureSensorsAt(30, 60) });
    const advised = async (args: object) => (await farm.tool(set, { ...args })).advisories;
    expect(await advised({ module: 'Oak', hoursPerDay: 6 })).toEqual([
      { kind: 'settings_without_effect' },
    ]);
    expect(await advised({ module: 'Elm', hoursPerDay: 6 })).toEqual([]);
    expect(await advised({ module: 'Elm', rootDepthCm: 500 })).toEqual([
      { kind: 'roots_below_sensors', rootDepthCm: 500, deepestCm: 60 },
    ]);
    expect(await advised({ module: 'Elm', rootDepthCm: 80 })).toEqual([]);
  });

  it.for([
    [
      { calibration: ['30 cm: reads 20, true 24'], effectiveFrom: '2099-01-01' },
      'EFFECTIVE_FROM_IN_FUTURE',
      'effectiveFrom',
    ],
    [{ rootDepthCm: 60, effectiveFrom: '1 December' }, 'INVALID_EFFECTIVE_FROM', 'effectiveFrom'],
    [{ allowedDepletion: 0.05 }, 'invalid_body', 'allowedDepletion'],
    [{ allowedDepletion: 90 }, 'invalid_body', 'allowedDepletion'],
    [{ leachingPercent: 100 }, 'invalid_body', 'leachingPercent'],
    [{ hoursPerDay: 25 }, 'invalid_body', 'hoursPerDay'],
    [{ depthWeights: ['10: 1', '10 cm: 2'] }, 'invalid_body', 'depthWeights'],
    [{ depthWeights: ['15: 1'] }, 'invalid_body', 'depthWeights'],
  ] as const)('are refused: %j', async ([args, code, field], { farm }) => {
    await expect(farm.tool(set, { module: 'North 1', ...args })).rejects.toMatchObject({
      code,
      field,
      status: 400,
    });
    expect((await farm.setup('North 1')).settingsVersions).toEqual([]);
  });
});
