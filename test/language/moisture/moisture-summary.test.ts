import { describe, expect, it } from 'vitest';
import type { UnitSystem } from '../../../src/domain/units.ts';
import {
  describeMissingShare,
  summarizeSeries,
} from '../../../src/language/moisture/moisture-summary.ts';
import type { MoistureSeriesBody } from '../../../src/schema/moisture/series.ts';
import { DAY, FARM_NOW, HOUR, iso } from '../../farm.ts';
import { contextOf, MODULE } from '../context.ts';
import { renderAnswer, renderText } from '../render-text.ts';

const context = contextOf({
  modules: [
    { ...MODULE, id: 1, name: 'Oak' },
    { ...MODULE, id: 2, name: 'Mast', category: 'WEATHER_STATION' },
  ],
});

const point = (value: number, at: number) => ({ value, time: iso(at) });
const weightsAt = (...depths: (number | null)[]): MoistureSeriesBody['weights'] => ({
  basis: 'root_uptake',
  byDepth: depths.map((depth, index) => ({ sensorId: index, depth, weight: 1 / depths.length })),
});

const SERIES = {
  moduleId: 1,
  type: 'humidity',
  start: iso(FARM_NOW - DAY),
  end: iso(FARM_NOW),
  interval_seconds: null,
  weights: weightsAt(10, 20, 30),
  freshness: { time: iso(FARM_NOW - HOUR), ageMin: 60, isFresh: true },
  missingShare: 0.46,
  statistics: {
    first: point(30, FARM_NOW - DAY),
    last: point(25, FARM_NOW - HOUR),
    min: point(24.5, FARM_NOW - 13 * HOUR),
    max: point(30, FARM_NOW - DAY),
  },
  data: [],
} as unknown as MoistureSeriesBody;

const REQUEST = { moduleId: 1, type: 'humidity', align: 'local' } as const;

type Request = Parameters<typeof summarizeSeries>[2];

const summary = async (
  changes: Partial<MoistureSeriesBody>,
  request: Partial<Request> = {},
  units?: UnitSystem,
): Promise<string> =>
  renderText(
    await summarizeSeries({ ...SERIES, ...changes }, context, { ...REQUEST, ...request }),
    units,
  );

