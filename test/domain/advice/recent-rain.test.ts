import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rainAndReadings } from '../../../src/domain/advice/recent-rain.ts';
import type { FallenRain } from '../../../src/domain/weather/rain.ts';
import { DAY, HOUR } from '../../time.ts';

const NEWEST = Date.UTC(2026, 6, 1, 10);

const fallen = (mm: number, startedAt: number, endedAt: number | null = null): FallenRain => ({
  mm,
  record: { id: 1, parcelId: null, moduleId: null, localDay: '', startedAt, endedAt, isWholeDay: false, mm },
});

const flat = { points: [-4, -3, -2, -1, 0].map((hour) => ({ at: NEWEST + hour * HOUR, value: 20 })), minRise: 0.3 };
const rising = { ...flat, points: flat.points.map(({ at }, index) => ({ at, value: 20 + index / 2 })) };

const judge = (rain: readonly FallenRain[], depths = [flat], since = NEWEST - 14 * DAY) =>
  rainAndReadings(rain, { newestAt: NEWEST, depths, since });

describe('rain and the readings', () => {
  it('is recent from six hours before the newest reading on, however early it began', () => {
    expect(judge([fallen(5, NEWEST - 6 * HOUR)])).toMatchObject({ recentMm: 0, earlierMm: 5 });
    expect(judge([fallen(5, NEWEST - 6 * HOUR + 1)])).toMatchObject({ recentMm: 5, earlierMm: 0 });
    expect(judge([fallen(5, NEWEST - DAY, NEWEST - 5 * HOUR)])).toMatchObject({ recentMm: 5 });
    expect(judge([fallen(5, NEWEST + HOUR)])).toMatchObject({ recentMm: 5 });
  });

  it('is shown where one depth rises since, not by a rise before it nor by noise', () => {
    const rain = [fallen(5, NEWEST - 3 * HOUR)];
    expect(judge(rain, [flat, rising]).isShown).toBe(true);
    expect(judge(rain, [flat]).isShown).toBe(false);
    expect(judge([fallen(5, NEWEST + HOUR)], [rising]).isShown).toBe(false);
    expect(judge(rain, [{ ...rising, minRise: 3 }]).isShown).toBe(false);
  });

  it('is neither recent nor earlier before the last watering, nor below a millimetre in all', () => {
    expect(judge([fallen(5, NEWEST - 2 * DAY)], [flat], NEWEST - DAY)).toMatchObject({ recentMm: 0, earlierMm: 0 });
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
        const { recentMm, earlierMm } = judge(list.map(({ mm, hour }) => fallen(mm, NEWEST + hour * HOUR)));
        expect(recentMm + earlierMm).toBeCloseTo(
          list.reduce((sum, { mm }) => sum + mm, 0),
          6,
        );
      }),
    );
  });
});
