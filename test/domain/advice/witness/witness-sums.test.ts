import fc from 'fast-check';
import { expect, it } from 'vitest';
import { witnessSums } from '../../../../src/domain/advice/witness/witness-sums.ts';
import { roundedParts } from '../../../../src/domain/decimal.ts';

it('divides the mean of the probes by who saw the waterings, so that the parts add up', () => {
  // Two probes of 100 mm each, so a mean of 100: 80 of the 200 were confirmed.
  const sums = witnessSums({
    confirmed: { waterings: 4, waterMm: 80 },
    unconfirmed: { waterings: 6, waterMm: 120 },
    asked: [
      { kind: 'probe', waterMm: 20 },
      { kind: 'probe', waterMm: 20 },
      { kind: 'assumed', waterMm: 20 },
      { kind: 'confirmed', waterMm: 20 },
    ],
    meanMm: 100,
  });
  expect(sums).toEqual([
    { witness: 'confirmed', waterings: 5, waterMm: 50 },
    { witness: 'probe', waterings: 2, waterMm: 20 },
    { witness: 'assumed', waterings: 1, waterMm: 10 },
    { witness: 'unconfirmed', waterings: 2, waterMm: 20 },
  ]);
});

it('counts waterings without a dose, and names no kind without a watering', () => {
  const none = { waterings: 0, waterMm: 0 };
  expect(
    witnessSums({
      confirmed: none,
      unconfirmed: { waterings: 1, waterMm: 0 },
      asked: [{ kind: 'assumed', waterMm: null }],
      meanMm: null,
    }),
  ).toEqual([{ witness: 'assumed', waterings: 1, waterMm: null }]);
});

it('rounds parts so that they add up to the rounded total, each by less than a unit', () => {
  const parts = fc.array(fc.double({ min: 0, max: 500, noNaN: true }), {
    minLength: 1,
    maxLength: 4,
  });
  fc.assert(
    fc.property(parts, fc.integer({ min: 0, max: 3 }), (exact, decimals) => {
      const scale = 10 ** decimals;
      const sum = exact.reduce((all, part) => all + part, 0);
      const total = Math.round(sum * scale) / scale;
      const rounded = roundedParts(exact, total, decimals);
      expect(Math.round(rounded.reduce((all, part) => all + part, 0) * scale)).toBe(
        Math.round(total * scale),
      );
      for (const [index, part] of rounded.entries())
        expect(Math.abs(part - exact[index]!)).toBeLessThanOrEqual(2 / scale);
    }),
  );
});
