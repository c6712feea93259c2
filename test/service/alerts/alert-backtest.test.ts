import { describe, expect } from 'vitest';
import type { BacktestBody } from '../../../src/schema/alerts/alert.ts';
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
  withFarm,
} from '../../farm.ts';
import { isOnPostgres } from '../../stores/stores.ts';
import {
  installProbe,
  instantsEvery,
  moistureSensorsAt,
  type TestProbe,
} from '../moisture/probe-farm.ts';
import {
  changeOakAlert,
  createOakAlert,
  type ProbeReadings,
  sameValue,
  sendReadings,
} from './alert-farm.ts';

const backtest = (farm: TestFarm, args: Record<string, unknown> = {}) =>
  farm.tool<BacktestBody>('backtest_alert', { module: 'Oak', ...args });

const past = (oak: TestProbe, values: readonly number[]): ProbeReadings =>
  values.flatMap((value, index) =>
    sameValue(oak, FARM_NOW - (values.length - 1 - index) * HOUR, value),
  );

const ago = (hours: number): string => iso(FARM_NOW - hours * HOUR);

describe('a backtest', () => {
  it('answers episodes, hoursBelow, reminders, missingShare and inForce', async ({ farm }) => {
    const oak = await installProbe(farm);
    // 16 hourly values from 21:00 of 30 June to noon in Paris.
    await sendReadings(
      farm,
      oak,
      past(oak, [30, 19, 18, 22, 26, 30, 30, 30, 30, 30, 30, 30, 19.5, 17, 21, 21]),
    );
    const body = bodyOf(
      await backtest(farm, { threshold: 20, start: ago(15), end: iso(FARM_NOW + 1) }),
    );
    expect(body).toEqual({
      episodes: [
        { start: ago(14), end: ago(11), lowest: 18, hoursBelow: 2, reminders: 0 },
        { start: ago(3), end: null, lowest: 17, hoursBelow: 2, reminders: 0 },
      ],
      hoursBelow: 4,
      reminders: 0,
      missingShare: 0,
      gaps: { newest: [], older: 0 },
      inForce: null,
    });
  });

  it('answers the same for the alert in force, whose figures are the defaults', async ({
    farm,
  }) => {
    const oak = await installProbe(farm);
    await sendReadings(farm, oak, past(oak, [30, 19, 26, 14, 30]));
    const alert = await createOakAlert(farm, {
      threshold: 15,
      hysteresis: 2,
      reminderTime: '10:30:00',
    });
    const replay = await backtest(farm, { threshold: 20, start: ago(5), end: iso(FARM_NOW + 1) });
    expect(replay.episodes.map(({ start }) => start)).toEqual([ago(3), ago(1)]);
    const inForce = {
      alertId: alert.id,
      threshold: '15',
      hysteresis: '2',
      reminderTime: '10:30:00',
      episodes: 1,
      hoursBelow: 1,
      reminders: 0,
    };
    expect(replay.inForce).toEqual(inForce);
    const left = await backtest(farm, { start: ago(5), end: iso(FARM_NOW + 1) });
    expect(left).toMatchObject({
      episodes: [{ start: ago(1), end: ago(0) }],
      hoursBelow: 1,
      inForce,
    });
    await changeOakAlert(farm, alert, { isActive: false });
    expect((await backtest(farm, { threshold: 20 })).inForce).toBeNull();
  });

  it('treats the newest of several alerts as the one in force', async ({ farm }) => {
    await installProbe(farm);
    for (const threshold of [10, 11]) await createOakAlert(farm, { threshold });
    expect((await backtest(farm)).inForce?.threshold).toBe('11');
  });

  it('uses a hysteresis of 5 points without an alert', async ({ farm }) => {
    const oak = await installProbe(farm);
    await sendReadings(farm, oak, past(oak, [30, 19, 24.9, 25]));
    expect(
      (await backtest(farm, { threshold: 20, end: iso(FARM_NOW + 1) })).episodes,
    ).toMatchObject([{ start: ago(2), end: ago(0) }]);
  });

  it('covers the last 90 days by default, from the midnight before them', async ({ farm }) => {
    const oak = await installProbe(farm);
    for (const days of [91, 90.25]) {
      await sendReadings(farm, oak, sameValue(oak, FARM_NOW - days * DAY, 10));
      await sendReadings(farm, oak, sameValue(oak, FARM_NOW - days * DAY + HOUR, 30));
    }
    expect((await backtest(farm, { threshold: 20 })).episodes).toHaveLength(1);
  });

  it('answers the missing share of the period', async ({ farm }) => {
    const oak = await installProbe(farm, { sensors: moistureSensorsAt(10) });
    await sendReadings(
      farm,
      oak,
      instantsEvery(HOUR, FARM_NOW - DAY, FARM_NOW - 6 * HOUR).map((at) => [0, at, 30] as const),
    );
    const { missingShare } = await backtest(farm, { threshold: 20, start: iso(FARM_NOW - DAY) });
    expect(missingShare).toBe(0.25);
  });

  it('writes nothing', async ({ farm }) => {
    const oak = await installProbe(farm);
    await sendReadings(farm, oak, past(oak, [30, 19, 30]));
    await createOakAlert(farm);
    expect(await farm.isWrittenBy(() => backtest(farm, { threshold: 25 }))).toBe(false);
  });

  it('knows that a station has no soil moisture', async ({ farm }) => {
    const mast = await installProbe(farm, {
      name: 'Wind',
      category: 'WEATHER_STATION',
      sensors: moistureSensorsAt(0),
    });
    await sendReadings(farm, mast, sameValue(mast, FARM_NOW - HOUR, 10));
    const replay = await backtest(farm, { module: 'Wind', threshold: 20 });
    expect(replay.episodes).toEqual([]);
    expect(advisoriesOf(replay, 'no_moisture_for_backtest')).toHaveLength(1);
  });

  it('answers the newest 30 episodes in a tool, and all over the wire', async ({ farm }) => {
    const oak = await installProbe(farm, { sensors: moistureSensorsAt(10) });
    await sendReadings(
      farm,
      oak,
      past(
        oak,
        Array.from({ length: 80 }, (_, index) => (index % 2 === 0 ? 10 : 30)),
      ),
    );
    const replay = await backtest(farm, { threshold: 20 });
    expect(replay.episodes).toHaveLength(30);
    expect(advisoriesOf(replay, 'older_episodes_omitted')).toMatchObject([
      { omitted: 10, total: 40 },
    ]);
    const whole = await farm.wire<BacktestBody>('backtest_alert', {
      moduleId: oak.id,
      threshold: 20,
    });
    expect(whole.episodes.slice(10)).toEqual(replay.episodes);
    expect([whole.hoursBelow, replay.hoursBelow]).toEqual([40, 40]);
  });
});

