import { describe, expect } from 'vitest';
import {
  computeEvaluation,
  recordEvaluation,
} from '../../../src/service/alerts/alert-evaluation.ts';
import { companyById } from '../../../src/store/company/companies.ts';
import { recordReadings } from '../../../src/store/ingest/reading-writes.ts';
import {
  advisoriesOf,
  DAY,
  FARM_NOW,
  HOUR,
  iso,
  it,
  MINUTE,
  minutesAt,
  type TestFarm,
} from '../../farm.ts';
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

async function watched(
  farm: TestFarm,
  depths = [10, 20, 30],
): Promise<{ oak: TestProbe; alert: { id: string } }> {
  const oak = await installProbe(farm, { sensors: moistureSensorsAt(...depths) });
  await sendReadings(farm, oak, sameValue(oak, FARM_NOW, 30));
  const alert = await createOakAlert(farm);
  return { oak, alert };
}

async function liveSeries(
  farm: TestFarm,
  oak: TestProbe,
  values: readonly (number | null)[],
): Promise<void> {
  for (const value of values) {
    if (value === null) farm.now += QUARTER;
    else await sendAndEvaluate(farm, oak, farm.now + QUARTER, value);
  }
}

async function sendAt(
  farm: TestFarm,
  oak: TestProbe,
  at: number,
  readings: ProbeReadings,
): Promise<void> {
  farm.now = at;
  await sendReadings(farm, oak, readings);
  await farm.tick();
}

/**
 * Episodes as "4-8: 19.9" (start and end in steps since the alert was created, then the lowest
 * value), and the mails.
 */
async function recordOf(
  farm: TestFarm,
  step = QUARTER,
): Promise<[episodes: string, mails: string]> {
  const steps = (at: number | null) => (at === null ? '' : (at - FARM_NOW) / step);
  const episodes = (await recordedEpisodes(farm)).map(
    ([start, end, low]) => `${steps(start)}-${steps(end)}: ${low}`,
  );
  return [episodes.join(', '), (await queuedMailKinds(farm)).join(', ')];
}

