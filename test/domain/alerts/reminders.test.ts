import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  dueReminder,
  type LastReminder,
  nextReminderAt,
  reminderAt,
  remindersWithin,
} from '../../../src/domain/alerts/reminders.ts';
import { LocalDay } from '../../../src/domain/local-day.ts';
import { DAY, HOUR, MINUTE } from '../../time.ts';

const utc = (at: number | null): string | null =>
  at === null ? null : new Date(at).toISOString().replace('.000Z', 'Z');

/**
 * Zone, day of the change in 2026, and a reminder time in the hour (in Lord Howe the half hour)
 * that is left out or comes twice.
 */
const CHANGES = [
  ['Europe/Paris', '2026-03-29', '02:30:00', '2026-03-29T01:30:00Z'],
  ['Europe/Paris', '2026-10-25', '02:30:00', '2026-10-25T00:30:00Z'],
  ['America/New_York', '2026-03-08', '02:30:00', '2026-03-08T07:30:00Z'],
  ['America/New_York', '2026-11-01', '01:30:00', '2026-11-01T05:30:00Z'],
  ['Australia/Lord_Howe', '2026-10-04', '02:15:00', '2026-10-03T15:45:00Z'],
  ['Australia/Lord_Howe', '2026-04-05', '01:45:00', '2026-04-04T14:45:00Z'],
] as const;
const ELSEWHEN = ['08:00:00', '00:00:00', '23:59:59'] as const;
const CASES = CHANGES.flatMap(([zone, day, odd]) =>
  [odd, ...ELSEWHEN].map((time) => [zone, day, time] as const),
);

/** The clocks of a zone as the runtime's own calendar shows them. */
function clocksOf(zone: string): (at: number) => string {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  return (at) => format.format(at);
}

/** Local days between two instants without the first, found in steps shorter than a day. */
function daysBetween(start: number, end: number, zone: string): string[] {
  const clocks = clocksOf(zone);
  const days = new Set<string>();
  for (let at = start; at < end; at += HOUR) days.add(clocks(at));
  return [...days].slice(1);
}

/** The reminders sent by a job that runs at this interval. */
function watched(
  start: number,
  end: number,
  time: string,
  zone: string,
  everyMs: number,
): { day: string; at: number }[] {
  const reminders: { day: string; at: number }[] = [];
  let reminded: LastReminder = { localDate: LocalDay.at(start, zone).iso, at: null };
  for (let now = start; now < end; now += everyMs) {
    const due = dueReminder(now, reminded, time, zone);
    if (due === null) continue;
    if (due.isSent) reminders.push({ day: due.day, at: now });
    reminded = { localDate: due.day, at: due.isSent ? now : reminded.at };
  }
  return reminders;
}

