import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  countOccurrences,
  type Occurrence,
  type OccurrenceWindow,
  type PlannedOccurrence,
} from '../../../src/domain/irrigation/occurrence-planner.ts';
import { planRegeneration } from '../../../src/domain/irrigation/regeneration-plan.ts';
import { HOUR } from '../../time.ts';

const NOW = Date.UTC(2026, 6, 1, 10);
const DAY_MS = 24 * HOUR;

const window = (target: number | null, days: readonly number[]): OccurrenceWindow => ({
  timezone: 'Europe/Paris',
  input: { amount: { mode: 'duration', value: 30 }, durationMin: 30 },
  moduleIds: [target],
  times: days.map((day) => {
    const startedAt = NOW + day * DAY_MS;
    return { startedAt, scheduledStart: `${new Date(startedAt).toISOString().slice(0, 10)}T12:00` };
  }),
  equipmentAt: () => null,
  now: NOW,
});

const rowsOf = (planned: readonly PlannedOccurrence[]): Occurrence[] =>
  planned.map(({ input, dose, ...row }, index) => ({
    ...row,
    ...input,
    ...dose,
    id: index + 1,
    status: 'planned',
    isDetached: false,
  }));

const withoutTarget = (plan: ReturnType<typeof planRegeneration>) =>
  JSON.stringify(plan, (key, value) => (key === 'moduleId' ? undefined : value));

const anyDays = fc
  .uniqueArray(fc.integer({ min: 1, max: 20 }), { maxLength: 8 })
  .map((days) => days.sort((a, b) => a - b));

it('plans a parcel without a probe as it plans one probe', () => {
  fc.assert(
    fc.property(anyDays, anyDays, (before, after) => {
      const plans = [7, null].map((target) => {
        const first = planRegeneration(window(target, before), []);
        const next = planRegeneration(window(target, after), rowsOf(first.add));
        for (const { moduleId } of [...first.add, ...next.add]) expect(moduleId).toBe(target);
        return withoutTarget(next);
      });
      expect(plans[1]).toBe(plans[0]);
    }),
  );
});

it('counts no probe where it waters the parcel itself', () => {
  expect(countOccurrences(window(null, [1, 2]))).toMatchObject({ count: 2, probes: 0 });
  expect(countOccurrences(window(7, [1, 2]))).toMatchObject({ count: 2, probes: 1 });
});
