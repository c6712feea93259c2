import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  effectiveRainMm,
  isNeedlessAfterRain,
  splitRecentRain,
} from '../../../src/domain/advice/rain-effect.ts';
import { waterToRefill } from '../../../src/domain/advice/watering-advice.ts';
import type { RainContribution } from '../../../src/domain/weather/rain.ts';
import { DAY, HOUR } from '../../time.ts';

const NEWEST = Date.UTC(2026, 6, 1, 10);

const fallen = (
  mm: number,
  startedAt: number,
  endedAt: number | null = null,
): RainContribution => ({
  mm,
  record: {
    id: 1,
    parcelId: null,
    moduleId: null,
    localDay: '',
    startedAt,
    endedAt,
    isWholeDay: false,
    mm,
  },
});

const flat = {
  depthCm: 30,
  points: [-4, -3, -2, -1, 0].map((hour) => ({ at: NEWEST + hour * HOUR, value: 20 })),
  minRise: 0.3,
};
const rising = {
  ...flat,
  points: flat.points.map(({ at }, index) => ({ at, value: 20 + index / 2 })),
};

const judge = (rain: readonly RainContribution[], depths = [flat], since = NEWEST - 14 * DAY) =>
  splitRecentRain(rain, { newestAt: NEWEST, depths, since });

describe('rain and the readings', () => {
  it('is recent from six hours before the newest reading on, however early it began', () => {
    expect(judge([fallen(5, NEWEST - 6 * HOUR)])).toMatchObject({ recentMm: 0, earlierMm: 5 });
    expect(judge([fallen(5, NEWEST - 6 * HOUR + 1)])).toMatchObject({ recentMm: 5, earlierMm: 0 });
    expect(judge([fallen(5, NEWEST - DAY, NEWEST - 5 * HOUR)])).toMatchObject({ recentMm: 5 });
    expect(judge([fallen(5, NEWEST + HOUR)])).toMatchObject({ recentMm: 5 });
  });

  it('of a day without an hour is not put after a watering on that day', () => {
    const day = fallen(12, NEWEST - 2 * DAY, NEWEST - DAY);
    const total = { ...day, record: { ...day.record, isWholeDay: true } };
    const mmAfter = (since: number) => judge([total], [flat], since).earlierMm;
    expect(mmAfter(NEWEST - DAY - HOUR)).toBe(0);
    expect(mmAfter(NEWEST - 2 * DAY)).toBe(12);
    expect(judge([day], [flat], NEWEST - DAY - HOUR).earlierMm).toBe(12);
  });

  it('is shown where one depth rises since, not by a rise before it nor by noise', () => {
    const rain = [fallen(5, NEWEST - 3 * HOUR)];
    expect(judge(rain, [flat, rising]).isShown).toBe(true);
    expect(judge(rain, [flat]).isShown).toBe(false);
    expect(judge([fallen(5, NEWEST + HOUR)], [rising]).isShown).toBe(false);
    expect(judge(rain, [{ ...rising, minRise: 3 }]).isShown).toBe(false);
  });

  it('is lost two hours after its end if a sensor at 10 cm or above has not risen', () => {
    const shallow = { ...flat, depthCm: 10 };
    const ended = (hoursAgo: number) => [fallen(5, NEWEST - DAY, NEWEST - hoursAgo * HOUR)];
    expect(judge(ended(2), [flat, shallow])).toMatchObject({ recentMm: 5, isLost: true });
    expect(judge(ended(1.9), [flat, shallow]).isLost).toBe(false);
    expect(judge(ended(2), [flat, { ...shallow, depthCm: 11 }]).isLost).toBe(false);
    expect(judge(ended(2), [rising, shallow])).toMatchObject({ isShown: true, isLost: false });
    // It has been silent since.
    const silent = { ...shallow, points: shallow.points.slice(0, -1) };
    expect(judge(ended(2), [flat, silent]).isLost).toBe(false);
  });

  it('is neither recent nor earlier before the last watering, nor below a millimetre in all', () => {
    expect(judge([fallen(5, NEWEST - 2 * DAY)], [flat], NEWEST - DAY)).toMatchObject({
      recentMm: 0,
      earlierMm: 0,
    });
    expect(judge([fallen(0.5, NEWEST), fallen(0.4, NEWEST)]).recentMm).toBe(0);
    expect(judge([fallen(0.5, NEWEST), fallen(0.6, NEWEST)]).recentMm).toBeCloseTo(1.1, 9);
  });

  it('counts each rain once', () => {
    const rain = fc.record({
      mm: fc.double({ min: 1, max: 50, noNaN: true }),
      hour: fc.integer({ min: -200, max: 2 }),
    });
    fc.assert(
      fc.property(fc.array(rain), (list) => {
        const { recentMm, earlierMm } = judge(
          list.map(({ mm, hour }) => fallen(mm, NEWEST + hour * HOUR)),
        );
        expect(recentMm + earlierMm).toBeCloseTo(
          list.reduce((sum, { mm }) => sum + mm, 0),
          6,
        );
      }),
    );
  });
});

