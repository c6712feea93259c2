import { describe, expect, it } from 'vitest';
import { NO_SEASON, seasonAfter } from '../../../src/domain/balance/crop-season.ts';

const CONTEXT = { today: '2026-07-01', isSameCrop: (a: string, b: string) => a === b };
const TOMATO = { ...NO_SEASON, crop: 'tomato', plantedOn: '2026-04-20', rootDepthCm: 60 };

describe('seasonAfter', () => {
  it('keeps what is not said', () => {
    const { season, isNew } = seasonAfter(TOMATO, { harvestedOn: '2026-06-30' }, CONTEXT);
    expect(isNew).toBe(false);
    expect(season).toEqual({ ...TOMATO, harvestedOn: '2026-06-30' });
  });

  it('starts anew with another crop', () => {
    const { season, isNew } = seasonAfter(TOMATO, { crop: 'lettuce' }, CONTEXT);
    expect(isNew).toBe(true);
    expect(season).toEqual({ ...NO_SEASON, crop: 'lettuce' });
  });

  it('starts anew with a planting after the harvest', () => {
    const harvested = { ...TOMATO, harvestedOn: '2026-06-20' };
    const { season, isNew } = seasonAfter(harvested, { plantedOn: '2026-06-25' }, CONTEXT);
    expect(isNew).toBe(true);
    expect(season).toEqual({ ...NO_SEASON, crop: 'tomato', plantedOn: '2026-06-25' });
  });

  it('dates the stage with the day on which it is said', () => {
    const { season } = seasonAfter(TOMATO, { stage: 'mid' }, CONTEXT);
    expect(season).toMatchObject({ stage: 'mid', stageOn: '2026-07-01' });
    const later = seasonAfter(season, { stage: null }, CONTEXT);
    expect(later.season).toMatchObject({ stage: null, stageOn: null });
  });

  it('keeps the stages that were said, of the days before the next', () => {
    const on = (season: typeof TOMATO, stage: 'initial' | 'development' | 'mid', today: string) =>
      seasonAfter(season, { stage }, { ...CONTEXT, today }).season as typeof TOMATO;
    const first = on(TOMATO, 'initial', '2026-05-01');
    const second = on(first, 'development', '2026-06-01');
    expect(second).toMatchObject({
      stage: 'development',
      stageOn: '2026-06-01',
      earlierStages: [{ stage: 'initial', on: '2026-05-01' }],
    });
    expect(on(second, 'development', '2026-06-01')).toBe(second);
    // A stage of the same day replaces it, except the first: that is all that is known of the past.
    expect(on(second, 'mid', '2026-06-01').earlierStages).toEqual(second.earlierStages);
    expect(on(first, 'mid', '2026-05-01').earlierStages).toEqual([
      { stage: 'initial', on: '2026-05-01' },
    ]);
    expect(seasonAfter(second, { stage: null }, CONTEXT).season.earlierStages).toBeNull();
    expect(seasonAfter(second, { crop: 'lettuce' }, CONTEXT).season.earlierStages).toBeNull();
  });
});
