import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  earliestScheduledStart,
  instantOfStart,
  type Recurrence,
  scheduledTimesWithin,
} from '../../../src/domain/irrigation/recurrence.ts';
import { propertyRuns } from '../../property-runs.ts';
import { DAY, MINUTE } from '../../time.ts';

const daily = (changes: Partial<Recurrence> = {}): Recurrence => ({
  freq: 'daily',
  intervalDays: 1,
  weekdays: null,
  startTimes: ['06:00'],
  timezone: 'Europe/Paris',
  startsOn: '2025-01-01',
  endsOn: null,
  ...changes,
});
const weekly = (weekdays: number[], changes: Partial<Recurrence> = {}): Recurrence =>
  daily({ freq: 'weekly', intervalDays: null, weekdays, ...changes });

/** Instants as "2025-03-30T01:30Z", with their times. */
const slotTexts = (rule: Recurrence, from: string, to: string): [string, string][] =>
  scheduledTimesWithin(rule, Date.parse(from), Date.parse(to)).map(
    ({ scheduledStart, startedAt }) => [scheduledStart, utc(startedAt)],
  );
const utc = (at: number): string => new Date(at).toISOString().replace(':00.000Z', 'Z');

/** Zone, local date, start times of the day, and the occurrences that follow. */
const CLOCK_CHANGES: [string, string, string[], [string, string][]][] = [
  ['Europe/Paris', '2025-03-30', ['02:30'], [['02:30', '2025-03-30T01:30Z']]],
  ['Europe/Paris', '2025-03-30', ['03:30'], [['03:30', '2025-03-30T01:30Z']]],
  ['Europe/Paris', '2025-03-30', ['02:30', '03:30'], [['02:30', '2025-03-30T01:30Z']]],
  ['Europe/Paris', '2025-10-26', ['02:30'], [['02:30', '2025-10-26T00:30Z']]],
  ['America/New_York', '2025-11-02', ['01:30'], [['01:30', '2025-11-02T05:30Z']]],
  ['Australia/Lord_Howe', '2025-10-05', ['02:15'], [['02:15', '2025-10-04T15:45Z']]],
  ['Australia/Lord_Howe', '2025-10-05', ['02:15', '02:45'], [['02:15', '2025-10-04T15:45Z']]],
  ['America/Santiago', '2025-09-07', ['00:00'], [['00:00', '2025-09-07T04:00Z']]],
  ['Asia/Beirut', '2025-03-30', ['00:00'], [['00:00', '2025-03-29T22:00Z']]],
  // From UTC-10 to UTC+14 with no 30 December: 06:00 at UTC-10 is 16:00Z, when clocks show 06:00 on
  // the 31st.
  ['Pacific/Apia', '2011-12-30', ['06:00'], [['06:00', '2011-12-30T16:00Z']]],
];

const onDay = (zone: string, day: string, startTimes: string[]): [string, string][] =>
  slotTexts(
    daily({ timezone: zone, startTimes, startsOn: day, endsOn: day }),
    utc(Date.parse(day) - 2 * DAY),
    utc(Date.parse(day) + 3 * DAY),
  ).map(([scheduledStart, at]) => [scheduledStart.slice(11), at]);

describe('occurrences across a change of clocks', () => {
  it.each(CLOCK_CHANGES)('%s on %s at %j', (zone, day, startTimes, expected) => {
    expect(onDay(zone, day, startTimes)).toEqual(expected);
  });

  it('gives one occurrence for the day that Apia skipped and the next', () => {
    const rule = daily({ timezone: 'Pacific/Apia', startsOn: '2011-12-29' });
    expect(slotTexts(rule, '2011-12-29T00:00Z', '2012-01-01T00:00Z')).toEqual([
      ['2011-12-29T06:00', '2011-12-29T16:00Z'],
      ['2011-12-30T06:00', '2011-12-30T16:00Z'],
      ['2012-01-01T06:00', '2011-12-31T16:00Z'],
    ]);
  });

  it('includes midnight of its first pass when clocks then show yesterday again', () => {
    // St. John's went from 00:01 on 7 November 2010 (UTC-2:30) back to 23:01 on the 6th.
    const rule = daily({
      timezone: 'America/St_Johns',
      startTimes: ['00:00', '23:30'],
      startsOn: '2010-11-06',
    });
    expect(slotTexts(rule, '2010-11-07T02:00Z', '2010-11-07T02:45Z')).toEqual([
      ['2010-11-06T23:30', '2010-11-07T02:00Z'],
      ['2010-11-07T00:00', '2010-11-07T02:30Z'],
    ]);
  });
});

