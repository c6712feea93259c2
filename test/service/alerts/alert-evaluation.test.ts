import { describe, expect } from 'vitest';
import type { BacktestBody } from '../../../src/schema/alert.ts';
import { computeEvaluation, recordEvaluation } from '../../../src/service/alerts/alert-evaluation.ts';
import { companyById } from '../../../src/store/company/companies.ts';
import { recordReadings } from '../../../src/store/ingest/reading-writes.ts';
import { DAY, FARM_NOW, HOUR, iso, it, MINUTE, type TestFarm } from '../../farm.ts';
import { installProbe, moistureSensorsAt, type TestProbe } from '../moisture/probe-farm.ts';
import {
  changeOakAlert,
  createOakAlert,
  listAlertsOf,
  onlyAlertState,
  type ProbeReadings,
  queuedMailKinds,
  recordedEpisodes,
  sameValue,
  sendAndEvaluate,
  sendReadings,
} from './alert-farm.ts';

const QUARTER = 15 * MINUTE;

/** A probe that is watched below 20 % until 25 %, quiet at 30 % now. */
async function watched(farm: TestFarm, depths = [10, 20, 30]): Promise<{ oak: TestProbe; alert: { id: string } }> {
  const oak = await installProbe(farm, { sensors: moistureSensorsAt(...depths) });
  await sendReadings(farm, oak, sameValue(oak, FARM_NOW, 30));
  const alert = await createOakAlert(farm);
  return { oak, alert };
}

/** Sends these values live, a quarter of an hour apart, from a quarter after now on. */
async function liveSeries(farm: TestFarm, oak: TestProbe, values: readonly (number | null)[]): Promise<void> {
  for (const value of values) {
    if (value === null) farm.now += QUARTER;
    else await sendAndEvaluate(farm, oak, farm.now + QUARTER, value);
  }
}

describe('an alert', () => {
  it('fires below its threshold and resolves at threshold + hysteresis, as the record and the messages say', async ({
    farm,
  }) => {
    const { oak } = await watched(farm);
    await liveSeries(farm, oak, [26, 21, 20, 19.9, 20.5, 24.9, null, 25, 24, 19.9]);
    const at = (round: number): number => FARM_NOW + round * QUARTER;
    expect(await recordedEpisodes(farm)).toEqual([
      [at(4), at(8), 19.9],
      [at(10), null, 19.9],
    ]);
    expect(await queuedMailKinds(farm)).toEqual(['fired', 'resolved', 'fired']);
    expect(await onlyAlertState(farm)).toEqual({
      status: 'firing',
      firing: true,
      since: iso(at(10)),
      value_vwc: 19.9,
      time: iso(at(10)),
    });
  });

  it('with hysteresis 0 resolves at its threshold or above', async ({ farm }) => {
    const { oak, alert } = await watched(farm);
    await changeOakAlert(farm, alert, { hysteresis: 0 });
    await liveSeries(farm, oak, [26, 20, 19.9, 20.5]);
    expect(await recordedEpisodes(farm)).toEqual([[FARM_NOW + 3 * QUARTER, FARM_NOW + 4 * QUARTER, 19.9]]);
  });

  it('goes by the weighted summary as served, to one decimal, and not by a single depth', async ({ farm }) => {
    const oak = await installProbe(farm, {
      sensors: moistureSensorsAt(10, 20),
      depthWeights: { 10: 0.75, 20: 0.25 },
    });
    await createOakAlert(farm);
    // 0.75 x 19 + 0.25 x 23 = 20; then 0.75 x 19 + 0.25 x 22.7 = 19.925, served as 19.9.
    for (const [at, below] of [
      [FARM_NOW, 23],
      [FARM_NOW + QUARTER, 22.7],
    ] as const) {
      farm.now = at;
      await sendReadings(farm, oak, [
        [0, at, 19],
        [1, at, below],
      ]);
      await farm.tick();
    }
    expect(await recordedEpisodes(farm)).toEqual([[FARM_NOW + QUARTER, null, 19.9]]);
  });

  it('is looked at when it is created, so that its state is known at once', async ({ farm }) => {
    const oak = await installProbe(farm);
    await sendReadings(farm, oak, [...sameValue(oak, FARM_NOW - HOUR, 15), ...sameValue(oak, FARM_NOW, 19)]);
    expect((await createOakAlert(farm)).summary).toContain('It is firing since today 12:00: 19 % is below 20 %.');
    expect(await queuedMailKinds(farm)).toEqual(['fired']);
  });

  it('without any reading is quiet, with time null', async ({ farm }) => {
    await installProbe(farm);
    await createOakAlert(farm);
    expect(await onlyAlertState(farm)).toEqual({
      status: 'quiet',
      firing: false,
      since: null,
      value_vwc: null,
      time: null,
    });
  });

  it('is found by what the assistant reads of its probe while it fires, and by nothing once it is quiet', async ({
    farm,
  }) => {
    const { oak } = await watched(farm);
    const summaries = async () => [
      (await farm.tool('get_moisture_series', { module: 'Oak' })).summary,
      (await farm.tool('get_agronomic_state', { module: 'Oak' })).summary,
      (await farm.log('Oak', { startedAt: iso(FARM_NOW), inputMode: 'duration', durationMin: 30 })).summary,
    ];
    await liveSeries(farm, oak, [18.4]);
    for (const summary of await summaries())
      expect(summary).toContain('Its alert is firing since today 12:15: 18.4 % is below 20 %.');
    await liveSeries(farm, oak, [22]);
    for (const summary of await summaries()) expect(summary).toContain('today 12:15: 22 % is not yet 25 %.');
    await liveSeries(farm, oak, [25]);
    for (const summary of await summaries()) expect(summary).not.toContain('alert');
  });
});

