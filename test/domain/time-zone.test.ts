import fc from 'fast-check';
import { IANAZone } from 'luxon';
import { describe, expect, it } from 'vitest';
import type { CivilTime } from '../../src/domain/calendar.ts';
import { DAY_MS, HOUR_MS } from '../../src/domain/periods.ts';
import {
  civilAt,
  constantOffsetMs,
  isTimeZone,
  isUtcZone,
  offsetMinutesAt,
  resolveCivil,
} from '../../src/domain/time-zone.ts';
import { isDeepRun, propertyRuns } from '../property-runs.ts';

const FROM = Date.UTC(isDeepRun ? 2000 : 2008, 0, 1);
const TO = Date.UTC(isDeepRun ? 2038 : 2012, 0, 1);
const ZONES = [
  'Europe/Paris',
  'Europe/Dublin',
  'America/New_York',
  'America/St_Johns',
  'America/Santiago',
  'America/Sao_Paulo',
  'Australia/Lord_Howe',
  'Asia/Beirut',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Africa/Casablanca',
  'Pacific/Apia',
  'Pacific/Chatham',
  'Antarctica/Troll',
  'UTC',
];

/** A civil time written as "2025-03-30T02:30" or "2025-03-30T02:30:00.000". */
function civil(text: string): CivilTime {
  const [year, month, day, hour, minute, second = 0, millisecond = 0] = text
    .split(/[-T:.]/)
    .map(Number);
  return {
    year: year!,
    month: month!,
    day: day!,
    hour: hour!,
    minute: minute!,
    second,
    millisecond,
  };
}

const utc = (at: number): string => new Date(at).toISOString().replace(':00.000Z', 'Z');

describe('resolveCivil', () => {
  it.each([
    ['Europe/Paris', '2025-03-30T02:30', '2025-03-30T01:30Z', 'gap'],
    ['Europe/Paris', '2025-03-30T03:30', '2025-03-30T01:30Z', 'unique'],
    ['Europe/Paris', '2025-03-30T01:59', '2025-03-30T00:59Z', 'unique'],
    ['Europe/Paris', '2025-03-30T02:00', '2025-03-30T01:00Z', 'gap'],
    ['Europe/Paris', '2025-03-30T03:00', '2025-03-30T01:00Z', 'unique'],
    ['Europe/Paris', '2025-10-26T02:30', '2025-10-26T00:30Z', 'fold'],
    ['Europe/Paris', '2025-10-26T01:59', '2025-10-25T23:59Z', 'unique'],
    ['Europe/Paris', '2025-10-26T02:00', '2025-10-26T00:00Z', 'fold'],
    ['Europe/Paris', '2025-10-26T03:00', '2025-10-26T02:00Z', 'unique'],
    ['Europe/Paris', '2025-07-01T06:00', '2025-07-01T04:00Z', 'unique'],
    ['America/New_York', '2025-11-02T01:30', '2025-11-02T05:30Z', 'fold'],
    ['America/New_York', '2025-03-09T02:30', '2025-03-09T07:30Z', 'gap'],
    ['Australia/Lord_Howe', '2025-10-05T02:15', '2025-10-04T15:45Z', 'gap'],
    ['Australia/Lord_Howe', '2025-04-06T01:45', '2025-04-05T14:45Z', 'fold'],
    ['America/Santiago', '2025-09-07T00:00', '2025-09-07T04:00Z', 'gap'],
    ['Asia/Beirut', '2025-03-30T00:00', '2025-03-29T22:00Z', 'gap'],
    ['Pacific/Apia', '2011-12-30T06:00', '2011-12-30T16:00Z', 'gap'],
    ['Asia/Kathmandu', '2025-07-01T00:00', '2025-06-30T18:15Z', 'unique'],
  ])('reads %s %s as %s (%s)', (zone, local, instant, resolution) => {
    const resolved = resolveCivil(civil(local), zone);
    expect([utc(resolved.at), resolved.resolution]).toEqual([instant, resolution]);
  });

  it('lists both passes of a fold and no instant in a gap', () => {
    expect(resolveCivil(civil('2025-10-26T02:30'), 'Europe/Paris').candidates.map(utc)).toEqual([
      '2025-10-26T00:30Z',
      '2025-10-26T01:30Z',
    ]);
    expect(resolveCivil(civil('2025-03-30T02:30'), 'Europe/Paris').candidates).toEqual([]);
  });

  it('refuses a zone that does not exist', () => {
    expect(() => resolveCivil(civil('2025-01-01T00:00'), 'Mars/Olympus')).toThrow(RangeError);
  });

  it('returns the instant of a local time, or of the first pass of a fold', () => {
    fc.assert(
      fc.property(fc.constantFrom(...ZONES), fc.integer({ min: 0, max: TO }), (zone, at) => {
        const { candidates, at: first, resolution } = resolveCivil(civilAt(at, zone), zone);
        expect(candidates).toContain(at);
        expect(first).toBe(Math.min(...candidates));
        expect(resolution).toBe(candidates.length === 2 ? 'fold' : 'unique');
      }),
      { numRuns: propertyRuns(2000) },
    );
  });

  it('is the same in every zone of the process', () => {
    const before = process.env.TZ;
    try {
      const read = ['UTC', 'America/Los_Angeles', 'Australia/Lord_Howe', 'Pacific/Apia'].map(
        (zone) => {
          process.env.TZ = zone;
          expect(new Date(0).getHours()).toBe(civilAt(0, zone).hour);
          return ZONES.map((each) => resolveCivil(civil('2025-10-26T02:30'), each).at);
        },
      );
      for (const each of read) expect(each).toEqual(read[0]);
    } finally {
      if (before === undefined) delete process.env.TZ;
      else process.env.TZ = before;
    }
  });
});

