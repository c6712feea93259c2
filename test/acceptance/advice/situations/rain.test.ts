import { beforeAll, describe, expect, it } from 'vitest';
import { runInProcess } from '../../../in-process-command.ts';
import { CLOCK } from '../../program.ts';
import { openMeteoAnswer, startForecastServer } from '../../weather/open-meteo-server.ts';
import { type Course, simulatedSoil } from './simulated-soil.ts';
import { type SituationFarm, situationFarm } from './situation-farm.ts';

const depthsCm = [10, 30, 50];
const dry = () => simulatedSoil({ depthsCm });
const hoursAgo = (hours: number) => new Date(Date.parse(CLOCK) - hours * 3_600_000).toISOString();

/** Amounts in mm, by parcel. */
const RAIN: Readonly<Record<string, readonly (readonly [mm: number, when: string])[]>> = {
  // On five days in a row, and today it goes on.
  'Stuck gauge': [26, 27, 28, 29, 30].map((day) => [20, `2026-06-${day}`] as const),
  'Plastic mulch': [26, 27, 28, 29, 30].map((day) => [20, `2026-06-${day}`] as const),
  'Just now under plastic': [[8, `${hoursAgo(3)}/${hoursAgo(1)}`]],
  Greenhouse: [26, 27, 28, 29, 30].map((day) => [20, `2026-06-${day}`] as const),
  'Real rain': [[25, `${hoursAgo(76)}/${hoursAgo(72)}`]],
  'On leaves': [[8, `${hoursAgo(5)}/${hoursAgo(3)}`]],
  'Just now': [[8, `${hoursAgo(3)}/${hoursAgo(1)}`]],
};

const underPlastic = [['set_probe_settings', { mulch: 'plastic' }]] as const;

describe('rain', () => {
  let farm: SituationFarm;

  beforeAll(async () => {
    const position = { location: { lat: 43.61, lon: 3.87, source: 'manual' } };
    farm = await situationFarm([
      { name: 'Dry', moisture: dry(), module: position },
      { name: 'Stuck gauge', moisture: dry() },
      { name: 'Greenhouse', moisture: dry(), parcel: { type: 'olives in a greenhouse' } },
      {
        name: 'Real rain',
        moisture: simulatedSoil({ depthsCm, wetted: [{ daysBefore: 3.1, points: 6 }] }),
      },
      { name: 'Plastic mulch', moisture: dry(), calls: underPlastic },
      { name: 'Just now under plastic', moisture: dry(), calls: underPlastic },
      { name: 'On leaves', moisture: dry() },
      { name: 'Just now', moisture: dry() },
    ]);
    for (const [name, amounts] of Object.entries(RAIN))
      for (const [mm, when] of amounts)
        await farm.body('log_rain', { mm, when, parcel: `${name} block` });
  });

  it('that no depth shows puts the gauge or the probe in doubt, and none of it is counted', async () => {
    const advice = await farm.advise('Stuck gauge');
    expect(advice.reasons).toContain('GAUGE_DOUBTFUL');
    expect(advice.unshownRain).toMatchObject({ mm: 100 });
    expect(advice.summary).toMatch(
      /^No depth rose after 100 mm of rain \(26 Jun to yesterday\), although the soil had room for it: the gauge or the probe is wrong/,
    );
    expect(advice.summary).not.toContain('the readings show it already');
    expect(advice.durationMin).toBe((await farm.advise('Dry')).durationMin);
    expect(advice.confidence).not.toBe('complete');
  });

  it('that the soil shows is in its readings, without a doubt', async () => {
    const advice = await farm.advise('Real rain');
    expect(advice.reasons).not.toContain('GAUGE_DOUBTFUL');
    expect(advice.summary).toContain('the readings show it already');
  });

  it('does not reach the soil of a greenhouse, and puts nothing in doubt there', async () => {
    expect((await farm.advise('Greenhouse')).reasons).not.toContain('GAUGE_DOUBTFUL');
  });

  it('does not reach the soil under plastic, whether it fell, falls or is expected', async () => {
    const under = await farm.advise('Plastic mulch');
    expect(under.reasons).not.toContain('GAUGE_DOUBTFUL');
    const { durationMin } = await farm.advise('Dry');
    expect(under.durationMin).toBe(durationMin);
    const now = await farm.advise('Just now under plastic', { expectedRainMm: 10 });
    expect(now.reasons).not.toContain('RECENT_RAIN');
    expect(now.durationMin).toBe(durationMin);
    expect(now.summary).toContain('Plastic mulch keeps rain off');
  });

  it('that no sensor at 10 cm showed two hours after it ended stayed on the leaves', async () => {
    const advice = await farm.advise('On leaves');
    expect(advice.reasons).not.toContain('RECENT_RAIN');
    expect(advice.durationMin).toBe((await farm.advise('Dry')).durationMin);
    expect(advice.summary).toContain('it stayed on leaves and the surface');
  });

  it('that ended an hour ago is taken off, because a rise can still come', async () => {
    const advice = await farm.advise('Just now');
    expect(advice.reasons).toContain('RECENT_RAIN');
    expect(advice.durationMin).toBeLessThan((await farm.advise('Dry')).durationMin!);
    expect(advice.summary).toContain('are taken from what is missing');
  });

  it('of today is taken from the forecast of today', async () => {
    const server = await startForecastServer(() =>
      openMeteoAnswer(CLOCK.slice(0, 10), { rain: { 0: [12, 90] } }),
    );
    await runInProcess(['tick', '--db', farm.db, '--clock', CLOCK], {
      env: { ACEQUIA_FORECAST: server.base },
    });
    expect((await farm.advise('Dry')).summary).toContain('12 mm forecast for today (90 %)');
    expect((await farm.advise('Just now')).summary).toContain('4 mm forecast for today (90 %)');
  });
});

