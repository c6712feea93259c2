import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { civilAt } from '../../../src/domain/time-zone.ts';
import { parseAmount } from '../../../src/language/words/amount.ts';
import {
  type ParsedInstant,
  type ParseFailure,
  parseEndInstant,
  parseInstant,
} from '../../../src/language/words/instant.ts';
import type { Quantity } from '../../../src/schema/field.ts';
import { DEPTH_PHRASES, DURATION_PHRASES, VOLUME_PHRASES } from './amount-phrases.ts';
import { ENGLISH_TIME_PHRASES } from './english-phrases.ts';
import { FRENCH_TIME_PHRASES } from './french-phrases.ts';
import { SPANISH_TIME_PHRASES } from './spanish-phrases.ts';

function resultText(read: ParsedInstant | ParseFailure): string {
  if ('refused' in read) return `refused: ${read.refused}`;
  return `${new Date(read.at).toISOString()}${read.resolution === 'gap' || read.resolution === 'fold' ? ` ${read.resolution}` : ''}`;
}

/** An instant of the table as `said` writes it. */
function expectedText(expected: string): string {
  const [instant, resolution] = expected.split(' ');
  return [new Date(instant!).toISOString(), resolution].filter(Boolean).join(' ');
}

describe.each([
  ['English', ENGLISH_TIME_PHRASES],
  ['French', FRENCH_TIME_PHRASES],
  ['Spanish', SPANISH_TIME_PHRASES],
])('a time said in %s', (_, moments) => {
  for (const { zone, now, phrases } of moments)
    it.each(phrases)(`%j in ${zone} at ${now} is %s`, (phrase, expected) => {
      const got = resultText(parseInstant(phrase, zone, Date.parse(now)));
      if (expected instanceof RegExp) expect(got).toMatch(new RegExp(`^refused: .*(?:${expected.source})`));
      else expect(got).toBe(expectedText(expected));
    });
});

/** What is said at a quarter to midnight, with the days back and the hour that it names wherever it is said. */
const PHRASES_IN_ANY_ZONE: [phrase: string, daysBack: number, hour: number, minute: number][] = [
  ['uh, this morning at like half past six', 0, 6, 30],
  ['euh ce matin vers 6 h 30', 0, 6, 30],
  ['yesterday at 5 in the afternoon', 1, 17, 0],
  ["hier à cinq heures de l'après-midi", 1, 17, 0],
  ['avant-hier soir à 21 h', 2, 21, 0],
  ['the day before yesterday at twenty to eight in the evening', 2, 19, 40],
  ['il y a une semaine à 7h', 7, 7, 0],
  ['3 days ago at noon', 3, 12, 0],
  ['ce soir à huit heures', 0, 20, 0],
  ['last night at 11', 1, 23, 0],
];

describe.each(['Pacific/Kiritimati', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'Europe/Paris', 'America/New_York'])(
  'said late in the evening in %s',
  (zone) => {
    it.each(PHRASES_IN_ANY_ZONE)('%j is %i days back at %i:%i', (phrase, daysBack, hour, minute) => {
      const now = parseInstant('2026-07-15 23:45', zone, 0);
      if ('refused' in now) throw new Error(now.refused);
      const read = parseInstant(phrase, zone, now.at);
      expect(read).toHaveProperty('at');
      expect(civilAt((read as ParsedInstant).at, zone)).toMatchObject({ month: 7, day: 15 - daysBack, hour, minute });
    });
  },
);

describe('an end', () => {
  const STARTED = '2026-06-30T22:00+02:00';
  it.each([
    ['until 6:30', STARTED, '2026-07-01T06:30+02:00'],
    ["jusqu'à 6 h 30", STARTED, '2026-07-01T06:30+02:00'],
    ['jusqu’à minuit', STARTED, '2026-07-01T00:00+02:00'],
    ["jusqu'à sept heures moins le quart", '2026-06-30T06:00+02:00', '2026-06-30T06:45+02:00'],
    ['till half past seven', '2026-06-30T06:00+02:00', '2026-06-30T07:30+02:00'],
    ['until a quarter to eight in the evening', '2026-06-30T18:00+02:00', '2026-06-30T19:45+02:00'],
    ['hasta las 6:30', STARTED, '2026-07-01T06:30+02:00'],
    ['hasta las siete menos cuarto', '2026-06-30T06:00+02:00', '2026-06-30T06:45+02:00'],
    ['0630 hours', STARTED, '2026-07-01T06:30+02:00'],
  ])('said as %j is the first such hour after the start', (phrase, start, expected) => {
    const now = Date.parse('2026-07-01T12:00+02:00');
    expect(resultText(parseEndInstant(phrase, 'Europe/Paris', now, Date.parse(start)))).toBe(expectedText(expected));
  });

  it('says until when, which no start does', () => {
    const now = Date.parse('2026-07-01T12:00+02:00');
    expect(resultText(parseInstant('until 6:30', 'Europe/Paris', now))).toMatch(/^refused: "until" is not understood/);
  });
});

describe.each([
  ['time', DURATION_PHRASES],
  ['depth', DEPTH_PHRASES],
  ['volume', VOLUME_PHRASES],
] as const)('an amount said as a %s', (quantity, rows) => {
  it.each(rows)('%j is %s', (phrase, expected) => {
    const read = parseAmount(phrase, quantity);
    if (typeof expected === 'number') expect(read).toEqual({ amount: expected });
    else expect(read).toEqual({ refused: expect.stringMatching(expected) });
  });
});

describe('readAmount', () => {
  it('answers any text with a figure from 0 up or a reason that is fit to be shown', () => {
    const words = [...DURATION_PHRASES, ...DEPTH_PHRASES, ...VOLUME_PHRASES].flatMap(([phrase]) => phrase.split(' '));
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(fc.constantFrom(...words), { maxLength: 6 }).map((each) => each.join(' ')),
    );
    const quantity = fc.constantFrom<Quantity>('time', 'depth', 'volume');
    fc.assert(
      fc.property(text, quantity, (phrase, wanted) => {
        const read = parseAmount(phrase, wanted);
        if ('refused' in read) expect(read.refused).toMatch(/^[^<>\n#]{4,120}$/);
        else expect(read.amount).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: 2000 },
    );
  });

  it('gives every whole number of minutes back from hours and minutes', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 700 }), fc.integer({ min: 0, max: 59 }), (hours, minutes) => {
        for (const text of [
          `${hours} h ${minutes}`,
          `${hours} hours and ${minutes} minutes`,
          `${hours * 60 + minutes} mn`,
        ])
          expect(parseAmount(text, 'time')).toEqual({ amount: hours * 60 + minutes });
      }),
    );
  });

  it('reads a depth the same in every unit that says it', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9999 }), (tenths) => {
        const mm = tenths / 10;
        const same = [`${mm} mm`, `${mm} l/m2`, `${tenths} m3/ha`, `${mm} litres par mètre carré`];
        for (const text of same) expect([text, parseAmount(text, 'depth')]).toEqual([text, { amount: tenths / 10 }]);
      }),
    );
  });
});

describe('the tables', () => {
  it('hold more than 120 times, and amounts beside them', () => {
    const times = [...ENGLISH_TIME_PHRASES, ...FRENCH_TIME_PHRASES].reduce(
      (sum, { phrases }) => sum + phrases.length,
      0,
    );
    expect(times).toBeGreaterThanOrEqual(120);
    expect(DURATION_PHRASES.length + DEPTH_PHRASES.length + VOLUME_PHRASES.length).toBeGreaterThanOrEqual(80);
  });
});
