import { describe, expect } from 'vitest';
import type { AcequiaError } from '../../../src/schema/error.ts';
import type { MoistureSeriesBody } from '../../../src/schema/moisture/series.ts';
import type { SoilHorizonBody } from '../../../src/schema/soil/soil.ts';
import { encodeCursor } from '../../../src/service/pagination.ts';
import {
  advisoriesOf,
  bodyOf,
  DAY,
  FARM_NOW,
  HOUR,
  iso,
  it,
  MINUTE,
  type TestFarm,
  type ToolResult,
  withFarm,
} from '../../farm.ts';
import {
  declareSoil,
  installProbe,
  instantsEvery,
  moistureSensorsAt,
  startOfUtcDay,
} from '../moisture/probe-farm.ts';

const QUARTER = 15 * MINUTE;

type Fields = Record<string, unknown>;
type Series = ToolResult<MoistureSeriesBody>;

const series = (farm: TestFarm, args: Fields = {}): Promise<Series> =>
  farm.tool('get_moisture_series', { module: 'Oak', align: 'utc', detail: 'full', ...args });
const overTheWire = (farm: TestFarm, moduleId: number, query: Fields = {}): Promise<Series> =>
  farm.wire('get_moisture_series', { moduleId, ...query });

const times = ({ data }: Series): string[] => data.map(({ time }) => time);

