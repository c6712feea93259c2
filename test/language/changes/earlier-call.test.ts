import { describe, expect, it } from 'vitest';
import {
  describeEarlierCall,
  describeReplay,
  type EarlierCall,
} from '../../../src/language/changes/earlier-call.ts';
import { FARM_NOW, HOUR, iso } from '../../farm.ts';
import { contextOf, MODULE } from '../context.ts';
import { renderText } from '../render-text.ts';

const context = contextOf({ modules: [MODULE] });

const event = {
  moduleId: 1,
  startedAt: iso(FARM_NOW - 3 * HOUR),
  endedAt: iso(FARM_NOW - 2.25 * HOUR),
};
const rain = { startedAt: iso(FARM_NOW - 3 * HOUR) };
const laterEvent = { ...event, startedAt: iso(FARM_NOW - HOUR) };

const CALL: EarlierCall = {
  operation: 'log_watering',
  at: FARM_NOW - 2 * HOUR,
  body: { event },
  advisories: [],
};

const WRITTEN = 'Already logged today 10:00, for today 09:00 to 09:45: nothing new was written.';
const AGAIN = 'If it ran again, say so with another key.';
const DURATIONS = {
  counts: { 'watering changed': 1 },
  rows: [
    {
      kind: 'watering' as const,
      id: '12',
      before: { moduleId: 1, durationMin: 45 },
      after: { moduleId: 1, durationMin: 10 },
    },
  ],
};

describe('the answer of a call that is repeated', () => {
  it.each<[string, Partial<EarlierCall>]>([
    [`${WRITTEN} ${AGAIN}`, {}],
    [`${WRITTEN} ${AGAIN}`, { body: { waterings: [{ event }, { event }] } }],
    [
      `Already logged today 10:00: nothing new was written. ${AGAIN}`,
      { body: { waterings: [{ event }, { event: laterEvent }] } },
    ],
    [
      `Already logged before, for today 09:00 to 09:45: nothing new was written. ${AGAIN}`,
      { at: null },
    ],
    [
      'Already logged today 10:00, for today 09:00: nothing new was written. If it rained again, say so with another key.',
      { operation: 'log_rain', body: { rain } },
    ],
    [
      'Already done today 10:00: nothing new was written. If this is a new order, send it with another key.',
      { operation: 'set_module_installation', body: {} },
    ],
  ])('begins with %j', (sentence, changes) =>
    expect(renderText(describeReplay({ ...CALL, ...changes }, context))).toBe(
      `${sentence} The first answer:`,
    ),
  );

  it('has what became of it, and no other advisory', () => {
    const advisories: EarlierCall['advisories'] = [
      { kind: 'changed_since', effects: DURATIONS },
      { kind: 'total', count: 3 },
    ];
    expect(renderText(describeReplay({ ...CALL, advisories }, context))).toBe(
      `${WRITTEN} ${AGAIN} This was changed since: 1 watering changed, 10 min in place of 45 min. The first answer:`,
    );
  });
});

describe('the refusal of another call under the same key', () => {
  it('begins with what the earlier call did', async () => {
    const earlier = (effects: Parameters<typeof describeEarlierCall>[0]['effects']) =>
      describeEarlierCall({ ...CALL, effects }, context);
    expect(renderText(await earlier(null))).toBe(
      'Already logged today 10:00, for today 09:00 to 09:45.',
    );
    expect(renderText(await earlier(DURATIONS))).toMatch(
      /^Already logged today 10:00, for today 09:00 to 09:45: 1 watering changed \(North 1/,
    );
  });
});
