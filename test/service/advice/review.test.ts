import { describe, expect } from 'vitest';
import type { ReviewBody } from '../../../src/schema/advice/review.ts';
import {
  advisoriesOf,
  DAY,
  depthAt,
  FARM_NOW,
  HOUR,
  iso,
  it,
  MINUTE,
  minutesAt,
  type TestFarm,
  type ToolResult,
} from '../../farm.ts';
import {
  declareSoil,
  installProbe,
  instantsEvery,
  moistureSensorsAt,
  type TestProbe,
} from '../moisture/probe-farm.ts';

const QUARTER = 15 * MINUTE;
const CLAY_LOAM = 7;

const review = (
  farm: TestFarm,
  args: Record<string, unknown> = {},
): Promise<ToolResult<ReviewBody>> => farm.tool('review_waterings', { module: 'Oak', ...args });

/** A rise of one depth at `afterMs`, complete at once and gone again within two days. */
interface Jump {
  readonly at: number;
  readonly points: number;
}

/** Drying by 0.2 points a day from 25 % now, with jumps that are gone after two days. */
const curveWith = (jumps: readonly Jump[], at: number): number =>
  jumps.reduce(
    (value, jump) => {
      const age = (at - jump.at) / (2 * DAY);
      return age < 0 || age > 1 ? value : value + jump.points * (1 - age);
    },
    25 + ((FARM_NOW - at) / DAY) * 0.2,
  );

async function record(
  probe: TestProbe,
  sensor: number,
  jumps: readonly Jump[],
  until = FARM_NOW,
): Promise<void> {
  await probe.record(
    sensor,
    instantsEvery(QUARTER, FARM_NOW - 20 * DAY, until).map(
      (at) => [at, curveWith(jumps, at)] as const,
    ),
  );
}

const oakIn = (farm: TestFarm): Promise<TestProbe> =>
  installProbe(farm, {
    sensors: moistureSensorsAt(10, 30, 50),
    parcel: 'North block',
    rootDepthCm: 60,
  });

const WATERED = FARM_NOW - 5 * DAY;

const logAt = (farm: TestFarm, at: number, more: Record<string, unknown> = {}) =>
  farm.log('Oak', depthAt(at, 7, { durationMin: 120, ...more }));

describe('a coarse sensor on a drying soil', () => {
  /** Even noise from -1 to 1, by a linear congruential generator of Park and Miller. */
  function noise(): () => number {
    let state = 1;
    return () => {
      state = (state * 48_271) % 2_147_483_647;
      return (2 * state) / 2_147_483_647 - 1;
    };
  }

  // A review of more than 31 days reads hourly means, a shorter one means of a quarter of an hour.
  it.for([
    [15, 60],
    [5, 20],
  ] as const)(
    'that sends every %i min has no rise in %i days',
    async ([everyMin, days], { farm }) => {
      const oak = await installProbe(farm, { sensors: moistureSensorsAt(10, 30) });
      const next = noise();
      for (const sensor of oak.sensorIds.keys())
        await oak.record(
          sensor,
          instantsEvery(everyMin * MINUTE, FARM_NOW - (days + 4) * DAY, FARM_NOW).map((at) => [
            at,
            Math.round(20 + sensor + 0.15 * ((FARM_NOW - at) / DAY) + 0.2 * next()),
          ]),
        );
      const { unlogged, leftOut } = await review(farm, { start: iso(FARM_NOW - days * DAY) });
      expect({ unlogged, leftOut: leftOut.unlogged }).toEqual({ unlogged: [], leftOut: 0 });
    },
  );
});