describe('constantOffsetMs', () => {
  it('is the offset of each local time of the day, and null on a day with a gap or a fold', () => {
    for (const zone of ZONES)
      for (let midnight = FROM; midnight < TO; midnight += DAY_MS) {
        const offset = constantOffsetMs(midnight, zone);
        if (offset === null) continue;
        for (const localMs of [midnight, midnight + 2.5 * HOUR_MS, midnight + DAY_MS - 1]) {
          const { at, resolution } = resolveCivil(civilAt(localMs, 'UTC'), zone);
          if (at !== localMs - offset || resolution !== 'unique')
            expect({ zone, local: utc(localMs), resolution, offset }).toEqual(null);
        }
      }
    expect(constantOffsetMs(Date.UTC(2025, 9, 26), 'Europe/Paris')).toBeNull();
    expect(constantOffsetMs(Date.UTC(2025, 6, 1), 'Europe/Paris')).toBe(2 * HOUR_MS);
  });
});

describe('civilAt', () => {
  it('shows calendar, clock, offset and weekday of a zone', () => {
    expect(civilAt(Date.UTC(2025, 9, 4, 15, 45, 1, 7), 'Australia/Lord_Howe')).toEqual({
      year: 2025,
      month: 10,
      day: 5,
      hour: 2,
      minute: 45,
      second: 1,
      millisecond: 7,
      offsetMinutes: 660,
      weekday: 7,
    });
  });

  it('shows the offset of the runtime, in any order and around every change', () => {
    for (const zone of ZONES) {
      const iana = IANAZone.create(zone);
      const agrees = (at: number): void => {
        const [actual, expected] = [offsetMinutesAt(at, zone), iana.offset(at)];
        if (actual !== expected)
          expect({ zone, at: utc(at), got: actual }).toEqual({ got: expected });
      };
      fc.assert(fc.property(fc.integer({ min: -FROM, max: 2 * TO }), agrees), {
        numRuns: propertyRuns(200),
      });
      for (let day = FROM; day < TO; day += DAY_MS) {
        if (iana.offset(day) === iana.offset(day + DAY_MS)) continue;
        // The step with the change is 3 days long, or 15 minutes.
        for (let at = day - 4 * DAY_MS; at <= day + 5 * DAY_MS; at += 6 * HOUR_MS) agrees(at);
        for (let at = day; at <= day + DAY_MS; at += HOUR_MS / 2) agrees(at);
      }
    }
  });

  it('keeps the seconds of an old local mean time', () => {
    // Brussels kept its mean time, +00:17:30, until 1892.
    expect(offsetMinutesAt(Date.UTC(1870, 0, 1), 'Europe/Brussels')).toBeCloseTo(17.5, 9);
  });
});

describe('time zones', () => {
  it.each([
    ['Europe/Paris', true],
    ['Pacific/Apia', true],
    ['UTC', true],
    ['Europe/Nowhere', false],
    ['+02:00', false],
    ['', false],
    ['local', false],
  ])('contain %j: %s', (name, isZone) => {
    expect(isTimeZone(name)).toBe(isZone);
  });

  it.each([
    ['UTC', true],
    ['Etc/UTC', true],
    ['Zulu', true],
    ['GMT', true],
    ['Greenwich', true],
    ['Etc/GMT-0', true],
    ['etc/gmt0', true],
    ['Etc/Universal', true],
    ['Etc/GMT+5', false],
    ['Etc/GMT-14', false],
    ['Europe/London', false],
    ['Africa/Abidjan', false],
    ['Atlantic/Reykjavik', false],
  ])('are UTC under the name %s: %s', (name, isUtc) => {
    expect(isUtcZone(name)).toBe(isUtc);
  });
});
