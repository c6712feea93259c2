import { describe, expect, it } from 'vitest';
import { AnswerError, readAnswers } from '../../../src/cli/init/answers.ts';
import { defaultTimeZone, systemCountry } from '../../../src/cli/init/system-locale.ts';

describe.each<[keyof typeof readAnswers, [answer: string, value: unknown][], refused: string[]]>([
  [
    'country',
    [
      ['fr', 'FR'],
      ['España', 'ES'],
      ['royaume-uni', 'GB'],
      ['united states', 'US'],
    ],
    ['ZZ', 'Atlantis'],
  ],
  [
    'timeZone',
    [
      ['europe/paris', 'Europe/Paris'],
      ['Madrid', 'Europe/Madrid'],
      ['los angeles', 'America/Los_Angeles'],
    ],
    ['Pari', '+2', 'EST', 'bst'],
  ],
  [
    'system',
    [
      ['drip', 'drip'],
      ['Goutte-à-goutte', 'drip'],
      ['micro sprinkler', 'micro_sprinkler'],
      ['GOTEO', 'drip'],
    ],
    ['tap', '1'],
  ],
  [
    'emitterFlowLph',
    [
      ['1,6', 1.6],
      ['2 L/h', 2],
      ['1.6', 1.6],
    ],
    ['0', '-1', 'two', '1.600,5'],
  ],
  // 1 / (0.5 m x 1 m) = 2 per m2; 1 / (0.75 m x 3 m) = 0.444444 per m2.
  [
    'emitters',
    [
      ['2', { emittersPerM2: 2 }],
      ['0.5 x 1 m', { emittersPerM2: 2, emitterSpacingM: 0.5, lineSpacingM: 1 }],
      ['0,75x3', { emittersPerM2: 0.444444, emitterSpacingM: 0.75, lineSpacingM: 3 }],
      ['0.5m × 1m', { emittersPerM2: 2, emitterSpacingM: 0.5, lineSpacingM: 1 }],
    ],
    ['0 x 1', 'x', '5000'],
  ],
  [
    'irrigatedAreaM2',
    [
      ['1,5', 15_000],
      ['0.2 ha', 2_000],
    ],
    ['none', '0'],
  ],
  [
    'depths',
    [
      ['10, 30', [10, 30]],
      ['30 10 cm', [10, 30]],
      ['20;40/60', [20, 40, 60]],
      ['10 and 30', [10, 30]],
      ['7.5', [7.5]],
    ],
    ['deep', ',', '-5', '20000'],
  ],
  [
    'measurement',
    [
      ['tension', 'tension'],
      ['m', 'moisture'],
      ['Moisture', 'moisture'],
    ],
    ['kPa'],
  ],
  ['date', [['2026-03-01', '2026-03-01']], ['2026-02-30', '1/3/2026', 'March']],
  ['email', [['ana@example.org', 'ana@example.org']], ['ana', 'a b@c']],
])('the answer for %s', (name, accepted, refused) => {
  it.each(accepted)('%s is %j', (answer, value) =>
    expect(readAnswers[name](answer)).toEqual(value),
  );

  it.each(refused)('%s is refused with what is expected', (answer) => {
    expect(() => readAnswers[name](answer)).toThrow(AnswerError);
  });
});

it.each([
  [{ LANG: 'fr_FR.UTF-8' }, 'FR'],
  [{ LC_ALL: 'es_MX', LANG: 'en_US.UTF-8' }, 'MX'],
  [{ LANG: 'C.UTF-8' }, null],
  [{ LANG: 'eo' }, null],
  [{}, null],
])('the country of %j is %s', (env, country) => expect(systemCountry(env, 'linux')).toBe(country));

it('has the time zone of the country where it has one alone, else that of the system', () => {
  expect(defaultTimeZone('FR')).toBe('Europe/Paris');
  for (const country of ['US', null])
    expect(defaultTimeZone(country)).toBe(Intl.DateTimeFormat().resolvedOptions().timeZone);
});
