import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stillPeriods } from '../../../../src/domain/advice/response/response-of-history.ts';
import { unshownRain } from '../../../../src/domain/advice/response/unshown-rain.ts';
import type { RainContribution } from '../../../../src/domain/weather/rain.ts';
import { DAY, HOUR } from '../../../time.ts';

const BEGIN = Date.UTC(2026, 6, 1);
const HOURS = Array.from({ length: 240 }, (_, hour) => hour);

const drying = (depthCm: number, gain: (hour: number) => number = () => 0) => ({
  depthCm,
  slice: null,
  fieldCapacity: null,
  minRise: 0.5,
  frozen: [],
  points: HOURS.map((hour) => ({ at: BEGIN + hour * HOUR, value: 24 - hour / 100 + gain(hour) })),
});

const soil = (curves: readonly ReturnType<typeof drying>[], fieldCapacity: number | null = 28) =>
  stillPeriods({ curves, curve: curves[0]!.points, fieldCapacity });

const fallen = (
  mm: number,
  startedAt: number,
  endedAt: number,
  isWholeDay = false,
): RainContribution => ({
  mm,
  record: {
    id: 1,
    parcelId: null,
    moduleId: 7,
    localDay: '',
    startedAt,
    endedAt,
    isWholeDay,
    mm,
  },
});

const WHOLE = { start: BEGIN, end: BEGIN + 10 * DAY };

describe('the time in which rain would have shown', () => {
  it('is that of drying soil, cut by rises, gaps and soil at field capacity', () => {
    expect(soil([drying(10), drying(30)])).toEqual([WHOLE]);
    expect(soil([drying(15)], 23)).toEqual([{ ...WHOLE, start: BEGIN + 101 * HOUR }]);
    const rise = (hour: number) => Math.min(3, Math.max(0, hour - 99));
    expect(soil([drying(10), drying(30, rise)])).toEqual([
      { start: BEGIN, end: BEGIN + 100 * HOUR },
      { ...WHOLE, start: BEGIN + 103 * HOUR },
    ]);
    const top = drying(10);
    const silent = { ...top, points: top.points.filter((_, hour) => hour < 50 || hour > 54) };
    expect(soil([silent, drying(30)])).toEqual([
      { start: BEGIN, end: BEGIN + 50 * HOUR },
      { ...WHOLE, start: BEGIN + 55 * HOUR },
    ]);
  });

  it('is none without a sensor near the surface, or where field capacity is unknown', () => {
    expect(soil([drying(16)])).toEqual([]);
    expect(soil([drying(10)], null)).toEqual([]);
    expect(stillPeriods({ curves: [], curve: [], fieldCapacity: 28 })).toEqual([]);
  });
});

describe('rain that the soil did not show', () => {
  const at = BEGIN + 3 * DAY;

  it('is at least 20 mm in one event, which six dry hours end', () => {
    expect(unshownRain([fallen(20, at, at + 3 * HOUR)], [WHOLE])).toEqual({
      mm: 20,
      from: at,
      until: at + 3 * HOUR,
    });
    expect(unshownRain([fallen(19.9, at, at + 3 * HOUR)], [WHOLE])).toBeNull();
    const second = (dryHours: number) =>
      fallen(12, at + dryHours * HOUR, at + (dryHours + 1) * HOUR);
    expect(unshownRain([fallen(12, at - HOUR, at), second(5.9)], [WHOLE])?.mm).toBe(24);
    expect(unshownRain([fallen(12, at - HOUR, at), second(6)], [WHOLE])).toBeNull();
  });

  it('is not known before the water has had six hours, nor across a rise', () => {
    const end = { start: BEGIN, end: at + 9 * HOUR };
    expect(unshownRain([fallen(25, at, at + 3 * HOUR)], [end])).not.toBeNull();
    expect(unshownRain([fallen(25, at, at + 3.1 * HOUR)], [end])).toBeNull();
    const risen = [
      { start: BEGIN, end: at + HOUR },
      { start: at + 4 * HOUR, end: WHOLE.end },
    ];
    expect(unshownRain([fallen(25, at, at + 3 * HOUR)], risen)).toBeNull();
  });

  it('is found while a stuck gauge goes on, by what it has sent so far', () => {
    const days = [0, 1, 2, 3].map((day) => fallen(20, at + day * DAY, at + (day + 1) * DAY, true));
    const until = { start: BEGIN, end: at + 3.5 * DAY };
    expect(unshownRain(days, [until])).toEqual({ mm: 60, from: at, until: at + 3 * DAY });
  });

  it('is cleared by later heavy rain that the soil showed', () => {
    const later = fallen(25, at + 4 * DAY, at + 4 * DAY + HOUR);
    const risen = [
      { start: BEGIN, end: at + 4 * DAY },
      { start: at + 5 * DAY, end: WHOLE.end },
    ];
    expect(unshownRain([fallen(25, at, at + HOUR)], risen)).not.toBeNull();
    expect(unshownRain([fallen(25, at, at + HOUR), later], risen)).toBeNull();
  });

  it('may have been read a day late where only its day is known', () => {
    const day = fallen(25, at, at + DAY, true);
    const from = (start: number) => unshownRain([day], [{ start, end: WHOLE.end }]);
    expect(from(at - DAY)).not.toBeNull();
    expect(from(at - DAY + HOUR)).toBeNull();
  });

  it('is never seen where nothing is known of the soil, and never more than has fallen', () => {
    const rain = fc.array(
      fc.record({
        mm: fc.double({ min: 0.2, max: 40, noNaN: true }),
        hour: fc.integer({ min: 0, max: 200 }),
      }),
    );
    fc.assert(
      fc.property(rain, (list) => {
        const records = list.map(({ mm, hour }) =>
          fallen(mm, BEGIN + hour * HOUR, BEGIN + (hour + 1) * HOUR),
        );
        expect(unshownRain(records, [])).toBeNull();
        const mm = unshownRain(records, [WHOLE])?.mm ?? 20;
        expect(mm).toBeGreaterThanOrEqual(20);
        expect(mm).toBeLessThanOrEqual(
          Math.max(
            20,
            list.reduce((sum, each) => sum + each.mm, 1e-9),
          ),
        );
      }),
      { numRuns: 50 },
    );
  });
});
