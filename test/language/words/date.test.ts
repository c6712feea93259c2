import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LocalDay } from '../../../src/domain/local-day.ts';
import { programText } from '../../../src/domain/text/program-text.ts';
import { parseDate } from '../../../src/language/words/date.ts';
import { parseInstant } from '../../../src/language/words/instant.ts';

// 1 July 2026 is a Wednesday.
const NOW = Date.parse('2026-07-01T10:00Z');
const ENDS = { tense: 'coming', dayOfMonth: 'last' } as const;
const STARTS = { tense: 'coming', dayOfMonth: 'first' } as const;
const PLANTED = { tense: null, dayOfMonth: 'first' } as const;
const FILLED = { tense: 'past', dayOfMonth: null } as const;

function read(text: string, options: Parameters<typeof parseDate>[3], now = NOW): string {
  const parsed = parseDate(text, 'Europe/Paris', now, options);
  if (!parsed.ok) return `refused: ${programText(parsed.failure)}`;
  return [parsed.value.date.iso, parsed.value.clock].filter(Boolean).join(' ');
}

describe('a last day', () => {
  it.each([
    ['end of March', '2027-03-31'],
    ['the end of September', '2026-09-30'],
    ['until the end of September', '2026-09-30'],
    ['the last day of February 2028', '2028-02-29'],
    ['end of next month', '2026-08-31'],
    ['end of the month', '2026-07-31'],
    ['end of the year', '2026-12-31'],
    ['end of March of next year', '2027-03-31'],
    ['30 September', '2026-09-30'],
    ['fin mars', '2027-03-31'],
    ['à la fin de mars', '2027-03-31'],
    ['fin d’octobre', '2026-10-31'],
    ['fin du mois d’octobre', '2026-10-31'],
    ['jusqu’à fin septembre', '2026-09-30'],
    ['fin du mois', '2026-07-31'],
    ['fin du mois prochain', '2026-08-31'],
    ['fin de l’année', '2026-12-31'],
    ['fin d’année', '2026-12-31'],
    ['le dernier jour de septembre', '2026-09-30'],
    ['a finales de marzo', '2027-03-31'],
    ['hasta finales de septiembre', '2026-09-30'],
    ['el último día de septiembre', '2026-09-30'],
    ['fin de mes', '2026-07-31'],
    ['a finales del mes que viene', '2026-08-31'],
    ['fin de año', '2026-12-31'],
  ])('%j is %s', (text, expected) => expect(read(text, ENDS)).toBe(expected));

  it.each([
    ['March', /first or the last day of that month/],
    ['avril 2027', /first or the last day of that month/],
    ['2027-03', /first or the last day of that month/],
    ['mid March', /the day is missing/],
    ['début avril', /the day is missing/],
    ['mediados de abril', /the day is missing/],
    ['2027', /the month and the day are missing/],
    ['fin de saison', /not understood/],
  ])('%j is asked', (text, reason) => expect(read(text, ENDS)).toMatch(reason));

  it('of a month is the day before the first of the next one', () => {
    const month = fc.integer({ min: 1, max: 12 });
    fc.assert(
      fc.property(fc.integer({ min: 1971, max: 2200 }), month, (year, number) => {
        const name = new Intl.DateTimeFormat('en', { month: 'long' }).format(
          new Date(Date.UTC(2026, number - 1, 1)),
        );
        const parsed = parseDate(`end of ${name} ${year}`, 'Europe/Paris', NOW, ENDS);
        if (!parsed.ok) throw new Error(programText(parsed.failure));
        expect(parsed.value.date.civil).toMatchObject({ year, month: number });
        expect(parsed.value.date.next().civil.day).toBe(1);
      }),
    );
  });

  it('without a year is near, or the next one', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 3000 }),
        fc.integer({ min: 1, max: 28 }),
        (days, day) => {
          const today = LocalDay.parse('2024-01-01').plus(days);
          const now = today.midnightMs + 10 * 3_600_000;
          const parsed = parseDate(`${day} September`, 'Europe/Paris', now, ENDS);
          if (!parsed.ok) throw new Error(programText(parsed.failure));
          const ahead = today.daysUntil(parsed.value.date);
          expect(ahead).toBeGreaterThanOrEqual(-90);
          expect(ahead).toBeLessThan(366 - 90);
        },
      ),
    );
  });
});

describe('a first day', () => {
  it.each([
    ['April', '2027-04-01'],
    ['from April', '2027-04-01'],
    ['à partir de septembre', '2026-09-01'],
    ['principios de septiembre', '2026-09-01'],
    ['next month', '2026-08-01'],
    ['le mois prochain', '2026-08-01'],
    ['el mes que viene', '2026-08-01'],
    ['Friday', '2026-07-03'],
    ['15 November', '2026-11-15'],
    ['next Thursday 6:30', '2026-07-09 06:30'],
    ['tomorrow at half past six in the evening', '2026-07-02 18:30'],
    ['jeudi à 18h', '2026-07-02 18:00'],
    ['tomorrow morning', '2026-07-02'],
  ])('%j is %s', (text, expected) => expect(read(text, STARTS)).toBe(expected));

  it.each([
    ['end of March', /the day is missing/],
    ['next spring', /a season has no first day/],
    ['tomorrow 4:30', /04:30 or 16:30: say which/],
    ['in two hours', /no date given/],
  ])('%j is asked', (text, reason) => expect(read(text, STARTS)).toMatch(reason));
});

describe('a day that may be past or coming', () => {
  it.each([
    ['February 2015', '2015-02-01'],
    ['février 2015', '2015-02-01'],
    ['en febrero de 2015', '2015-02-01'],
    ['last Monday', '2026-06-29'],
    ['20 April', '2026-04-20'],
    ['Monday', 'refused: that day could be past or coming: say last or next, or the date'],
    ['October', 'refused: the year is missing and the date is not near: say the year'],
    ['2015', 'refused: the month and the day are missing'],
    ['mid February 2015', /^refused: the day is missing/],
  ])('%j is %s', (text, expected) => expect(read(text, PLANTED)).toMatch(expected));
});

describe('a bound of a list', () => {
  it.each([
    ['from May', 'start', '2026-04-30T22:00Z'],
    ['end of May', 'end', '2026-05-31T22:00Z'],
    ['fin mai', 'end', '2026-05-31T22:00Z'],
    ['finales de mayo de 2025', 'end', '2025-05-31T22:00Z'],
    ['yesterday', 'end', '2026-06-30T22:00Z'],
    ['yesterday at 1830', 'end', '2026-06-30T16:30Z'],
  ] as const)('%j, as the %s, is %s', (text, dateAlone, expected) =>
    expect(parseInstant(text, 'Europe/Paris', NOW, { dateAlone })).toMatchObject({
      value: { at: Date.parse(expected) },
    }),
  );
});

describe('a past day', () => {
  it.each([
    ['Monday', '2026-06-29'],
    ['15 November', '2025-11-15'],
    ['March', /^refused: "march" is not understood/],
  ])('%j is %s', (text, expected) => expect(read(text, FILLED)).toMatch(expected));
});