describe('occurrences do not depend on the process zone and the date', () => {
  const processZone = process.env.TZ;
  afterEach(() => {
    vi.useRealTimers();
    if (processZone === undefined) delete process.env.TZ;
    else process.env.TZ = processZone;
  });
  const all = (): unknown =>
    CLOCK_CHANGES.map(([zone, day, startTimes]) => onDay(zone, day, startTimes));
  const expected = CLOCK_CHANGES.map(([, , , occurrences]) => occurrences);

  it.each([
    ['Pacific/Kiritimati', -14 * 60],
    ['Pacific/Pago_Pago', 11 * 60],
    ['Europe/Paris', -60],
    ['Australia/Lord_Howe', -11 * 60],
    ['America/St_Johns', 3.5 * 60],
    ['UTC', 0],
  ])('in a process of %s', (zone, minutesBehind) => {
    process.env.TZ = zone;
    expect(new Date(Date.UTC(2025, 0, 15)).getTimezoneOffset()).toBe(minutesBehind);
    expect(all()).toEqual(expected);
  });

  it.each([
    '2011-12-30T10:00:00Z',
    '2025-01-15T12:00:00Z',
    '2025-03-30T01:00:00Z',
    '2025-07-15T12:00:00Z',
    '2025-10-26T00:59:59Z',
    '2025-10-26T01:30:00Z',
    '2031-06-01T00:00:00Z',
  ])('on %s', (today) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(today) });
    expect(all()).toEqual(expected);
  });
});

describe('which dates a schedule falls on', () => {
  it('waters on its weekdays, 1 for Monday and 7 for Sunday', () => {
    // 6 January 2025 was a Monday.
    expect(
      slotTexts(weekly([1, 7]), '2025-01-06T00:00Z', '2025-01-19T23:00Z').map(([scheduledStart]) =>
        scheduledStart.slice(0, 10),
      ),
    ).toEqual(['2025-01-06', '2025-01-12', '2025-01-13', '2025-01-19']);
  });

  it('uses the weekday of the local date, not of the instant', () => {
    // Monday 00:30 in Auckland (UTC+13) is Sunday 11:30Z.
    const rule = weekly([1], { timezone: 'Pacific/Auckland', startTimes: ['00:30'] });
    expect(slotTexts(rule, '2025-01-05T00:00Z', '2025-01-06T00:00Z')).toEqual([
      ['2025-01-06T00:30', '2025-01-05T11:30Z'],
    ]);
  });

  it('counts from startsOn wherever the window starts', () => {
    const rule = daily({ intervalDays: 365, startsOn: '2020-02-29' });
    // 2020-02-29 + 5 x 365 days = 2025-02-27 (one leap day, 2024-02-29, lies between).
    expect(slotTexts(rule, '2025-01-01T00:00Z', '2025-12-31T00:00Z')).toEqual([
      ['2025-02-27T06:00', '2025-02-27T05:00Z'],
    ]);
  });

  it('waters from its first to its last date', () => {
    const rule = daily({
      startsOn: '2025-05-01',
      endsOn: '2025-05-02',
      startTimes: ['00:00', '23:59'],
    });
    expect(
      slotTexts(rule, '2025-01-01T00:00Z', '2025-12-31T00:00Z').map(
        ([scheduledStart]) => scheduledStart,
      ),
    ).toEqual(['2025-05-01T00:00', '2025-05-01T23:59', '2025-05-02T00:00', '2025-05-02T23:59']);
    expect(
      slotTexts({ ...rule, endsOn: '2025-04-30' }, '2025-01-01T00:00Z', '2025-12-31T00:00Z'),
    ).toEqual([]);
  });

  it('includes both ends of the window, and a window of one instant', () => {
    const rule = daily({ startTimes: ['06:00', '18:00'] });
    const ends: [string, string] = ['2025-01-10T05:00:00Z', '2025-01-10T17:00:00Z'];
    expect(slotTexts(rule, ...ends)).toHaveLength(2);
    expect(slotTexts(rule, '2025-01-10T05:00:00.001Z', '2025-01-10T16:59:59.999Z')).toEqual([]);
    expect(slotTexts(rule, ends[0], ends[0])).toHaveLength(1);
    expect(slotTexts(rule, ends[1], ends[0])).toEqual([]);
  });
});