describe('the daily reminder (spec, Events, rule 3)', () => {
  it('is at its local time, also on days of 23 and 25 hours', () => {
    expect(utc(reminderAt(LocalDay.parse('2026-03-28'), '08:00:00', 'Europe/Paris'))).toBe(
      '2026-03-28T07:00:00Z',
    );
    expect(utc(reminderAt(LocalDay.parse('2026-03-29'), '08:00:00', 'Europe/Paris'))).toBe(
      '2026-03-29T06:00:00Z',
    );
    expect(utc(reminderAt(LocalDay.parse('2026-10-25'), '08:00:05', 'Europe/Paris'))).toBe(
      '2026-10-25T07:00:05Z',
    );
  });

  it.each(CHANGES)(
    'uses the offset before a gap, and the first of a repeated time: %s on %s at %s',
    (...one) => {
      const [zone, day, time, expected] = one;
      expect(utc(reminderAt(LocalDay.parse(day), time, zone))).toBe(expected);
    },
  );

  it('stays on its day when a gap ends that day', () => {
    // Nuuk goes from 23:00 on 28 March (UTC-2) to midnight (UTC-1): the reminder goes out at 22:30.
    expect(utc(reminderAt(LocalDay.parse('2026-03-28'), '23:30:00', 'America/Nuuk'))).toBe(
      '2026-03-29T00:30:00Z',
    );
  });

  it('skips a day that the zone skips', () => {
    for (const time of ['00:00:00', '12:00:00', '23:59:59'])
      expect(reminderAt(LocalDay.parse('2011-12-30'), time, 'Pacific/Apia')).toBeNull();
    expect(
      utc(
        nextReminderAt(Date.parse('2011-12-30T09:00Z'), '2011-12-29', '08:00:00', 'Pacific/Apia'),
      ),
    ).toBe('2011-12-30T18:00:00Z');
  });

  it.each(CASES)(
    'is sent once a local day from the day after the firing: %s in the month around %s at %s',
    (...one) => {
      const [zone, day, time] = one;
      const noon = Date.parse(`${day}T11:03:20Z`);
      for (const [spanDays, everyMs] of [
        [1, 5 * MINUTE],
        [15, HOUR],
      ] as const) {
        const [firedAt, end] = [noon - spanDays * DAY, noon + spanDays * DAY];
        const expected = remindersWithin(firedAt, end, time, zone);
        const sent = watched(firedAt, end, time, zone, everyMs);
        const days = daysBetween(firedAt, end, zone);
        // The last day may end before its reminder.
        expect(days.length - expected.length).toBeLessThanOrEqual(1);
        expect(expected.map(clocksOf(zone))).toEqual(days.slice(0, expected.length));
        expect(sent.map((each) => each.day)).toEqual(days.slice(0, expected.length));
        for (const [index, { at }] of sent.entries()) {
          expect(at).toBeGreaterThanOrEqual(expected[index]!);
          expect(at).toBeLessThan(expected[index]! + everyMs);
        }
      }
    },
  );

  const paris = (now: string, localDate: string, at: string | null = null, time = '08:00:00') =>
    dueReminder(
      Date.parse(now),
      { localDate, at: at === null ? null : Date.parse(at) },
      time,
      'Europe/Paris',
    );

  it('is one after a long outage, the newest that is due', () => {
    expect(paris('2026-07-05T05:59:59Z', '2026-07-01')).toEqual({
      day: '2026-07-04',
      isSent: true,
    });
    expect(paris('2026-07-05T06:00:00Z', '2026-07-01')).toEqual({
      day: '2026-07-05',
      isSent: true,
    });
    expect(paris('2026-07-05T20:00:00Z', '2026-07-04')).toEqual({
      day: '2026-07-05',
      isSent: true,
    });
  });

  it('is not sent an hour after a late one, and counts as handled', () => {
    expect(paris('2026-07-05T06:00:00Z', '2026-07-04', '2026-07-05T05:00:00Z')).toEqual({
      day: '2026-07-05',
      isSent: false,
    });
    expect(paris('2026-07-05T06:00:00Z', '2026-07-05', '2026-07-05T05:00:00Z')).toBeNull();
  });

  it('comes each day when checked once a day, at another hour', () => {
    const looks = watched(
      Date.parse('2026-07-01T05:00Z'),
      Date.parse('2026-07-06T06:00Z'),
      '08:00:00',
      'Europe/Paris',
      DAY,
    );
    expect(looks.map(({ day }) => day)).toEqual([
      '2026-07-02',
      '2026-07-03',
      '2026-07-04',
      '2026-07-05',
    ]);
  });

  it('is that of the day before when first checked after midnight', () => {
    expect(paris('2026-07-02T22:00:30Z', '2026-07-01', null, '23:59:59')).toEqual({
      day: '2026-07-02',
      isSent: true,
    });
  });

  it('is not sent on the day of firing', () => {
    expect(paris('2026-07-01T20:00:00Z', '2026-07-01')).toBeNull();
    const now = Date.parse('2026-07-01T20:00:00Z');
    expect(utc(nextReminderAt(now, '2026-07-01', '08:00:00', 'Europe/Paris'))).toBe(
      '2026-07-02T06:00:00Z',
    );
  });

  it('is not lost for a year after the clock was a year ahead', () => {
    const yearAhead = '2027-07-05T06:00:00Z';
    expect(paris('2026-07-05T06:00:00Z', '2027-07-05', yearAhead)).toEqual({
      day: '2026-07-05',
      isSent: true,
    });
    expect(paris('2026-07-05T05:59:59Z', '2027-07-05', yearAhead)).toBeNull();
    const now = Date.parse('2026-07-05T05:00:00Z');
    expect(utc(nextReminderAt(now, '2027-07-05', '08:00:00', 'Europe/Paris'))).toBe(
      '2026-07-05T06:00:00Z',
    );
  });

  it('is due exactly from the announced instant', () => {
    const moment = fc.record({
      change: fc.constantFrom(...CASES),
      minutes: fc.integer({ min: -4 * 1440, max: 4 * 1440 }),
      daysAgo: fc.integer({ min: 0, max: 4 }),
    });
    fc.assert(
      fc.property(moment, ({ change: [zone, day, time], minutes, daysAgo }) => {
        const now = Date.parse(`${day}T00:00:00Z`) + minutes * MINUTE;
        const remindedOn = LocalDay.at(now - daysAgo * DAY, zone).iso;
        const due = dueReminder(now, { localDate: remindedOn, at: null }, time, zone);
        const reminded = { localDate: due?.day ?? remindedOn, at: null };
        const at = nextReminderAt(now, reminded.localDate, time, zone);
        expect(at).toBeGreaterThan(now);
        expect(dueReminder(at, reminded, time, zone)?.day).toBe(LocalDay.at(at, zone).iso);
        expect(dueReminder(at - 1, reminded, time, zone)).toBeNull();
      }),
    );
  });
});

describe('the reminders of an episode', () => {
  const paris = (start: string, end: string): (string | null)[] =>
    remindersWithin(Date.parse(start), Date.parse(end), '08:00:00', 'Europe/Paris').map(utc);

  it('are one each local day from the day after its start, the end excluded', () => {
    expect(paris('2026-07-01T21:59:00Z', '2026-07-03T06:00:00Z')).toEqual(['2026-07-02T06:00:00Z']);
    expect(paris('2026-07-01T21:59:00Z', '2026-07-03T06:00:01Z')).toHaveLength(2);
    // A minute later it is the next local day.
    expect(paris('2026-07-01T22:00:00Z', '2026-07-03T06:00:00Z')).toEqual([]);
  });
});