describe('the response to a watering', () => {
  it('has the rise of each depth, and when it began and peaked', async ({ farm }) => {
    const oak = await oakIn(farm);
    await record(oak, 0, [{ at: WATERED + HOUR, points: 6 }]);
    await record(oak, 1, [{ at: WATERED + 5 * HOUR, points: 2 }]);
    await record(oak, 2, []);
    const { event } = await logAt(farm, WATERED);
    const { waterings, unlogged } = await review(farm);
    // Each falls by 0.2 points a day until its rise, and faster from then on: the rise itself is
    // the peak.
    expect(waterings).toEqual([
      {
        eventId: event.id,
        groupOf: null,
        startedAt: iso(WATERED),
        waterMm: 7,
        waterMmWetted: null,
        netMmWetted: null,
        response: 'reached',
        witness: 'confirmed',
        deepestCm: 30,
        riseMm: expect.any(Number),
        depths: [
          { depth: 10, riseVwc: 6, startsAfterMin: 60, peaksAfterMin: 60 },
          { depth: 30, riseVwc: 2, startsAfterMin: 300, peaksAfterMin: 300 },
          { depth: 50, riseVwc: 0, startsAfterMin: null, peaksAfterMin: null },
        ],
      },
    ]);
    // When the second depth peaks, the first has lost 4 h of the two days in which its 6 points go.
    const first = 6 * (1 - 4 / 48) - (0.2 * 4) / 24;
    const inMm = (points: number) => (points / 100) * 200;
    expect(waterings[0]!.riseMm).toBeCloseTo(inMm(first) + inMm(2), 0);
    expect(unlogged).toEqual([]);
  });

  it('is that of several pulses together, with their rise once', async ({ farm }) => {
    const oak = await oakIn(farm);
    await record(oak, 0, [{ at: WATERED + 5 * HOUR, points: 4 }]);
    await record(oak, 1, []);
    await record(oak, 2, []);
    const pulse = (at: number) => logAt(farm, at, { durationMin: 30 });
    const [first, second, last] = [
      await pulse(WATERED),
      await pulse(WATERED),
      await pulse(WATERED + 3.5 * HOUR),
    ];
    const apart = await pulse(WATERED + 7.25 * HOUR);
    const { waterings } = await review(farm);
    const result = waterings.map(({ eventId, groupOf, response, riseMm }) => [
      eventId,
      groupOf,
      response,
      riseMm,
    ]);
    const group = first.event.id;
    expect(result.slice(1)).toEqual([
      [last.event.id, group, 'reached', null],
      [second.event.id, group, 'reached', null],
      // 4 points of 200 mm, less what the soil lost in the quarter of an hour before.
      [group, group, 'reached', expect.closeTo(8, 1)],
    ]);
    expect(result[0]!.slice(0, 2)).toEqual([apart.event.id, null]);
  });

  it('is compared with the dose in the wetted zone', async ({ farm }) => {
    const oak = await oakIn(farm);
    for (const sensor of oak.sensorIds.keys())
      await record(oak, sensor, [{ at: WATERED + HOUR, points: 3 }]);
    await farm.declare('Oak', { system: 'drip', flowMmPerH: 3, fractionWetted: 0.35 });
    await logAt(farm, WATERED);
    const { waterings } = await review(farm);
    // 3 points of 600 mm are 18 mm; 7 mm / 0.35 are 20 mm.
    expect(waterings[0]!.riseMm).toBeCloseTo(18, 1);
    expect(waterings[0]!.waterMmWetted).toBe(20);
  });

  it('has the rain that was recorded around it', async ({ farm }) => {
    const oak = await oakIn(farm);
    for (const sensor of oak.sensorIds.keys())
      await record(oak, sensor, [{ at: WATERED + HOUR, points: 3 }]);
    const { event } = await logAt(farm, WATERED);
    expect(advisoriesOf(await review(farm), 'rain_around_waterings')).toEqual([]);
    await farm.wire('log_rain', { mm: 2, when: `${iso(WATERED - HOUR)}/${iso(WATERED)}` });
    const rained = await review(farm);
    expect(rained.waterings[0]).toMatchObject({ response: 'reached' });
    expect(advisoriesOf(rained, 'rain_around_waterings')).toEqual([
      { kind: 'rain_around_waterings', rows: [{ eventId: event.id, at: WATERED, mm: 2 }] },
    ]);
  });

  it('is compared with what the settings of its day left for the roots', async ({ farm }) => {
    const oak = await oakIn(farm);
    const earlier = WATERED - 6 * DAY;
    const jumps = [
      { at: earlier + HOUR, points: 2 },
      { at: WATERED + HOUR, points: 2 },
    ];
    for (const sensor of oak.sensorIds.keys()) await record(oak, sensor, jumps);
    await farm.declare('Oak', { system: 'drip', flowMmPerH: 3, fractionWetted: 0.35 });
    for (const at of [earlier, WATERED]) await logAt(farm, at);
    const settings = {
      module: 'Oak',
      efficiencyPercent: 75,
      leachingPercent: 20,
      effectiveFrom: iso(WATERED - DAY),
    };
    await farm.tool('set_probe_settings', settings);
    const { waterings } = await review(farm, { start: iso(earlier - DAY) });
    // 7 mm / 0.35 are 20 mm; x 0.75 x 0.8 are 12 mm, of which 2 points of 600 mm are all.
    expect(waterings.map(({ netMmWetted }) => netMmWetted)).toEqual([12, 20]);
    expect(waterings[1]!.riseMm).toBeCloseTo(12, 1);
  });

  it('is judged by the root depth of its day', async ({ farm }) => {
    const oak = await oakIn(farm);
    const earlier = WATERED - 6 * DAY;
    const jumps = [
      { at: earlier + HOUR, points: 2 },
      { at: WATERED + HOUR, points: 2 },
    ];
    for (const sensor of oak.sensorIds.keys()) await record(oak, sensor, jumps);
    for (const at of [earlier, WATERED]) await logAt(farm, at);
    const settings = { module: 'Oak', rootDepthCm: 40, effectiveFrom: iso(WATERED - DAY) };
    await farm.tool('set_probe_settings', settings);
    const { waterings } = await review(farm, { start: iso(earlier - DAY) });
    expect(waterings.map(({ response }) => response)).toEqual(['below_roots', 'reached']);
    // 2 points of the 400 mm and of the 600 mm that the roots reach.
    expect(waterings.map(({ riseMm }) => Math.round(riseMm!))).toEqual([8, 12]);
  });

  it('is no_response if nothing rose, unless the soil was full', async ({ farm }) => {
    const oak = await oakIn(farm);
    for (const sensor of oak.sensorIds.keys()) await record(oak, sensor, []);
    await logAt(farm, WATERED);
    const { waterings } = await review(farm);
    expect(waterings[0]).toMatchObject({ response: 'no_response', deepestCm: null, riseMm: 0 });

    const line = {
      module: 'Oak',
      type: 'h-line',
      p1: [FARM_NOW, 27],
      style: { fill: 'threshold1' },
    };
    await farm.tool('create_annotation', line);
    expect((await review(farm)).waterings[0]).toMatchObject({ response: 'full_soil' });
  });

  it('is not visible yet shortly after the start', async ({ farm }) => {
    const oak = await oakIn(farm);
    for (const sensor of oak.sensorIds.keys()) await record(oak, sensor, []);
    await logAt(farm, FARM_NOW - HOUR, { durationMin: 30 });
    expect((await review(farm)).waterings[0]).toMatchObject({
      response: 'too_early',
      riseMm: null,
    });
  });

  it('is unknown if the probe was silent', async ({ farm }) => {
    const oak = await oakIn(farm);
    for (const sensor of oak.sensorIds.keys()) await record(oak, sensor, [], WATERED + HOUR);
    await logAt(farm, WATERED);
    await logAt(farm, FARM_NOW - HOUR, { durationMin: 30 });
    const { waterings } = await review(farm);
    expect(waterings.map(({ response }) => response)).toEqual(['no_data', 'no_data']);
    expect(waterings[1]).toMatchObject({
      riseMm: null,
      depths: expect.arrayContaining([expect.objectContaining({ depth: 10, riseVwc: null })]),
    });
  });

  it('is below the roots if a sensor below the root depth rose', async ({ farm }) => {
    const oak = await installProbe(farm, {
      sensors: moistureSensorsAt(10, 30, 60),
      parcel: 'North block',
      rootDepthCm: 50,
    });
    for (const sensor of oak.sensorIds.keys())
      await record(oak, sensor, [{ at: WATERED + (1 + sensor) * HOUR, points: 2 }]);
    await logAt(farm, WATERED);
    const { waterings } = await review(farm);
    expect(waterings[0]).toMatchObject({ response: 'below_roots', deepestCm: 60 });
  });

  // Clay loam has its field capacity at 36 % (Saxton and Rawls 2006, Table 3); the curve is at 26 %
  // before the watering.
  it.for([
    ['reached the roots', 'within', 2, 'reached'],
    ['is below the roots', 'above', 12, 'below_roots'],
  ] as const)(
    '%s if the rise at the root depth is %s field capacity',
    async ([_, __, points, response], { farm }) => {
      const oak = await installProbe(farm, {
        sensors: moistureSensorsAt(10, 30, 60),
        parcel: 'North block',
        rootDepthCm: 60,
      });
      await declareSoil(farm, 'North block', [[CLAY_LOAM, 0, 100]]);
      for (const sensor of oak.sensorIds.keys())
        await record(oak, sensor, [{ at: WATERED + (1 + sensor) * HOUR, points }]);
      await logAt(farm, WATERED);
      expect((await review(farm)).waterings[0]).toMatchObject({ response, deepestCm: 60 });
    },
  );

  // The curve rises from 26 to 38 %, above the 36 % of the layers.
  it.for([
    [41, true, 'reached'],
    [35, true, 'below_roots'],
    [41, false, 'reached'],
    [35, false, 'below_roots'],
  ] as const)(
    'is judged by a line at %i %, with layers: %s',
    async ([line, hasLayers, response], { farm }) => {
      const oak = await installProbe(farm, {
        sensors: moistureSensorsAt(10, 30, 60),
        parcel: 'North block',
        rootDepthCm: 60,
      });
      if (hasLayers) await declareSoil(farm, 'North block', [[CLAY_LOAM, 0, 100]]);
      for (const sensor of oak.sensorIds.keys())
        await record(oak, sensor, [{ at: WATERED + (1 + sensor) * HOUR, points: 12 }]);
      await farm.tool('create_annotation', {
        module: 'Oak',
        type: 'h-line',
        p1: [FARM_NOW, line],
        style: { fill: 'threshold1' },
      });
      await logAt(farm, WATERED);
      expect((await review(farm)).waterings[0]).toMatchObject({ response });
    },
  );

  it('covers only waterings done in the period', async ({ farm }) => {
    const oak = await oakIn(farm);
    for (const sensor of oak.sensorIds.keys()) await record(oak, sensor, []);
    await logAt(farm, FARM_NOW - 15 * DAY);
    const { event } = await logAt(farm, WATERED);
    await logAt(farm, WATERED + DAY, { status: 'skipped' });
    await logAt(farm, FARM_NOW + DAY);
    expect((await review(farm)).waterings.map(({ eventId }) => eventId)).toEqual([event.id]);
    const before = await review(farm, {
      start: iso(FARM_NOW - 16 * DAY),
      end: iso(FARM_NOW - 10 * DAY),
    });
    expect(before.waterings.map(({ startedAt }) => startedAt)).toEqual([iso(FARM_NOW - 15 * DAY)]);
  });
});

