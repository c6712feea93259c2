import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseIsoStart } from '../../../src/domain/iso-date-time.ts';
import { LocalDay } from '../../../src/domain/local-day.ts';
import { programText } from '../../../src/domain/text/program-text.ts';
import { parseStart } from '../../../src/language/words/instant.ts';
import { propertyRuns } from '../../property-runs.ts';
import { BEGINNING, START_PHRASES } from './start-phrases.ts';
import { expectedText, resultText } from './time-phrase-cases.ts';

const NOW = Date.parse('2026-07-01T12:00Z');
const ZONES = Intl.supportedValuesOf('timeZone');
const TABLES = Object.entries(START_PHRASES);
const CASES = TABLES.flatMap(([, cases]) => cases);

describe.each(TABLES)('since when, in %s', (_, cases) => {
  for (const { zone, now, phrases } of cases)
    it.each(phrases)(`%j in ${zone} at ${now} is %s`, (phrase, expected) => {
      const result = resultText(parseStart(phrase, zone, Date.parse(now), 'past'));
      if (expected instanceof RegExp)
        expect(result).toMatch(new RegExp(`^refused: .*(?:${expected.source})`));
      else expect(result).toBe(expectedText(expected));
    });
});

describe('the beginning', () => {
  const TEXTS = [
    '1970-01-01',
    '1970-01-01 00:00',
    '1970-01-01T00:00:00',
    '1970-01-01T00:00:00.000Z',
    '1970',
    'always',
  ];

  it('is midnight of 1 January 1970 in every zone, with an offset or without', () => {
    for (const zone of ZONES) {
      const midnight = new Date(LocalDay.parse('1970-01-01').startIn(zone)).toISOString();
      for (const text of [...TEXTS, midnight])
        expect([zone, text, resultText(parseStart(text, zone, NOW, 'past'))]).toEqual([
          zone,
          text,
          expectedText(BEGINNING),
        ]);
    }
  });

  it('is neither the next minute nor the next day', () => {
    expect(parseIsoStart('1970-01-01 00:01', 'America/New_York')).toMatchObject({
      value: { at: 18_060_000 },
    });
    expect(parseIsoStart('1970-01-02', 'Europe/Paris')).toMatchObject({
      value: { at: 23 * 3_600_000 },
    });
    expect(parseIsoStart('1969-12-31', 'Europe/Paris')).toMatchObject({ ok: false });
    expect(parseIsoStart('1970-01-01T00:00:00+99:00', 'Europe/Paris')).toMatchObject({
      value: { at: 0 },
    });
  });
});

describe('a start', () => {
  it('by a date is the first instant of that local day, also where the clocks skip midnight', () => {
    const date = fc.record({
      year: fc.integer({ min: 1971, max: 2036 }),
      month: fc.integer({ min: 1, max: 12 }),
      day: fc.integer({ min: 1, max: 28 }),
    });
    fc.assert(
      fc.property(date.map(LocalDay.of), fc.constantFrom(...ZONES), (day, zone) => {
        const read = parseStart(day.iso, zone, NOW, 'past');
        if (!read.ok) throw new Error(programText(read.failure));
        expect(day.daysUntil(LocalDay.at(read.value.at, zone))).toBeGreaterThanOrEqual(0);
        expect(day.daysUntil(LocalDay.at(read.value.at - 1, zone))).toBeLessThan(0);
      }),
      { numRuns: propertyRuns(3000) },
    );
  });

  it('by a day or month without a year is within the last year', () => {
    const yearless = fc.tuple(
      fc.integer({ min: 1, max: 28 }),
      fc.constantFrom('May', 'août', 'diciembre', 'January'),
    );
    fc.assert(
      fc.property(
        yearless,
        fc.integer({ min: Date.UTC(1990, 0), max: Date.UTC(2100, 0) }),
        ([day, month], now) => {
          for (const text of [`${day} ${month}`, month]) {
            const read = parseStart(text, 'Europe/Paris', now, 'past');
            if (!read.ok) throw new Error(`${text}: ${programText(read.failure)}`);
            expect(read.value.at).toBeLessThanOrEqual(now);
            expect(read.value.at).toBeGreaterThan(now - 367 * 86_400_000);
          }
        },
      ),
    );
  });

  it('is an instant within bounds or a reason for any text', () => {
    const words = CASES.flatMap(({ phrases }) => phrases.flatMap(([phrase]) => phrase.split(' ')));
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(fc.constantFrom(...words), { maxLength: 7 }).map((each) => each.join(' ')),
    );
    const zone = fc.constantFrom(
      'Europe/Paris',
      'America/New_York',
      'Australia/Lord_Howe',
      'Asia/Kolkata',
    );
    fc.assert(
      fc.property(
        text,
        zone,
        fc.integer({ min: 0, max: Date.UTC(2100, 0, 1) }),
        (phrase, where, now) => {
          const read = parseStart(phrase, where, now, 'past');
          if (!read.ok) expect(programText(read.failure)).toMatch(/^[^<>\n]{4,120}$/);
          else
            expect(new Date(read.value.at).getUTCFullYear()).toSatisfy(
              (year: number) => year >= 1970 && year <= 2200,
            );
        },
      ),
      { numRuns: propertyRuns(3000) },
    );
  });

  it('counts only if every word is understood, wherever a foreign one stands', () => {
    for (const { zone, now, phrases } of CASES)
      for (const [phrase, expected] of phrases) {
        if (expected instanceof RegExp) continue;
        const words = phrase.split(' ');
        for (let place = 0; place <= words.length; place++) {
          const longer = [...words.slice(0, place), 'xylophone', ...words.slice(place)].join(' ');
          expect([longer, !parseStart(longer, zone, Date.parse(now), 'past').ok]).toEqual([
            longer,
            true,
          ]);
        }
      }
  });
});
