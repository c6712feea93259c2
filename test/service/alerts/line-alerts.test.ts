import { describe, expect } from 'vitest';
import type { AnnotationBody } from '../../../src/schema/alerts/annotation.ts';
import { moveLineOfAlert } from '../../../src/service/alerts/line-alerts.ts';
import { insertFarmRow } from '../../../src/store/farm/farm-rows.ts';
import {
  advisoriesOf,
  FARM_NOW,
  HOUR,
  it,
  type TestFarm,
  type ToolCallOptions,
} from '../../farm.ts';
import { installProbe } from '../moisture/probe-farm.ts';

const MODULE = 'North 1';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const draw = (farm: TestFarm, fields: Record<string, unknown>, options?: ToolCallOptions) =>
  farm.tool<AnnotationBody>(
    'create_annotation',
    { module: MODULE, type: 'h-line', p1: [FARM_NOW, 14], ...fields },
    options,
  );
const wilting = (farm: TestFarm, height: number, fields = {}, options?: ToolCallOptions) =>
  draw(farm, { p1: [FARM_NOW, height], style: { fill: 'threshold2' }, ...fields }, options);
const update = (
  farm: TestFarm,
  { id }: { id: string },
  fields: Record<string, unknown>,
  options?: ToolCallOptions,
) => farm.tool<AnnotationBody>('update_annotation', { annotationId: id, ...fields }, options);
const remove = (farm: TestFarm, { id }: { id: string }) =>
  farm.tool<{ disabledAlertId: string | null }>('delete_annotation', { annotationId: id });

const rows = (farm: TestFarm) =>
  farm.write((db) => db.selectFrom('alerts').selectAll().orderBy('seq').execute());
const alerts = async (farm: TestFarm) =>
  (await rows(farm)).map(({ annotation_id, threshold, is_active }) => [
    annotation_id,
    threshold,
    is_active === 1,
  ]);
const heights = async (farm: TestFarm) =>
  (await farm.tool<{ data: AnnotationBody[] }>('list_annotations', { module: MODULE })).data.map(
    ({ p1 }) => p1[1],
  );
const addUser = (farm: TestFarm, name: string) =>
  farm.write((db) =>
    insertFarmRow(db, 'users', { email: `${name}@example.org`, name, role: 'MANAGER' }),
  );

