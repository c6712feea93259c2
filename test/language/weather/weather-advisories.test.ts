import { describe, expect, it } from 'vitest';
import type { UnitSystem } from '../../../src/domain/units.ts';
import type { Advisory } from '../../../src/schema/advisory.ts';
import { FARM_NOW, HOUR } from '../../farm.ts';
import { adviceOf } from '../context.ts';
import { renderAnswer, renderText } from '../render-text.ts';

const sentence = (advisory: Advisory, units?: UnitSystem): string =>
  renderText(adviceOf(advisory), units);

describe('rain', () => {
  const recent = { kind: 'recent_rain', mm: 12, isShown: false, isLost: false } as const;
  const once = { kind: 'rain_counted_once', id: 5, mm: 10, totalMm: 12 } as const;
  const inReadings = { kind: 'rain_in_readings', mm: 14, effectiveMm: 11.2 } as const;
  const place = { parcel: 'North block', mm: 12, days: 2 };
  const around = { eventId: 1, at: FARM_NOW - HOUR, mm: 12 };

  it.each<[string, Advisory]>([
    [
      '12 mm of rain fell a short while ago. Moisture has been rising since, so the readings show it and it is not counted again: ask again when it has soaked in.',
      { ...recent, isShown: true, effectiveMm: null },
    ],
    [
      '12 mm of rain ended more than two hours ago, and no depth has risen since it began: it stayed on leaves and the surface, so it is not counted.',
      { ...recent, isLost: true, effectiveMm: null },
    ],
    [
      '12 mm of rain may not have reached the sensors yet: ask again when it has soaked in.',
      { ...recent, effectiveMm: null },
    ],
    [
      '12 mm of rain may not have reached the sensors yet: ask again when it has soaked in.',
      { ...recent, effectiveMm: 0 },
    ],
    [
      '12 mm of rain may not have reached the sensors yet: 9.6 mm of it are taken from what is missing (80 % at most, the rest evaporates or runs off). Ask again when it has soaked in.',
      { ...recent, effectiveMm: 9.6 },
    ],
    [
      'Another record already had 10 mm that day: they are not added, and this one counts, 12 mm for the day.',
      { ...once, others: 0, isNewCounted: true },
    ],
    [
      '3 other records already had 10 mm that day, which count: this one is not added to them. If it is the right figure, enter it for the whole day.',
      { ...once, others: 2, isNewCounted: false },
    ],
    [
      'One of these records is not counted: another one has that rain already.',
      { kind: 'rain_not_counted', ids: [5], others: 0 },
    ],
    [
      '3 of these records are not counted: others have that rain already.',
      { kind: 'rain_not_counted', ids: [5], others: 2 },
    ],
    ['It was 9.5 mm before.', { kind: 'rain_corrected', mm: 9.5 }],
    [
      '14 mm of rain since the last watering (today 11:00), about 11 mm of it for the roots (80 %): the readings show it already, so it is not counted again.',
      { ...inReadings, since: FARM_NOW - HOUR },
    ],
    [
      '14 mm of rain in the last two weeks, about 11 mm of it for the roots (80 %): the readings show it already, so it is not counted again.',
      { ...inReadings, since: null },
    ],
    [
      'Rain of the last 7 days: 12 mm on North block, over 2 days; 3 mm on the whole farm, on one day.',
      {
        kind: 'rain_totals',
        totals: [place, { parcel: null, mm: 3, days: 1 }],
        lastDays: 7,
      },
    ],
    [
      'Rain recorded for the same time: 12 mm on North block, over 2 days.',
      { kind: 'rain_totals', totals: [place], lastDays: null },
    ],
    [
      'Rain recorded around waterings: 12 mm at that of today 11:00, 12 mm at that of today 11:00, 12 mm at that of today 11:00 and 1 more.',
      { kind: 'rain_around_waterings', rows: [around, around, around, around] },
    ],
  ])('is %j', (words, advisory) => expect(sentence(advisory)).toBe(words));

  it('has inches, with fewer digits where it is rough', () =>
    expect(sentence({ ...inReadings, since: null }, 'us')).toMatch(
      /^0\.55 in \(14 mm\) of rain in the last two weeks, about 0\.4 in \(11 mm\) of it/,
    ));
});