describe('a doubtful zero', () => {
  it('between 31 and 31 does not fire', async ({ farm }) => {
    const { oak } = await watched(farm, [10]);
    await liveSeries(farm, oak, [31, 0, 31]);
    expect(await recordedEpisodes(farm)).toEqual([]);
    expect(await queuedMailKinds(farm)).toEqual([]);
  });

  it('is believed from the second in a row on: three fire once, at the second', async ({ farm }) => {
    const { oak } = await watched(farm, [10]);
    await liveSeries(farm, oak, [31, 0, 0, 0]);
    expect(await recordedEpisodes(farm)).toEqual([[FARM_NOW + 3 * QUARTER, null, 0]]);
    expect(await queuedMailKinds(farm)).toEqual(['fired']);
  });

  it('leaves the value before it in force, wherever the probe is looked at', async ({ farm }) => {
    const { oak } = await watched(farm, [10]);
    await liveSeries(farm, oak, [26, 0]);
    const known = { value_vwc: 26, time: iso(FARM_NOW + QUARTER) };
    expect(await onlyAlertState(farm)).toMatchObject({ status: 'quiet', ...known });
    expect(await farm.tool('get_agronomic_state', { module: 'Oak' })).toMatchObject(known);
    expect((await listAlertsOf(farm)).summary).toContain('26 %');
  });

  it('leaves the value before it in force while it fires', async ({ farm }) => {
    const { oak } = await watched(farm, [10]);
    await liveSeries(farm, oak, [18, 0]);
    const known = { status: 'firing', value_vwc: 18, time: iso(FARM_NOW + QUARTER) };
    expect(await onlyAlertState(farm)).toMatchObject(known);
    await liveSeries(farm, oak, [17]);
    expect(await onlyAlertState(farm)).toMatchObject({ ...known, value_vwc: 17, time: iso(FARM_NOW + 3 * QUARTER) });
  });

  it('is none after a reading of all but 0: what fires by a dry depth does not resolve by it', async ({ farm }) => {
    const { oak } = await watched(farm, [10, 20]);
    for (const value of [1.5, 0, 1.5]) {
      farm.now += QUARTER;
      await sendReadings(farm, oak, [
        [0, farm.now, value],
        [1, farm.now, 26],
      ]);
      await farm.tick();
    }
    expect(await queuedMailKinds(farm)).toEqual(['fired']);
    // (0 + 26) / 2.
    expect(await recordedEpisodes(farm)).toEqual([[FARM_NOW + QUARTER, null, 13]]);
  });

  it('of one sensor leaves the others their say', async ({ farm }) => {
    const { oak } = await watched(farm, [10, 20]);
    farm.now = FARM_NOW + QUARTER;
    await sendReadings(farm, oak, [
      [0, farm.now, 0],
      [1, farm.now, 31],
    ]);
    await farm.tick();
    expect(await onlyAlertState(farm)).toMatchObject({ status: 'quiet', value_vwc: 31, time: iso(farm.now) });
    expect((await farm.tool('get_agronomic_state', { module: 'Oak' })).value_vwc).toBe(31);
  });
});