describe('GET measurements/weighted', () => {
  it('answers the fields of the spec, then our own', async ({ farm }) => {
    const oak = await installProbe(farm);
    await oak.recordAll([FARM_NOW - HOUR], 20);
    const body = bodyOf(await series(farm));
    expect(Object.keys(body)).toEqual([
      'module_id',
      'type',
      'unit',
      'start',
      'end',
      'interval_seconds',
      'data',
      'statistics',
      'weights',
      'freshness',
      'missingShare',
    ]);
    expect(body).toMatchObject({
      module_id: oak.id,
      type: 'humidity',
      unit: '%',
      start: iso(FARM_NOW - 7 * DAY),
      end: iso(FARM_NOW),
      interval_seconds: null,
    });
  });

  it('has days of UTC with every field, and local days with few fields only on request', async ({
    farm,
  }) => {
    const oak = await installProbe(farm);
    await oak.recordAll([FARM_NOW - DAY, FARM_NOW - HOUR], 20);
    const days = { start: '2026-06-30T00:00:00Z', end: '2026-07-02T00:00:00Z', interval: 86_400 };
    const utc = await overTheWire(farm, oak.id, days);
    expect(times(utc)).toEqual(['2026-06-30T00:00:00.000Z', '2026-07-01T00:00:00.000Z']);
    expect(Object.keys(utc.data[0]!)).toEqual(['time', 'value_vwc', 'value_vwc_max', 'value_mm']);
    const local = await overTheWire(farm, oak.id, { ...days, align: 'local' });
    expect(times(local)).toEqual(['2026-06-29T22:00:00.000Z', '2026-06-30T22:00:00.000Z']);
    const concise = await overTheWire(farm, oak.id, { ...days, align: 'local', detail: 'concise' });
    expect(concise.data[0]).toEqual({ time: '2026-06-30', value_vwc: 20 });
  });

  it.each([
    ['humidity', '%', { value_vwc: 20.1, value_vwc_max: null, value_mm: 70.4 }],
    ['temperature', 'deg C', { value_temp: 20.1 }],
    ['tensio', 'kPa', { value_tensio: 20.1 }],
  ] as const)('has only the fields of %s, in %s, to one decimal place', (type, unit, values) =>
    withFarm(async (farm) => {
      const all = ['humidity', 'temperature', 'tensio'] as const;
      const sensors = all.flatMap((each) => [[each, 10] as const, [each, 30] as const]);
      await (await installProbe(farm, { sensors, rootDepthCm: 35 })).recordAll(
        [FARM_NOW - HOUR],
        20.12,
      );
      // 20.12 % of 350 mm are 70.42 mm.
      const answer = await series(farm, { type });
      expect(answer).toMatchObject({ type, unit });
      expect(answer.data).toEqual([{ time: iso(FARM_NOW - HOUR), ...values }]);
    }),
  );

  it('accepts the former code tension for tensio', async ({ farm }) => {
    const oak = await installProbe(farm, { sensors: [['tensio', 30], ...moistureSensorsAt(10)] });
    await oak.recordAll([FARM_NOW - HOUR], 45);
    for (const answer of [
      await series(farm, { type: 'tension' }),
      await overTheWire(farm, oak.id, { type: 'tension' }),
    ])
      expect(answer).toMatchObject({ type: 'tensio', unit: 'kPa', data: [{ value_tensio: 45 }] });
  });

  it('serves the only sensor type of a module, and notes it', async ({ farm }) => {
    const oak = await installProbe(farm, { sensors: [['tensio', 30]], category: 'TENSIOMETER' });
    await oak.recordAll([FARM_NOW - HOUR], 45);
    const answer = await series(farm, { type: 'temperature' });
    expect(answer).toMatchObject({ type: 'tensio', data: [{ value_tensio: 45 }] });
  });

  it('is empty for a type that the module lacks', async ({ farm }) => {
    await installProbe(farm, { sensors: [['temperature', 30], ...moistureSensorsAt(10)] });
    const answer = await series(farm, { type: 'tensio' });
    expect(answer).toMatchObject({ type: 'tensio', data: [], statistics: null, missingShare: 1 });
  });

  it('includes start and excludes end', async ({ farm }) => {
    await (await installProbe(farm)).recordAll(
      [FARM_NOW - 3 * HOUR, FARM_NOW - 2 * HOUR, FARM_NOW - HOUR],
      20,
    );
    const answer = await series(farm, {
      start: iso(FARM_NOW - 3 * HOUR),
      end: iso(FARM_NOW - HOUR),
    });
    expect(times(answer)).toEqual([iso(FARM_NOW - 3 * HOUR), iso(FARM_NOW - 2 * HOUR)]);
  });

  it('begins 7 days before end by default', async ({ farm }) => {
    await installProbe(farm);
    expect(await series(farm, { end: iso(FARM_NOW - DAY) })).toMatchObject({
      start: iso(FARM_NOW - 8 * DAY),
      end: iso(FARM_NOW - DAY),
    });
  });

  it('accepts local times, dates and plain words in a tool', async ({ farm }) => {
    await installProbe(farm);
    // Paris is two hours ahead of UTC in June and July.
    expect(await series(farm, { start: '2026-06-30', end: 'today 6:00' })).toMatchObject({
      start: '2026-06-29T22:00:00.000Z',
      end: '2026-07-01T04:00:00.000Z',
    });
  });
});