const amount = fc.double({ min: 0, max: 300, noNaN: true });
const setup = { flowMmPerH: 1.25, fractionWetted: 0.35, irrigatedAreaM2: 5000 };

describe('expected rain', () => {
  it('counts by eight tenths, and no more than the soil can take', () => {
    expect(effectiveRainMm(10, 27.4)).toBeCloseTo(8, 9);
    expect(effectiveRainMm(50, 27.4)).toBe(27.4);
    expect(effectiveRainMm(10, 0)).toBe(0);
  });

  it('saves the wetted fraction of itself where only a part of the area is irrigated', () => {
    // (27.4 - 8) x 0.35 = 6.79 mm; / 1.25 x 60 = 325.92 min; x 5,000 / 1,000 = 33.95 m3.
    const water = waterToRefill(
      27.4,
      { refillPercent: 100, rainMm: effectiveRainMm(10, 27.4) },
      setup,
    );
    expect(water.waterMm).toBeCloseTo(6.79, 9);
    expect(water.durationMin).toBeCloseTo(325.92, 9);
    expect(water.volumeM3).toBeCloseTo(33.95, 9);
  });

  it('falls into the part that a partial refill leaves: more rain never means more water, nor less than none', () => {
    fc.assert(
      fc.property(
        amount,
        amount,
        amount,
        fc.integer({ min: 1, max: 100 }),
        (deficit, rain, more, refillPercent) => {
          const give = (expected: number): number =>
            waterToRefill(
              deficit,
              { refillPercent, rainMm: effectiveRainMm(expected, deficit) },
              setup,
            ).waterMm!;
          expect(give(rain + more)).toBeLessThanOrEqual(give(rain));
          expect(give(rain)).toBeGreaterThanOrEqual(0);
          expect(give(0)).toBe(waterToRefill(deficit, { refillPercent }, setup).waterMm);
        },
      ),
    );
  });
});

const WET = {
  plannedMm: 8,
  aheadMs: 6 * HOUR,
  nextAheadMs: null,
  waitsForTurn: false,
  neededMm: 1,
  daysToStress: 6,
  effectiveRainMm: 9.6,
};

describe('a planned watering after rain', () => {
  it('is needless if rain left a quarter of its dose to give at most, and no stress is near', () => {
    expect(isNeedlessAfterRain(WET)).toBe(true);
    expect(isNeedlessAfterRain({ ...WET, neededMm: 0, daysToStress: null })).toBe(true);
    expect(isNeedlessAfterRain({ ...WET, neededMm: 2 })).toBe(true);
    expect(isNeedlessAfterRain({ ...WET, neededMm: 2.1 })).toBe(false);
  });

  it('is not, if the rain gave less than a quarter of it, whatever made the soil wet', () => {
    expect(isNeedlessAfterRain({ ...WET, effectiveRainMm: 1.9 })).toBe(false);
  });

  it('is not, if stress comes before the day after it', () => {
    expect(isNeedlessAfterRain({ ...WET, daysToStress: 1.2 })).toBe(false);
    expect(isNeedlessAfterRain({ ...WET, aheadMs: 2 * DAY, daysToStress: 2.9 })).toBe(false);
  });

  it('stays needless with more rain and with less need', () => {
    const mm = fc.double({ min: 0, max: 40, noNaN: true });
    fc.assert(
      fc.property(mm, mm, mm, mm, (neededMm, effectiveRainMm, less, more) => {
        const watering = { ...WET, neededMm, effectiveRainMm };
        const wetter = {
          ...WET,
          neededMm: Math.max(0, neededMm - less),
          effectiveRainMm: effectiveRainMm + more,
        };
        if (isNeedlessAfterRain(watering)) expect(isNeedlessAfterRain(wetter)).toBe(true);
      }),
    );
  });
});