describe('readings of one instant that arrive sensor by sensor', () => {
  it('fire nothing that the whole instant would not', async ({ farm }) => {
    const { oak } = await watched(farm);
    farm.now = FARM_NOW + QUARTER;
    for (const [sensor, value] of [10, 35, 36].entries()) {
      await sendReadings(farm, oak, [[sensor, FARM_NOW + QUARTER + sensor * 1000, value]]);
      await farm.tick();
    }
    expect(await queuedMailKinds(farm)).toEqual([]);
    // (10 + 35 + 36) / 3 by equal weights.
    expect(await onlyAlertState(farm)).toMatchObject({
      status: 'quiet',
      value_vwc: 27,
      time: iso(FARM_NOW + QUARTER + 2000),
    });
  });

  it('count without those that do not come after half an hour, when time alone calls for a look', async ({ farm }) => {
    const { oak } = await watched(farm);
    farm.now = FARM_NOW + QUARTER;
    await sendReadings(farm, oak, [[0, farm.now, 10]]);
    expect(await farm.tick()).toMatchObject({ evaluated: 1, notified: 0 });
    farm.now += 30 * MINUTE - 1;
    expect(await farm.tick()).toMatchObject({ evaluated: 0 });
    farm.now += 1;
    expect(await farm.tick()).toMatchObject({ evaluated: 1, notified: 1 });
    expect(await recordedEpisodes(farm)).toEqual([[FARM_NOW + QUARTER, null, 10]]);
  });

  it('wait their own half hour though the next instant is whole', async ({ farm }) => {
    const { oak } = await watched(farm, [10, 20]);
    const [first, next] = [FARM_NOW + QUARTER, FARM_NOW + 2 * QUARTER];
    const sends = async (at: number, readings: ProbeReadings) => {
      farm.now = at;
      await sendReadings(farm, oak, readings);
      await farm.tick();
    };
    await sends(first, [[0, first, 15]]);
    await sends(next, sameValue(oak, next, 22));
    expect(await onlyAlertState(farm)).toMatchObject({ status: 'quiet', value_vwc: 22, time: iso(next) });
    await sends(next + MINUTE, [[1, first, 29]]);
    farm.now += HOUR;
    await farm.tick();
    expect([await queuedMailKinds(farm), await recordedEpisodes(farm)]).toEqual([[], []]);
    const tried = await farm.tool<BacktestBody>('backtest_alert', { module: 'Oak', start: iso(FARM_NOW) });
    expect(tried).toMatchObject({ episodes: [], inForce: { episodes: 0 } });
  });

  it('count alone once their half hour is over, though the next instant counted before', async ({ farm }) => {
    const { oak } = await watched(farm, [10, 20]);
    const [first, next] = [FARM_NOW + QUARTER, FARM_NOW + 2 * QUARTER];
    await sendReadings(farm, oak, [[0, first, 15], ...sameValue(oak, next, 22)]);
    farm.now = next;
    await farm.tick();
    expect(await recordedEpisodes(farm)).toEqual([]);
    farm.now = first + 30 * MINUTE;
    expect(await farm.tick()).toMatchObject({ evaluated: 1 });
    expect(await recordedEpisodes(farm)).toEqual([[first, null, 15]]);
    const tried = await farm.tool<BacktestBody>('backtest_alert', { module: 'Oak', start: iso(FARM_NOW) });
    expect(tried.episodes).toMatchObject([{ start: iso(first), end: null, lowest: 15 }]);
  });

  it('take back what fired without them when they come late', async ({ farm }) => {
    const { oak } = await watched(farm);
    farm.now = FARM_NOW + HOUR;
    await sendReadings(farm, oak, [[0, FARM_NOW + QUARTER, 10]]);
    await farm.tick();
    await sendReadings(farm, oak, [
      [1, FARM_NOW + QUARTER, 35],
      [2, FARM_NOW + QUARTER, 36],
    ]);
    await farm.tick();
    expect(await recordedEpisodes(farm)).toEqual([]);
    expect(await queuedMailKinds(farm)).toEqual(['fired', 'resolved']);
  });
});

