import fc from 'fast-check';
import { expect, it } from 'vitest';
import { placeLabels } from '../../src/chart/thresholds.ts';

it('leaves labels that do not meet where they belong', () => {
  const wanted = [
    { at: 100, height: 20 },
    { at: 40, height: 20 },
  ];
  expect(placeLabels(wanted, 200)).toEqual([100, 40]);
});

it('moves two at one place apart by half of their height each', () => {
  const wanted = [
    { at: 100, height: 20 },
    { at: 100, height: 20 },
  ];
  expect(placeLabels(wanted, 200)).toEqual([90, 110]);
});

it('covers none by another, keeps their order and stays in the room, wherever they belong', () => {
  const label = fc.record({
    at: fc.double({ min: -100, max: 400, noNaN: true }),
    height: fc.double({ min: 5, max: 25, noNaN: true }),
  });
  fc.assert(
    fc.property(fc.array(label, { maxLength: 10 }), (wanted) => {
      const places = placeLabels(wanted, 300);
      const order = wanted.map((_, index) => index).sort((a, b) => wanted[a]!.at - wanted[b]!.at);
      let floor = 0;
      for (const index of order) {
        const half = wanted[index]!.height / 2;
        expect(places[index]! - half).toBeGreaterThanOrEqual(floor - 1e-6);
        floor = places[index]! + half;
      }
      expect(floor).toBeLessThanOrEqual(300 + 1e-6);
    }),
  );
});
