import { expect, it } from 'vitest';
import { DAY_MS } from '../../../src/domain/periods.ts';
import { drawnFor, drawnX, labelX } from '../../../src/page/chart/plot-layout.ts';

const VIEW = { start: 0, end: 7 * DAY_MS };
const SIZE = 13;

it.each([
  ['on day -0.1', -0.1, null],
  ['on day 0', 0, 'moved right'],
  ['on day 3', 3, 'in place'],
  ['on day 6.9', 6.9, 'moved left'],
  ['on day 7.1', 7.1, null],
])('a label centred %s of a week shows as a whole', (_, day, expected) => {
  const drawn = drawnFor(VIEW, 260);
  const x = drawnX(day * DAY_MS, drawn);
  const shown = labelX('17 Nov', x, SIZE, drawn, VIEW);
  if (expected === null) expect(shown).toBeNull();
  else {
    expect(Math.sign(shown! - x)).toBe({ 'moved right': 1, 'in place': 0, 'moved left': -1 }[expected]);
    expect(shown!).toBeGreaterThan(drawnX(VIEW.start, drawn) + 23);
    expect(shown!).toBeLessThan(drawnX(VIEW.end, drawn) - 23);
  }
});
