import { describe, expect, it } from 'vitest';
import { summarizeBacktest } from '../../../src/language/alerts/backtest-summary.ts';
import type { BacktestBody } from '../../../src/schema/alerts/alert.ts';
import { FARM_NOW, HOUR, iso } from '../../farm.ts';
import { contextOf, MODULE } from '../context.ts';
import { renderText } from '../render-text.ts';

const context = contextOf({ modules: [MODULE] });

const EPISODE = {
  start: iso(FARM_NOW - 5 * HOUR),
  end: iso(FARM_NOW - HOUR),
  lowest: 17.3,
  hoursBelow: 4,
  reminders: 0,
};
const TEST = {
  episodes: [],
  missingShare: 0,
  gaps: { newest: [], older: 0 },
  inForce: null,
  hoursBelow: 0,
  reminders: 0,
} as Partial<BacktestBody> as BacktestBody;

const IN_FORCE: NonNullable<BacktestBody['inForce']> = {
  alertId: 'a',
  threshold: '18',
  hysteresis: '5',
  reminderTime: '08:00:00',
  episodes: 2,
  hoursBelow: 0.5,
  reminders: 3,
};

describe('the test of a threshold on past readings', () => {
  it.each<[string, Partial<BacktestBody>, object?]>([
    ['20 % on North 1 would never have fired. It has no active alert. No reading is missing.', {}],
    [
      '18 % on North 1 would never have fired. The active alert at 18 % never fired there. No reading is missing.',
      { inForce: { ...IN_FORCE, episodes: 0 } },
      { threshold: undefined },
    ],
    [
      '20 % on North 1 would have fired once, 4 h below it, no reminders. It began today 07:00 and ended today 11:00 (Europe/Paris), lowest 17.3 %. It has no active alert. No reading is missing.',
      { episodes: [EPISODE], hoursBelow: 4 },
    ],
    [
      '20 % on North 1 would have fired at least 2 times, 3 days below it, 1 reminder. The last began today 07:00 (Europe/Paris) and has not ended, lowest 17.3 %. The active alert at 18 % fired there 2 times, 30 min below it, 3 reminders. No reading is missing.',
      {
        episodes: [EPISODE, { ...EPISODE, end: null }],
        hoursBelow: 72,
        reminders: 1,
        inForce: IN_FORCE,
      },
      { maxEpisodes: 2 },
    ],
    [
      '20 % on North 1 would never have fired. It has no active alert. No reading is missing. Data are missing for the last 2 h, from today 07:00 to 11:00 (4 h) and until yesterday 12:00 (21 h), and in 3 older gaps.',
      {
        gaps: {
          newest: [
            { start: iso(FARM_NOW - 2 * HOUR), end: null, hours: 2 },
            { start: EPISODE.start, end: EPISODE.end, hours: 4 },
            { start: null, end: iso(FARM_NOW - 24 * HOUR), hours: 21 },
            { start: iso(0), end: iso(HOUR), hours: 1 },
          ],
          older: 2,
        },
      },
    ],
  ])('says %j, in every unit system', async (sentence, changes, input) => {
    const text = await summarizeBacktest({ ...TEST, ...changes }, context, {
      moduleId: 1,
      threshold: 20,
      ...input,
    });
    expect(renderText(text)).toBe(sentence);
    expect(renderText(text, 'us')).toBe(sentence);
  });
});
