import { describe, expect, it } from 'vitest';
import { programText } from '../../../src/domain/text/program-text.ts';
import { parsePastPeriod } from '../../../src/language/words/past-period.ts';

const ZONE = 'Europe/Paris';
/** Wednesday, 1 July 2026, 08:00 in Paris. */
const NOW = Date.UTC(2026, 6, 1, 6);

const read = (text: string, now = NOW) => {
  const result = parsePastPeriod(text, ZONE, now);
  return result.ok ? result.value : programText(result.failure);
};

const LAST_NIGHT = '2026-06-30T16:00:00.000Z/2026-07-01T03:00:00.000Z';

describe('when it rained', () => {
  it.each([
    ['last night', LAST_NIGHT],
    ['cette nuit', LAST_NIGHT],
    ['la nuit dernière', LAST_NIGHT],
    ['anoche', LAST_NIGHT],
    ['yesterday', '2026-06-30'],
    ['hier', '2026-06-30'],
    ['ayer', '2026-06-30'],
    ['today', '2026-07-01'],
    ['on Tuesday', '2026-06-30'],
    ['Wednesday', '2026-07-01'],
    ['jeudi', '2026-06-25'],
    ['le 3 mai', '2026-05-03'],
    ['3 March 2025', '2025-03-03'],
    ['2026-06-28', '2026-06-28'],
    ['yesterday afternoon', '2026-06-30T10:00:00.000Z/2026-06-30T17:00:00.000Z'],
    ['hier soir', '2026-06-30T14:00:00.000Z/2026-06-30T22:00:00.000Z'],
    ['this morning', '2026-06-30T22:00:00.000Z/2026-07-01T06:00:00.000Z'],
    ['yesterday at 18:30', '2026-06-30T16:30:00.000Z'],
    ['2 hours ago', '2026-07-01T04:00:00.000Z'],
    ['2026-06-30 18:30', '2026-06-30T16:30:00.000Z'],
    ['2026-06-30T18:00/2026-06-30T20:00', '2026-06-30T16:00:00.000Z/2026-06-30T18:00:00.000Z'],
  ])('%s is %s', (text, period) => {
    expect(read(text)).toBe(period);
  });

  it.each([
    ['tomorrow', /still to come/],
    ['this evening', /still to come/],
    ['2026-07-02', /still to come/],
    ['July', /not understood|no day/],
    ['2026-06-31', /does not exist/],
    ['2026-06-30T20:00/2026-06-30T18:00', /not after its start/],
    ['in the morning', /no day/],
    ['', /empty/],
    ['when the dog barked', /not understood/],
  ])('%j is refused', (text, reason) => {
    expect(read(text)).toMatch(reason);
  });

  it('refuses last night before four in the morning', () => {
    expect(read('last night', Date.UTC(2026, 6, 1, 0))).toMatch(/either night/);
  });

  it('ends the night of a change of clocks at five by the clock', () => {
    expect(read('last night', Date.UTC(2026, 2, 29, 8))).toBe(
      '2026-03-28T17:00:00.000Z/2026-03-29T03:00:00.000Z',
    );
  });
});