describe('the interval', () => {
  it('is null, for raw instants, up to maxPoints', async ({ farm }) => {
    await (await installProbe(farm)).recordAll(
      instantsEvery(HOUR, FARM_NOW - 48 * HOUR, FARM_NOW),
      20,
    );
    const answer = await series(farm);
    expect(answer.interval_seconds).toBeNull();
    expect(answer.data).toHaveLength(48);
  });

  it.for([
    // Readings of 7 days at 15 minutes from 12:00 in Paris, 10:00 UTC, on: 672 instants.
    [671, 30 * MINUTE, 336],
    [336, 30 * MINUTE, 336],
    [335, HOUR, 168],
    // From 10:00 the first bucket of 3 h (from 09:00) is cut, and so is the last: 57 of them, 29 of
    // 6 h, 15 of 12 h.
    [57, 3 * HOUR, 57],
    [56, 6 * HOUR, 29],
    [28, 12 * HOUR, 15],
    [14, DAY, 8],
    // 24 June 2026 is a Wednesday, and weeks since 1970 begin on Thursdays.
    [7, 7 * DAY, 2],
  ] as const)(
    'is the smallest usual one that gives at most %i points',
    async ([maxPoints, intervalMs, points], { farm }) => {
      await (await installProbe(farm)).recordAll(
        instantsEvery(QUARTER, FARM_NOW - 7 * DAY, FARM_NOW),
        20,
      );
      const answer = await series(farm, { maxPoints });
      expect([answer.interval_seconds, answer.data.length]).toEqual([intervalMs / 1000, points]);
    },
  );

  it('counts only days with readings', async ({ farm }) => {
    const mornings = [FARM_NOW - 40 * DAY, FARM_NOW - 20 * DAY, FARM_NOW - DAY].map(startOfUtcDay);
    await (await installProbe(farm)).recordAll(
      mornings.flatMap((day) => [day, day + 13 * HOUR]),
      20,
    );
    // Six instants and half-days, three days.
    expect(await series(farm, { start: iso(FARM_NOW - 50 * DAY), maxPoints: 3 })).toMatchObject({
      interval_seconds: 86_400,
      data: mornings.map((day) => ({ time: iso(day) })),
    });
  });

  it('is above 7 days the smallest multiple of 7 days that gives at most maxPoints', async ({
    farm,
  }) => {
    await (await installProbe(farm)).recordAll(
      instantsEvery(6 * HOUR, FARM_NOW - 200 * DAY, FARM_NOW),
      20,
    );
    const weeks = new Set(
      instantsEvery(6 * HOUR, FARM_NOW - 200 * DAY, FARM_NOW).map((at) =>
        Math.floor(at / (7 * DAY)),
      ),
    );
    const pointsOf = (times: number) =>
      new Set([...weeks].map((week) => Math.floor(week / times))).size;
    let times = 2;
    while (pointsOf(times) > 9) times++;
    const answer = await series(farm, { start: iso(FARM_NOW - 200 * DAY), maxPoints: 9 });
    expect([answer.interval_seconds, answer.data.length]).toEqual([
      (times * 7 * DAY) / 1000,
      pointsOf(times),
    ]);
  });

  it('gives at most 48 points in a tool and 500 over the wire by default', async ({ farm }) => {
    const oak = await installProbe(farm);
    await oak.recordAll(instantsEvery(QUARTER, FARM_NOW - 7 * DAY, FARM_NOW), 20);
    expect((await series(farm)).interval_seconds).toBe(6 * 3600);
    expect((await overTheWire(farm, oak.id)).interval_seconds).toBe(30 * 60);
  });

  it('is used as requested over the wire, and refused in a tool above 500 points with one to use', async ({
    farm,
  }) => {
    const oak = await installProbe(farm);
    await oak.recordAll(instantsEvery(QUARTER, FARM_NOW - 7 * DAY, FARM_NOW), 20);
    expect((await overTheWire(farm, oak.id, { interval: 900 })).data).toHaveLength(672);
    await expect(series(farm, { interval: 900 })).rejects.toMatchObject({
      code: 'invalid_parameter',
      status: 400,
      field: 'interval',
      // 336 half-hours.
      hint: expect.stringContaining('Use interval 1800'),
    });
    expect((await series(farm, { interval: 1800 })).data).toHaveLength(336);
  });

  it('is accepted in a tool if few readings keep it below 500 points', async ({ farm }) => {
    await (await installProbe(farm)).recordAll([FARM_NOW - 6 * DAY, FARM_NOW - DAY], 20);
    expect((await series(farm, { interval: 1 })).data).toHaveLength(2);
  });

  it('aligns buckets to the epoch and labels them by their start, also when the period cuts them', async ({
    farm,
  }) => {
    await (await installProbe(farm)).recordAll(
      [FARM_NOW - 90 * MINUTE, FARM_NOW - 30 * MINUTE],
      20,
    );
    // NOW is 10:00 UTC: buckets of 3 h begin at 06:00 and 09:00.
    const answer = await series(farm, { start: iso(FARM_NOW - 2 * HOUR), interval: 3 * 3600 });
    expect(times(answer)).toEqual([iso(FARM_NOW - 4 * HOUR), iso(FARM_NOW - HOUR)]);
  });
});