describe('the days to stress', () => {
  let farm: SituationFarm;

  /** Until four days ago water sank: the upper depths lost a point a day, and then less. */
  const sinking =
    (deepPointsPerDay: number): Course =>
    (depthCm, daysBefore) => {
      const before = Math.max(0, daysBefore - 4);
      const value =
        depthCm === 50
          ? 22 + 0.1 * Math.min(4, daysBefore) + deepPointsPerDay * before
          : 22 + 0.4 * Math.min(4, daysBefore) + before;
      return Math.round(100 * value) / 100;
    };

  beforeAll(async () => {
    farm = await situationFarm([
      { name: 'Sinking', moisture: sinking(-0.3), days: 10 },
      { name: 'Drained', moisture: sinking(0.1), days: 10 },
      { name: 'Long record', moisture: simulatedSoil({ depthsCm, daysBefore: 9 }), days: 80 },
      { name: 'Short record', moisture: simulatedSoil({ depthsCm, daysBefore: 9 }), days: 40 },
    ]);
  });

  it('do not count days on which the deepest sensor still gains', async () => {
    const { daysToStress } = await farm.advise('Sinking');
    const { value_vwc: moisture, stressPoint } = (await farm.body('get_agronomic_state', {
      module: 'Sinking',
    })) as { value_vwc: number; stressPoint: number };
    // 0.4 points a day above 40 cm, which weigh five sixths, and 0.1 below.
    expect(daysToStress).toBeCloseTo((moisture - stressPoint) / (0.4 * (5 / 6) + 0.1 / 6), 0);
  });

  it('count the same days where the deepest sensor dries too', async () => {
    const [sinks, dries] = [await farm.advise('Sinking'), await farm.advise('Drained')];
    expect(dries.daysToStress).toBeLessThan(sinks.daysToStress! - 2);
  });

  it('are the mean of a straight and an exponential fall, once 60 days are known', async () => {
    const exponential = 'of an exponential fall towards';
    expect((await farm.advise('Long record', { detail: 'full' })).summary).toContain(exponential);
    expect((await farm.advise('Short record', { detail: 'full' })).summary).not.toContain(
      exponential,
    );
  });
});