describe('a forecast of rain', () => {
  const forecast = { kind: 'forecast_rain', mm: 14, probability: 70, isCounted: false } as const;
  const CHOICE = ', which do not count here: hold or water is your choice.';

  // 3 July 2026 is a Friday.
  it.each<[string, Advisory]>([
    [`14 mm forecast for today (70 %)${CHOICE}`, { ...forecast, until: '2026-07-01' }],
    [
      `14 mm forecast until tomorrow${CHOICE}`,
      { ...forecast, until: '2026-07-02', probability: null },
    ],
    ['14 mm forecast until Friday (70 %).', { ...forecast, until: '2026-07-03', isCounted: true }],
  ])('is %j', (words, advisory) => expect(sentence(advisory)).toBe(words));
});

describe('a watering that rain has made needless', () => {
  const needless = {
    kind: 'needless_after_rain',
    eventId: 12,
    at: FARM_NOW + HOUR,
    probes: ['North 1', 'North 2'],
    rainMm: 12,
    effectiveMm: 9.6,
    neededMm: 0.4,
    plannedMm: 8,
    since: FARM_NOW - HOUR,
  } as const;

  it.each<[string, Advisory]>([
    [
      'Skip the 8 mm planned today 13:00 for North 1 and North 2? 12 mm of rain since the last watering (today 11:00), 9.6 mm of it for the roots, leave 0.4 mm to give. It stays planned unless you skip it.',
      needless,
    ],
    [
      'Skip the 8 mm planned today 13:00 for North 1 and North 2? 12 mm of rain in three days, 9.6 mm of it for the roots, leave nothing to give. It stays planned unless you skip it.',
      { ...needless, neededMm: 0, since: null },
    ],
  ])('is %j', (words, advisory) => expect(sentence(advisory)).toBe(words));

  it('may be skipped', () =>
    expect(renderAnswer(adviceOf(needless)).next).toEqual([
      'correct_watering(eventId: 12, status: skipped)',
    ]));
});

describe('reference evapotranspiration', () => {
  const ratio = {
    kind: 'demand_ratio',
    percent: 130,
    comingMm: 5.2,
    comingDays: 7,
    lastMm: 4,
    lastDays: 14,
  } as const;
  const hargreaves = { method: 'hargreaves', missing: ['wind', 'radiation'] } as const;
  const penman = { method: 'penman_monteith', missing: [] } as const;
  const reference = { kind: 'reference_evapotranspiration', mm: 5.24, days: 7 } as const;

  it.each<[string, Advisory]>([
    [
      'The days until stress assume drying at 130 % of the pace of the last two weeks: the forecast has a reference evapotranspiration of 5.2 mm a day, after 4 mm.',
      { ...ratio, ...penman, basis: 'forecast' },
    ],
    [
      'The days until stress assume drying at 130 % of the pace of the last two weeks, as in the last three days: their reference evapotranspiration was 5.2 mm a day, after 4 mm (Hargreaves, without wind and radiation).',
      { ...ratio, ...hargreaves, basis: 'recent' },
    ],
    [
      'Reference evapotranspiration: 5.2 mm a day in the last 7 days (FAO-56 Penman-Monteith).',
      { ...reference, ...penman, pace: null },
    ],
    [
      'Reference evapotranspiration: 5.2 mm a day in the last 1 day (Hargreaves, without wind and radiation); the last three days, 118 % of the last two weeks.',
      { ...reference, ...hargreaves, days: 1, pace: { percent: 118, basis: 'recent' } },
    ],
    [
      'Reference evapotranspiration: 5.2 mm a day in the last 7 days (FAO-56 Penman-Monteith); the coming days, by the forecast, 90 % of the last two weeks.',
      { ...reference, ...penman, pace: { percent: 90, basis: 'forecast' } },
    ],
  ])('is %j', (words, advisory) => expect(sentence(advisory)).toBe(words));
});