describe('a series of more than 10,000 points', () => {
  const COUNT = 10_050;
  const START = FARM_NOW - COUNT * MINUTE;
  const minutes = instantsEvery(MINUTE, START, FARM_NOW);
  const request = { start: iso(START), end: iso(FARM_NOW), interval: 60 };

  const withMinutes = (body: (farm: TestFarm, moduleId: number) => Promise<void>) =>
    withFarm(async (farm) => {
      const oak = await installProbe(farm, { sensors: moistureSensorsAt(10) });
      await oak.recordAll(minutes, 20);
      await body(farm, oak.id);
    });

  it('is refused with an interval to use and a cursor, with which it is read in pages', () =>
    withMinutes(async (farm, id) => {
      const refusal = await overTheWire(farm, id, request).catch(
        (error: AcequiaError) => error as never,
      );
      expect(refusal).toMatchObject({ code: 'invalid_parameter', status: 400, field: 'interval' });
      expect(refusal).toMatchObject({ hint: expect.stringContaining('Use interval 900 ') });
      const cursor = /cursor=(\S+)/.exec((refusal as unknown as AcequiaError).hint!)![1]!;
      const first = await overTheWire(farm, id, { ...request, cursor });
      const second = await overTheWire(farm, id, { ...request, cursor: first.next_cursor });
      expect([...times(first), ...times(second)]).toEqual(minutes.map(iso));
      expect(first).toMatchObject({
        start: request.start,
        end: iso(START + 10_000 * MINUTE),
        interval_seconds: 60,
      });
      expect(second).toMatchObject({
        start: first.end,
        end: request.end,
        next_cursor: null,
        missingShare: 0,
      });
      const ofAnotherCompany = encodeCursor([`series ${id} 60`, 2], [START]);
      const ofAnotherProbe = encodeCursor([`series ${id + 1} 60`, 1], [START]);
      expect(cursor).toBe(encodeCursor([`series ${id} 60`, 1], [START]));
      for (const other of [
        { interval: 61 },
        { interval: undefined },
        { cursor: `${cursor}A` },
        { cursor: ofAnotherCompany },
        { cursor: ofAnotherProbe },
      ])
        await expect(overTheWire(farm, id, { ...request, cursor, ...other })).rejects.toMatchObject(
          {
            code: 'invalid_cursor',
            status: 400,
          },
        );
    }));

  it('has a longer interval where it is not given, whatever maxPoints is', () =>
    withMinutes(async (farm, id) => {
      const answer = await overTheWire(farm, id, {
        ...request,
        interval: undefined,
        maxPoints: 50_000,
      });
      expect([answer.interval_seconds, answer.data.length]).toEqual([900, COUNT / 15]);
    }));
});

