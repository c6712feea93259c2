import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Lang } from '../../src/domain/lang.ts';
import {
  formatAdvisedMinutes,
  formatAmount,
  formatDaysAhead,
  formatEntered,
  formatEstimate,
  formatMinutes,
  formatRate,
  formatTotalHours,
} from '../../src/language/number-format.ts';
import { formatAge } from '../../src/language/time.ts';

describe('minutes', () => {
  it.each([
    [0, '0 min'],
    [45, '45 min'],
    [60, '1 h'],
    [314, '5 h 14 min'],
    [44_640, '744 h'],
  ])('of %d that a person entered are all said: %s', (minutes, text) =>
    expect(formatMinutes(minutes)).toBe(text),
  );

  it.each([
    [0, '0 min'],
    [0.2, '1 min'],
    [45.3, '45 min'],
    [59.6, '1 h'],
    [270.3, '4 h 30 min'],
    [314.1, '5 h 15 min'],
    [1439, '24 h'],
    [2313.5, '39 h'],
  ])('of %d that are advised are said as %s', (minutes, text) =>
    expect(formatAdvisedMinutes(minutes)).toBe(text),
  );

  it('that are advised are off by 4 % at most from a quarter of an hour on', () => {
    const minutesOf = (text: string): number => {
      const [, hours = 0, rest = 0] = text.match(/^(?:(\d+) h)? ?(?:(\d+) min)?$/)!;
      return Number(hours) * 60 + Number(rest);
    };
    fc.assert(
      fc.property(fc.double({ min: 15, max: 44_640, noNaN: true }), (minutes) => {
        expect(Math.abs(minutesOf(formatAdvisedMinutes(minutes)) - minutes) / minutes).toBeLessThan(
          0.042,
        );
      }),
    );
  });
});

describe('an amount', () => {
  // 350 US gal/min for 4 h are 317.974589856 m3.
  it.each([
    [317.974589856, '318', '318'],
    [1234.5, '1235', '1235'],
    [99.95, '100', '100'],
    [12.25, '12.3', '12.3'],
    [1.25, '1.3', '1.25'],
    [0.125, '0.13', '0.125'],
  ])('of %d is said as %s, and as %s where a person entered it', (amount, recorded, entered) => {
    expect(formatAmount(amount)).toBe(recorded);
    expect(formatEntered(amount)).toBe(entered);
  });

  it('has at least three digits or whole units from 100 on where a person entered it', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.001, max: 1e6, noNaN: true }), (amount) => {
        const error = Math.abs(Number(formatEntered(amount)) - amount);
        expect(error).toBeLessThanOrEqual((amount < 100 ? amount / 200 : 0.5) + 1e-9);
      }),
    );
  });
});

describe('the days until stress', () => {
  it.each<readonly [number, Record<Lang, string>]>([
    [0.9, { en: 'less than a day', fr: 'moins d’un jour', es: 'menos de un día' }],
    [1.4, { en: 'about a day', fr: 'environ un jour', es: 'alrededor de un día' }],
    [3.8, { en: 'about 4 days', fr: 'environ 4 jours', es: 'unos 4 días' }],
    [13.9, { en: 'about 14 days', fr: 'environ 14 jours', es: 'unos 14 días' }],
    [14, { en: 'more than two weeks', fr: 'plus de deux semaines', es: 'más de dos semanas' }],
  ])('%d are rounded in every language', (days, texts) => {
    for (const lang of ['en', 'fr', 'es'] as const)
      expect(formatDaysAhead(days, lang)).toBe(texts[lang]);
  });
});

it.each([
  [0.364, '0,36'],
  [9.64, '9,6'],
  [44.12, '44'],
  [1374.6, '1375'],
])('an estimate of %d mm has two digits, or none after the point', (mm, text) =>
  expect(formatEstimate(mm, 'fr')).toBe(text),
);

it.each([
  [1.833_26, '1,83'],
  [17.777_8, '17,8'],
  [3.2, '3,2'],
])('a rate of %d mm/h has three digits', (rate, text) => expect(formatRate(rate, 'es')).toBe(text));

it.each([
  [0.25, '15 min'],
  [37.1, '37 h'],
  [312.3, '13 days'],
])('a total of %d hours is said in its largest unit: %s', (hours, text) =>
  expect(formatTotalHours(hours, 'en')).toBe(text),
);

it.each([
  [0, '1 minute'],
  [119, '119 minutes'],
  [149, '2 hours'],
  [150, '3 hours'],
  [3000, '2 days'],
  [8611, '6 days'],
])('an age of %d minutes is said in whole units, and is never nothing: %s', (minutes, text) =>
  expect(formatAge(minutes)).toBe(text),
);
