import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { farmPlan } from '../../../../src/domain/advice/farm/farm-plan.ts';
import { runPeriod } from '../../../../src/domain/facts/watering-facts.ts';
import { FARM_NOW, HOUR, MINUTE } from '../../../farm.ts';
import { wateringOf } from './farm-probes.ts';

// Noon in Paris, so that the day ends in twelve hours.
const NOON = { now: FARM_NOW, zone: 'Europe/Paris' };
const NO_SCHEDULES = new Map();

const anyPlanned = fc
  .array(
    fc.record({
      moduleId: fc.integer({ min: 1, max: 4 }),
      startedAt: fc.integer({ min: -20, max: 40 }).map((hours) => FARM_NOW + hours * HOUR),
      durationMin: fc.constantFrom(null, 30, 300),
      waterMm: fc.constantFrom(null, 0.1, 2.00049, 7),
    }),
    { maxLength: 12 },
  )
  .map((rows) =>
    rows
      .map((row, index) => wateringOf({ id: index + 1, ...row }))
      .sort((a, b) => a.startedAt - b.startedAt || a.id - b.id),
  );

describe('the plan of a farm', () => {
  it('has each watering once: over, newest first, or under way and ahead, oldest first', () => {
    fc.assert(
      fc.property(anyPlanned, (planned) => {
        const { toConfirm, upcoming } = farmPlan(planned, NO_SCHEDULES, NOON);
        expect([...toConfirm.toReversed(), ...upcoming].toSorted((a, b) => a.id - b.id)).toEqual(
          planned.toSorted((a, b) => a.id - b.id),
        );
        for (const watering of toConfirm)
          expect(runPeriod(watering).end).toBeLessThanOrEqual(FARM_NOW);
        for (const watering of upcoming) expect(runPeriod(watering).end).toBeGreaterThan(FARM_NOW);
        expect(upcoming).toEqual(planned.filter((watering) => upcoming.includes(watering)));
      }),
    );
  });

  it('has the doses until local midnight, as answers show them', () => {
    const midnight = FARM_NOW + 12 * HOUR;
    const planned = [
      wateringOf({ startedAt: FARM_NOW - 10 * MINUTE, waterMm: 2.00049 }),
      wateringOf({ startedAt: midnight - 1, waterMm: null }),
      wateringOf({ startedAt: midnight }),
    ];
    expect([...farmPlan(planned, NO_SCHEDULES, NOON).dosesToday]).toEqual([[1, [2, null]]]);
  });

  it('leaves what housekeeping confirms to it', () => {
    const schedule = {
      confirmationPolicy: 'auto',
      isActive: true,
      // It planned 90 days ahead yesterday.
      materializedUntil: FARM_NOW + 89 * 24 * HOUR,
    } as const;
    const [own, automatic, changed] = [
      wateringOf({ id: 1, startedAt: FARM_NOW - 3 * HOUR }),
      wateringOf({ id: 2, startedAt: FARM_NOW - 2 * HOUR, scheduleId: 5 }),
      wateringOf({ id: 3, startedAt: FARM_NOW - HOUR, scheduleId: 5, isDetached: true }),
    ] as const;
    const { toConfirm } = farmPlan([own, automatic, changed], new Map([[5, schedule]]), NOON);
    expect(toConfirm).toEqual([changed, own]);
  });
});
