import { describe, expect } from 'vitest';
import type { AlertBody, AlertWithRecipientsBody } from '../../../src/schema/alerts/alert.ts';
import { advisoriesOf, bodyOf, FARM_NOW, HOUR, iso, it, type TestFarm } from '../../farm.ts';
import { installProbe } from '../moisture/probe-farm.ts';
import {
  changeOakAlert,
  createOakAlert,
  listAlertsOf,
  sameValue,
  sendReadings,
} from './alert-farm.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const rows = (farm: TestFarm) => farm.write((db) => db.selectFrom('alerts').selectAll().execute());

describe('POST alert', () => {
  it('answers 201 with every field of the Alert, and its recipients', async ({ farm }) => {
    const oak = await installProbe(farm);
    const user = await farm.write((db) =>
      db.selectFrom('users').select('id').executeTakeFirstOrThrow(),
    );
    const { id: companyId } = await farm.tool<{ id: number }>('get_company');
    const createdAlert = await farm.wire<AlertWithRecipientsBody>('create_alert', {
      moduleId: oak.id,
      parcelId: farm.idOf('North block'),
      threshold: 18.25,
      hysteresis: 2.5,
      reminderTime: '06:30:00',
    });
    expect(bodyOf(createdAlert)).toEqual({
      id: expect.stringMatching(UUID),
      companyId,
      moduleId: oak.id,
      parcelId: farm.idOf('North block'),
      annotationId: null,
      threshold: '18.25',
      hysteresis: '2.5',
      reminderTime: '06:30:00',
      source: 'manual',
      isActive: true,
      createdBy: String(user.id),
      createdAt: iso(FARM_NOW),
      updatedAt: iso(FARM_NOW),
      recipients: [
        { id: expect.stringMatching(UUID), alertId: createdAlert.id, userId: String(user.id) },
      ],
    });
  });

  it('has a hysteresis of 5 points and a reminder at 08:00:00 by default', async ({ farm }) => {
    await installProbe(farm);
    expect(await createOakAlert(farm)).toMatchObject({
      threshold: '20',
      hysteresis: '5',
      reminderTime: '08:00:00',
    });
  });

  it.for([
    [1e-7, '0.0000001'],
    [20.123456789012344, '20.123456789012344'],
    [0, '0'],
    [100, '100'],
  ] as const)(
    'keeps the threshold %d as the decimal text %s, without an exponent or a lost digit',
    async ([threshold, text], { farm }) => {
      await installProbe(farm);
      const body = { moduleId: farm.idOf('Oak'), threshold };
      const { id } = await farm.wire<AlertWithRecipientsBody>('create_alert', body);
      expect((await rows(farm))[0]).toMatchObject({ id, threshold: text });
      await createOakAlert(farm, { threshold: `${text} %` });
    },
  );

  it.for([0.18, 0.5, 1, '0.3', 0.004])(
    'asks which percentage a tool means by %s',
    async (threshold, { farm }) => {
      await installProbe(farm);
      const percent = Number((100 * Number(threshold)).toPrecision(3));
      const asked = {
        code: 'invalid_body',
        message: expect.stringContaining(`it could be ${threshold} % or ${percent} %: ask which`),
        field: 'threshold',
      };
      await expect(createOakAlert(farm, { threshold })).rejects.toMatchObject(asked);
      expect(await rows(farm)).toEqual([]);

      const { id } = await createOakAlert(farm, { threshold: 20 });
      await expect(farm.tool('update_alert', { alertId: id, threshold })).rejects.toMatchObject(
        asked,
      );
      await expect(farm.tool('backtest_alert', { module: 'Oak', threshold })).rejects.toMatchObject(
        { code: 'invalid_parameter', field: 'threshold' },
      );
      await farm.tool('update_alert', { alertId: id, threshold: `${threshold} %` });
      await farm.wire('update_alert', { alertId: id, threshold: Number(threshold) });
      expect(await rows(farm)).toMatchObject([{ threshold: String(threshold) }]);
    },
  );

  it('makes the user of the key the first recipient and the creator', async ({ farm }) => {
    await installProbe(farm);
    const userId = await farm.write(
      async (db) =>
        (
          await db
            .insertInto('users')
            .values({ email: 'leo@example.org', name: 'Leo', role: 'MANAGER' })
            .returning('id')
            .executeTakeFirstOrThrow()
        ).id,
    );
    const createdAlert = await createOakAlert(farm, {}, { caller: { userId } });
    expect(createdAlert.createdBy).toBe(String(userId));
    expect(createdAlert.recipients.map((each) => each.userId)).toEqual([String(userId)]);
  });

  it('refuses a key without a user: 403 no_user, and writes nothing', async ({ farm }) => {
    await installProbe(farm);
    await expect(
      createOakAlert(farm, {}, { caller: { id: 'key:1', userId: null } }),
    ).rejects.toMatchObject({
      code: 'no_user',
      status: 403,
      hint: expect.stringContaining('list_users'),
    });
    expect(await rows(farm)).toEqual([]);
  });

  it.for([
    ['threshold', undefined],
    ['threshold', 'dry'],
    ['threshold', 'NaN'],
    ['threshold', Number.NaN],
    ['threshold', '1e400'],
    ['threshold', Number.POSITIVE_INFINITY],
    ['threshold', -0.1],
    ['threshold', 100.1],
    ['hysteresis', -1],
    ['hysteresis', 101],
    ['hysteresis', 'wide'],
    ['reminderTime', '25:00:00'],
    ['reminderTime', '08:60:00'],
    ['reminderTime', '08:60'],
    ['reminderTime', 'eight'],
  ] as const)(
    'refuses %s %s: 400 invalid_body with a hint, and nothing is written',
    async ([name, value], { farm }) => {
      await installProbe(farm);
      await expect(createOakAlert(farm, { [name]: value })).rejects.toMatchObject({
        code: 'invalid_body',
        status: 400,
        field: name,
        hint: expect.stringMatching(/such as (20|5|08:00:00)/),
      });
      expect(await rows(farm)).toEqual([]);
    },
  );

  it('without a module writes an alert that is never evaluated', async ({ farm }) => {
    const createdAlert = await farm.wire<AlertWithRecipientsBody>('create_alert', {
      parcelId: farm.idOf('North block'),
      threshold: 20,
    });
    expect(createdAlert).toMatchObject({ moduleId: null, isActive: true });
    expect((await listAlertsOf(farm)).data[0]?.state).toBeNull();
    farm.now += 48 * HOUR;
    expect(await farm.tick()).toMatchObject({ evaluated: 0, notified: 0 });
  });

  it('on a soil probe without sensors never fires', async ({ farm }) => {
    const created = await farm.tool('create_alert', { module: 'Loose', threshold: 20 });
    expect(advisoriesOf(created, 'no_sensor_for_alert')).toHaveLength(1);
    expect((await farm.tick()).notified).toBe(0);
  });

  it('on another module, which never has moisture, is refused in tools and stored by REST', async ({
    farm,
  }) => {
    const fields = { threshold: 20 };
    await expect(farm.tool('create_alert', { module: 'Mast', ...fields })).rejects.toMatchObject({
      code: 'invalid_body',
      field: 'module',
      message: 'Mast has no sensor of soil moisture, so an alert on it would never fire.',
    });
    expect(await rows(farm)).toEqual([]);

    await farm.wire('create_alert', { moduleId: farm.idOf('Mast'), ...fields });
    expect(await rows(farm)).toHaveLength(1);
    expect((await farm.tick()).notified).toBe(0);
  });

  it('notes a level that can never resolve', async ({ farm }) => {
    await installProbe(farm);
    const unreachable = async (threshold: number) =>
      advisoriesOf(await createOakAlert(farm, { threshold }), 'alert_never_resolves');
    expect(await unreachable(95.5)).toMatchObject([{ resolvesAt: '100.5', soilMax: null }]);
    expect(await unreachable(95)).toEqual([]);
  });
});