describe('a probe that falls silent', () => {
  it('for 26 hours is told once to be stale, and firing stays as it was', async ({ farm }) => {
    const { oak } = await watched(farm);
    await liveSeries(farm, oak, [18]);
    const since = farm.now;
    for (let hour = 1; hour <= 30; hour++) {
      farm.now = since + hour * HOUR;
      await farm.tick();
    }
    expect((await queuedMailKinds(farm)).filter((kind) => kind !== 'reminder')).toEqual(['fired', 'stale']);
    expect(await onlyAlertState(farm)).toEqual({
      status: 'stale',
      firing: true,
      since: iso(since),
      value_vwc: 18,
      time: iso(since),
    });
  });

  it('is fresh until 25 hours have passed, and stale from then on whoever looks', async ({ farm }) => {
    await watched(farm);
    farm.now = FARM_NOW + 25 * HOUR;
    await farm.tick();
    expect([(await onlyAlertState(farm))?.status, await queuedMailKinds(farm)]).toEqual(['quiet', []]);
    farm.now += 1;
    expect((await onlyAlertState(farm))?.status).toBe('stale');
    await farm.tick();
    expect(await queuedMailKinds(farm)).toEqual(['stale']);
    expect((await listAlertsOf(farm)).summary).toContain('stale: its newest moisture is of');
  });

  it('neither fires nor resolves by old data, until fresh data complete the record', async ({ farm }) => {
    const { oak } = await watched(farm);
    farm.now = FARM_NOW + 60 * HOUR;
    await sendReadings(farm, oak, sameValue(oak, FARM_NOW + HOUR, 12));
    await farm.tick();
    expect([await recordedEpisodes(farm), await queuedMailKinds(farm)]).toEqual([[], ['stale']]);
    await sendAndEvaluate(farm, oak, farm.now + QUARTER, 19);
    expect(await recordedEpisodes(farm)).toEqual([[FARM_NOW + HOUR, null, 12]]);
    expect(await queuedMailKinds(farm)).toEqual(['stale', 'fired']);
    farm.now += 26 * HOUR;
    await farm.tick();
    expect((await queuedMailKinds(farm)).filter((kind) => kind === 'stale')).toHaveLength(2);
  });

  it('is looked at no more than once for each thing that could be told', async ({ farm }) => {
    const { oak } = await watched(farm);
    farm.now = FARM_NOW + 60 * HOUR;
    await sendReadings(farm, oak, sameValue(oak, FARM_NOW + HOUR, 12));
    await farm.tick();
    expect(await farm.isWrittenBy(() => farm.tick())).toBe(false);
    farm.now += DAY;
    expect(await farm.isWrittenBy(() => farm.tick())).toBe(false);
  });
});

describe('late data', () => {
  it('complete the record in the order of time, and only the newest state is told', async ({ farm }) => {
    const { oak } = await watched(farm);
    await sendAndEvaluate(farm, oak, FARM_NOW + 10 * HOUR, 28);
    // A dry spell within the gap, and over by now.
    await sendReadings(farm, oak, [
      ...sameValue(oak, FARM_NOW + 3 * HOUR, 18),
      ...sameValue(oak, FARM_NOW + 4 * HOUR, 17),
      ...sameValue(oak, FARM_NOW + 5 * HOUR, 26),
    ]);
    await farm.tick();
    expect(await recordedEpisodes(farm)).toEqual([[FARM_NOW + 3 * HOUR, FARM_NOW + 5 * HOUR, 17]]);
    expect(await queuedMailKinds(farm)).toEqual([]);
  });

  it('move the start and the lowest of the episode that lasts, and tell nothing twice', async ({ farm }) => {
    const { oak } = await watched(farm);
    await sendAndEvaluate(farm, oak, FARM_NOW + 10 * HOUR, 19);
    await sendReadings(farm, oak, sameValue(oak, FARM_NOW + 6 * HOUR, 11));
    await farm.tick();
    await sendAndEvaluate(farm, oak, FARM_NOW + 11 * HOUR, 18);
    expect(await recordedEpisodes(farm)).toEqual([[FARM_NOW + 6 * HOUR, null, 11]]);
    expect(await queuedMailKinds(farm)).toEqual(['fired']);
  });

  it('cut an episode in two where it had been over in between', async ({ farm }) => {
    const { oak } = await watched(farm);
    await sendAndEvaluate(farm, oak, FARM_NOW + 2 * HOUR, 15);
    await sendAndEvaluate(farm, oak, FARM_NOW + 10 * HOUR, 19);
    await sendReadings(farm, oak, sameValue(oak, FARM_NOW + 6 * HOUR, 30));
    await farm.tick();
    expect(await recordedEpisodes(farm)).toEqual([
      [FARM_NOW + 2 * HOUR, FARM_NOW + 6 * HOUR, 15],
      [FARM_NOW + 10 * HOUR, null, 19],
    ]);
    expect(await queuedMailKinds(farm)).toEqual(['fired']);
  });

  it('from before the alert was armed do not matter', async ({ farm }) => {
    const { oak } = await watched(farm);
    await sendReadings(farm, oak, sameValue(oak, FARM_NOW - HOUR, 5));
    await farm.tick();
    expect(await recordedEpisodes(farm)).toEqual([]);
  });

  it('ahead of the clock wait until their time has come', async ({ farm }) => {
    const { oak } = await watched(farm);
    await sendReadings(farm, oak, [
      ...sameValue(oak, FARM_NOW + 2 * HOUR, 10),
      ...sameValue(oak, FARM_NOW + 3 * HOUR, 30),
    ]);
    await farm.tick();
    expect(await queuedMailKinds(farm)).toEqual([]);
    farm.now = FARM_NOW + 2 * HOUR;
    await farm.tick();
    expect(await queuedMailKinds(farm)).toEqual(['fired']);
    farm.now = FARM_NOW + 3 * HOUR;
    await farm.tick();
    expect(await queuedMailKinds(farm)).toEqual(['fired', 'resolved']);
  });
});

