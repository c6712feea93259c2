import { beforeAll, describe, expect, it } from 'vitest';
import { CLOCK, type Json } from '../../program.ts';
import { type Course, simulatedSoil } from './simulated-soil.ts';
import { type SituationFarm, situationFarm } from './situation-farm.ts';

const depthsCm = [10, 30, 50];
/** The same soil for each probe. */
const soil = (): Course => simulatedSoil({ depthsCm });

/** The moisture as sensors show it that differ from the soil. */
function shownAs(show: (percent: number, daysBefore: number) => number): Course {
  const truth = soil();
  return (depthCm, daysBefore) => {
    const percent = truth(depthCm, daysBefore);
    return percent === null ? null : show(percent, daysBefore);
  };
}

const daysAgo = (days: number): string =>
  new Date(Date.parse(CLOCK) - days * 86_400_000).toISOString();
const offset = (points: number, from = '') =>
  depthsCm.map((depthCm) => `${depthCm} cm: reads 20, true ${20 + points}${from}`);
const levels: readonly (readonly [string, Json])[] = [
  ['create_annotation', { type: 'h-line', p1: [daysAgo(1), 24], style: { fill: 'threshold1' } }],
  ['create_alert', { threshold: 15 }],
];

describe('a calibrated probe', () => {
  let farm: SituationFarm;

  beforeAll(async () => {
    farm = await situationFarm([
      { name: 'True', moisture: soil() },
      {
        name: 'Low',
        moisture: shownAs((percent) => percent - 6),
        calls: [['set_probe_settings', { calibration: offset(6) }]],
      },
      {
        name: 'Stretched',
        moisture: shownAs((percent) => percent / 2),
        calls: [
          [
            'set_probe_settings',
            {
              calibration: depthsCm.flatMap((depthCm) => [
                { depthCm, readPercent: 5, truePercent: 10 },
                { depthCm, readPercent: 15, truePercent: 30 },
              ]),
            },
          ],
        ],
      },
      {
        name: 'Replaced',
        // Since 5 days another sensor, which shows 6 % more.
        moisture: shownAs((percent, daysBefore) => percent + (daysBefore < 5 ? 6 : 0)),
        calls: [['set_probe_settings', { calibration: offset(-6, `, from ${daysAgo(5)}`) }]],
      },
      {
        // Nothing changed in the ground at that date.
        name: 'Dated',
        moisture: soil(),
        calls: [['set_probe_settings', { calibration: offset(-6, `, from ${daysAgo(5)}`) }]],
      },
      {
        name: 'Lined',
        moisture: soil(),
        calls: [...levels, ['set_probe_settings', { calibration: offset(3) }]],
      },
      { name: 'Uncalibrated', moisture: soil(), calls: levels },
    ]);
  });

  it.each(['Low', 'Stretched', 'Replaced'])(
    '%s gets the amount that a sensor without fault gets, and no doubt',
    async (name) => {
      const truth = await farm.advise('True');
      const advice = await farm.advise(name);
      expect(advice.doubts).toEqual(truth.doubts);
      expect(advice.deficitMm).toBeCloseTo(truth.deficitMm ?? 0, 1);
      expect(advice.deficitMm).toBeGreaterThan(0);
      expect(advice.daysToStress).toEqual(truth.daysToStress);
    },
  );

  it('is in no doubt where its date makes a step', async () => {
    const { doubts, reasons } = await farm.advise('Dated');
    expect(doubts).toEqual([]);
    expect(reasons).toEqual(['FIELD_CAPACITY_ESTIMATED', 'LONGER_THAN_A_DAY']);
  });

  it('takes no date for a watering', async () => {
    for (const name of ['Dated', 'Replaced'])
      expect(await farm.body('review_waterings', { module: name })).toMatchObject({
        unlogged: [],
      });
  });

  it('keeps what its lines and alerts mean', async () => {
    const moved = await farm.advise('Lined');
    const before = await farm.advise('Uncalibrated');
    expect(moved.deficitMm).toBeCloseTo(before.deficitMm ?? 0, 1);
    const thresholds = async (name: string) =>
      (await farm.body('list_alerts', { module: name })).data.map(({ threshold, state }: Json) => [
        threshold,
        state.status,
      ]);
    expect(await thresholds('Uncalibrated')).toEqual([['15', 'quiet']]);
    expect(await thresholds('Lined')).toEqual([['18', 'quiet']]);
  });

  it('asks for the bulk density of a weighed sample', async () => {
    const { content, isError } = await farm.call('set_probe_settings', {
      module: 'True',
      calibration: ['10 cm: reads 20, weighed 15'],
    });
    expect(isError).toBe(true);
    expect(JSON.stringify(content)).toContain('ask for the density');
  });
});