describe('an invalid backtest', () => {
  it.for([
    ['threshold', 'NaN'],
    ['threshold', '1e400'],
    ['threshold', -1],
    ['hysteresis', -1],
    ['reminderTime', '25:00:00'],
    ['start', 'soon'],
  ] as const)(
    'refuses %s %s: 400 invalid_parameter with a hint',
    async ([name, value], { farm }) => {
      await installProbe(farm);
      await expect(backtest(farm, { threshold: 20, [name]: value })).rejects.toMatchObject({
        code: 'invalid_parameter',
        status: 400,
        field: name,
        hint: expect.any(String),
      });
    },
  );

  it('is refused without a threshold where no alert is in force: invalid_parameter', async ({
    farm,
  }) => {
    await installProbe(farm);
    await expect(backtest(farm)).rejects.toMatchObject({
      code: 'invalid_parameter',
      field: 'threshold',
    });
  });

  it('is refused where start is not before end, or the period is longer than two years', async ({
    farm,
  }) => {
    await installProbe(farm);
    for (const start of [iso(FARM_NOW), iso(FARM_NOW + MINUTE), iso(FARM_NOW - 732 * DAY)])
      await expect(backtest(farm, { threshold: 20, start })).rejects.toMatchObject({
        code: 'invalid_parameter',
        field: 'start',
      });
  });
});

describe('a cancelled backtest', () => {
  // PostgreSQL takes turns of its own, so the count says nothing about the replay.
  it.skipIf(isOnPostgres)('stops on its way', () =>
    withFarm(async (farm) => {
      const oak = await installProbe(farm, { sensors: moistureSensorsAt(10) });
      await oak.recordAll(instantsEvery(5 * MINUTE, FARM_NOW - 80 * DAY, FARM_NOW), 20);
      const replay = async (cancelledAt: number) => {
        const { signal, abort } = withSignal();
        let end: string | null = null;
        void farm.wire('backtest_alert', { moduleId: oak.id, threshold: 21 }, { signal }).then(
          () => {
            end = 'answered';
          },
          (error: Error) => {
            end = error.name;
          },
        );
        let turns = 0;
        for (; end === null; turns++) {
          if (turns === cancelledAt) abort();
          await new Promise((resolve) => setImmediate(resolve));
        }
        return { turns, end };
      };
      const { turns, end } = await replay(Number.POSITIVE_INFINITY);
      expect(end).toBe('answered');
      // 23,040 points are processed twice, 4,096 at a time: at least ten turns. What comes before
      // takes turns by time.
      expect(turns).toBeGreaterThan(10);
      expect((await replay(9)).end).toBe('Cancelled');
    }),
  );
});

function withSignal() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}

describe('the gaps of a backtest', () => {
  it('are named with their hours, the newest first', async ({ farm }) => {
    const oak = await installProbe(farm);
    // Hourly from 10 days ago; none for the 41 h from 60 h ago on, nor since 6 h ago.
    const hours = [...Array(240).keys()]
      .map((index) => 240 - index)
      .filter((each) => each >= 7 && (each > 60 || each <= 19));
    await sendReadings(
      farm,
      oak,
      hours.flatMap((each) => sameValue(oak, FARM_NOW - each * HOUR, 25)),
    );
    const { gaps } = await backtest(farm, { threshold: 20, start: ago(240) });
    expect(gaps).toEqual({
      newest: [
        { start: ago(6), end: null, hours: 6 },
        { start: ago(60), end: ago(19), hours: 41 },
      ],
      older: 0,
    });
  });

  it('are at most ten in an answer', async ({ farm }) => {
    const oak = await installProbe(farm);
    const hours = [...Array(240).keys()].filter((each) => each % 12 > 2);
    await sendReadings(
      farm,
      oak,
      hours.flatMap((each) => sameValue(oak, FARM_NOW - each * HOUR, 25)),
    );
    const { gaps } = await backtest(farm, { threshold: 20, start: ago(239) });
    expect([gaps!.newest.length, gaps!.older]).toEqual([10, 10]);
    expect(gaps!.newest[0]).toEqual({ start: ago(2), end: null, hours: 2 });
  });

  it('begin with the period where the readings begin later', async ({ farm }) => {
    const oak = await installProbe(farm);
    await sendReadings(farm, oak, past(oak, [25, 25, 25, 25]));
    const { gaps } = await backtest(farm, { threshold: 20, start: ago(24) });
    expect(gaps).toEqual({ newest: [{ start: null, end: ago(3), hours: 21 }], older: 0 });
  });

  it('are not listed for a probe without readings', async ({ farm }) => {
    await installProbe(farm);
    expect((await backtest(farm, { threshold: 20 })).gaps).toEqual({ newest: [], older: 0 });
  });
});
