import { describe, expect, it } from 'vitest';
import { ok } from '../../../src/domain/result.ts';
import { parseAmount } from '../../../src/language/words/amounts/amount.ts';

describe('two lengths in one text', () => {
  it.each([
    '0.5 m x 2 m',
    '30 cm, 60 cm',
    '30 cm 60 cm',
    '50 cm 2 m',
    '2 m 0.5 m',
    '2 m, 50 cm',
    '2 m x 50 cm',
    '0.5 m 20 cm',
    '1 ft 2 ft',
    '6 in 2 ft',
  ])('are refused: %s', (text) => {
    expect(parseAmount(text, 'm')).toMatchObject({ ok: false });
    expect(parseAmount(text, 'cm')).toMatchObject({ ok: false });
  });

  it.each([
    ['1 ft 6 in', 45.72],
    ['1 m 20', 120],
    ['1 m 20 cm', 120],
    ['5\' 6"', 167.64],
  ])('are one if the second is a rest of the first: %s', (text, cm) => {
    expect(parseAmount(text, 'cm')).toMatchObject({ value: { amount: cm } });
  });
});

describe('an amount', () => {
  it.each([
    ['1.3 million gallons', 'm3', 1_300_000 * 0.003785411784],
    ['a million litres', 'm3', 1000],
    ['two million litres', 'm3', 2000],
    ['1,3 millones de litros', 'm3', 1300],
    ["1,3 million de litres d'eau", 'm3', 1300],
    ['.4 in', 'mm', 10.16],
    ['.4', 'mm', 0.4],
    ['.4 inches', 'mm', 10.16],
  ] as const)('may be %s', (text, unit, amount) => {
    expect(parseAmount(text, unit, { usGallons: true })).toMatchObject({
      value: { amount: expect.closeTo(amount, 6) },
    });
  });

  it.each(['12 litros', '12 litres', '12 l'])('of rain may be %s', (text) => {
    expect(parseAmount(text, 'mm', { isRain: true })).toEqual(ok({ amount: 12, isMetric: true }));
    expect(parseAmount(text, 'mm')).toMatchObject({ ok: false });
  });

  it('of rain is no other volume', () => {
    expect(parseAmount('12 m3', 'mm', { isRain: true })).toMatchObject({ ok: false });
  });
});
