import { describe, expect, it } from 'vitest';
import { NO_WATER_TIMES, type WaterTimes } from '../../../src/domain/moisture/water-times.ts';
import { summarizeParcelWaterTimes } from '../../../src/language/moisture/water-times-summary.ts';
import { contextOf } from '../context.ts';
import { renderText } from '../render-text.ts';

const context = contextOf({ parcels: [{ id: 1, name: 'North block' }] });
const timesOf = (changes: Partial<WaterTimes>): WaterTimes => ({ ...NO_WATER_TIMES, ...changes });
const turns = timesOf({ everyHours: 192, turnAt: '2026-07-03T06:00+02:00' });

const summary = async (
  waterTimes: WaterTimes | null,
  before: WaterTimes | null = null,
  upcoming: string[] = [],
): Promise<string> =>
  renderText(
    await summarizeParcelWaterTimes(
      {
        parcelId: 1,
        waterTimes,
        before,
        upcoming,
        source: null,
        sourceBefore: null,
        timesOfSource: null,
      },
      context,
    ),
  );

describe('water times', () => {
  it.each<[string, WaterTimes]>([
    ['water every 8 days from 3 Jul 06:00', turns],
    [
      'water every 100 h from 3 Jul 06:00 until 18:00, ordered 1 day ahead',
      { ...turns, everyHours: 100, untilTime: '18:00', noticeHours: 24 },
    ],
    [
      'water on Tuesday and Friday from 22:00 until 06:00, from 1 April to 30 September',
      timesOf({
        weekdays: [2, 5],
        fromTime: '22:00',
        untilTime: '06:00',
        seasonFrom: '04-01',
        seasonUntil: '09-30',
      }),
    ],
    ['water every day until 06:00', timesOf({ untilTime: '06:00' })],
    [
      'water at any time, with 72000 L/h, at least 40 mm, at most 90 mm',
      timesOf({ flowLPerH: 72_000, leastMm: 40, largestMm: 90 }),
    ],
    [
      'water at any time, in runs of at most 2 h with pauses of 30 min',
      timesOf({ longestRunMin: 120, pauseMin: 30 }),
    ],
    ['water at any time, in runs of at most 45 min', timesOf({ longestRunMin: 45 })],
    [
      'water every 8 days from 3 Jul 06:00, with the turn of 3 Jul 06:00 moved to 4 Jul 06:00, without the turn of 11 Jul 06:00',
      {
        ...turns,
        moved: [
          { from: '2026-07-03T06:00+02:00', to: '2026-07-04T06:00+02:00' },
          { from: '2026-07-11T06:00+02:00', to: null },
        ],
      },
    ],
  ])('are said as "%s"', async (text, times) => {
    expect(await summary(times)).toBe(`North block: ${text}.`);
  });

  it('are said with what they were and when water comes next', async () => {
    const next = ['2026-07-03T06:00+02:00', '2026-07-11T06:00+02:00'];
    expect(await summary(turns, timesOf({ weekdays: [1] }), next)).toBe(
      'North block: water every 8 days from 3 Jul 06:00. It was: water on Monday. The next starts are 3 Jul 06:00 and 11 Jul 06:00.',
    );
    expect(await summary(null, turns)).toBe(
      'North block: water at any time. It was: water every 8 days from 3 Jul 06:00.',
    );
    expect(await summary(turns, turns)).toBe(
      'Nothing changed: North block already has water every 8 days from 3 Jul 06:00.',
    );
  });
});