describe('the figures of a series', () => {
  it('include the basis of the weights and the weight of each depth', async ({ farm }) => {
    await installProbe(farm, { sensors: moistureSensorsAt(15, 45, 75), rootDepthCm: 90 });
    expect((await series(farm)).weights).toEqual({
      basis: 'root_uptake',
      byDepth: [
        { depth: 15, weight: 0.5 },
        { depth: 45, weight: 0.3333 },
        { depth: 75, weight: 0.1667 },
      ],
    });
  });

  it.for([
    ['fresh', 25 * HOUR, true],
    ['not fresh', 25 * HOUR + MINUTE, false],
  ] as const)(
    'include the age of the newest reading, also one outside the period: %s',
    async ([_, age, isFresh], { farm }) => {
      await (await installProbe(farm)).recordAll([FARM_NOW - age], 20);
      expect((await series(farm, { start: iso(FARM_NOW - HOUR) })).freshness).toEqual({
        time: iso(FARM_NOW - age),
        ageMin: age / MINUTE,
        isFresh,
      });
    },
  );

  it('cover the probe’s own readings alone', async ({ farm }) => {
    const ash = await installProbe(farm, { name: 'Ash' });
    const oak = await installProbe(farm);
    const elm = await installProbe(farm, { name: 'Elm' });
    for (const other of [ash, elm])
      await other.recordAll(instantsEvery(QUARTER, FARM_NOW - 7 * DAY, FARM_NOW), 50);
    await oak.recordAll([FARM_NOW - 2 * DAY], 20);
    expect(await series(farm)).toMatchObject({
      interval_seconds: null,
      data: [{ time: iso(FARM_NOW - 2 * DAY), value_vwc: 20 }],
      freshness: { time: iso(FARM_NOW - 2 * DAY) },
    });
  });

  it('have no newest reading if nothing was ever sent', async ({ farm }) => {
    await installProbe(farm);
    expect(await series(farm)).toMatchObject({
      data: [],
      statistics: null,
      freshness: { time: null, ageMin: null, isFresh: false },
      missingShare: 1,
    });
  });

  it.for([
    ['none', instantsEvery(QUARTER, FARM_NOW - 2 * DAY, FARM_NOW), 0],
    ['half of it', instantsEvery(QUARTER, FARM_NOW - DAY, FARM_NOW), 0.5],
    ['six hours of 48', instantsEvery(QUARTER, FARM_NOW - 2 * DAY, FARM_NOW - 6 * HOUR), 0.125],
  ] as const)(
    'include the missing share of the period: %s',
    async ([_, instants, share], { farm }) => {
      await (await installProbe(farm)).recordAll(instants, 20);
      expect((await series(farm, { start: iso(FARM_NOW - 2 * DAY) })).missingShare).toBe(share);
    },
  );

  it('counts no future reading as missing', async ({ farm }) => {
    await (await installProbe(farm)).recordAll(
      instantsEvery(QUARTER, FARM_NOW - DAY, FARM_NOW),
      20,
    );
    expect(
      (await series(farm, { start: iso(FARM_NOW - DAY), end: iso(FARM_NOW + DAY) })).missingShare,
    ).toBe(0);
  });

  it('counts missing readings alike from sums and raw readings', async ({ farm }) => {
    await (await installProbe(farm)).recordAll(
      instantsEvery(QUARTER, FARM_NOW - 3 * DAY, FARM_NOW - DAY),
      20,
    );
    const shares = [];
    for (const interval of [86_400, 3600, 900])
      shares.push((await series(farm, { start: iso(FARM_NOW - 4 * DAY), interval })).missingShare);
    expect(shares).toEqual([0.5, 0.5, 0.5]);
  });
});

