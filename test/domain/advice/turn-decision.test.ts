import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forecastErrorDays } from '../../../src/domain/advice/forecast-error.ts';
import { decideTurn, runLimits } from '../../../src/domain/advice/turn-decision.ts';
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
  readonly waterings?: Parameters<typeof decideTurn>[1]['waterings'];
}

const decide = (
  times: WaterTimes | null,
  { daysToStress, deficitMm = 30, lossMmPerDay = 5, waterings = [] }: Soil,
) =>
  decideTurn(
    times,
    { daysToStress, deficitMm, lossMmPerDay, appliedPerMm: 1, waterings },
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
      isToday: true,
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
      nextAt: NOW + 4 * DAY,
      isToday: false,
    });
  });

  it('says when to order it', () => {
    const times = turnOf(8, { noticeHours: 48, turnAt: iso(NOW + 3 * DAY) });
    expect(decide(times, { daysToStress: 6 })?.orderBy).toBe(NOW + DAY);
  });

  describe('of a turn that is too late to order', () => {
    const times = turnOf(8, { noticeHours: 48 });
    const inTurn = (status: 'planned' | 'done' | 'skipped') =>
      decide(times, { daysToStress: 6, waterings: [{ startedAt: NOW + 4 * HOUR, status }] });
    const turnAt = NOW + 3 * HOUR;

    it('says so, because nobody knows here whether it was ordered', () => {
      expect(decide(times, { daysToStress: 6 })).toMatchObject({
        nextAt: turnAt + 8 * DAY,
        isLate: true,
        orderBy: turnAt + 6 * DAY,
        missedAt: turnAt,
      });
      expect(inTurn('skipped')).toEqual(decide(times, { daysToStress: 6 }));
    });

    it('counts it as ordered where a watering is planned in it', () => {
      expect(inTurn('planned')).toMatchObject({
        verdict: 'take',
        nextAt: turnAt,
        isLate: false,
        orderBy: null,
        missedAt: null,
      });
    });

    it('asks no more for it once a watering was done in it', () => {
      expect(inTurn('done')).toMatchObject({ nextAt: turnAt + 8 * DAY, missedAt: null });
    });
  });

  it('is about the one after a turn that runs and in which water was given', () => {
    const running = turnOf(8, { turnAt: iso(NOW - 3 * HOUR) });
    const waterings = [{ startedAt: NOW - 2 * HOUR, status: 'done' }] as const;
    const next = { nextAt: NOW - 3 * HOUR, isToday: true };
    expect(decide(running, { daysToStress: 6 })).toMatchObject(next);
    expect(decide(running, { daysToStress: 9, waterings })).toMatchObject({
      verdict: 'take',
      nextAt: NOW + 8 * DAY - 3 * HOUR,
      isToday: false,
    });
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
    // The one between these two is dropped.
    const dropped = [{ from: iso(NOW + 8 * DAY), to: null }];
    expect(decide(turnOf(8, { moved: dropped }), { daysToStress: 3 })?.fullLastsDays).toBeNull();
  });

  it('gives no verdict where the soil has no room', () => {
    const soil = { daysToStress: 5.6, deficitMm: 0, lossMmPerDay: 5 };
    const now = turnOf(8, { turnAt: iso(NOW) });
    expect(decide(now, soil)).toMatchObject({ verdict: 'open', drainedMm: null });
    // In two days it has room for 10 mm.
    const later = turnOf(8, { turnAt: iso(NOW + 2 * DAY) });
    expect(decide(later, soil)?.verdict).toBe('take');
    expect(decide(now, { ...soil, deficitMm: 2 })?.verdict).toBe('take');
  });

  describe('at the end of the season of water', () => {
    const season = { seasonFrom: '04-01', seasonUntil: '06-10' };

    it('is about the last turn, after which no water comes', () => {
      expect(decide(turnOf(8, season), { daysToStress: 7.5 })).toMatchObject({
        verdict: 'take',
        followingAt: null,
        stressAt: NOW + 7.5 * DAY,
      });
      expect(decide(turnOf(4, season), { daysToStress: 7.5 })?.followingAt).not.toBeNull();
    });

    it('waits for the next season, also where water comes at any time of it', () => {
      const spring = { ...season, seasonUntil: '05-31' };
      for (const times of [turnOf(8, spring), { ...NO_WATER_TIMES, ...spring }]) {
        const decision = decide(times, { daysToStress: 3 });
        expect(decision).toMatchObject({ isLate: true, stressAt: NOW + 3 * DAY });
        expect(iso(decision!.nextAt)).toMatch(/^2027-04-0/);
      }
    });
  });

  describe('limits a run', () => {
    const limits = (times: WaterTimes, hoursPerDay = 24) =>
      runLimits(times, decide(times, { daysToStress: 5 }), hoursPerDay, { now: NOW, zone: 'UTC' });

    it('to what is left of a turn, and the hours of a day', () => {
      const running = turnOf(8, { turnAt: iso(NOW - 2 * HOUR), untilTime: '11:00' });
      expect(limits(running)).toEqual({ hoursPerDay: 6, longestMin: 4 * 60 });
      expect(limits(running, 3)).toEqual({ hoursPerDay: 3, longestMin: 3 * 60 });
      expect(limits(turnOf(8))).toEqual({ hoursPerDay: 24, longestMin: 24 * 60 });
    });

    it('less the pauses between runs', () => {
      const runs = { longestRunMin: 60, pauseMin: 60 };
      const running = turnOf(8, { turnAt: iso(NOW - 2 * HOUR), untilTime: '11:00', ...runs });
      expect(limits(running)).toEqual({ hoursPerDay: 3, longestMin: 2 * 60 });
      expect(limits({ ...NO_WATER_TIMES, ...runs })).toEqual({ hoursPerDay: 12, longestMin: null });
    });

    it('to a part each day where water comes each day', () => {
      const nights = { ...NO_WATER_TIMES, fromTime: '22:00', untilTime: '06:00' };
      expect(limits(nights)).toEqual({ hoursPerDay: 8, longestMin: null });
      expect(limits(NO_WATER_TIMES, 5)).toEqual({ hoursPerDay: 5, longestMin: null });
    });
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
});