describe('a threshold line', () => {
  it.for([
    ['humidity', 'vwc_max'],
    ['humidity', 'mm'],
    ['humidity-detail', 'mm'],
    ['temperature', undefined],
    ['tensio', undefined],
  ] as const)(
    'on %s in %s is refused: THRESHOLD_REQUIRES_VWC, and nothing is written',
    async ([chartType, unit], { farm }) => {
      for (const fill of ['threshold1', 'threshold2'])
        await expect(draw(farm, { chartType, unit, style: { fill } })).rejects.toMatchObject({
          code: 'THRESHOLD_REQUIRES_VWC',
          status: 400,
          hint: expect.stringContaining('vwc'),
        });
      expect(await farm.write((db) => db.selectFrom('annotations').selectAll().execute())).toEqual(
        [],
      );
      expect(await alerts(farm)).toEqual([]);
    },
  );

  it('cannot be made from a drawing in another unit: THRESHOLD_REQUIRES_VWC, by style or by content', async ({
    farm,
  }) => {
    const drawn = await draw(farm, { unit: 'mm', style: { fill: 'red' } });
    const refusal = { code: 'THRESHOLD_REQUIRES_VWC', status: 400 };
    await expect(update(farm, drawn, { style: { fill: 'threshold2' } })).rejects.toMatchObject(
      refusal,
    );
    const content = { style: { fill: 'threshold1' } };
    await expect(
      farm.wire('update_annotation', { annotationId: drawn.id, content }),
    ).rejects.toMatchObject(refusal);
    const { data } = await farm.tool<{ data: AnnotationBody[] }>('list_annotations', {
      module: MODULE,
    });
    expect(data).toMatchObject([{ style: { fill: 'red' } }]);
  });

  it('asks a person which percentage is meant, and takes p1 as it is', async ({ farm }) => {
    const line = await wilting(farm, 0.3);
    const asked = {
      code: 'invalid_body',
      message: 'value 0.18 could be 0.18 % or 18 %: ask which.',
      field: 'value',
    };
    await expect(update(farm, line, { value: 0.18 })).rejects.toMatchObject(asked);
    const style = { fill: 'threshold1' };
    await expect(draw(farm, { p1: undefined, value: 0.18, style })).rejects.toMatchObject(asked);
    await update(farm, line, { p1: [FARM_NOW, 1] });
    expect(await alerts(farm)).toEqual([[line.id, '1', true]]);
  });

  it.for([-0.1, 100.1])(
    'must be from 0 to 100 %: %s is refused, drawn or moved',
    async (height, { farm }) => {
      const refusal = { code: 'invalid_body', field: 'p1' };
      await expect(wilting(farm, height)).rejects.toMatchObject(refusal);
      const line = await wilting(farm, 14);
      await expect(update(farm, line, { p1: [FARM_NOW, height] })).rejects.toMatchObject(refusal);
      expect(await alerts(farm)).toEqual([[line.id, '14', true]]);
    },
  );

  it('is crossed when drawn or moved, if the wilting point is not below the field capacity', async ({
    farm,
  }) => {
    const capacity = await draw(farm, { p1: [FARM_NOW, 29.8], style: { fill: 'threshold1' } });
    const line = await wilting(farm, 45);
    const moved = await update(farm, line, { p1: [FARM_NOW, 14] });
    const movedBelow = await update(farm, capacity, { p1: [FARM_NOW, 14] });
    const areCrossed = [capacity, line, moved, movedBelow].map(
      (answer) => advisoriesOf(answer, 'thresholds_crossed').length === 1,
    );
    expect(areCrossed).toEqual([false, true, false, true]);
  });

  it.for(['wet', 'dry'])(
    'with the fill %s belongs to the tension curve',
    async (fill, { farm }) => {
      await expect(draw(farm, { style: { fill } })).rejects.toMatchObject({
        code: 'invalid_body',
        hint: expect.stringContaining('chartType tensio'),
      });
    },
  );

  it('has an alert without soil moisture too, which never fires', async ({ farm }) => {
    await installProbe(farm, { sensors: [['tensio', 30]], category: 'TENSIOMETER' });
    const { advisories } = await wilting(farm, 14, { module: 'Oak' });
    expect(advisories).toContainEqual({ kind: 'own_alert_enabled', height: 14 });
    expect(advisories).toContainEqual({ kind: 'no_moisture_for_drawing' });
  });

  it('sets the field capacity and wilting point of the probe, the newest of each', async ({
    farm,
  }) => {
    const thresholds = () => farm.tool('get_agronomic_state', { module: MODULE });
    expect(await thresholds()).toMatchObject({ fieldCapacity: null, wiltingPoint: null });
    for (const height of [30, 28])
      await draw(farm, { p1: [FARM_NOW, height], style: { fill: 'threshold1' } });
    for (const height of [12, 14]) await wilting(farm, height);
    await wilting(farm, 3, { chartType: 'humidity-detail' });
    await wilting(farm, 5, { module: 'North 2' });
    expect(await thresholds()).toMatchObject({ fieldCapacity: 28, wiltingPoint: 14 });
  });
});

