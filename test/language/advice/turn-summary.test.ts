import { describe, expect, it } from 'vitest';
import type { TurnDecision } from '../../../src/domain/advice/turn-decision.ts';
import { sentences } from '../../../src/domain/text/say.ts';
import { describeTurn, stressBeforeWater } from '../../../src/language/advice/turn-summary.ts';
import { DAY, FARM_NOW, HOUR } from '../../farm.ts';
import { renderText } from '../render-text.ts';

const TURN: TurnDecision = {
  verdict: 'take',
  nextAt: FARM_NOW + 2 * DAY,
  isToday: false,
  followingAt: FARM_NOW + 10 * DAY,
  orderBy: null,
  missedAt: null,
  stressAt: FARM_NOW + 6 * DAY,
  isLate: false,
  drainedMm: null,
  fullLastsDays: null,
};

const NEXT = '3 Jul 12:00';
const FOLLOWING = '11 Jul 12:00';

describe('the decision about the next turn', () => {
  it.each<[string, Partial<TurnDecision>]>([
    [
      `Take the turn of ${NEXT}: without it, stress is expected from 7 Jul on, and the next water comes ${FOLLOWING}.`,
      {},
    ],
    [
      `Take the turn of ${NEXT}: without it, the crop may suffer before the next water comes, ${FOLLOWING}. Order it by tomorrow 12:00.`,
      { stressAt: null, orderBy: FARM_NOW + DAY },
    ],
    [
      `Take the turn of ${NEXT}: without it, stress is expected from 7 Jul on, and no more water comes this season.`,
      { followingAt: null },
    ],
    [
      `The turn of ${NEXT} can be skipped: the water in the soil lasts until ${FOLLOWING}.`,
      { verdict: 'skip', orderBy: FARM_NOW + DAY },
    ],
    [
      `Of the least dose some 44 mm would drain at the turn of ${NEXT}; without it, stress is expected from 7 Jul on, and the next water comes ${FOLLOWING}.`,
      { verdict: 'open', drainedMm: 44 },
    ],
    [
      'Of the least dose some 39 mm would drain then. Order it by tomorrow 12:00.',
      { verdict: 'open', isLate: true, drainedMm: 38.568, orderBy: FARM_NOW + DAY },
    ],
    [
      `The soil has no room for water at the turn of ${NEXT}; without it, stress is expected from 7 Jul on, and the next water comes ${FOLLOWING}.`,
      { verdict: 'open' },
    ],
    [
      `Take the turn that began today 10:00: without it, stress is expected from 7 Jul on, and the next water comes ${FOLLOWING}.`,
      { nextAt: FARM_NOW - 2 * HOUR, isToday: true },
    ],
    [
      `A turn began today 10:00, the next one is ${FOLLOWING}.`,
      { verdict: 'unknown', stressAt: null, nextAt: FARM_NOW - 2 * HOUR },
    ],
    // It is given when it is due.
    ['', { verdict: 'skip', followingAt: FARM_NOW + 3 * DAY }],
    [`The next turn is ${NEXT}, then ${FOLLOWING}.`, { verdict: 'unknown', stressAt: null }],
    [
      `If the turn of today 14:00 was ordered, log it as planned, and ask again. Full soil lasts about 6 days, less than from one turn to the next.`,
      { isLate: true, missedAt: FARM_NOW + 2 * HOUR, fullLastsDays: 6 },
    ],
  ])('is "%s"', (text, changes) => {
    expect(renderText(sentences(describeTurn({ ...TURN, ...changes }, 'wait', FARM_NOW)))).toBe(
      text,
    );
  });

  it('is about the next turn where a doubt leaves the day of stress open', () => {
    const late = describeTurn({ ...TURN, isLate: true, orderBy: FARM_NOW + DAY }, null, FARM_NOW);
    expect(renderText(sentences(late))).toBe(
      `The next turn is ${NEXT}. Order it by tomorrow 12:00.`,
    );
  });

  it('says from when the crop suffers and when water comes', () => {
    expect(renderText(stressBeforeWater(TURN))).toBe(`stress from 7 Jul, next water ${NEXT}`);
  });
});
