import { beforeAll, describe, expect, it } from 'vitest';
import { type Course, simulatedSoil } from './simulated-soil.ts';
import { type SituationFarm, situationFarm } from './situation-farm.ts';

const depthsCm = [10, 30, 50];
const days = [8, 6, 4, 2];
const waterings = days.map((daysBefore) => ({ daysBefore, minutes: 300 }));

const drying = (wettest: number, seed: number): Course =>
  simulatedSoil({ depthsCm, wettest, driest: 12, seed });

const stillWet = simulatedSoil({ depthsCm, wettest: 35.5, driest: 35, seed: 2 });

const drawnCapacity = [
  'create_annotation',
  { type: 'h-line', p1: ['2026-07-01T08:00:00Z', 28], style: { fill: 'threshold1' } },
] as const;

describe('probes on one valve', () => {
  let farm: SituationFarm;

  beforeAll(async () => {
    farm = await situationFarm([
      { name: 'Dry', moisture: drying(24, 1) },
      { name: 'Soaked', moisture: stillWet, parcel: { name: 'Dry block' } },
      { name: 'East', moisture: drying(24, 3) },
      { name: 'West', moisture: drying(28, 4), parcel: { name: 'East block' } },
      { name: 'Beside', moisture: drying(24, 5), waterings },
      {
        name: 'In line',
        moisture: simulatedSoil({
          depthsCm,
          wetted: days.map((daysBefore) => ({ daysBefore, points: 3 })),
        }),
        waterings,
        parcel: { name: 'Beside block' },
      },
      { name: 'Alone', moisture: drying(24, 6), waterings },
      { name: 'Too wet', moisture: stillWet, calls: [drawnCapacity] },
      { name: 'Thirsty', moisture: drying(24, 7), parcel: { name: 'Too wet block' } },
    ]);
  });

  it('name each other when they differ by half of what their soil can hold', async () => {
    const dry = await farm.advise('Dry');
    expect(dry.reasons).toContain('PROBES_DIFFER');
    expect(dry.durationMin).toBeGreaterThan(60);
    expect(dry.summary).toMatch(/much wetter or drier than Soaked on the same valve/);
    expect((await farm.advise('Soaked')).summary).toMatch(/than Dry on the same valve/);

    const brief = await farm.body('morning_brief');
    expect(brief.summary).toMatch(
      /Dry block \(1 of 2 probes: Dry at .*, unlike Soaked on the same valve/,
    );
    expect((await farm.body('farm_overview')).summary).toMatch(
      /Unlike others on their valve: Dry; /,
    );
  });

  it('are not compared for less', async () => {
    for (const name of ['East', 'West'])
      expect((await farm.advise(name)).reasons).not.toContain('PROBES_DIFFER');
  });

  it('give the amount of one that is in no doubt, while another is checked', async () => {
    const advice = await farm.advise('Beside');
    const other = await farm.advise('In line');
    expect(advice.reasons).toContain('NO_RESPONSE');
    expect(advice.durationMin).toBeNull();
    expect(advice.meanwhile).toEqual({
      basis: 'probe',
      moduleId: other.moduleId,
      waterMm: other.waterMm,
      durationMin: other.durationMin,
      daysToStress: other.daysToStress,
    });
    // Both say the same of whether to water now.
    expect(other.summary).toMatch(/^In line does not need water now: about 10 days/);
    expect(other.meanwhile).toBeUndefined();
    expect(other.reasons).not.toContain('PROBES_DIFFER');
  });

  it('do not give soil that stays too wet what another lacks', async () => {
    const { reasons, meanwhile } = await farm.advise('Too wet');
    expect(reasons).toContain('TOO_WET');
    expect(meanwhile).toBeUndefined();
    expect((await farm.advise('Thirsty')).durationMin).toBeGreaterThan(60);
  });

  it('leave one that is alone to what it got in the last two weeks', async () => {
    const { meanwhile } = await farm.advise('Alone');
    expect(meanwhile).toEqual({
      basis: 'recent',
      moduleId: null,
      waterMm: 12.5,
      durationMin: 600,
      daysToStress: null,
    });
    const { checkFirst } = await farm.body('morning_brief');
    expect(checkFirst).toContainEqual(expect.objectContaining({ name: 'Alone', meanwhile }));
  });
});