describe('a changed rule', () => {
  it('judges the episode that lasts from its start: a threshold under all its values ends it, and that is told', async ({
    farm,
  }) => {
    const { oak, alert } = await watched(farm);
    await liveSeries(farm, oak, [19, 18]);
    expect((await changeOakAlert(farm, alert, { threshold: 15 })).summary).toContain('It is quiet: 18 %');
    expect(await recordedEpisodes(farm)).toEqual([]);
    expect(await queuedMailKinds(farm)).toEqual(['fired', 'resolved']);
  });

  it('moves the start of the episode where the new threshold was crossed later, and tells nothing', async ({
    farm,
  }) => {
    const { oak, alert } = await watched(farm);
    await liveSeries(farm, oak, [19, 17, 16]);
    await changeOakAlert(farm, alert, { threshold: 18 });
    expect(await recordedEpisodes(farm)).toEqual([[FARM_NOW + 2 * QUARTER, null, 16]]);
    expect(await queuedMailKinds(farm)).toEqual(['fired']);
  });

  it('fires at once by the newest value where the threshold is raised above it', async ({ farm }) => {
    const { alert } = await watched(farm);
    await changeOakAlert(farm, alert, { threshold: 31 });
    expect(await recordedEpisodes(farm)).toEqual([[FARM_NOW, null, 30]]);
    expect(await queuedMailKinds(farm)).toEqual(['fired']);
  });

  it('of hysteresis resolves what has risen far enough', async ({ farm }) => {
    const { oak, alert } = await watched(farm);
    await liveSeries(farm, oak, [19, 22]);
    await changeOakAlert(farm, alert, { hysteresis: 2 });
    expect(await recordedEpisodes(farm)).toEqual([[FARM_NOW + QUARTER, FARM_NOW + 2 * QUARTER, 19]]);
    expect(await queuedMailKinds(farm)).toEqual(['fired', 'resolved']);
  });

  it('leaves the episodes before it as they were', async ({ farm }) => {
    const { oak, alert } = await watched(farm);
    await liveSeries(farm, oak, [19, 26, 27]);
    await changeOakAlert(farm, alert, { threshold: 10 });
    await sendReadings(farm, oak, sameValue(oak, FARM_NOW + QUARTER + 6 * MINUTE, 18));
    await farm.tick();
    expect(await recordedEpisodes(farm)).toEqual([[FARM_NOW + QUARTER, FARM_NOW + 2 * QUARTER, 19]]);
  });

  it('by a line that moves does the same', async ({ farm }) => {
    const oak = await installProbe(farm);
    await sendReadings(farm, oak, sameValue(oak, FARM_NOW, 18));
    const line = await farm.tool<{ id: string }>('create_annotation', {
      module: 'Oak',
      type: 'h-line',
      p1: [FARM_NOW, 14],
      style: { fill: 'threshold2' },
    });
    expect(await onlyAlertState(farm)).toMatchObject({ status: 'quiet', value_vwc: 18 });
    await farm.tool('update_annotation', { annotationId: line.id, p1: [FARM_NOW, 19] });
    expect(await onlyAlertState(farm)).toMatchObject({ status: 'firing', firing: true });
    await farm.tool('delete_annotation', { annotationId: line.id });
    expect(await onlyAlertState(farm)).toBeNull();
    expect(await recordedEpisodes(farm)).toEqual([[FARM_NOW, FARM_NOW, 18]]);
    expect(await queuedMailKinds(farm)).toEqual(['fired']);
  });
});