/** Zones with days around a change of their clocks. */
const CHANGES: [string, string][] = [
  ['Europe/Paris', '2025-03-30'],
  ['Europe/Paris', '2025-10-26'],
  ['America/New_York', '2025-11-02'],
  ['America/St_Johns', '2010-11-07'],
  ['America/Santiago', '2025-09-07'],
  ['America/Scoresbysund', '2025-10-26'],
  ['Australia/Lord_Howe', '2025-10-05'],
  ['Australia/Lord_Howe', '2025-04-06'],
  ['Asia/Beirut', '2025-03-30'],
  ['Antarctica/Troll', '2025-03-30'],
  ['Pacific/Apia', '2011-12-30'],
  ['Pacific/Kiritimati', '2025-06-01'],
  ['Pacific/Pago_Pago', '2025-06-01'],
];
const AROUND = 8;

/** The local time of a zone at each minute of the days around one, read from the runtime. */
function clocksAround(zone: string, day: string): { at: number; shows: string }[] {
  const clock = new Intl.DateTimeFormat('sv-SE', {
    timeZone: zone,
    dateStyle: 'short',
    timeStyle: 'short',
  });
  const start = Date.parse(day) - AROUND * DAY;
  return Array.from({ length: 2 * AROUND * 24 * 60 }, (_, minute) => {
    const at = start + minute * MINUTE;
    return { at, shows: clock.format(at).replace(' ', 'T') };
  });
}

/**
 * The instant of a local time: when clocks first show it, else as long after the jump as it is past
 * its start.
 */
function watcherOf(zone: string, day: string): (scheduledStart: string) => number {
  const minutes = clocksAround(zone, day);
  const first = new Map<string, number>();
  for (const { at, shows } of minutes) if (!first.has(shows)) first.set(shows, at);
  return (scheduledStart) => {
    const seen = first.get(scheduledStart);
    if (seen !== undefined) return seen;
    const jump = minutes.findIndex(
      ({ shows }, i) => i > 0 && minutes[i - 1]!.shows < scheduledStart && scheduledStart < shows,
    );
    const { at, shows } = minutes[jump - 1]!;
    return at + (Date.parse(`${scheduledStart}Z`) - Date.parse(`${shows}Z`));
  };
}
const watchers = new Map<string, (scheduledStart: string) => number>();
function watch(zone: string, day: string, scheduledStart: string): number {
  const key = `${zone} ${day}`;
  if (!watchers.has(key)) watchers.set(key, watcherOf(zone, day));
  return watchers.get(key)!(scheduledStart);
}

const dateOn = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY).toISOString().slice(0, 10);

/** The occurrences of the days around one, by trying every date and time. */
function naive(
  rule: Recurrence,
  around: string,
  from: number,
  to: number,
): { scheduledStart: string; startedAt: number }[] {
  const times: { scheduledStart: string; startedAt: number }[] = [];
  for (let days = -AROUND + 2; days <= AROUND - 2; days++) {
    const date = dateOn(around, days);
    if (date < rule.startsOn || (rule.endsOn !== null && date > rule.endsOn)) continue;
    const since = (Date.parse(date) - Date.parse(rule.startsOn)) / DAY;
    const weekday = new Date(date).getUTCDay() === 0 ? 7 : new Date(date).getUTCDay();
    const falls =
      rule.freq === 'daily' ? since % rule.intervalDays! === 0 : rule.weekdays!.includes(weekday);
    if (!falls) continue;
    for (const time of rule.startTimes) {
      const scheduledStart = `${date}T${time}`;
      const startedAt = watch(rule.timezone, around, scheduledStart);
      if (startedAt < from || startedAt > to || times.some((each) => each.startedAt === startedAt))
        continue;
      times.push({ scheduledStart, startedAt });
    }
  }
  return times.sort((a, b) => a.startedAt - b.startedAt);
}

const twoDigits = (n: number): string => String(n).padStart(2, '0');
const anyTime = fc.oneof(
  fc.constantFrom(
    '00:00',
    '00:01',
    '00:30',
    '01:00',
    '01:30',
    '02:00',
    '02:15',
    '02:30',
    '02:45',
    '03:00',
    '03:30',
  ),
  fc.constantFrom('23:00', '23:01', '23:30', '23:59', '06:00'),
  fc
    .tuple(fc.nat(23), fc.nat(59))
    .map(([hour, minute]) => `${twoDigits(hour)}:${twoDigits(minute)}`),
);
const anyTimes = fc
  .uniqueArray(anyTime, { minLength: 1, maxLength: 12 })
  .map((times) => times.sort());

