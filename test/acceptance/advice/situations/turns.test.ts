import { beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../../program.ts';
import { simulatedSoil } from './simulated-soil.ts';
import { type Situation, type SituationFarm, situationFarm } from './situation-farm.ts';

/** It rained on it two days ago. */
const afterRain = simulatedSoil({
  depthsCm: [10, 30, 50],
  wettest: 27,
  driest: 14,
  dryingDays: 10,
  daysBefore: 12,
  wetted: [{ daysBefore: 2, points: 14 }],
});
const gravity = { system: 'gravity', flowMmPerH: 12, irrigatedAreaM2: 10_000, fractionWetted: 1 };

/** Almonds with 28 mm of rain two days ago, and waterings of 50 mm planned for today and later. */
const orchard = (
  name: string,
  times: Json | null,
  plannedInDays: readonly number[] = [],
): Situation => ({
  name,
  moisture: afterRain,
  parcel: { type: 'almonds' },
  installation: gravity,
  calls: [
    ['log_rain', { module: undefined, parcel: `${name} block`, mm: 28, when: '2026-06-29' }],
    ...plannedInDays.map(
      (days) =>
        [
          'log_watering',
          { startedAt: `2026-07-0${1 + days}T16:00`, inputDepthMm: 50, inputMode: 'depth_mm' },
        ] as const,
    ),
    ...(times === null ? [] : [['set_water_times', times] as const]),
  ],
});

const everyEighthDay = { everyHours: 192, turnAt: 'today 16:00' };

describe('on a farm whose water comes by turns', () => {
  let farm: SituationFarm;
  let brief: string;

  beforeAll(async () => {
    farm = await situationFarm([
      orchard('Canal', everyEighthDay, [0, 8]),
      orchard('Planned turns', null, [0, 8]),
      orchard('Tap', null, [0]),
      orchard('Short turns', { everyHours: 48, turnAt: 'today 16:00' }),
      orchard('Late', { everyHours: 192, turnAt: '2026-07-08T06:00' }),
      orchard('Large doses', { ...everyEighthDay, leastMm: '50 mm' }),
      orchard('Ordered', { ...everyEighthDay, noticeHours: 48 }),
      orchard('Short run', { ...everyEighthDay, untilTime: '16:30' }),
      orchard('Last turn', { ...everyEighthDay, seasonFrom: '04-01', seasonUntil: '07-05' }),
      orchard('Over', { seasonFrom: '04-01', seasonUntil: '06-15' }),
      orchard('Odd', everyEighthDay),
      {
        name: 'Even',
        moisture: afterRain,
        parcel: { name: 'Odd block' },
        calls: [['set_water_times', { ...everyEighthDay, turnAt: '2026-07-03 16:00' }]],
      },
      orchard('Nights', { fromTime: '22:00', untilTime: '06:00' }),
    ]);
    brief = String((await farm.body('morning_brief')).summary);
  });

  it('takes a turn before which the crop would suffer, and the rain is no reason to skip it', async () => {
    const { turn, daysToStress, summary } = await farm.advise('Canal');
    expect(daysToStress).toBeLessThan(8);
    expect(turn).toMatchObject({ verdict: 'take', isToday: true, isLate: false });
    expect(summary).toContain('Take the turn of today 16:00: without it, stress is expected from');
    expect(summary).toContain('less than from one turn to the next');
    expect(brief).not.toMatch(/Skip [^.]*(Canal|Planned turns)/);
  });

  it('proposes to skip what a tap can give any day', async () => {
    expect(brief).toMatch(/Skip [^.]*Tap/);
    expect((await farm.advise('Tap')).turn).toBeUndefined();
  });

  it('skips a turn of which the crop surely lasts until the next', async () => {
    const { turn, summary } = await farm.advise('Short turns');
    expect(turn).toMatchObject({ verdict: 'skip' });
    expect(summary).toContain('The turn of today 16:00 can be skipped');
    expect(brief).toContain('Short turns block: The turn of today 16:00 can be skipped');
  });

  it('says that water comes too late', async () => {
    const { turn, summary } = await farm.advise('Late');
    expect(turn).toMatchObject({ isLate: true, isToday: false });
    expect(summary).toMatch(
      /Water comes too late for Late: stress from \d Jul, next water 8 Jul 06:00/,
    );
    expect(brief).toMatch(/Late block: Stress from \d Jul, next water 8 Jul 06:00/);
  });

  it('leaves out a turn that it is too late to order, and says when to order the next', async () => {
    const { turn, summary } = await farm.advise('Ordered');
    expect(turn).toMatchObject({
      nextAt: '2026-07-09T14:00:00.000Z',
      orderBy: '2026-07-07T14:00:00.000Z',
    });
    expect(summary).toContain('Order it by 7 Jul 16:00');
  });

  it('gives both consequences and no verdict where most of the least dose would drain', async () => {
    const { turn, summary } = await farm.advise('Large doses');
    expect(turn).toMatchObject({ verdict: 'open' });
    expect(summary).toMatch(/Of the least dose some \d+ mm would drain at the turn of today 16:00/);
    expect(summary).not.toMatch(/needs water now|does not need water/);
    expect(brief).toMatch(/Large doses block: Of the least dose some \d+ mm would drain/);
  });

  it('gives no more than fits in a turn', async () => {
    const { durationMin, refillMm, waterMm, summary } = await farm.advise('Short run');
    expect(durationMin).toBe(30);
    expect(refillMm).toBeGreaterThan(waterMm!);
    expect(summary).toMatch(
      /Give 30 min, 6 mm .* leaching[.] That is all that can be given at a time: to refill it/,
    );
    expect((await farm.advise('Canal')).refillMm).toBeUndefined();
  });

  it('has no room for a turn where rain is expected to fill the soil', async () => {
    const { turn, summary } = await farm.advise('Canal', { expectedRainMm: 60 });
    expect(turn).toMatchObject({ verdict: 'open', drainedMm: null });
    expect(summary).toContain('The soil has no room for water at the turn of today 16:00');
    expect(summary).not.toContain('Take the turn');
  });

  it('ends with the season of water', async () => {
    const { turn, summary } = await farm.advise('Last turn');
    expect(turn).toMatchObject({ followingAt: null });
    expect(summary).toMatch(
      /stress is expected from \d Jul on, and no more water comes this season/,
    );
    expect((await farm.advise('Over')).summary).toMatch(/next water 1 Apr 2027/);
  });

  it('names probes of one parcel whose water comes at different times', () => {
    expect(brief).toContain('Odd: Take the turn of today 16:00');
    expect(brief).toMatch(/Even: .* 3 Jul 16:00/);
    expect(brief).toContain('Short run block: Take');
  });

  it('says each day nothing of water that comes each night', () => {
    expect(brief).not.toContain('Nights');
  });

  it('keeps them with the settings, for undo and a file', async () => {
    const { summary } = await farm.body('get_irrigation_setup', { module: 'Canal' });
    expect(summary).toContain('water every 8 days from today 16:00');
  });
});