describe('PATCH alert', () => {
  it('answers the Alert without recipients', async ({ farm }) => {
    await installProbe(farm);
    const { recipients: _, ...createdAlert } = bodyOf(await createOakAlert(farm));
    farm.now += HOUR;
    expect(bodyOf(await changeOakAlert(farm, createdAlert, { threshold: 17.5 }))).toEqual({
      ...createdAlert,
      threshold: '17.5',
      updatedAt: iso(farm.now),
    });
  });

  it.for([
    ['threshold', 18, '18'],
    ['hysteresis', 1.5, '1.5'],
    ['reminderTime', '21:15:30', '21:15:30'],
    ['reminderTime', '21:15', '21:15:00'],
    ['isActive', false, false],
  ] as const)('changes only what is sent: %s', async ([name, value, expected], { farm }) => {
    await installProbe(farm);
    const { recipients: _, ...createdAlert } = bodyOf(await createOakAlert(farm));
    expect(bodyOf(await changeOakAlert(farm, createdAlert, { [name]: value }))).toEqual({
      ...createdAlert,
      [name]: expected,
    });
  });

  it('changes nothing if no field, or no new value, is sent', async ({ farm }) => {
    await installProbe(farm);
    const { recipients: _, ...createdAlert } = bodyOf(await createOakAlert(farm));
    farm.now += HOUR;
    expect(bodyOf(await changeOakAlert(farm, createdAlert, {}))).toEqual(createdAlert);
    expect(
      bodyOf(await changeOakAlert(farm, createdAlert, { threshold: 20, isActive: true })),
    ).toEqual(createdAlert);
  });

  it.for([
    ['threshold', 101],
    ['threshold', 'NaN'],
    ['hysteresis', -0.5],
    ['reminderTime', '24:00:00'],
    ['isActive', 'maybe'],
  ] as const)(
    'refuses %s %s: 400 invalid_body, and nothing changes',
    async ([name, value], { farm }) => {
      await installProbe(farm);
      const createdAlert = await createOakAlert(farm);
      const before = await rows(farm);
      await expect(changeOakAlert(farm, createdAlert, { [name]: value })).rejects.toMatchObject({
        code: 'invalid_body',
        status: 400,
        field: name,
      });
      expect(await rows(farm)).toEqual(before);
    },
  );

  it('moves the line that created the alert', async ({ farm }) => {
    await installProbe(farm);
    await farm.tool('create_annotation', {
      module: 'Oak',
      type: 'h-line',
      p1: [FARM_NOW, 14],
      style: { fill: 'threshold2' },
    });
    const drawnAlert = (await listAlertsOf(farm)).data[0]!;
    expect(drawnAlert).toMatchObject({
      source: 'annotation',
      threshold: '14',
      annotationId: expect.stringMatching(UUID),
    });
    const changed = await changeOakAlert(farm, drawnAlert, { threshold: 16.5 });
    expect(advisoriesOf(changed, 'line_moved')).toMatchObject([{ threshold: '16.5' }]);
    const { data } = await farm.tool<{ data: { p1: number[] }[] }>('list_annotations', {
      module: 'Oak',
    });
    expect(data[0]?.p1).toEqual([FARM_NOW, 16.5]);
  });

  it('does not move a line that is no longer a wilting point, and notes it', async ({ farm }) => {
    await installProbe(farm);
    const line = await farm.tool<{ id: string }>('create_annotation', {
      module: 'Oak',
      type: 'h-line',
      p1: [FARM_NOW, 14],
      style: { fill: 'threshold2' },
    });
    const drawnAlert = (await listAlertsOf(farm)).data[0]!;
    await farm.tool('delete_annotation', { annotationId: line.id });
    const changed = await changeOakAlert(farm, drawnAlert, { threshold: 16, isActive: true });
    expect(advisoriesOf(changed, 'line_unchanged')).toHaveLength(1);
  });
});

