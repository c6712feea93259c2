import { describe, expect, it } from 'vitest';
import { AnswerError, dateReader, readAnswers } from '../../../src/cli/init/answers.ts';
import { type QuantityAnswers, quantityAnswers } from '../../../src/cli/init/quantity-answers.ts';
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
      ['humedad', 'moisture'],
      ['tensiómetro', 'tension'],
      ['tensiomètre', 'tension'],
    ],
    ['kPa'],
  ],
  [
    'texture',
    [
      ['loam', 'Loam'],
      ['franco arenoso', 'Sandy loam'],
      ['Limon', 'Loam'],
    ],
    ['mud'],
  ],
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

const READ_QUANTITIES = { metric: quantityAnswers('FR'), us: quantityAnswers('US') };
type QuantityName = Exclude<keyof QuantityAnswers, 'units'>;

describe.each<['metric' | 'us', QuantityName, [string, unknown][], refused: string[]]>([
  [
    'metric',
    'emitterFlowLph',
    [
      ['1,6', 1.6],
      ['2 L/h', 2],
      ['2,3 l/h', 2.3],
      ['two litres per hour', 2],
    ],
    ['0', '-1', '0.5 gph', '2 mm/h', '1.600', '5 fanegas'],
  ],
  [
    'us',
    'emitterFlowLph',
    [
      ['0.5', 1.892705892],
      ['0.5 gph', 1.892705892],
    ],
    ['2 mm/h'],
  ],
  // 0.35 in/h is 8.89 mm/h.
  [
    'us',
    'flowMmPerH',
    [
      ['0.35', 8.89],
      ['0.35 in/h', 8.89],
      ['4 mm/h', 4],
    ],
    ['7 mm/day'],
  ],
  [
    'metric',
    'flowMmPerH',
    [
      ['4', 4],
      ['0.35 in/h', 8.89],
    ],
    ['7 mm/day', '4 L/h'],
  ],
  [
    'metric',
    'irrigatedAreaM2',
    [
      ['1,5', 15_000],
      ['0.2 ha', 2_000],
      ['500 m2', 500],
    ],
    ['0', '5 fanegas'],
  ],
  [
    'us',
    'irrigatedAreaM2',
    [
      ['125', 505_857.0528],
      ['125 acres', 505_857.0528],
    ],
    ['none'],
  ],
  // 1 / (0.5 m x 1 m) = 2 per m2; 1 / (0.75 m x 3 m) = 0.444444 per m2.
  [
    'metric',
    'emitters',
    [
      ['2', { emittersPerM2: 2 }],
      ['2 per m2', { emittersPerM2: 2 }],
      ['0.5 x 1 m', { emittersPerM2: 2, emitterSpacingM: 0.5, lineSpacingM: 1 }],
      ['0,75x3', { emittersPerM2: 0.444444, emitterSpacingM: 0.75, lineSpacingM: 3 }],
      ['0.5m × 1m', { emittersPerM2: 2, emitterSpacingM: 0.5, lineSpacingM: 1 }],
      ['50 cm x 2 m', { emittersPerM2: 1, emitterSpacingM: 0.5, lineSpacingM: 2 }],
      ['20 in x 10 ft', { emittersPerM2: 0.645835, emitterSpacingM: 0.508, lineSpacingM: 3.048 }],
    ],
    ['0 x 1', 'x', '5000', '0.5 gal/h', '1 x 2 x 3'],
  ],
  [
    'us',
    'depths',
    [
      ['12, 24', [30, 61]],
      ['30 cm', [30]],
    ],
    ['deep'],
  ],
  [
    'metric',
    'depths',
    [
      ['10, 30', [10, 30]],
      ['12 in', [30]],
    ],
    ['deep'],
  ],
  [
    'us',
    'rootDepthCm',
    [
      ['24', 61],
      ['4 ft', 122],
    ],
    ['deep'],
  ],
])('in %s units the answer for', (system, name, accepted, refused) => {
  it.each(accepted)(`${name} is %j`, (answer, value) =>
    expect(READ_QUANTITIES[system][name](answer)).toEqual(value),
  );

  it.each(refused)(`${name} is refused with what is expected: %s`, (answer) => {
    expect(() => READ_QUANTITIES[system][name](answer)).toThrow(AnswerError);
  });
});

describe('the answer for a date', () => {
  const read = dateReader('Europe/Paris', Date.UTC(2026, 5, 20, 10));

  it.each([
    ['2026-03-01', '2026-03-01'],
    ['2024', '2024-01-01'],
    ['15/3/2025', '2025-03-15'],
    ['March 2025', '2025-03-01'],
  ])('%s is %s', (answer, date) => expect(read(answer)).toBe(date));

  it.each(['2026-02-30', '2027-01-01', 'always', 'soon'])('is refused: %s', (answer) => {
    expect(() => read(answer)).toThrow(AnswerError);
  });
});
