import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  DOUBT_REASONS,
  type DoubtReason,
  doubtsOf,
  followDoubts,
  type LastingDoubt,
} from '../../../src/domain/advice/lasting-doubts.ts';
import { reasonWith } from '../../../src/domain/advice/reason.ts';
import { REASON_KINDS, type ReasonKind } from '../../../src/domain/advice/reason-kinds.ts';
import { DAY_MS, HOUR_MS } from '../../../src/domain/periods.ts';

/** Returns what is reported when the advice of these instants, in hours, gives the reasons. */
function reportsOver(course: readonly (readonly [hour: number, ...reasons: DoubtReason[]])[]) {
  let recorded: readonly LastingDoubt[] = [];
  return course.flatMap(([hour, ...reasons]) => {
    const { doubts, reported } = followDoubts(recorded, reasons, hour * HOUR_MS);
    recorded = doubts;
    return reported.map(({ reason, since }) => `${hour} ${reason} since ${since / HOUR_MS}`);
  });
}

const adviceWith = (...kinds: readonly ReasonKind[]) => ({
  reasons: kinds.map((kind) => reasonWith(kind, {})),
});

describe('the doubts of an advice', () => {
  it('are those that are always checked, but that of a new probe', () => {
    expect(doubtsOf(adviceWith('NEW_PROBE', 'RECENT_WATERING', 'NO_RESPONSE', 'GAPS'))).toEqual([
      'NO_RESPONSE',
    ]);
  });

  it.each(['AT_REST', 'REST_UNKNOWN', 'FROZEN'] as const)('are none where it is %s', (season) =>
    expect(doubtsOf(adviceWith(season, 'SENSOR_STUCK'))).toEqual([]),
  );

  it('have a reason that the advice gives, in its order', () =>
    fc.assert(
      fc.property(fc.subarray([...REASON_KINDS]), (reasons) => {
        const doubts = doubtsOf(adviceWith(...reasons));
        expect(reasons.filter((reason) => (doubts as readonly string[]).includes(reason))).toEqual(
          doubts,
        );
      }),
    ));
});

describe('a doubt', () => {
  it('is reported once it has lasted for two days, and only once', () =>
    expect(reportsOver([0, 24, 47, 48, 49, 96, 200].map((hour) => [hour, 'SENSOR_STUCK']))).toEqual(
      ['48 SENSOR_STUCK since 0'],
    ));

  it('goes on after less than a day without it', () =>
    expect(
      reportsOver([
        [0, 'NO_RESPONSE'],
        [24],
        [47, 'NO_RESPONSE'],
        [48, 'NO_RESPONSE'],
        [60],
        [83, 'NO_RESPONSE'],
        [140, 'NO_RESPONSE'],
      ]),
    ).toEqual(['48 NO_RESPONSE since 0']));

  it('is a new one after a day without it', () =>
    expect(
      reportsOver([[0, 'TOO_WET'], [48, 'TOO_WET'], [50], [74], [75, 'TOO_WET'], [123, 'TOO_WET']]),
    ).toEqual(['48 TOO_WET since 0', '123 TOO_WET since 75']));

  it('is reported apart from others of the probe', () =>
    expect(
      reportsOver([
        [0, 'SENSOR_STUCK'],
        [24, 'SENSOR_STUCK', 'SENSOR_NOISY'],
        [48, 'SENSOR_STUCK', 'SENSOR_NOISY'],
        [72, 'SENSOR_STUCK', 'SENSOR_NOISY'],
      ]),
    ).toEqual(['48 SENSOR_STUCK since 0', '72 SENSOR_NOISY since 24']));

  it('that was recorded while a clock was ahead begins now', () => {
    const ahead = { goneSince: null, messagedAt: null, since: 400 * DAY_MS };
    const { doubts } = followDoubts([{ ...ahead, reason: 'TOO_WET' }], ['TOO_WET'], DAY_MS);
    expect(doubts).toEqual([{ ...ahead, reason: 'TOO_WET', since: DAY_MS }]);
  });

  it('is reported at most every three days, however it comes and goes', () => {
    const days = fc.array(fc.tuple(fc.integer({ min: 1, max: 40 }), fc.boolean()), {
      maxLength: 40,
    });
    fc.assert(
      fc.property(days, fc.constantFrom(...DOUBT_REASONS), (steps, reason) => {
        let hour = 0;
        const course = steps.map(([hours, isDoubted]) => {
          hour += hours;
          return isDoubted ? ([hour, reason] as const) : ([hour] as const);
        });
        const hours = reportsOver(course).map((text) => Number(text.split(' ')[0]));
        for (const [index, at] of hours.entries())
          if (index > 0) expect(at - hours[index - 1]!).toBeGreaterThanOrEqual(72);
      }),
    );
  });
});
