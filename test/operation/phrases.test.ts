import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { civilAt } from '../../src/domain/zone.ts';
import { type Quantity, readAmount } from '../../src/operation/amount-words.ts';
import { type ReadInstant, type Refused, readEnd, readWhen } from '../../src/operation/plain-words.ts';
import { DEPTHS, TIMES, VOLUMES } from './phrases-amounts.ts';
import { ENGLISH } from './phrases-en.ts';
import { FRENCH } from './phrases-fr.ts';

function said(read: ReadInstant | Refused): string {
  if ('refused' in read) return `refused: ${read.refused}`;
  return `${new Date(read.at).toISOString()}${read.resolution === 'gap' || read.resolution === 'fold' ? ` ${read.resolution}` : ''}`;
}

/** An instant of the table as `said` writes it. */
function written(expected: string): string {
  const [instant, resolution] = expected.split(' ');
  return [new Date(instant!).toISOString(), resolution].filter(Boolean).join(' ');
}

describe.each([
  ['English', ENGLISH],
  ['French', FRENCH],
])('a time said in %s', (_, moments) => {
  for (const { zone, now, phrases } of moments)
    it.each(phrases)(`%j in ${zone} at ${now} is %s`, (phrase, expected) => {
      const got = said(readWhen(phrase, zone, Date.parse(now)));
      if (expected instanceof RegExp) expect(got).toMatch(new RegExp(`^refused: .*(?:${expected.source})`));
      else expect(got).toBe(written(expected));
    });
});

/** What is said at a quarter to midnight, with the days back and the hour that it names wherever it is said. */
const ANYWHERE: [phrase: string, daysBack: number, hour: number, minute: number][] = [
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
    it.each(ANYWHERE)('%j is %i days back at %i:%i', (phrase, daysBack, hour, minute) => {
      const now = readWhen('2026-07-15 23:45', zone, 0);
      if ('refused' in now) throw new Error(now.refused);
      const read = readWhen(phrase, zone, now.at);
      expect(read).toHaveProperty('at');
      expect(civilAt((read as ReadInstant).at, zone)).toMatchObject({ month: 7, day: 15 - daysBack, hour, minute });
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
    ['0630 hours', STARTED, '2026-07-01T06:30+02:00'],
  ])('said as %j is the first such hour after the start', (phrase, start, expected) => {
    const now = Date.parse('2026-07-01T12:00+02:00');
    expect(said(readEnd(phrase, 'Europe/Paris', now, Date.parse(start)))).toBe(written(expected));
  });

  it('says until when, which no start does', () => {
    const now = Date.parse('2026-07-01T12:00+02:00');
    expect(said(readWhen('until 6:30', 'Europe/Paris', now))).toMatch(/^refused: "until" is not understood/);
  });
});

describe.each([
  ['time', TIMES],
  ['depth', DEPTHS],
  ['volume', VOLUMES],
] as const)('an amount said as a %s', (quantity, rows) => {
  it.each(rows)('%j is %s', (phrase, expected) => {
    const read = readAmount(phrase, quantity);
    if (typeof expected === 'number') expect(read).toEqual({ amount: expected });
    else expect(read).toEqual({ refused: expect.stringMatching(expected) });
  });
});

describe('readAmount', () => {
  it('answers any text with a figure from 0 up or a reason that is fit to be shown', () => {
    const words = [...TIMES, ...DEPTHS, ...VOLUMES].flatMap(([phrase]) => phrase.split(' '));
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(fc.constantFrom(...words), { maxLength: 6 }).map((each) => each.join(' ')),
    );
    const quantity = fc.constantFrom<Quantity>('time', 'depth', 'volume');
    fc.assert(
      fc.property(text, quantity, (phrase, wanted) => {
        const read = readAmount(phrase, wanted);
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
          expect(readAmount(text, 'time')).toEqual({ amount: hours * 60 + minutes });
      }),
    );
  });

  it('reads a depth the same in every unit that says it', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9999 }), (tenths) => {
        const mm = tenths / 10;
        const same = [`${mm} mm`, `${mm} l/m2`, `${tenths} m3/ha`, `${mm} litres par mètre carré`];
        for (const text of same) expect([text, readAmount(text, 'depth')]).toEqual([text, { amount: tenths / 10 }]);
      }),
    );
  });
});

describe('the tables', () => {
  it('hold more than 120 times, and amounts beside them', () => {
    const times = [...ENGLISH, ...FRENCH].reduce((sum, { phrases }) => sum + phrases.length, 0);
    expect(times).toBeGreaterThanOrEqual(120);
    expect(TIMES.length + DEPTHS.length + VOLUMES.length).toBeGreaterThanOrEqual(80);
  });
});
