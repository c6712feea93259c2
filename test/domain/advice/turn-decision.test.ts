import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decideTurn,
  forecastErrorDays,
  surelyLastsUntil,
} from '../../../src/domain/advice/turn-decision.ts';
import { NO_WATER_TIMES, type WaterTimes } from '../../../src/domain/moisture/water-times.ts';
import { propertyRuns } from '../../property-runs.ts';
import { DAY, HOUR, iso } from '../../time.ts';

const NOW = Date.parse('2026-06-06T07:00Z');
const turnOf = (everyDays: number, changes: Partial<WaterTimes> = {}): WaterTimes => ({
  ...NO_WATER_TIMES,
  everyHours: 24 * everyDays,
  turnAt: iso(NOW + 3 * HOUR),
  ...changes,
});

interface Soil {
  readonly daysToStress: number | null;
  readonly deficitMm?: number | null;
  readonly lossMmPerDay?: number;
}

const decide = (
  times: WaterTimes | null,
  { daysToStress, deficitMm = 30, lossMmPerDay = 5 }: Soil,
) =>
  decideTurn(
    times,
    { daysToStress, deficitMm, lossMmPerDay, appliedPerMm: 1 },
    { now: NOW, zone: 'UTC' },
  );

describe('the decision about the next turn', () => {
  it('is none where water comes at any time', () => {
    expect(decide(null, { daysToStress: 1 })).toBeNull();
    expect(decide({ ...NO_WATER_TIMES, leastMm: 30 }, { daysToStress: 1 })).toBeNull();
  });

  // Almonds with a turn each eighth day, 28 mm of rain two days ago: stress in 5.6 days.
  it('is to take a turn before which the crop would suffer', () => {
    expect(decide(turnOf(8), { daysToStress: 5.6 })).toMatchObject({
      verdict: 'take',
      isLate: false,
      stressAt: NOW + 5.6 * DAY,
      followingAt: NOW + 8 * DAY + 3 * HOUR,
    });
  });

  // The one after it comes in 4.1 days, whose forecast may be wrong by 2.8.
  it('is to skip one of which the crop surely lasts until the next', () => {
    expect(decide(turnOf(4), { daysToStress: 7.5 })?.verdict).toBe('skip');
    expect(decide(turnOf(4), { daysToStress: 6.5 })?.verdict).toBe('take');
  });

  it.each([null, 14])('is unknown with %s days to stress', (daysToStress) => {
    const decision = decide(turnOf(2), { daysToStress, deficitMm: 0 });
    expect(decision).toMatchObject({ verdict: 'unknown', stressAt: null, fullLastsDays: null });
  });

  it('says that water comes too late', () => {
    const times = turnOf(8, { turnAt: iso(NOW + 4 * DAY) });
    expect(decide(times, { daysToStress: 2 })).toMatchObject({
      verdict: 'take',
      isLate: true,
      stressAt: NOW + 2 * DAY,
      next: { start: NOW + 4 * DAY },
    });
  });

  it('says when to order it', () => {
    const times = turnOf(8, { noticeHours: 48, turnAt: iso(NOW + 3 * DAY) });
    expect(decide(times, { daysToStress: 6 })?.orderBy).toBe(NOW + DAY);
  });

  // Room for 6 of 50 mm: 44 would drain.
  it('is open where more than half of the least dose would drain', () => {
    const times = turnOf(8, { leastMm: 50, turnAt: iso(NOW) });
    expect(decide(times, { daysToStress: 5.6, deficitMm: 6 })).toMatchObject({
      verdict: 'open',
      drainedMm: 44,
      stressAt: NOW + 5.6 * DAY,
    });
    expect(decide(times, { daysToStress: 5.6, deficitMm: 25 })).toMatchObject({
      verdict: 'take',
      drainedMm: null,
    });
  });

  // It lacks 30 mm after 6 days of 5 mm, and lasts another 3.
  it('says that full soil does not last from one turn to the next', () => {
    expect(decide(turnOf(10), { daysToStress: 3 })?.fullLastsDays).toBe(9);
    expect(decide(turnOf(8), { daysToStress: 3 })?.fullLastsDays).toBeNull();
  });

  it('never skips a turn unless the crop lasts until the one after it, error included', () => {
    const anyDays = fc.option(fc.double({ min: 0, max: 20, noNaN: true }));
    fc.assert(
      fc.property(
        anyDays,
        fc.integer({ min: 1, max: 30 }),
        fc.option(fc.double({ min: 0, max: 80, noNaN: true })),
        fc.option(fc.integer({ min: 1, max: 96 })),
        (daysToStress, everyDays, leastMm, noticeHours) => {
          const decision = decide(turnOf(everyDays, { leastMm, noticeHours }), { daysToStress })!;
          if (daysToStress === null || daysToStress >= 14) expect(decision.verdict).toBe('unknown');
          else if (decision.verdict === 'skip') {
            const ahead = (decision.followingAt! - NOW) / DAY;
            expect(ahead + forecastErrorDays(ahead)).toBeLessThan(daysToStress);
          }
          expect(decision.drainedMm !== null).toBe(decision.verdict === 'open');
          if (decision.orderBy !== null) expect(decision.orderBy).toBeGreaterThanOrEqual(NOW);
        },
      ),
      { numRuns: propertyRuns(1000) },
    );
  });

  it('counts on an error that grows with the days ahead', () => {
    expect([0, 1, 3, 7, 11].map(forecastErrorDays).map((days) => Number(days.toFixed(1)))).toEqual([
      0.9, 1.6, 2.3, 4.1, 5.9,
    ]);
    expect(surelyLastsUntil(13.9, 8)).toBe(true);
    expect(surelyLastsUntil(14, 1)).toBe(false);
  });
});