describe('an alert that is disabled', () => {
  it('closes its episode without a message, and is watched no more', async ({ farm }) => {
    const { oak, alert } = await watched(farm);
    await liveSeries(farm, oak, [18, 17]);
    await changeOakAlert(farm, alert, { isActive: false });
    await liveSeries(farm, oak, [10, 30]);
    farm.now += 3 * DAY;
    await farm.tick();
    expect(await recordedEpisodes(farm)).toEqual([[FARM_NOW + QUARTER, FARM_NOW + 2 * QUARTER, 17]]);
    expect(await queuedMailKinds(farm)).toEqual(['fired']);
  });

  it('and enabled again begins anew with the newest value', async ({ farm }) => {
    const { oak, alert } = await watched(farm);
    await liveSeries(farm, oak, [18]);
    await changeOakAlert(farm, alert, { isActive: false });
    await liveSeries(farm, oak, [16, 17]);
    await changeOakAlert(farm, alert, { isActive: true });
    expect(await recordedEpisodes(farm)).toEqual([
      [FARM_NOW + QUARTER, FARM_NOW + QUARTER, 18],
      [FARM_NOW + 3 * QUARTER, null, 17],
    ]);
    expect(await queuedMailKinds(farm)).toEqual(['fired', 'fired']);
  });

  it('can be enabled at the very value it was disabled at', async ({ farm }) => {
    const { oak, alert } = await watched(farm);
    await liveSeries(farm, oak, [18]);
    await changeOakAlert(farm, alert, { isActive: false });
    await changeOakAlert(farm, alert, { isActive: true });
    expect(await recordedEpisodes(farm)).toEqual([[FARM_NOW + QUARTER, null, 18]]);
  });
});

describe('a reminder', () => {
  it('is sent once a local day at reminderTime from the next day on, until it resolves, stale or not', async ({
    farm,
  }) => {
    const { oak } = await watched(farm);
    await liveSeries(farm, oak, [18]);
    const sent: string[] = [];
    for (let seen = 1; farm.now < FARM_NOW + 3 * DAY; farm.now += QUARTER) {
      await farm.tick();
      const all = await queuedMailKinds(farm);
      if (all.slice(seen).includes('reminder')) sent.push(iso(farm.now));
      seen = all.length;
    }
    // 08:00 in Paris is 06:00 UTC in July.
    expect(sent).toEqual(['2026-07-02T06:00:00.000Z', '2026-07-03T06:00:00.000Z', '2026-07-04T06:00:00.000Z']);
    await sendAndEvaluate(farm, oak, farm.now, 30);
    farm.now += 2 * DAY;
    await farm.tick();
    expect((await queuedMailKinds(farm)).filter((kind) => kind === 'reminder')).toHaveLength(3);
  });

  it('that was missed for days is sent once', async ({ farm }) => {
    const { oak } = await watched(farm);
    await liveSeries(farm, oak, [18]);
    farm.now = FARM_NOW + 10 * DAY;
    await farm.tick();
    await farm.tick();
    expect((await queuedMailKinds(farm)).filter((kind) => kind === 'reminder')).toHaveLength(1);
  });

  it('moves with a changed reminderTime', async ({ farm }) => {
    const { oak, alert } = await watched(farm);
    await liveSeries(farm, oak, [18]);
    await changeOakAlert(farm, alert, { reminderTime: '05:00:00' });
    farm.now = Date.UTC(2026, 6, 2, 3);
    expect(await farm.tick()).toMatchObject({ evaluated: 1, notified: 1 });
    expect(await queuedMailKinds(farm)).toEqual(['fired', 'reminder']);
  });
});