/** A schedule near a change of clocks, and three instants in order within the days around it. */
const anyCase = fc
  .record({
    change: fc.constantFrom(...CHANGES),
    freq: fc.constantFrom('daily' as const, 'weekly' as const),
    intervalDays: fc.integer({ min: 1, max: 9 }),
    weekdays: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
    startTimes: anyTimes,
    starts: fc.integer({ min: -400, max: 3 }),
    ends: fc.option(fc.integer({ min: -3, max: 6 })),
    minutes: fc.tuple(...[0, 1, 2].map(() => fc.integer({ min: -5 * 24 * 60, max: 5 * 24 * 60 }))),
    onSlot: fc.boolean(),
  })
  .map(
    ({
      change: [timezone, day],
      starts,
      ends,
      freq,
      intervalDays,
      weekdays,
      startTimes,
      minutes,
      onSlot,
    }) => {
      const rule: Recurrence = {
        freq,
        intervalDays: freq === 'daily' ? intervalDays : null,
        weekdays: freq === 'weekly' ? weekdays : null,
        startTimes,
        timezone,
        startsOn: dateOn(day, starts),
        endsOn: ends === null ? null : dateOn(day, ends),
      };
      const instants = minutes.map((minute) => Date.parse(day) + minute * MINUTE);
      // Ends of windows often fall on an occurrence.
      if (onSlot) instants[1] = watch(timezone, day, `${day}T${startTimes[0]}`);
      const [a, b, c] = instants.sort((x, y) => x - y);
      return { rule, day, a: a!, b: b!, c: c! };
    },
  );

describe('any schedule', () => {
  it('agrees with reading the clocks minute by minute', () => {
    fc.assert(
      fc.property(anyCase, ({ rule, day, a, c }) => {
        expect(scheduledTimesWithin(rule, a, c)).toEqual(naive(rule, day, a, c));
      }),
      { numRuns: propertyRuns(800) },
    );
  });

  it('gives the same for a window as for its two parts', () => {
    fc.assert(
      fc.property(anyCase, ({ rule, a, b, c }) => {
        expect([
          ...scheduledTimesWithin(rule, a, b),
          ...scheduledTimesWithin(rule, b + 1, c),
        ]).toEqual(scheduledTimesWithin(rule, a, c));
      }),
      { numRuns: propertyRuns(800) },
    );
  });

  it('waters at instants that are unique, in order, within the window and on dates of the schedule', () => {
    fc.assert(
      fc.property(anyCase, fc.integer({ min: 0, max: 120 }), ({ rule, a }, days) => {
        const to = a + days * DAY;
        const times = scheduledTimesWithin(rule, a, to);
        times.forEach(({ scheduledStart, startedAt }, i) => {
          expect(startedAt).toBeGreaterThan(i === 0 ? a - 1 : times[i - 1]!.startedAt);
          expect(startedAt).toBeLessThanOrEqual(to);
          expect(
            scheduledStart.slice(0, 10) >= rule.startsOn &&
              scheduledStart.slice(0, 10) <= (rule.endsOn ?? '9999-12-31'),
          ).toBe(true);
          expect(instantOfStart(scheduledStart, rule.timezone)).toBe(startedAt);
        });
        expect(new Set(times.map(({ scheduledStart }) => scheduledStart)).size).toBe(times.length);
      }),
      { numRuns: propertyRuns(200) },
    );
  });

  it('has no later scheduled start with a key below the lower bound', () => {
    fc.assert(
      fc.property(anyCase, ({ rule, a, c }) => {
        const lowerBound = earliestScheduledStart(a, rule.timezone);
        expect(
          scheduledTimesWithin(rule, a, c).filter(
            ({ scheduledStart }) => scheduledStart < lowerBound,
          ),
        ).toEqual([]);
      }),
      { numRuns: propertyRuns(500) },
    );
  });
});

describe('earliestScheduledStart', () => {
  it('excludes times days before', () => {
    expect(
      earliestScheduledStart(Date.parse('2025-06-10T12:00:00Z'), 'Europe/Paris') >
        '2025-06-07T23:59',
    ).toBe(true);
  });
});
