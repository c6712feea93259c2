import { expect, it } from 'vitest';
import { listStarts } from '../../../src/language/advice/watering-times.ts';
import { FARM_NOW } from '../../farm.ts';
import { DAY, HOUR, iso } from '../../time.ts';
import { renderText } from '../render-text.ts';

const list = (...at: number[]): string =>
  renderText(
    listStarts(
      at.map((each) => ({ startedAt: iso(each) })),
      { zone: 'Europe/Paris' },
    ),
  );

it('names waterings by their days, oldest first, and several of one day by their times', () => {
  expect(list(FARM_NOW - 3 * DAY, FARM_NOW - 5 * DAY)).toBe('26 Jun and 28 Jun');
  expect(list(FARM_NOW - 3 * DAY, FARM_NOW - 3 * DAY + HOUR)).toBe('28 Jun 12:00 and 28 Jun 13:00');
});

it('counts many of them', () => {
  const days = Array.from({ length: 7 }, (_, index) => FARM_NOW - (3 + index) * DAY);
  expect(list(...days)).toBe('7 times from 22 Jun to 28 Jun');
});