describe('what is not yet taken in', () => {
  it('is marked in the transaction that writes the readings, and taken in by whoever looks next', async ({ farm }) => {
    const { oak } = await watched(farm);
    farm.now = FARM_NOW + QUARTER;
    const killed = farm.write(async (db) => {
      await recordReadings(db, { sensorIds: [oak.sensorIds[0]!], at: [FARM_NOW + 1], values: [1], length: 1 });
      throw new Error('killed');
    });
    await expect(killed).rejects.toThrow('killed');
    await sendReadings(farm, oak, sameValue(oak, farm.now, 18));
    const marks = await farm.write((db) =>
      db.selectFrom('alert_states').select(['touched_from', 'touches', 'touches_seen']).execute(),
    );
    expect(marks).toEqual([{ touched_from: farm.now, touches: 1, touches_seen: 0 }]);
    expect(await farm.tick({ holder: 'another process' })).toMatchObject({ evaluated: 1, notified: 1 });
    expect(await farm.isWrittenBy(() => farm.tick())).toBe(false);
  });

  it('is not marked by readings of another probe, or of temperature', async ({ farm }) => {
    const oak = await installProbe(farm, { sensors: [...moistureSensorsAt(10), ['temperature', 10]] });
    await sendReadings(farm, oak, [[0, FARM_NOW, 30]]);
    await createOakAlert(farm);
    const elm = await installProbe(farm, { name: 'Elm' });
    await sendReadings(farm, elm, sameValue(elm, FARM_NOW, 5));
    await sendReadings(farm, oak, [[1, FARM_NOW, 5]]);
    expect(await farm.tick()).toMatchObject({ evaluated: 0 });
    await sendReadings(farm, oak, [[0, FARM_NOW, 5]]);
    expect(await farm.tick()).toMatchObject({ evaluated: 1 });
  });

  it('is told once by two that look at the same time', async ({ farm }) => {
    const { oak, alert } = await watched(farm);
    farm.now = FARM_NOW + QUARTER;
    await sendReadings(farm, oak, sameValue(oak, farm.now, 18));
    const company = (await farm.store.readAll((all) => companyById(all, 1)))!;
    const look = () => farm.store.read(1, (db) => computeEvaluation({ db, now: farm.now }, company, alert.id));
    const [first, second] = [await look(), await look()];
    const record = (found: typeof first) =>
      farm.write((db) => recordEvaluation({ db, now: farm.now }, company, found!));
    expect([await record(first), await record(second)]).toEqual([true, false]);
    expect(await queuedMailKinds(farm)).toEqual(['fired']);
  });

  it('is looked at again where readings came between the look and its record', async ({ farm }) => {
    const { oak, alert } = await watched(farm);
    farm.now = FARM_NOW + QUARTER;
    await sendReadings(farm, oak, sameValue(oak, farm.now, 18));
    const company = (await farm.store.readAll((all) => companyById(all, 1)))!;
    const found = await farm.store.read(1, (db) => computeEvaluation({ db, now: farm.now }, company, alert.id));
    await sendReadings(farm, oak, sameValue(oak, farm.now + MINUTE, 30));
    expect(await farm.write((db) => recordEvaluation({ db, now: farm.now }, company, found!))).toBe(false);
    await farm.tick();
    expect(await onlyAlertState(farm)).toMatchObject({ status: 'quiet', value_vwc: 30 });
  });

  it('of alerts that were armed before anything watched them is looked at as soon as something does', async ({
    farm,
  }) => {
    const { oak } = await watched(farm);
    await sendReadings(farm, oak, sameValue(oak, FARM_NOW, 18));
    // As the migration leaves it.
    await farm.write(async (db) => {
      await db.deleteFrom('alert_states').execute();
      const { id } = await db.selectFrom('alerts').select('id').executeTakeFirstOrThrow();
      const none = { firing: 0, touches: 0, touches_seen: 0, told_firing: 0, told_stale: 0 } as const;
      await db
        .insertInto('alert_states')
        .values({ alert_id: id, ...none, due_at: 0 })
        .execute();
    });
    expect(await farm.tick()).toMatchObject({ evaluated: 1, notified: 1 });
    expect(await onlyAlertState(farm)).toMatchObject({ status: 'firing', since: iso(FARM_NOW) });
  });
});