describe('an alert', () => {
  it.for<[title: string, rule: object, values: (number | null)[], episodes: string, mails: string]>(
    [
      [
        'fires below its threshold and resolves at threshold + hysteresis',
        {},
        [26, 21, 20, 19.9, 20.5, 24.9, null, 25, 24, 19.9],
        '4-8: 19.9, 10-: 19.9',
        'fired, resolved, fired',
      ],
      [
        'resolves at its threshold with hysteresis 0',
        { hysteresis: 0 },
        [26, 20, 19.9, 20.5],
        '3-4: 19.9',
        'fired, resolved',
      ],
      ['does not fire at a single zero', {}, [31, 0, 31], '', ''],
      ['fires at the second of three zeros in a row', {}, [31, 0, 0, 0], '3-: 0', 'fired'],
    ],
  )('%s', async ([_, rule, values, ...expected], { farm }) => {
    const { oak, alert } = await watched(farm);
    await changeOakAlert(farm, alert, rule);
    await liveSeries(farm, oak, values);
    expect(await recordOf(farm)).toEqual(expected);
  });

  it('has the state of its open episode', async ({ farm }) => {
    const { oak } = await watched(farm);
    await liveSeries(farm, oak, [19.9]);
    const at = iso(farm.now);
    expect(await onlyAlertState(farm)).toEqual({
      status: 'firing',
      firing: true,
      since: at,
      value_vwc: 19.9,
      time: at,
    });
  });

  it('compares the weighted summary, rounded to one decimal, not a single depth', async ({
    farm,
  }) => {
    const oak = await installProbe(farm, {
      sensors: moistureSensorsAt(10, 20),
      depthWeights: { 10: 0.75, 20: 0.25 },
    });
    await createOakAlert(farm);
    // 0.75 x 19 + 0.25 x 23 = 20; then 0.75 x 19 + 0.25 x 22.7 = 19.925, served as 19.9.
    for (const [at, below] of [
      [FARM_NOW, 23],
      [FARM_NOW + QUARTER, 22.7],
    ] as const)
      await sendAt(farm, oak, at, [
        [0, at, 19],
        [1, at, below],
      ]);
    expect(await recordedEpisodes(farm)).toEqual([[FARM_NOW + QUARTER, null, 19.9]]);
  });

  it('is evaluated when it is created', async ({ farm }) => {
    const oak = await installProbe(farm);
    await sendReadings(farm, oak, [
      ...sameValue(oak, FARM_NOW - HOUR, 15),
      ...sameValue(oak, FARM_NOW, 19),
    ]);
    expect(advisoriesOf(await createOakAlert(farm), 'alert_state')).toMatchObject([
      { threshold: '20', state: { firing: true, value_vwc: 19, since: iso(FARM_NOW) } },
    ]);
    expect(await queuedMailKinds(farm)).toEqual(['fired']);
  });

  it('is quiet with time null without any reading', async ({ farm }) => {
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

  it('is noted by the tools of its probe while it fires, and not once it is quiet', async ({
    farm,
  }) => {
    const { oak } = await watched(farm);
    const notes = async () => {
      const answers = [
        await farm.tool('get_moisture_series', { module: 'Oak' }),
        await farm.tool('get_agronomic_state', { module: 'Oak' }),
        await farm.log('Oak', minutesAt(FARM_NOW, 30)),
      ];
      return answers.map((answer) => advisoriesOf(answer, 'alert_firing'));
    };
    const since = FARM_NOW + QUARTER;
    await liveSeries(farm, oak, [18.4]);
    const low = [expect.objectContaining({ threshold: '20', since, value: 18.4 })];
    expect(await notes()).toEqual([low, low, low]);
    await liveSeries(farm, oak, [22]);
    const rising = [expect.objectContaining({ since, value: 22 })];
    expect(await notes()).toEqual([rising, rising, rising]);
    await liveSeries(farm, oak, [25]);
    expect(await notes()).toEqual([[], [], []]);
  });
});

describe('a single zero', () => {
  it('leaves the value before it in force', async ({ farm }) => {
    const { oak } = await watched(farm, [10]);
    await liveSeries(farm, oak, [26, 0]);
    const known = { value_vwc: 26, time: iso(FARM_NOW + QUARTER) };
    expect(await onlyAlertState(farm)).toMatchObject({ status: 'quiet', ...known });
    expect(await farm.tool('get_agronomic_state', { module: 'Oak' })).toMatchObject(known);
    expect((await listAlertsOf(farm)).data[0]?.state).toMatchObject(known);
  });

  it('excludes its sensor alone from the mean', async ({ farm }) => {
    const { oak } = await watched(farm, [10, 20]);
    await sendAt(farm, oak, FARM_NOW + QUARTER, [
      [0, FARM_NOW + QUARTER, 0],
      [1, FARM_NOW + QUARTER, 31],
    ]);
    expect(await onlyAlertState(farm)).toMatchObject({
      status: 'quiet',
      value_vwc: 31,
      time: iso(farm.now),
    });
    expect((await farm.tool('get_agronomic_state', { module: 'Oak' })).value_vwc).toBe(31);
  });
});

describe('readings of one instant that arrive sensor by sensor', () => {
  it('do not fire an alert that the whole instant would not', async ({ farm }) => {
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

  it('count without the missing ones after half an hour', async ({ farm }) => {
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
});

describe('a probe that falls silent', () => {
  it('sends one stale message after 26 hours, and its alert keeps firing', async ({ farm }) => {
    const { oak } = await watched(farm);
    await liveSeries(farm, oak, [18]);
    const since = farm.now;
    for (let hour = 1; hour <= 30; hour++) {
      farm.now = since + hour * HOUR;
      await farm.tick();
    }
    expect((await queuedMailKinds(farm)).filter((kind) => kind !== 'reminder')).toEqual([
      'fired',
      'stale',
    ]);
    expect(await onlyAlertState(farm)).toEqual({
      status: 'stale',
      firing: true,
      since: iso(since),
      value_vwc: 18,
      time: iso(since),
    });
  });

  it('is fresh for 25 hours, and stale from then on in every answer', async ({ farm }) => {
    await watched(farm);
    farm.now = FARM_NOW + 25 * HOUR;
    await farm.tick();
    expect([(await onlyAlertState(farm))?.status, await queuedMailKinds(farm)]).toEqual([
      'quiet',
      [],
    ]);
    farm.now += 1;
    expect((await onlyAlertState(farm))?.status).toBe('stale');
    await farm.tick();
    expect(await queuedMailKinds(farm)).toEqual(['stale']);
    expect((await listAlertsOf(farm)).data[0]?.state?.status).toBe('stale');
  });

  it('neither fires nor resolves until fresh data complete the record', async ({ farm }) => {
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

  it('is evaluated only once for each message that could be due', async ({ farm }) => {
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
  type Reading = [hour: number, value: number];
  it.for<
    [
      title: string,
      live: Reading[],
      late: Reading[],
      live: Reading[],
      episodes: string,
      mails: string,
    ]
  >([
    [
      'complete the record in order of time',
      [[10, 28]],
      [
        [3, 18],
        [4, 17],
        [5, 26],
      ],
      [],
      '3-5: 17',
      '',
    ],
    [
      'move the start and the lowest value of the open episode',
      [[10, 19]],
      [[6, 11]],
      [[11, 18]],
      '6-: 11',
      'fired',
    ],
    [
      'split an episode',
      [
        [2, 15],
        [10, 19],
      ],
      [[6, 30]],
      [],
      '2-6: 15, 10-: 19',
      'fired',
    ],
    ['do not count from before the alert was created', [], [[-1, 5]], [], '', ''],
  ])('%s, and report only news', async ([_, before, late, after, ...expected], { farm }) => {
    const { oak } = await watched(farm);
    for (const [hour, value] of before)
      await sendAndEvaluate(farm, oak, FARM_NOW + hour * HOUR, value);
    const readings = late.flatMap(([hour, value]) => sameValue(oak, FARM_NOW + hour * HOUR, value));
    await sendAt(farm, oak, farm.now, readings);
    for (const [hour, value] of after)
      await sendAndEvaluate(farm, oak, FARM_NOW + hour * HOUR, value);
    expect(await recordOf(farm, HOUR)).toEqual(expected);
  });

  it('wait until their time if they are ahead of the clock', async ({ farm }) => {
    const { oak } = await watched(farm);
    await sendReadings(farm, oak, [
      ...sameValue(oak, FARM_NOW + 2 * HOUR, 10),
      ...sameValue(oak, FARM_NOW + 3 * HOUR, 30),
    ]);
    for (const [hour, mails] of [[], [], ['fired'], ['fired', 'resolved']].entries()) {
      farm.now = FARM_NOW + hour * HOUR;
      await farm.tick();
      expect(await queuedMailKinds(farm)).toEqual(mails);
    }
  });
});

describe('a changed rule', () => {
  it.for<
    [title: string, values: number[], rule: object, state: string, episodes: string, mails: string]
  >([
    [
      'ends an episode above the new threshold',
      [19, 18],
      { threshold: 15 },
      'quiet',
      '',
      'fired, resolved',
    ],
    [
      'moves the start of the episode',
      [19, 17, 16],
      { threshold: 18 },
      'firing',
      '2-: 16',
      'fired',
    ],
    [
      'fires by a threshold raised above the newest value',
      [],
      { threshold: 31 },
      'firing',
      '0-: 30',
      'fired',
    ],
    [
      'resolves the episode by the hysteresis',
      [19, 22],
      { hysteresis: 2 },
      'quiet',
      '1-2: 19',
      'fired, resolved',
    ],
  ])('%s', async ([_, values, rule, state, ...expected], { farm }) => {
    const { oak, alert } = await watched(farm);
    await liveSeries(farm, oak, values);
    const changed = await changeOakAlert(farm, alert, rule);
    expect(advisoriesOf(changed, 'alert_state')).toMatchObject([{ state: { status: state } }]);
    expect(await recordOf(farm)).toEqual(expected);
  });

  it('leaves earlier episodes unchanged', async ({ farm }) => {
    const { oak, alert } = await watched(farm);
    await liveSeries(farm, oak, [19, 26, 27]);
    await changeOakAlert(farm, alert, { threshold: 10 });
    await sendReadings(farm, oak, sameValue(oak, FARM_NOW + QUARTER + 6 * MINUTE, 18));
    await farm.tick();
    expect(await recordedEpisodes(farm)).toEqual([
      [FARM_NOW + QUARTER, FARM_NOW + 2 * QUARTER, 19],
    ]);
  });

  it('has the same effect if a line moves', async ({ farm }) => {
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
  it('closes its episode without a message, and is no longer evaluated', async ({ farm }) => {
    const { oak, alert } = await watched(farm);
    await liveSeries(farm, oak, [18, 17]);
    await changeOakAlert(farm, alert, { isActive: false });
    await liveSeries(farm, oak, [10, 30]);
    farm.now += 3 * DAY;
    await farm.tick();
    expect(await recordOf(farm)).toEqual(['1-2: 17', 'fired']);
  });

  it('starts again with the newest value when it is enabled', async ({ farm }) => {
    const { oak, alert } = await watched(farm);
    await liveSeries(farm, oak, [18]);
    await changeOakAlert(farm, alert, { isActive: false });
    await liveSeries(farm, oak, [16, 17]);
    await changeOakAlert(farm, alert, { isActive: true });
    expect(await recordOf(farm)).toEqual(['1-1: 18, 3-: 17', 'fired, fired']);
  });

  it('can be enabled at the value at which it was disabled', async ({ farm }) => {
    const { oak, alert } = await watched(farm);
    await liveSeries(farm, oak, [18]);
    await changeOakAlert(farm, alert, { isActive: false });
    await changeOakAlert(farm, alert, { isActive: true });
    expect(await recordedEpisodes(farm)).toEqual([[FARM_NOW + QUARTER, null, 18]]);
  });
});

describe('a reminder', () => {
  it('is sent once a local day at reminderTime from the next day on until it resolves, stale or not', async ({
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
    expect(sent).toEqual([
      '2026-07-02T06:00:00.000Z',
      '2026-07-03T06:00:00.000Z',
      '2026-07-04T06:00:00.000Z',
    ]);
    await sendAndEvaluate(farm, oak, farm.now, 30);
    farm.now += 2 * DAY;
    await farm.tick();
    expect((await queuedMailKinds(farm)).filter((kind) => kind === 'reminder')).toHaveLength(3);
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

describe('a pending reading', () => {
  it('is marked in the transaction that writes it, and evaluated next', async ({ farm }) => {
    const { oak } = await watched(farm);
    farm.now = FARM_NOW + QUARTER;
    const killed = farm.write(async (db) => {
      await recordReadings(db, {
        sensorIds: [oak.sensorIds[0]!],
        at: [FARM_NOW + 1],
        values: [1],
        length: 1,
      });
      throw new Error('killed');
    });
    await expect(killed).rejects.toThrow('killed');
    await sendReadings(farm, oak, sameValue(oak, farm.now, 18));
    const marks = await farm.write((db) =>
      db
        .selectFrom('alert_states')
        .select(['pending_from', 'pending_marks', 'evaluated_marks'])
        .execute(),
    );
    expect(marks).toEqual([{ pending_from: farm.now, pending_marks: 1, evaluated_marks: 0 }]);
    expect(await farm.tick({ holder: 'another process' })).toMatchObject({
      evaluated: 1,
      notified: 1,
    });
    expect(await farm.isWrittenBy(() => farm.tick())).toBe(false);
  });

  it('is not one of another probe, or of temperature', async ({ farm }) => {
    const oak = await installProbe(farm, {
      sensors: [...moistureSensorsAt(10), ['temperature', 10]],
    });
    await sendReadings(farm, oak, [[0, FARM_NOW, 30]]);
    await createOakAlert(farm);
    const elm = await installProbe(farm, { name: 'Elm' });
    await sendReadings(farm, elm, sameValue(elm, FARM_NOW, 5));
    await sendReadings(farm, oak, [[1, FARM_NOW, 5]]);
    expect(await farm.tick()).toMatchObject({ evaluated: 0 });
    await sendReadings(farm, oak, [[0, FARM_NOW, 5]]);
    expect(await farm.tick()).toMatchObject({ evaluated: 1 });
  });

  it('is reported once by two simultaneous evaluations', async ({ farm }) => {
    const { oak, alert } = await watched(farm);
    farm.now = FARM_NOW + QUARTER;
    await sendReadings(farm, oak, sameValue(oak, farm.now, 18));
    const company = (await farm.store.readAll((all) => companyById(all, 1)))!;
    const look = () =>
      farm.store.read(1, (db) => computeEvaluation({ db, now: farm.now }, company, alert.id));
    const [first, second] = [await look(), await look()];
    const record = (found: typeof first) =>
      farm.write((db) => recordEvaluation({ db, now: farm.now }, company, found!));
    expect([await record(first), await record(second)]).toEqual([true, false]);
    expect(await queuedMailKinds(farm)).toEqual(['fired']);
  });

  it('is evaluated again if readings arrive between evaluation and record', async ({ farm }) => {
    const { oak, alert } = await watched(farm);
    farm.now = FARM_NOW + QUARTER;
    await sendReadings(farm, oak, sameValue(oak, farm.now, 18));
    const company = (await farm.store.readAll((all) => companyById(all, 1)))!;
    const found = await farm.store.read(1, (db) =>
      computeEvaluation({ db, now: farm.now }, company, alert.id),
    );
    await sendReadings(farm, oak, sameValue(oak, farm.now + MINUTE, 30));
    expect(await farm.write((db) => recordEvaluation({ db, now: farm.now }, company, found!))).toBe(
      false,
    );
    await farm.tick();
    expect(await onlyAlertState(farm)).toMatchObject({ status: 'quiet', value_vwc: 30 });
  });

  it('is evaluated for alerts that are older than the evaluation', async ({ farm }) => {
    const { oak } = await watched(farm);
    await sendReadings(farm, oak, sameValue(oak, FARM_NOW, 18));
    // As the migration leaves it.
    await farm.write(async (db) => {
      await db.deleteFrom('alert_states').execute();
      const { id } = await db.selectFrom('alerts').select('id').executeTakeFirstOrThrow();
      const none = {
        is_firing: 0,
        pending_marks: 0,
        evaluated_marks: 0,
        notified_firing: 0,
        notified_stale: 0,
      } as const;
      await db
        .insertInto('alert_states')
        .values({ alert_id: id, ...none, due_at: 0 })
        .execute();
    });
    expect(await farm.tick()).toMatchObject({ evaluated: 1, notified: 1 });
    expect(await onlyAlertState(farm)).toMatchObject({ status: 'firing', since: iso(FARM_NOW) });
  });
});
