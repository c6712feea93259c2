import { describe, expect, it } from 'vitest';
import {
  describeRainOfPeriod,
  summarizeRain,
  summarizeRainCorrection,
  summarizeRainList,
} from '../../../src/language/weather/rain-summary.ts';
import type { Advisory } from '../../../src/schema/advisory.ts';
import type { RainBody } from '../../../src/schema/weather/rain.ts';
import { DAY, FARM_NOW, iso } from '../../farm.ts';
import { contextOf, MODULE } from '../context.ts';
import { renderAnswer, renderText } from '../render-text.ts';

const context = contextOf({
  modules: [MODULE, { ...MODULE, id: 2, name: 'Mast', category: 'WEATHER_STATION' }],
  parcels: [{ id: 1, name: 'North block' }],
});

const RAIN: RainBody = {
  id: 1,
  parcelId: null,
  moduleId: null,
  day: '2026-06-30',
  startedAt: null,
  endedAt: null,
  mm: 12,
  source: 'mcp',
  note: null,
};
const NIGHT = { startedAt: iso(FARM_NOW - DAY), endedAt: iso(FARM_NOW - DAY / 2) };

describe('a record of rain', () => {
  it.each<[string, Partial<RainBody>]>([
    ['12 mm on the whole farm, yesterday', {}],
    ['8.5 mm on North block (North 1), yesterday', { mm: 8.5, parcelId: 1 }],
    ['12 mm on the whole farm, yesterday 12:00 to today 00:00 (Europe/Paris)', NIGHT],
    [
      '12 mm on the whole farm, yesterday 12:00 (Europe/Paris), measured by Mast',
      { ...NIGHT, endedAt: null, moduleId: 2 },
    ],
  ])('is %j', async (record, changes) =>
    expect(renderText(await summarizeRain({ rain: { ...RAIN, ...changes } }, context))).toBe(
      `Rain recorded: ${record}.`,
    ),
  );

  it('has inches beside the millimetres, from the exact amount: 21.46 mm are 0.845 in', async () =>
    expect(renderText(await summarizeRain({ rain: { ...RAIN, mm: 21.46 } }, context), 'us')).toBe(
      'Rain recorded: 0.84 in (21.5 mm) on the whole farm, yesterday.',
    ));
});

describe('a correction of rain', () => {
  const before: Advisory = { kind: 'rain_corrected', mm: 12 };

  it.each<[string, number, readonly Advisory[]]>([
    ['The rain record is now 21 mm on the whole farm, yesterday; it was 12 mm.', 21, [before]],
    ['The rain record is now 21 mm on the whole farm, yesterday.', 21, []],
    ['The rain record is deleted: its 12 mm no longer count.', 0, [before]],
    ['The rain record is deleted.', 0, []],
  ])('is %j', async (sentence, mm, advisories) =>
    expect(
      renderText(await summarizeRainCorrection({ rain: { ...RAIN, mm } }, context, {}, advisories)),
    ).toBe(sentence),
  );
});

describe('a list of rain', () => {
  const NEWEST = '12 mm on the whole farm, yesterday.';
  const [FARM, PARCEL] = [
    { parcelId: null, mm: 27, days: 3 },
    { parcelId: 1, mm: 4, days: 1 },
  ];

  it.each([
    ['No rain is recorded for that.', [], undefined],
    ['No rain is recorded for that.', [RAIN], []],
    ['No rain is recorded for that.', [{ ...RAIN, mm: 0 }], [FARM]],
    [`2 records of rain, the newest: ${NEWEST}`, [RAIN, RAIN], undefined],
    [
      `Rain recorded: 27 mm on the whole farm, over 3 days; 4 mm on North block, on one day. The newest: ${NEWEST}`,
      [RAIN],
      [FARM, PARCEL],
    ],
  ])('is %j', async (sentence, data, totals) =>
    expect(renderText(await summarizeRainList({ data, totals }, context))).toBe(sentence),
  );

  it('counts the parcels from the seventh on', async () => {
    const totals = Array.from({ length: 8 }, () => PARCEL);
    expect(renderText(await summarizeRainList({ data: [RAIN], totals }, context))).toContain(
      '4 mm on North block, on one day; and 2 more parcels. The newest',
    );
  });

  it('beside waterings names the places', async () => {
    expect(await describeRainOfPeriod([], context)).toEqual([]);
    expect((await describeRainOfPeriod([PARCEL], context)).map((text) => renderText(text))).toEqual(
      ['Rain recorded for the same time: 4 mm on North block, on one day.'],
    );
  });
});

it('names of people stay as they are', async () => {
  const named = contextOf({ parcels: [{ id: 1, name: 'Row 2 in (50 mm)' }] });
  const { summary, next } = renderAnswer(
    await summarizeRain({ rain: { ...RAIN, parcelId: 1 } }, named),
    'us',
  );
  expect(summary).toBe('Rain recorded: 0.47 in (12 mm) on "Row 2 in (50 mm)", yesterday.');
  expect(next).toEqual([]);
});
