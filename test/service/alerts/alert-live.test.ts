import fc from 'fast-check';
import { expect } from 'vitest';
import type { BacktestBody } from '../../../src/schema/alerts/alert.ts';
import { DAY, HOUR, iso, it, MINUTE, type TestFarm } from '../../farm.ts';
import { propertyRuns } from '../../property-runs.ts';
import { installProbe, moistureSensorsAt, type TestProbe } from '../moisture/probe-farm.ts';
import { changeOakAlert, type ProbeReadings, sendReadings } from './alert-farm.ts';

const after = fc.integer({ min: 0, max: 120 });
const moist = fc.integer({ min: 100, max: 350 }).map((tenths) => tenths / 10);

const reading = fc.option(fc.record({ after, value: fc.oneof(fc.constant(0), moist) }), {
  freq: 6,
});

/** A round with at least one reading: stale data is only detected when newer data arrives. */
const telling = fc
  .record({ after, value: moist })
  .map((each): Rounds => [{ minutes: 10, readings: [each, each, each] }]);

const rounds = fc.array(
  fc.record({
    minutes: fc.oneof(
      { weight: 9, arbitrary: fc.integer({ min: 10, max: 90 }) },
      { weight: 1, arbitrary: fc.integer({ min: 1400, max: 2000 }) },
    ),
    readings: fc.tuple(reading, reading, reading),
  }),
  { minLength: 1, maxLength: 24 },
);

type Rounds = typeof rounds extends fc.Arbitrary<infer T> ? T : never;

function sendingsOf(start: number, series: Rounds): { at: number; readings: ProbeReadings }[] {
  let begin = start;
  return series.flatMap((round) => {
    begin += round.minutes * MINUTE;
    const readings = round.readings.flatMap((each, sensor) =>
      each ? [[sensor, begin + each.after * 1000, each.value] as const] : [],
    );
    return readings.length === 0
      ? []
      : [{ at: Math.max(...readings.map(([, at]) => at)), readings }];
  });
}

const recorded = (farm: TestFarm, alertId: string) =>
  farm.write(async (db) =>
    (
      await db
        .selectFrom('alert_episodes')
        .selectAll()
        .where('alert_id', '=', alertId)
        .orderBy('started_at')
        .execute()
    ).map(({ started_at, ended_at, lowest }) => ({
      start: iso(started_at),
      end: ended_at === null ? null : iso(ended_at),
      lowest,
    })),
  );

async function recordedAndReplayed(
  farm: TestFarm,
  name: string,
  feed: (oak: TestProbe, start: number) => Promise<void>,
) {
  const start = farm.now + DAY;
  const oak = await installProbe(farm, { name, sensors: moistureSensorsAt(10, 20, 30) });
  const rule = { threshold: 20, hysteresis: 2.5 };
  const alert = await farm.tool<{ id: string }>('create_alert', { module: name, ...rule });
  await feed(oak, start);
  // By now the last round counts, complete or not.
  farm.now = Math.max(farm.now, start) + 30 * MINUTE;
  await farm.tick();
  const watched = await recorded(farm, alert.id);
  const { episodes } = await farm.wire<BacktestBody>('backtest_alert', {
    moduleId: oak.id,
    ...rule,
    start: iso(start),
    end: iso(farm.now + 1),
  });
  await changeOakAlert(farm, alert, { isActive: false });
  return {
    watched,
    tried: episodes.map(({ start: from, end, lowest }) => ({ start: from, end, lowest })),
  };
}

it('a backtest equals the live evaluation of the same series', async ({ farm }) => {
  let probes = 0;
  let seen = 0;
  await fc.assert(
    fc.asyncProperty(rounds, async (series) => {
      const { watched, tried: replay } = await recordedAndReplayed(
        farm,
        `Probe ${++probes}`,
        async (oak, start) => {
          for (const { at, readings } of sendingsOf(start, series)) {
            // By then the previous round counts, complete or not, and housekeeping runs every
            // minute.
            if (farm.now > start && at > farm.now + 30 * MINUTE) {
              farm.now += 30 * MINUTE;
              await farm.tick();
            }
            farm.now = at;
            await sendReadings(farm, oak, readings);
            await farm.tick();
          }
        },
      );
      expect(watched).toEqual(replay);
      seen += replay.length;
    }),
    { numRuns: propertyRuns(60) },
  );
  expect(seen).toBeGreaterThan(0);
});

it('a record completed by late data in any order equals that of the series in order', async ({
  farm,
}) => {
  let probes = 0;
  await fc.assert(
    fc.asyncProperty(rounds, telling, fc.infiniteStream(fc.nat()), async (series, last, order) => {
      const { watched, tried: replay } = await recordedAndReplayed(
        farm,
        `Probe ${++probes}`,
        async (oak, start) => {
          const [first, ...rest] = sendingsOf(start, [...series, ...last]);
          if (first === undefined) return;
          farm.now = first.at;
          await sendReadings(farm, oak, first.readings);
          await farm.tick();
          farm.now = Math.max(first.at, ...rest.map(({ at }) => at));
          for (let left = rest; left.length > 0; ) {
            const next = left[order.next().value % left.length]!;
            await sendReadings(farm, oak, next.readings);
            await farm.tick();
            left = left.filter((each) => each !== next);
          }
        },
      );
      expect(watched).toEqual(replay);
    }),
    { numRuns: propertyRuns(60) },
  );
});

it('a backtest covers a year of a probe with five depths', async ({ farm }) => {
  const oak = await installProbe(farm, { sensors: moistureSensorsAt(10, 20, 30, 40, 60) });
  const start = farm.now - 365 * DAY;
  for (let day = 0; day < 365; day += 5)
    await sendReadings(
      farm,
      oak,
      Array.from({ length: 240 }, (_, half) => start + day * DAY + half * 30 * MINUTE).flatMap(
        (at) => oak.sensorIds.map((_, sensor) => [sensor, at, day % 10 === 0 ? 18 : 30] as const),
      ),
    );
  // Nine days in ten: from day 0 to day 5, from day 10 to day 15, and so on to day 360.
  const { episodes, hoursBelow, missingShare } = await farm.wire<BacktestBody>('backtest_alert', {
    moduleId: oak.id,
    threshold: 20,
    start: iso(start),
  });
  expect([episodes.length, hoursBelow, missingShare]).toEqual([37, 37 * 120, 0]);
  expect(
    episodes
      .slice(0, -1)
      .every(({ start: from, end }) => Date.parse(end!) - Date.parse(from) === 120 * HOUR),
  ).toBe(true);
});