describe('an unlogged rise', () => {
  const RISE = FARM_NOW - 3 * DAY;

  it('has its time, depths and a rough amount', async ({ farm }) => {
    const oak = await oakIn(farm);
    await record(oak, 0, [{ at: RISE, points: 6 }]);
    await record(oak, 1, [{ at: RISE, points: 3 }]);
    await record(oak, 2, []);
    await farm.declare('Oak', { system: 'drip', flowMmPerH: 3, fractionWetted: 0.35 });
    const { unlogged } = await review(farm);
    // 6 and 3 points of 200 mm each are 18 mm where it is wet, 6.3 mm over the whole area.
    expect(unlogged).toEqual([
      {
        start: iso(RISE),
        end: iso(RISE),
        depths: [10, 30],
        riseMm: expect.closeTo(18, 1),
        waterMm: expect.closeTo(6.3, 1),
        likely: 'unknown',
        roseElsewhere: null,
        plannedEventId: null,
        rainMm: null,
      },
    ]);
  });

  it('is not reported if a watering just before the period explains it', async ({ farm }) => {
    const oak = await oakIn(farm);
    for (const sensor of oak.sensorIds.keys()) await record(oak, sensor, [{ at: RISE, points: 3 }]);
    await logAt(farm, RISE - 2 * HOUR);
    expect((await review(farm, { start: iso(RISE - HOUR) })).unlogged).toEqual([]);
  });

  it('is explained by recorded rain of its time and amount', async ({ farm }) => {
    const oak = await oakIn(farm);
    await record(oak, 0, [{ at: RISE, points: 6 }]);
    await record(oak, 1, [{ at: RISE, points: 3 }]);
    await record(oak, 2, []);
    // 18 mm in the soil, as above: 2.5 times 7.5 mm of rain may have made them, 2.5 times 7 mm not.
    const rain = async (mm: number, at: number) =>
      (
        await farm.wire<{ rain: { id: number } }>('log_rain', {
          mm,
          when: `${iso(at)}/${iso(at + 3 * HOUR)}`,
        })
      ).rain.id;
    const id = await rain(7, RISE - HOUR);
    expect((await review(farm)).unlogged).toMatchObject([{ likely: 'unknown', rainMm: 7 }]);
    await farm.tool('correct_rain', { rainId: id, mm: 7.5 });
    const explained = await review(farm);
    expect(explained.unlogged).toMatchObject([{ likely: 'rain', rainMm: 7.5 }]);
    expect(advisoriesOf(explained, 'rain_totals')).toMatchObject([
      { totals: [{ parcel: 'North block', mm: 7.5, days: 1 }], lastDays: null },
    ]);
    await farm.tool('undo');
    await farm.tool('undo');
    await rain(30, RISE - 2 * DAY);
    expect((await review(farm)).unlogged).toMatchObject([{ likely: 'unknown', rainMm: null }]);
  });

  it('names an unconfirmed watering planned then', async ({ farm }) => {
    const oak = await oakIn(farm);
    for (const sensor of oak.sensorIds.keys()) await record(oak, sensor, [{ at: RISE, points: 3 }]);
    const { event } = await logAt(farm, RISE - HOUR, { status: 'planned' });
    const { unlogged, waterings } = await review(farm);
    expect(waterings).toEqual([]);
    expect(unlogged[0]).toMatchObject({ likely: 'watering', plannedEventId: event.id });
  });

  const risenIn = async (farm: TestFarm, others: Readonly<Record<string, number>>) => {
    const oak = await oakIn(farm);
    for (const sensor of oak.sensorIds.keys()) await record(oak, sensor, [{ at: RISE, points: 3 }]);
    for (const [name, points] of Object.entries(others)) {
      const other = await installProbe(farm, {
        name,
        sensors: moistureSensorsAt(10),
        parcel: 'South block',
      });
      await record(other, 0, points === 0 ? [] : [{ at: RISE, points }]);
    }
    await farm.declare('Oak', { system: 'drip', flowMmPerH: 1.25, fractionWetted: 0.35 });
    return review(farm);
  };

  it.for([
    ['of unknown source if most others rose too', { Elm: 4, Ash: 4 }, 'unknown', true],
    ['of unknown source if half of the others rose too', { Elm: 4, Ash: 0 }, 'unknown', false],
    ['more likely a watering if the others stayed dry', { Elm: 0, Ash: 0 }, 'watering', false],
    ['of unknown source beside a single probe', { Elm: 0 }, 'unknown', false],
    ['of unknown source without other probes', {}, 'unknown', null],
  ] as const)('is %s', async ([_, others, likely, roseElsewhere], { farm }) => {
    const { unlogged } = await risenIn(farm, others);
    expect(unlogged[0]).toMatchObject({ likely, roseElsewhere });
    expect(unlogged[0]!.waterMm).toBeCloseTo(unlogged[0]!.riseMm! * 0.35, 2);
  });

  it('is of unknown source on a day when all were watered and only this watering was not logged', async ({
    farm,
  }) => {
    await risenIn(farm, { Elm: 4, Ash: 4 });
    for (const name of ['Elm', 'Ash']) await farm.log(name, minutesAt(RISE - HOUR, 60));
    expect((await review(farm)).unlogged[0]).toMatchObject({
      likely: 'unknown',
      roseElsewhere: true,
    });
  });
});

