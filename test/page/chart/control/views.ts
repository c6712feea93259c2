import fc from 'fast-check';
import { DAY, HOUR } from '../../../time.ts';

export const NOW = Date.UTC(2026, 6, 1, 10);

export const views = fc
  .record({
    end: fc.integer({ min: NOW - 3000 * DAY, max: NOW }),
    hours: fc.integer({ min: 2, max: 24 * 400 }),
  })
  .map(({ end, hours }) => ({ start: end - hours * HOUR, end }));