describe('GET alerts', () => {
  it('lists every field of an Alert, its recipients and its state', async ({ farm }) => {
    const oak = await installProbe(farm);
    await sendReadings(farm, oak, sameValue(oak, FARM_NOW - HOUR, 18.44));
    const createdAlert = bodyOf(await createOakAlert(farm));
    expect((await listAlertsOf(farm)).data).toEqual([
      {
        ...createdAlert,
        recipients: createdAlert.recipients.map((each) => ({ ...each, userName: 'Ana' })),
        state: {
          status: 'firing',
          firing: true,
          since: iso(FARM_NOW - HOUR),
          value_vwc: 18.4,
          time: iso(FARM_NOW - HOUR),
        },
      },
    ]);
  });

  it('has no state for a disabled alert', async ({ farm }) => {
    await installProbe(farm);
    const createdAlert = await createOakAlert(farm);
    await changeOakAlert(farm, createdAlert, { isActive: false });
    expect((await listAlertsOf(farm)).data[0]).toMatchObject({ isActive: false, state: null });
  });

  it('filters by module and by isActive, in the order of creation', async ({ farm }) => {
    await installProbe(farm);
    await installProbe(farm, { name: 'Elm' });
    const created: AlertBody[] = [];
    for (const [module, threshold] of [
      ['Oak', 10],
      ['Elm', 11],
      ['Oak', 12],
    ] as const)
      created.push(await createOakAlert(farm, { module, threshold }));
    await changeOakAlert(farm, created[0]!, { isActive: false });
    const thresholds = async (args: Record<string, unknown>) =>
      (await listAlertsOf(farm, args)).data.map(({ threshold }) => threshold);
    expect(await thresholds({})).toEqual(['10', '11', '12']);
    expect(await thresholds({ module: 'Oak' })).toEqual(['10', '12']);
    expect(await thresholds({ module: 'Oak', isActive: true })).toEqual(['12']);
    expect(await thresholds({ isActive: false })).toEqual(['10']);
    expect(await thresholds({ module: 'Loose' })).toEqual([]);
  });

  it('continues at next_cursor, and refuses a cursor of another list', async ({ farm }) => {
    await installProbe(farm);
    for (const threshold of [10, 11, 12]) await createOakAlert(farm, { threshold });
    const first = await listAlertsOf(farm, { limit: 2 });
    expect(advisoriesOf(first, 'total')).toEqual([{ kind: 'total', count: 3 }]);
    const rest = await listAlertsOf(farm, { limit: 2, cursor: first.next_cursor });
    expect([...first.data, ...rest.data].map(({ threshold }) => threshold)).toEqual([
      '10',
      '11',
      '12',
    ]);
    expect(rest.next_cursor).toBeNull();
    const { next_cursor } = await farm.wire('list_modules', { limit: 1 });
    await expect(listAlertsOf(farm, { cursor: next_cursor })).rejects.toMatchObject({
      code: 'invalid_cursor',
    });
    await expect(listAlertsOf(farm, { limit: 0 })).rejects.toMatchObject({ code: 'invalid_limit' });
  });

  it('notes the messages that wait, and those that the mail server refused with its answer', async ({
    farm,
  }) => {
    const oak = await installProbe(farm);
    await sendReadings(farm, oak, sameValue(oak, FARM_NOW - HOUR, 18));
    await createOakAlert(farm);
    const undelivered = async () => advisoriesOf(await listAlertsOf(farm), 'undelivered_mail');
    expect(await undelivered()).toMatchObject([{ waiting: 1, refused: 0 }]);
    await farm.write((db) =>
      db
        .updateTable('outbox')
        .set({ state: 'refused', last_response: '550 no such user' })
        .execute(),
    );
    expect(await undelivered()).toMatchObject([
      { waiting: 0, refused: 1, lastAnswer: '"550 no such user"' },
    ]);
  });
});