describe('the summary of a series', () => {
  const AGE = '46 % of the readings are missing; the newest reading is 60 minutes old.';

  it('has the newest value, its depths and time, the trend, extremes, missing share and age', async () =>
    expect(await summary({})).toBe(
      'Moisture of Oak (10 to 30 cm, weighted by root uptake): 25 % by volume today 11:00 (Europe/Paris). ' +
        `Down 5 points from 30 % at yesterday 12:00; lowest 24.5 % at yesterday 23:00, highest 30 % at yesterday 12:00. ${AGE}`,
    ));

  it.each<[string, Partial<MoistureSeriesBody>]>([
    ['Oak has no sensor for moisture.', { weights: weightsAt() }],
    [
      'Oak has never sent any moisture.',
      { freshness: { ...SERIES.freshness, time: null, ageMin: null } },
    ],
    [
      'There is no moisture of Oak from yesterday 12:00 to today 12:00 (Europe/Paris). Its newest reading is from today 11:00.',
      { statistics: null },
    ],
  ])('is %j', async (sentence, changes) => expect(await summary(changes)).toBe(sentence));

  const OLD = {
    freshness: {
      ...SERIES.freshness,
      time: iso(FARM_NOW - 50 * HOUR),
      ageMin: 3000,
      isFresh: false,
    },
  };

  it('begins with the age of old data', async () => {
    const old =
      'Old data: the newest moisture of Oak is 2 days old, from 29 Jun 10:00 (Europe/Paris).';
    expect(await summary({ ...OLD, statistics: null })).toBe(
      `${old} There is no moisture of Oak from yesterday 12:00 to today 12:00 (Europe/Paris).`,
    );
    const withValues = await summary(OLD);
    expect(withValues.startsWith(`${old} Moisture of Oak (10 to 30 cm`)).toBe(true);
    expect(withValues.endsWith(' 46 % of the readings are missing.')).toBe(true);
  });

  it.each<[string, Partial<MoistureSeriesBody>]>([
    [' at 30 cm: 25 % by volume', { weights: weightsAt(30) }],
    [': 25 % by volume', { weights: weightsAt(null) }],
    [
      ' (10 and 30 cm, all depths equally): 25 % by volume',
      { weights: { ...weightsAt(10, 30), basis: 'equal' } },
    ],
    [
      ' (10 to 30 cm, weighted as configured): 25 % by volume',
      { weights: { ...weightsAt(10, 20, 30), basis: 'depth_weights' } },
    ],
  ])('says of which depths the value is: %j', async (words, changes) =>
    expect(await summary(changes)).toContain(`Moisture of Oak${words}`),
  );

  it.each<[string, Partial<MoistureSeriesBody>, Partial<Request>]>([
    ['Temperature of Oak at 30 cm: 25 °C today 11:00', { type: 'temperature' }, {}],
    ['Tension of Oak at 30 cm: 25 kPa today 11:00', { type: 'tensio' }, {}],
    ['Air humidity of Mast at 30 cm: 25 % today 11:00', {}, { moduleId: 2 }],
  ])('has the unit of %j', async (words, changes, request) =>
    expect(await summary({ weights: weightsAt(30), ...changes }, request)).toContain(words),
  );

  it('says that the probe measures something else than was requested', async () => {
    expect(await summary({ type: 'tensio' }, { type: 'temperature' })).toMatch(
      / Oak measures tension only, so that is shown instead of temperature\.$/,
    );
    expect(await summary({ type: 'tensio' }, { type: 'tensio' })).not.toContain('instead');
  });

  it('explains the share of saturation where it is in the answer', async () => {
    const data = [{ value_vwc_max: 55 }] as MoistureSeriesBody['data'];
    const { summary, next } = renderAnswer(
      await summarizeSeries({ ...SERIES, data }, context, { ...REQUEST, detail: 'full' }),
    );
    expect(summary).toMatch(/ The share of saturation is the moisture in % of saturated soil\.$/);
    expect(next).toEqual(['value_vwc_max is that share, not a maximum']);
  });

  const lastAt = (at: number, value = 25) => ({
    ...SERIES.statistics!,
    last: point(value, at),
  });

  it.each<[string, Partial<MoistureSeriesBody>]>([
    [
      '25 % by volume on average over the 6 hours from today 02:00 (Europe/Paris).',
      { interval_seconds: 6 * 3600, statistics: lastAt(FARM_NOW - 10 * HOUR) },
    ],
    [
      '25 % by volume on average over the hour from today 11:00 (Europe/Paris).',
      { interval_seconds: 3600 },
    ],
    [
      '25 % by volume on average over the 90 minutes from today 02:00 (Europe/Paris).',
      { interval_seconds: 5400, statistics: lastAt(FARM_NOW - 10 * HOUR) },
    ],
    [
      '25 % by volume on average from today 12:00 (Europe/Paris) on.',
      { interval_seconds: 6 * 3600, statistics: lastAt(FARM_NOW) },
    ],
  ])('says what a mean is of: %j', async (words, changes) =>
    expect(await summary(changes)).toContain(words),
  );

  it.each<[string, Partial<MoistureSeriesBody>]>([
    [
      'It is the only point of the period.',
      { statistics: { ...SERIES.statistics!, first: SERIES.statistics!.last } },
    ],
    ['As at yesterday 12:00; lowest 24.5 % at', { statistics: lastAt(FARM_NOW - HOUR, 30) }],
    ['Up 1 point from 30 % at', { statistics: lastAt(FARM_NOW - HOUR, 31) }],
    ['Up 2.5 °C from 30 °C at', { type: 'temperature', statistics: lastAt(FARM_NOW, 32.5) }],
    [
      'Down 5 points from 30 % at yesterday 12:00; lowest hour mean 24.5 % from yesterday 23:00, highest hour mean 30 % from yesterday 12:00.',
      { interval_seconds: 3600 },
    ],
    [
      'lowest 6-hour mean 24.5 % from yesterday 23:00, highest 6-hour mean 30 % from yesterday 12:00.',
      { interval_seconds: 6 * 3600 },
    ],
    [
      'Down 5 points from 30 % on 20 Jun; lowest day mean 24.5 % yesterday, highest day mean 30 % on 20 Jun.',
      {
        interval_seconds: 86_400,
        statistics: {
          ...SERIES.statistics!,
          first: point(30, FARM_NOW - 11 * DAY),
          max: point(30, FARM_NOW - 11 * DAY),
        },
      },
    ],
  ])('has the trend: %j', async (words, changes) =>
    expect(await summary(changes)).toContain(words),
  );

  it('has depths and temperatures in US units', async () => {
    expect(await summary({}, {}, 'us')).toContain(
      'Moisture of Oak (4 to 12 in [10 to 30 cm], weighted by root uptake): 25 % by volume',
    );
    expect(
      await summary({ type: 'temperature', statistics: lastAt(FARM_NOW, 32.5) }, {}, 'us'),
    ).toContain('Up 4.5 °F (2.5 °C) from 86 °F (30 °C) at');
    // 0.14 °C are 0.25 °F, 0.1 °C 0.18.
    expect(
      await summary({ type: 'temperature', statistics: lastAt(FARM_NOW, 30.14) }, {}, 'us'),
    ).toContain('Up 0.3 °F (0.1 °C) from');
  });
});

it.each([
  [0, 'No reading is missing'],
  [0.001, 'Less than 1 % of the readings are missing'],
  [0.46, '46 % of the readings are missing'],
  [0.999, '99 % of the readings are missing'],
])('%d missing readings of one: %s', (share, words) =>
  expect(renderText(describeMissingShare(share))).toBe(words),
);
