import { expect, it } from 'vitest';
import { DAY_MS } from '../../../src/domain/periods.ts';
import { drawnFor, drawnX, isLabelWhole } from '../../../src/page/chart/plot-layout.ts';

const VIEW = { start: 0, end: 7 * DAY_MS };

it.each([
  [0.1, false],
  [1, true],
  [6, true],
  [6.9, false],
])('a label centred on day %d of a week of 260 px shows as a whole: %s', (day, isWhole) => {
  const drawn = drawnFor(VIEW, 260);
  expect(isLabelWhole('17 Nov', drawnX(day * DAY_MS, drawn), 13, drawn, VIEW)).toBe(isWhole);
});
