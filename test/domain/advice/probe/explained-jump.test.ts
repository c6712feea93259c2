import { describe, expect, it } from 'vitest';
import type { ResponseFacts } from '../../../../src/domain/facts/response-facts.ts';
import { DAY, FARM_NOW, HOUR } from '../../../farm.ts';
import { wateringOf } from '../farm/farm-probes.ts';
import { adviceWith } from './probe-facts.ts';

const JUMPED_AT = FARM_NOW - 6 * DAY;

const reasonsAfter = (response: Partial<ResponseFacts>, startedAt = JUMPED_AT + 9 * HOUR) =>
  adviceWith({
    facts: {
      jump: { at: JUMPED_AT, points: 6 },
      response: { unseen: null, logShift: null, ...response },
      waterings: [wateringOf({ startedAt, status: 'done' })],
    },
  }).reasons.map(({ kind }) => kind);

const risesFrom = (at: number) => [at + 4 * DAY, at, at - 4 * DAY];
const shiftTo = (at: number): ResponseFacts['logShift'] => ({
  days: -2,
  startedAt: risesFrom(at + 2 * DAY),
  roseAt: risesFrom(at),
  isEitherWay: false,
  rises: [...risesFrom(at), at + 3 * DAY],
  record: { start: FARM_NOW - 14 * DAY, end: FARM_NOW },
});
const earlyBy = (hours: number): ResponseFacts['early'] => ({
  hours,
  startedAt: risesFrom(JUMPED_AT + hours * HOUR),
  roseAt: risesFrom(JUMPED_AT),
});

describe('a rise of all depths at once', () => {
  it('is asked about where no water is logged then', () => {
    expect(reasonsAfter({})).toContain('DEPTHS_JUMPED');
    expect(reasonsAfter({ logShift: shiftTo(JUMPED_AT + DAY) })).toContain('DEPTHS_JUMPED');
  });

  it.each<[string, Partial<ResponseFacts>]>([
    ['another day', { logShift: shiftTo(JUMPED_AT) }],
    ['another hour', { early: earlyBy(9) }],
    ['another probe', { logShift: shiftTo(JUMPED_AT - 3 * DAY), exchangedWith: 2 }],
  ])('is no water to log where it is logged on %s', (_, response) => {
    expect(reasonsAfter(response)).not.toContain('DEPTHS_JUMPED');
  });

  it('is asked about where a single watering was logged later', () => {
    const once = { hours: 9, startedAt: [JUMPED_AT + 9 * HOUR], roseAt: [JUMPED_AT] };
    expect(reasonsAfter({ early: once })).toContain('DEPTHS_JUMPED');
  });
});