describe('a review', () => {
  it('shows the newest up to the limit, and counts the others', async ({ farm }) => {
    const oak = await oakIn(farm);
    for (const sensor of oak.sensorIds.keys()) await record(oak, sensor, []);
    for (let day = 1; day <= 13; day++) await logAt(farm, FARM_NOW - day * DAY);
    const { waterings, leftOut } = await review(farm);
    expect(waterings).toHaveLength(10);
    expect(waterings[0]!.startedAt).toBe(iso(FARM_NOW - DAY));
    expect(leftOut).toEqual({ waterings: 3, unlogged: 0 });
    expect((await review(farm, { limit: 13 })).leftOut.waterings).toBe(0);
  });

  it('is empty of a weather station', async ({ farm }) => {
    const answer = await farm.tool<ReviewBody>('review_waterings', { module: 'Mast' });
    expect(answer).toMatchObject({
      waterings: [],
      unlogged: [],
      advisories: [{ kind: 'no_moisture_for_review' }],
    });
  });

  it.for([
    ['an end before the start', { start: iso(FARM_NOW - DAY), end: iso(FARM_NOW - 2 * DAY) }],
    ['a start in the future', { start: iso(FARM_NOW + DAY) }],
    ['a period beyond 92 days', { start: iso(FARM_NOW - 93 * DAY) }],
  ] as const)('is refused for %s', async ([_, period], { farm }) => {
    await oakIn(farm);
    await expect(review(farm, period)).rejects.toMatchObject({ code: 'invalid_date' });
  });
});
