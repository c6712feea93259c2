import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  compareByShortfall,
  compareLatestFirst,
  groupByShared,
  mostCommonReason,
  spanOf,
  topRows,
} from '../../../../src/domain/advice/farm/brief-lists.ts';
import {
  compareByNeed,
  needsWaterToday,
  remainingNeed,
} from '../../../../src/domain/advice/farm/water-need.ts';
import { isConfirmedAutomatically } from '../../../../src/domain/irrigation/confirmation.ts';
import { DAY, FARM_NOW } from '../../../farm.ts';

describe('a probe needs water today', () => {
  const need = (waterMm: number | null, daysToStress: number | null) => ({ waterMm, daysToStress });

  it('when it is under stress or will be within a day', () => {
    const days = [0, 0.9, 1, 1.1, 20, null].filter((each) => needsWaterToday(need(12, each), []));
    expect(days).toEqual([0, 0.9, 1]);
  });

  it('unless today’s planned doses suffice', () => {
    expect(needsWaterToday(need(12, 0), [5, 6.9])).toBe(true);
    expect(needsWaterToday(need(12, 0), [5, 7])).toBe(false);
    expect([3.9, 4].map((mm) => needsWaterToday(need(12, 0), [mm], 3))).toEqual([true, false]);
  });

  it('when the planned dose or the need is unknown', () => {
    expect(needsWaterToday(need(12, 0), [null])).toBe(true);
    expect(needsWaterToday(need(null, 0), [100])).toBe(true);
  });

  it('not without a deficit', () => expect(needsWaterToday(need(0, 0), [])).toBe(false));
});

describe('the remaining need', () => {
  it('is what the planned doses leave, in minutes in proportion', () => {
    expect(remainingNeed({ waterMm: 8, durationMin: 80 }, [1.5, 0.5])).toEqual({
      mm: 6,
      minutes: 60,
      todayMin: 60,
    });
    expect(remainingNeed({ waterMm: 8, durationMin: null }, [2])).toEqual({
      mm: 6,
      minutes: null,
      todayMin: null,
    });
  });

  it('is the whole need without a plan, or with an unknown dose', () => {
    const need = { waterMm: 8, durationMin: 80 };
    for (const planned of [[], [null], [2, null]])
      expect(remainingNeed(need, planned)).toEqual({ mm: 8, minutes: 80, todayMin: 80 });
    expect(remainingNeed({ waterMm: null, durationMin: null }, [2])).toEqual({
      mm: null,
      minutes: null,
      todayMin: null,
    });
  });

  // 80 min in 2 days are 40 a day, of which 1 mm gives 10.
  it('has today’s share of a duration of several days', () => {
    expect(remainingNeed({ waterMm: 8, durationMin: 80 }, [1], 2)).toEqual({
      mm: 7,
      minutes: 70,
      todayMin: 30,
    });
  });

  it('spans the known values', () => {
    expect(spanOf([244, null, 148, 340])).toEqual({ least: 148, most: 340 });
    expect(spanOf([null])).toBeNull();
  });
});

it('probes are grouped by their shared setup, in order; those without one are alone', () => {
  const keyOf = (probe: string): number | null =>
    probe.startsWith('own') ? null : Number(probe[0]);
  fc.assert(
    fc.property(fc.uniqueArray(fc.stringMatching(/^(own|[0-3])[a-z]{3}$/)), (probes) => {
      const groups = groupByShared(probes, keyOf);
      expect(groups.flat().toSorted()).toEqual(probes.toSorted());
      expect(groups.map(([first]) => probes.indexOf(first!))).toEqual(
        groups.map(([first]) => probes.indexOf(first!)).toSorted((a, b) => a - b),
      );
      for (const group of groups)
        expect(new Set(group.map((each) => keyOf(each) ?? each)).size).toBe(1);
      expect(new Set(groups.map(([first]) => keyOf(first!) ?? first)).size).toBe(groups.length);
    }),
  );
});

describe('the most urgent comes first', () => {
  it('of needs: sooner stress, then the larger need', () => {
    const rows = [
      { daysToStress: 1, waterMm: 30 },
      { daysToStress: 0, waterMm: null },
      { daysToStress: 0, waterMm: 8 },
      { daysToStress: 0.5, waterMm: 2 },
      { daysToStress: 0, waterMm: 20 },
    ];
    expect(
      topRows(rows, 9, compareByNeed).rows.map((row) => [row.daysToStress, row.waterMm]),
    ).toEqual([
      [0, 20],
      [0, 8],
      [0, null],
      [0.5, 2],
      [1, 30],
    ]);
  });

  it('of alerts: further below the threshold, without a value last', () => {
    const rows = [
      { threshold: 20, value: null },
      { threshold: 20, value: 19 },
      { threshold: 9.5, value: 4.5 },
      { threshold: 20, value: 22 },
    ];
    expect(topRows(rows, 9, compareByShortfall).rows.map((row) => row.value)).toEqual([
      4.5,
      19,
      22,
      null,
    ]);
  });

  it('of instants: the latest, null last', () => {
    const times = [null, FARM_NOW - DAY, FARM_NOW, null];
    expect([...times].sort(compareLatestFirst)).toEqual([times[2], times[1], null, null]);
  });

  it('and the rest is counted', () => {
    fc.assert(
      fc.property(fc.array(fc.integer()), fc.integer({ min: 1, max: 20 }), (rows, limit) => {
        const { rows: shown, leftOut } = topRows(rows, limit, (a, b) => a - b);
        expect(shown).toEqual([...rows].sort((a, b) => a - b).slice(0, limit));
        expect(shown.length + leftOut).toBe(rows.length);
      }),
    );
  });
});

describe('a past planned watering', () => {
  // Housekeeping ran until now, so its occurrences reach 90 days ahead.
  const schedule = {
    confirmationPolicy: 'auto',
    isActive: true,
    materializedUntil: FARM_NOW + 90 * DAY,
  } as const;

  it('counts as done when its schedule was not settled since', () => {
    expect(isConfirmedAutomatically(FARM_NOW + 1, false, schedule)).toBe(true);
    expect(isConfirmedAutomatically(FARM_NOW, false, schedule)).toBe(false);
  });

  it('waits for a person when it was corrected, or its schedule is manual, inactive or absent', () => {
    expect(isConfirmedAutomatically(FARM_NOW + 1, true, schedule)).toBe(false);
    expect(
      isConfirmedAutomatically(FARM_NOW + 1, false, { ...schedule, confirmationPolicy: 'manual' }),
    ).toBe(false);
    expect(isConfirmedAutomatically(FARM_NOW + 1, false, { ...schedule, isActive: false })).toBe(
      false,
    );
    expect(
      isConfirmedAutomatically(FARM_NOW + 1, false, { ...schedule, materializedUntil: null }),
    ).toBe(false);
    expect(isConfirmedAutomatically(FARM_NOW + 1, false, undefined)).toBe(false);
  });
});

describe('a missing dose', () => {
  it('counts for the most common reason', () => {
    expect(
      mostCommonReason(['MISSING_FLOW_RATE', 'MISSING_IRRIGATED_AREA', 'MISSING_IRRIGATED_AREA']),
    ).toBe('MISSING_IRRIGATED_AREA');
    expect(mostCommonReason(['MISSING_IRRIGATED_AREA', 'MISSING_FLOW_RATE'])).toBe(
      'MISSING_FLOW_RATE',
    );
  });
});
