import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Draw,
  type PlannedDraw,
  type ShortSource,
  shortSources,
} from '../../../../src/domain/advice/farm/shared-water.ts';
import { NO_WATER_TIMES, type WaterTimes } from '../../../../src/domain/moisture/water-times.ts';
import { propertyRuns } from '../../../property-runs.ts';

const ZONE = 'Europe/Madrid';
const NOW = Date.parse('2026-07-01T06:00+02:00');
const draw = (parcelId: number, hours: number, daysToStress: number | null = 2): Draw => ({
  parcelId,
  moduleId: null,
  minutes: 60 * hours,
  daysToStress,
});

const short = (
  waterTimes: Partial<WaterTimes> | null,
  draws: readonly Draw[],
  planned: readonly PlannedDraw[] = [],
): ShortSource | undefined =>
  shortSources(
    [
      {
        name: 'Pump',
        waterTimes: waterTimes && { ...NO_WATER_TIMES, ...waterTimes },
        parcelIds: [1, 2, 3, 4, 5],
      },
    ],
    draws,
    planned,
    { now: NOW, zone: ZONE },
  )[0];

/** "2 at 1 Jul, 1 at 2 Jul (late)" */
const order = (source: ShortSource | undefined): string | undefined =>
  source?.shares
    .map(({ parcelId, startsAt, isAfterStress }) => {
      const day = new Date(startsAt).toLocaleDateString('en-GB', {
        timeZone: ZONE,
        day: 'numeric',
      });
      return `${parcelId} on ${day}${isAfterStress ? ' (late)' : ''}`;
    })
    .join(', ');

describe('a source whose hours do not suffice', () => {
  it.each<[string, string | undefined, ShortSource | undefined]>([
    ['is none where they do', undefined, short({ hoursPerDay: 10 }, [draw(1, 6), draw(2, 4)])],
    [
      'waters first what suffers first',
      '2 on 1, 1 on 2 (late)',
      short({ hoursPerDay: 10 }, [draw(1, 6, 0.5), draw(2, 5, 0.2)]),
    ],
    [
      'uses what is left of a day for who fits in it',
      '1 on 1, 2 on 2, 3 on 1',
      short({ hoursPerDay: 10 }, [draw(1, 6, 1), draw(2, 5, 2), draw(3, 4, 3)]),
    ],
    [
      'has what is left of the day where nobody said how many hours',
      '1 on 1, 2 on 2',
      short(null, [draw(1, 10), draw(2, 9)]),
    ],
    [
      'has less once a watering is planned from it',
      '1 on 2',
      short(
        { hoursPerDay: 10 },
        [draw(1, 6)],
        [{ parcelId: 5, startedAt: NOW + 1000, minutes: 300 }],
      ),
    ],
    [
      'gives water again at its next turn',
      '1 on 1, 2 on 5 (late)',
      short({ everyHours: 96, turnAt: '2026-07-01T05:00+02:00', untilTime: '12:00' }, [
        draw(1, 4),
        draw(2, 4),
      ]),
    ],
    [
      'begins what takes longer than any day with a whole one',
      '1 on 1, 2 on 2 (late), 3 on 3',
      short({ hoursPerDay: 4 }, [draw(1, 3, 0), draw(2, 9, 0.5), draw(3, 2, 5)]),
    ],
    ['is none for parcels of others', undefined, short({ hoursPerDay: 1 }, [draw(9, 6)])],
  ])('%s', (_, expected, source) => {
    expect(order(source)).toBe(expected);
  });

  it('says what it gives and what is needed', () => {
    expect(short({ hoursPerDay: 10 }, [draw(1, 6), draw(2, 5)])).toMatchObject({
      name: 'Pump',
      givenMin: 600,
      neededMin: 660,
    });
  });

  it('gives each its time, no day more than it has, and none later than one with later stress that needs as much', () => {
    const draws = fc.array(
      fc.record({
        hours: fc.integer({ min: 1, max: 8 }),
        daysToStress: fc.integer({ min: 0, max: 9 }),
      }),
      { minLength: 1, maxLength: 5 },
    );
    fc.assert(
      fc.property(draws, fc.integer({ min: 8, max: 16 }), (asked, hoursPerDay) => {
        const source = short(
          { hoursPerDay },
          asked.map(({ hours, daysToStress }, index) => draw(index + 1, hours, daysToStress)),
        );
        if (source === undefined) return;
        expect(source.shares).toHaveLength(asked.length);
        const byDay = new Map<number, number>();
        for (const { startsAt, minutes } of source.shares)
          byDay.set(startsAt, (byDay.get(startsAt) ?? 0) + minutes);
        for (const minutes of byDay.values()) expect(minutes).toBeLessThanOrEqual(60 * hoursPerDay);
        for (const [index, share] of source.shares.entries())
          for (const later of source.shares.slice(index + 1))
            if (later.minutes >= share.minutes)
              expect(share.startsAt).toBeLessThanOrEqual(later.startsAt);
      }),
      { numRuns: propertyRuns(300) },
    );
  });
});