describe('what is said of a new alert', () => {
  it('names one at the same threshold', async ({ farm }) => {
    await installProbe(farm);
    const equal = async (rule = {}) =>
      advisoriesOf(await createOakAlert(farm, rule), 'same_alert_exists');
    expect(await equal()).toEqual([]);
    expect(await equal({ threshold: 21 })).toEqual([]);
    expect(await equal({ hysteresis: 3 })).toMatchObject([{ threshold: '20', count: 1 }]);
  });

  it('warns that it may fire again and again without hysteresis', async ({ farm }) => {
    await installProbe(farm);
    const flaps = async (rule = {}) =>
      advisoriesOf(await createOakAlert(farm, rule), 'alert_may_flap');
    expect(await flaps()).toEqual([]);
    expect(await flaps({ hysteresis: 0 })).toMatchObject([{ hysteresis: '0' }]);
  });

  // Loam holds 46 % at saturation: 20 + 30 is above it, 20 + 20 is not.
  it('warns that the soil cannot reach the level at which it resolves', async ({ farm }) => {
    await installProbe(farm, { parcel: 'North block' });
    await farm.tool('set_soil_profile', {
      parcel: 'North block',
      layers: [{ soilHorizonId: 5, depthTopCm: 0, depthBottomCm: 60 }],
    });
    const unreachable = async (hysteresis: number) =>
      advisoriesOf(await createOakAlert(farm, { hysteresis }), 'alert_never_resolves');
    expect(await unreachable(20)).toEqual([]);
    expect(await unreachable(30)).toMatchObject([
      { resolvesAt: '50', soilMax: expect.any(Number) },
    ]);
  });
});