describe('a wilting-point line', () => {
  it('creates an active alert at its height, with the defaults of an alert', async ({ farm }) => {
    const line = await wilting(farm, 14.25);
    const author = Number(line.user_id);
    expect(await rows(farm)).toEqual([
      {
        seq: expect.any(Number),
        id: expect.stringMatching(UUID),
        module_id: farm.idOf(MODULE),
        parcel_id: null,
        annotation_id: line.id,
        threshold: '14.25',
        uncalibrated_threshold: null,
        hysteresis: '5',
        reminder_time: '08:00:00',
        source: 'annotation',
        is_active: 1,
        created_by: author,
        created_at: FARM_NOW,
        updated_at: FARM_NOW,
      },
    ]);
    expect(line.advisories).toContainEqual({ kind: 'own_alert_enabled', height: 14.25 });
  });

  it('makes the calling user the first recipient of its alert', async ({ farm }) => {
    const karim = await addUser(farm, 'karim');
    await wilting(farm, 14, {}, { caller: { userId: karim, role: 'MANAGER' } });
    const [alert] = await rows(farm);
    const recipients = await farm.write((db) =>
      db.selectFrom('alert_recipients').selectAll().execute(),
    );
    expect(recipients).toEqual([
      {
        seq: expect.any(Number),
        id: expect.stringMatching(UUID),
        alert_id: alert!.id,
        user_id: karim,
      },
    ]);
    expect(alert!.created_by).toBe(karim);
  });

  it('is refused for a key without a user if it would create an alert: no_user', async ({
    farm,
  }) => {
    const nobody = { caller: { id: 'key:1', userId: null } } as const;
    const line = await draw(farm, {});
    await expect(
      update(farm, line, { style: { fill: 'threshold2' } }, nobody),
    ).rejects.toMatchObject({ code: 'no_user', status: 403 });
    expect(await rows(farm)).toEqual([]);

    const newest = await wilting(farm, 15);
    await update(farm, line, { style: { fill: 'threshold2' } });
    await expect(
      farm.tool('delete_annotation', { annotationId: newest.id }, nobody),
    ).rejects.toMatchObject({ code: 'no_user', status: 403 });
    await update(farm, newest, { value: 16 }, nobody);
    expect(await alerts(farm)).toEqual([[newest.id, '16', true]]);
  });

  it.for([
    ['a field capacity line', { style: { fill: 'threshold1' } }],
    ['a line of another fill', { style: { fill: 'red' } }],
    ['a line without a style', {}],
    ['one on the curves by depth', { chartType: 'humidity-detail', style: { fill: 'threshold2' } }],
  ] as const)('creates an alert, unlike %s', async ([_, fields], { farm }) => {
    await draw(farm, fields);
    expect(await alerts(farm)).toEqual([]);
  });

  it('moves the threshold of its alert when it is moved', async ({ farm }) => {
    const line = await wilting(farm, 14);
    farm.now += HOUR;
    const { advisories } = await update(farm, line, { p1: [FARM_NOW, 16.5] });
    expect(await alerts(farm)).toEqual([[line.id, '16.5', true]]);
    expect(await rows(farm)).toMatchObject([{ created_at: FARM_NOW, updated_at: FARM_NOW + HOUR }]);
    expect(advisories).toContainEqual({
      kind: 'line_alert_moved',
      from: '14',
      to: 16.5,
      isActive: true,
    });
  });

  it('leaves its alert unchanged when moved in time alone', async ({ farm }) => {
    const line = await wilting(farm, 14);
    const before = await rows(farm);
    farm.now += HOUR;
    await update(farm, line, { p1: [FARM_NOW + HOUR, 14] });
    expect(await rows(farm)).toEqual(before);
  });

  it.for([
    ['its style is written without threshold2', { style: { fill: 'red' } }],
    ['it becomes a field capacity', { style: { fill: 'threshold1' } }],
    ['its style is cleared', { clear: ['style'] }],
  ] as const)(
    'disables its alert when %s, and enables it again as before',
    async ([_, fields], { farm }) => {
      const line = await wilting(farm, 14);
      const { advisories } = await update(farm, line, fields);
      expect(advisories).toContainEqual({ kind: 'own_alert_disabled' });
      expect(await alerts(farm)).toEqual([[line.id, '14', false]]);
      await update(farm, line, { p1: [FARM_NOW, 15], style: { fill: 'threshold2' } });
      expect(await alerts(farm)).toEqual([[line.id, '15', true]]);
    },
  );

  it('disables its alert when it is deleted, and answers its id', async ({ farm }) => {
    const line = await wilting(farm, 14);
    const [alert] = await rows(farm);
    const { disabledAlertId, advisories } = await remove(farm, line);
    expect(disabledAlertId).toBe(alert!.id);
    expect(await alerts(farm)).toEqual([[line.id, '14', false]]);
    expect(advisories).toEqual([{ kind: 'own_alert_disabled' }]);
  });

  it('answers no alert when its alert was disabled before', async ({ farm }) => {
    const line = await wilting(farm, 14);
    await farm.write((db) => db.updateTable('alerts').set({ is_active: 0 }).execute());
    expect((await remove(farm, line)).disabledAlertId).toBeNull();
  });

  it('does not enable a disabled alert by being moved', async ({ farm }) => {
    const line = await wilting(farm, 14);
    await farm.write((db) => db.updateTable('alerts').set({ is_active: 0 }).execute());
    await update(farm, line, { p1: [FARM_NOW, 15], style: { fill: 'threshold2' } });
    expect(await alerts(farm)).toEqual([[line.id, '15', false]]);
  });
});

