import { describe, expect, it } from 'vitest';
import {
  doubtedWaterings,
  isOnDayOf,
  isOneOf,
} from '../../../../src/domain/advice/review/log-story.ts';
import { DAY, HOUR } from '../../../time.ts';

const EARLY_DAYS = [6, 4, 3];
const early = {
  hours: 9,
  startedAt: EARLY_DAYS.map((day) => day * DAY),
  roseAt: EARLY_DAYS.map((day) => day * DAY - 9 * HOUR),
};
const unseen = { startedAt: [12 * DAY, 9 * DAY], areScheduled: false };
const logShift = {
  days: 1,
  startedAt: [9 * DAY],
  roseAt: [10 * DAY],
  isEitherWay: false,
  rises: [10 * DAY],
  record: { start: 0, end: 14 * DAY },
};

describe('the waterings that an advice doubts', () => {
  it('are those of a shifted log, else those that no depth showed and those with wrong hours', () => {
    expect(doubtedWaterings({ unseen, logShift, early })).toEqual({
      startedAt: [9 * DAY],
      roseAt: [10 * DAY],
    });
    expect(doubtedWaterings({ unseen, logShift: null, early })).toEqual({
      startedAt: [...unseen.startedAt, ...early.startedAt],
      roseAt: early.roseAt,
    });
    expect(doubtedWaterings({ unseen: null, logShift: null })).toEqual({
      startedAt: [],
      roseAt: [],
    });
  });

  it('are none with wrong hours where these are too few', () => {
    const few = { hours: 9, startedAt: [3 * DAY], roseAt: [3 * DAY - 9 * HOUR] };
    expect(doubtedWaterings({ unseen: null, logShift: null, early: few })).toEqual({
      startedAt: [],
      roseAt: [],
    });
  });

  it('explain each rise of a probe that was exchanged, as water of the other block', () => {
    const shown = { ...logShift, rises: [10 * DAY, 13 * DAY] };
    const { roseAt } = doubtedWaterings({ unseen: null, logShift: shown, exchangedWith: 2 });
    expect(roseAt).toEqual([10 * DAY, 13 * DAY]);
  });

  it('include all pulses of their local days', () => {
    // 22:00 in Paris, and 01:00 there.
    expect(isOnDayOf([9 * DAY + 6 * HOUR], 9 * DAY + 21 * HOUR, 'Europe/Paris')).toBe(true);
    expect(isOnDayOf([9 * DAY + 6 * HOUR], 10 * DAY, 'Europe/Paris')).toBe(false);
  });

  it('rose within three hours of what other readings show', () => {
    expect(isOneOf([10 * DAY], 10 * DAY - 3 * HOUR)).toBe(true);
    expect(isOneOf([10 * DAY], 10 * DAY + 4 * HOUR)).toBe(false);
  });
});
