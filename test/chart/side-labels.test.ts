import fc from 'fast-check';
import { expect, it } from 'vitest';
import { placeLabels } from '../../src/chart/side-labels.ts';

it.each([
  ['leaves labels that do not overlap where they belong', [100, 40], [100, 40]],
  ['moves two labels of one level apart by half of their height each', [100, 100], [90, 110]],
])('%s', (_, levels, middles) => {
  const labels = levels.map((y) => ({ y, height: 20 }));
  expect(placeLabels(labels, 200)).toEqual(middles);
});

it('keeps labels apart, in order and within the height, wherever they belong', () => {
  const label = fc.record({
    y: fc.double({ min: -100, max: 400, noNaN: true }),
    height: fc.double({ min: 5, max: 25, noNaN: true }),
  });
  fc.assert(
    fc.property(fc.array(label, { maxLength: 10 }), (labels) => {
      const places = placeLabels(labels, 300);
      const order = labels.map((_, index) => index).sort((a, b) => labels[a]!.y - labels[b]!.y);
      let floor = 0;
      for (const index of order) {
        const half = labels[index]!.height / 2;
        expect(places[index]! - half).toBeGreaterThanOrEqual(floor - 1e-6);
        floor = places[index]! + half;
      }
      expect(floor).toBeLessThanOrEqual(300 + 1e-6);
    }),
  );
});
