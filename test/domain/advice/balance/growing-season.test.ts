import { describe, expect, it } from 'vitest';
import { growthClock as clockAt } from '../../../../src/domain/advice/balance/growth-clock.ts';
import { NO_SEASON } from '../../../../src/domain/balance/crop-season.ts';
import type { CropSeasonFacts } from '../../../../src/domain/facts/probe-facts.ts';
import type { Crop } from '../../../../src/domain/soil/allowed-depletion.ts';

const UNKNOWN: CropSeasonFacts = { ...NO_SEASON, crop: null };

const growthClock = (season: CropSeasonFacts, crop: Crop, from: string, latitude = 43.6) =>
  clockAt(season, crop, from, { latitude, zone: 'UTC' });

describe('growthClock', () => {
  it('counts from planting', () => {
    const clock = growthClock({ ...UNKNOWN, plantedOn: '2026-04-20' }, 'tomato', '2026-05-10');
    expect(clock).toMatchObject({ lengths: { initial: 30, development: 40, mid: 45, late: 30 } });
    expect(clock && 'dayOf' in clock && clock.dayOf(3)).toBe(23);
  });

  it('has the longer season of table 11 for what is sown in autumn, also in the south', () => {
    const wheat = (plantedOn: string, latitude: number) =>
      growthClock({ ...UNKNOWN, plantedOn }, 'wheat', plantedOn, latitude);
    const winter = { lengths: { initial: 30, development: 140, mid: 40, late: 30 } };
    const spring = { lengths: { initial: 20, development: 25, mid: 60, late: 30 } };
    expect(wheat('2025-11-10', 43.6)).toMatchObject(winter);
    expect(wheat('2026-05-20', -33.9)).toMatchObject(winter);
    expect(wheat('2026-03-10', 43.6)).toMatchObject(spring);
    expect(wheat('2025-11-10', -33.9)).toMatchObject(spring);
    expect(wheat('2025-11-10', 14.6)).toMatchObject(spring);
  });

  it('is in the middle of a stage on the day on which that is said', () => {
    const said = { ...UNKNOWN, stage: 'mid', stageOn: '2026-07-01' } as const;
    const clock = growthClock(said, 'tomato', '2026-07-03');
    // 30 + 40 + 45 / 2, and two days.
    expect(clock && 'dayOf' in clock && clock.dayOf(0)).toBe(94.5);
  });

  it('is unknown for trees that were planted years ago, and before planting', () => {
    expect(growthClock({ ...UNKNOWN, plantedOn: '2010-03-01' }, 'olive', '2026-07-01')).toBeNull();
    expect(growthClock({ ...UNKNOWN, plantedOn: '2026-08-01' }, 'tomato', '2026-07-01')).toBeNull();
    expect(growthClock(UNKNOWN, 'tomato', '2026-07-01')).toBeNull();
  });

  it('does not matter for what uses the same share all the year', () => {
    const clock = growthClock(UNKNOWN, 'alfalfa', '2026-07-01');
    expect(clock && 'stageOf' in clock && clock.stageOf(0)).toBe('mid');
  });

  const said = {
    ...UNKNOWN,
    stage: 'mid',
    stageOn: '2026-07-01',
    earlierStages: [
      { stage: 'initial', on: '2026-05-10' },
      { stage: 'development', on: '2026-06-01' },
    ],
  } as const;

  it('keeps each stage on the days before the next was said', () => {
    const clock = growthClock(said, 'chickpea', '2026-05-01');
    const stages = clock && 'stageOf' in clock ? [0, 30, 31, 60, 61].map(clock.stageOf) : [];
    expect(stages).toEqual(['initial', 'initial', 'development', 'development', 'mid']);
  });

  it('ages by what was said last, and before the first stage by the planting', () => {
    const planted = { ...said, plantedOn: '2026-04-20' };
    const clock = growthClock(planted, 'tomato', '2026-05-01');
    const ages = clock && 'dayOf' in clock ? [0, 8, 9, 30, 31, 61].map(clock.dayOf) : [];
    // By planting 11 and 19 days; then the middle of 30, and of 30 + 40, and of 70 + 45 days.
    expect(ages).toEqual([11, 19, 15, 36, 50, 92.5]);
    const old = growthClock({ ...said, plantedOn: '2010-03-01' }, 'olive', '2026-05-01');
    expect(old && 'dayOf' in old && old.dayOf(9)).toBe(15);
  });
});