describe('the depths of a series', () => {
  it('are omitted by default', async ({ farm }) => {
    await installProbe(farm);
    const answer = await series(farm);
    expect(answer).not.toHaveProperty('sensors');
    expect(answer).not.toHaveProperty('rootDepthCm');
  });

  it('have the slice, weight, soil and values of each sensor', async ({ farm }) => {
    const oak = await installProbe(farm, {
      sensors: moistureSensorsAt(10, 30),
      rootDepthCm: 40,
      parcel: 'North block',
    });
    await declareSoil(farm, 'North block', [
      [6, 0, 10],
      [12, 10, 30],
    ]);
    await oak.record(0, [
      [FARM_NOW - 2 * HOUR, 21.25],
      [FARM_NOW - HOUR, 22.75],
    ]);
    await oak.record(1, [[FARM_NOW - HOUR, 30]]);
    const { data: horizons } = await farm.tool<{ data: SoilHorizonBody[] }>('list_soil_horizons');
    const [loam, clay] = ['6', '12'].map((code) => horizons.find((each) => each.code === code)!);
    const answer = await series(farm, { depths: true });
    expect(answer.rootDepthCm).toBe(40);
    const halfAndHalf = (name: 'theta_fc' | 'theta_pwp' | 'theta_sat') =>
      Number(((loam![name] + clay![name]) / 2).toFixed(6));
    expect(answer.sensors).toEqual([
      {
        id: oak.sensorIds[0],
        type: 'humidity',
        depth: 10,
        // Two quarters of the root zone each: 40 + 30 and 20 + 10 %.
        weight: 0.7,
        topCm: 0,
        bottomCm: 20,
        fieldCapacity: halfAndHalf('theta_fc'),
        wiltingPoint: halfAndHalf('theta_pwp'),
        saturation: halfAndHalf('theta_sat'),
        values: [21.25, 22.75],
      },
      {
        id: oak.sensorIds[1],
        type: 'humidity',
        depth: 30,
        weight: 0.3,
        topCm: 20,
        bottomCm: 40,
        fieldCapacity: clay!.theta_fc,
        wiltingPoint: clay!.theta_pwp,
        saturation: clay!.theta_sat,
        values: [null, 30],
      },
    ]);
  });

  it('have the soil in force at the end of the period', async ({ farm }) => {
    await installProbe(farm, { sensors: moistureSensorsAt(10), parcel: 'North block' });
    farm.now = FARM_NOW - 2 * DAY;
    await declareSoil(farm, 'North block', [[1, 0, 40]]);
    farm.now = FARM_NOW - DAY;
    await declareSoil(farm, 'North block', [[12, 0, 40]]);
    farm.now = FARM_NOW;
    const { data: horizons } = await farm.tool<{ data: SoilHorizonBody[] }>('list_soil_horizons');
    const saturationAt = async (end: number) =>
      (await series(farm, { end: iso(end), depths: true })).sensors![0]!.saturation;
    expect([await saturationAt(FARM_NOW), await saturationAt(FARM_NOW - DAY - 1)]).toEqual(
      ['12', '1'].map((code) => horizons.find((each) => each.code === code)!.theta_sat),
    );
  });
});

describe('a refused series', () => {
  it.for([
    ['an unreadable start', { start: 'the day the pump broke' }],
    ['an unreadable end', { end: '2026-02-30' }],
    ['a start after the end', { start: iso(FARM_NOW - HOUR), end: iso(FARM_NOW - 2 * HOUR) }],
    ['a start at the end', { start: iso(FARM_NOW - HOUR), end: iso(FARM_NOW - HOUR) }],
    ['a start after now without an end', { start: iso(FARM_NOW + HOUR) }],
  ] as const)('for %s: invalid_date', async ([_, args], { farm }) => {
    await installProbe(farm);
    await expect(series(farm, args)).rejects.toMatchObject({ code: 'invalid_date', status: 400 });
  });

  it.for([{ start: 'yesterday' }, { end: '2026-13-01T00:00:00Z' }, { start: 5 }])(
    'over the wire for %o: invalid_date',
    async (query, { farm }) => {
      const oak = await installProbe(farm);
      await expect(overTheWire(farm, oak.id, query)).rejects.toMatchObject({
        code: 'invalid_date',
        status: 400,
      });
    },
  );

  it.for([
    { interval: 0 },
    { interval: -900 },
    { interval: 1.5 },
    { interval: 1_000_000_000 },
    { interval: 'hourly' },
    { type: 'salinity' },
    { maxPoints: 0 },
    { maxPoints: 1_000_000 },
    { depths: 'perhaps' },
    { unit: '%' },
  ])('for %o: invalid_parameter, with a hint', async (args, { farm }) => {
    await installProbe(farm);
    await expect(series(farm, args)).rejects.toMatchObject({
      code: 'invalid_parameter',
      status: 400,
      hint: expect.stringMatching(/\w/),
    });
  });
});

describe('the advisories of a series', () => {
  it('name the depths that the newest point lacks, and doubt the change', async ({ farm }) => {
    const oak = await installProbe(farm, { sensors: moistureSensorsAt(10, 30) });
    await oak.recordAll([FARM_NOW - 2 * HOUR], 12);
    await oak.record(1, [[FARM_NOW - HOUR, 27]]);
    const answer = await series(farm);
    expect(advisoriesOf(answer, 'silent_depths')).toMatchObject([
      { depths: [10], weightPercent: 50 },
    ]);
    expect(advisoriesOf(answer, 'different_depths')).toHaveLength(1);
  });
});