describe('several wilting-point lines', () => {
  it('have one active alert, that of the newest line', async ({ farm }) => {
    const older = await wilting(farm, 12);
    const newer = await wilting(farm, 14);
    expect(await alerts(farm)).toEqual([
      [older.id, '12', false],
      [newer.id, '14', true],
    ]);
    expect(newer.advisories).toContainEqual({ kind: 'older_alert_disabled', height: 12 });
    expect(newer.advisories).toContainEqual({ kind: 'own_alert_enabled', height: 14 });
  });

  it.for([
    ['deleted', (farm: TestFarm, line: AnnotationBody) => remove(farm, line)],
    [
      'no longer a wilting point',
      (farm: TestFarm, line: AnnotationBody) => update(farm, line, { style: {} }),
    ],
  ] as const)('fall back to the older one when the newer is %s', async ([_, undo], { farm }) => {
    const older = await wilting(farm, 12);
    const newer = await wilting(farm, 14);
    const { advisories } = await undo(farm, newer);
    expect(await alerts(farm)).toEqual([
      [older.id, '12', true],
      [newer.id, '14', false],
    ]);
    expect(advisories).toContainEqual({ kind: 'own_alert_disabled' });
    expect(advisories).toContainEqual({ kind: 'older_alert_enabled', height: 12 });
  });

  it('know that a newer one counts when an older becomes a wilting point', async ({ farm }) => {
    const older = await draw(farm, { p1: [FARM_NOW, 12] });
    const newer = await wilting(farm, 14);
    const { advisories } = await update(farm, older, { style: { fill: 'threshold2' } });
    expect(await alerts(farm)).toEqual([[newer.id, '14', true]]);
    expect(advisories).toContainEqual({ kind: 'newer_line_counts', height: 14 });
  });

  it('disable an older line’s enabled alert when that line is deleted', async ({ farm }) => {
    const older = await wilting(farm, 12);
    const newer = await wilting(farm, 14);
    await farm.write((db) => db.updateTable('alerts').set({ is_active: 1 }).execute());
    const [alert] = await rows(farm);
    expect((await remove(farm, older)).disabledAlertId).toBe(alert!.id);
    expect(await alerts(farm)).toEqual([
      [older.id, '12', false],
      [newer.id, '14', true],
    ]);
  });

  it('have an active alert for each probe', async ({ farm }) => {
    const [one, other] = [await wilting(farm, 12), await wilting(farm, 14, { module: 'North 2' })];
    expect(await alerts(farm)).toEqual([
      [one.id, '12', true],
      [other.id, '14', true],
    ]);
  });
});

describe('the threshold of a line’s alert', () => {
  const setThreshold = (farm: TestFarm, line: AnnotationBody, threshold: string) =>
    farm.write((db) => moveLineOfAlert({ db, now: farm.now }, line.id, threshold));

  it('moves the line when it is changed, both points of it', async ({ farm }) => {
    const line = await wilting(farm, 14, { p2: [FARM_NOW + HOUR, 14] });
    farm.now += HOUR;
    await setThreshold(farm, line, '15.5');
    const { data } = await farm.tool<{ data: AnnotationBody[] }>('list_annotations', {
      module: MODULE,
    });
    expect(data).toMatchObject([
      { p1: [FARM_NOW, 15.5], p2: [FARM_NOW + HOUR, 15.5], style: { fill: 'threshold2' } },
    ]);
  });

  it('moves nothing if the line is deleted or no longer a wilting point', async ({ farm }) => {
    const [other, gone] = [await wilting(farm, 14), await wilting(farm, 12)];
    await update(farm, other, { style: { fill: 'red' } });
    await remove(farm, gone);
    await setThreshold(farm, other, '20');
    await setThreshold(farm, gone, '20');
    expect(await heights(farm)).toEqual([14]);
  });
});
