import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore, type Store } from '../../../src/store/store.ts';
import { CLOCK, type Json } from '../program.ts';
import { stdioFarm } from '../stdio-farm.ts';

const NOW = Date.parse(CLOCK);
const HOUR = 3_600_000;
const P1 = [NOW, 24.5];
const P2 = [NOW + HOUR, 30];
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const UNKNOWN_ANNOTATION = '00000000-0000-4000-8000-000000000000';

const CHART_TYPES = ['humidity', 'humidity-detail', 'humidity-heatmap', 'temperature', 'tensio'];
const SHAPES = ['h-line', 'v-line', 'segment', 'ray', 'infinite', 'arrow', 'h-free', 'rect', 'text'];

const probe = (index: number) => ({
  uid: `P${index}`,
  name: `Probe ${index}`,
  category: 'SOIL_PROBE',
  commissionedAt: '2025-01-11T09:00:00Z',
});

const farm = stdioFarm({
  company: { name: 'Mas Rouge', timezone: 'Europe/Paris' },
  users: [
    { email: 'ana@example.org', name: 'Ana', role: 'OWNER' },
    { email: 'karim@example.org', name: 'Karim', role: 'MANAGER' },
    { email: 'lea@example.org', name: 'Léa', role: 'VIEWER' },
  ],
  modules: [
    ...Array.from({ length: 150 }, (_, index) => probe(index + 1)),
    { uid: 'X1', name: 'Boxed', category: 'SOIL_PROBE' },
  ],
});

let store: Store;
beforeAll(async () => {
  store = await openStore({ db: farm.db });
});
afterAll(() => store?.close());

let taken = 0;
/** A probe on whose curves nothing is drawn yet. */
const bareProbe = (): string => `Probe ${++taken}`;

const create = (module: string, fields: Record<string, unknown> = {}) =>
  farm.body('create_annotation', { module, type: 'h-line', p1: P1, ...fields });
const update = ({ id }: Json, fields: Record<string, unknown>) =>
  farm.body('update_annotation', { annotationId: id, ...fields });
const remove = ({ id }: Json) => farm.body('delete_annotation', { annotationId: id });
const list = async (module: string, args = {}): Promise<Json[]> =>
  (await farm.body('list_annotations', { module, ...args })).data;
const createWiltingLine = (module: string, height: number, fields = {}) =>
  create(module, { p1: [NOW, height], style: { fill: 'threshold2' }, ...fields });

/** The alerts of a probe, oldest first. */
async function alertsOf(module: string): Promise<Json[]> {
  const { id } = await farm.body('get_module', { module });
  return store.readAll((db) =>
    db.selectFrom('alerts').selectAll().where('module_id', '=', id).orderBy('seq').execute(),
  );
}
/** The line of each alert of a probe, its threshold and whether it is active. */
const alerts = async (module: string) =>
  (await alertsOf(module)).map(({ annotation_id, threshold, is_active }) => [
    annotation_id,
    threshold,
    is_active === 1,
  ]);

describe('an annotation', () => {
  it('has the fields of the spec, each with its value', async () => {
    const module = bareProbe();
    const fields = { type: 'segment', p2: P2, unit: 'mm', style: { fill: 'red', width: 2 }, text: 'dry spell' };
    const drawn = await create(module, fields);
    const [owner] = (await farm.body('list_users')).data;
    expect(drawn).toEqual({
      id: expect.stringMatching(UUID),
      module_id: (await farm.body('get_module', { module })).id,
      probe_id: null,
      chart_type: 'humidity',
      type: 'segment',
      p1: P1,
      p2: P2,
      unit: 'mm',
      content: { style: { fill: 'red', width: 2 }, text: 'dry spell' },
      user_id: owner.userId,
      created_at: drawn.updated_at,
      updated_at: drawn.created_at,
      style: { fill: 'red', width: 2 },
      text: 'dry spell',
    });
    expect(Date.parse(drawn.created_at) - NOW).toBeGreaterThanOrEqual(0);
    expect(Date.parse(drawn.created_at) - NOW).toBeLessThan(HOUR);
  });

  it('reads back as it was answered', async () => {
    const module = bareProbe();
    const drawn = await create(module, { style: { fill: 'red' }, text: 'x' });
    expect(await list(module)).toEqual([drawn]);
  });

  it('has style and text only when present in its content', async () => {
    const drawn = await create(bareProbe());
    expect(drawn).toMatchObject({ content: {}, p2: null });
    expect(Object.keys(drawn)).not.toEqual(expect.arrayContaining(['style']));
    expect(Object.keys(drawn)).not.toEqual(expect.arrayContaining(['text']));
  });

  it('has probe_id, which is deprecated, always null', async () => {
    const module = bareProbe();
    await create(module);
    expect((await list(module)).map(({ probe_id }) => probe_id)).toEqual([null]);
  });

  it.each(SHAPES)('has the type %s', async (type) => {
    const module = bareProbe();
    await create(module, { type, p2: P2 });
    expect(await list(module)).toMatchObject([{ type, p1: P1, p2: P2 }]);
  });

  it('of older shape carries the type line', async () => {
    const module = bareProbe();
    await create(module, { type: 'line', p2: P2 });
    expect(await list(module)).toMatchObject([{ type: 'line' }]);
  });

  it.each(['h-line', 'v-line', 'h-free', 'text', 'line'])('that is a %s needs one point only', async (type) => {
    expect(await create(bareProbe(), { type })).toMatchObject({ type, p2: null });
  });

  it.each(['segment', 'ray', 'infinite', 'arrow', 'rect'])('that is a %s needs a second point', async (type) => {
    const module = bareProbe();
    expect(await farm.refusal('create_annotation', { module, type, p1: P1 })).toMatchObject({
      code: 'invalid_body',
      status: 400,
      field: 'p2',
    });
    expect(await list(module)).toEqual([]);
  });

  it.each(CHART_TYPES)('belongs to the curve %s, and to no other', async (chartType) => {
    const module = bareProbe();
    const drawn = await create(module, { chartType });
    expect(drawn.chart_type).toBe(chartType);
    for (const other of CHART_TYPES)
      expect(await list(module, { chartType: other })).toEqual(other === chartType ? [drawn] : []);
  });

  it('takes the former chart type tension for tensio', async () => {
    const module = bareProbe();
    const drawn = await create(module, { chartType: 'tension' });
    expect(drawn.chart_type).toBe('tensio');
    expect(await list(module, { chartType: 'tensio' })).toEqual([drawn]);
  });

  it.each(['vwc', 'vwc_max', 'mm'])('has its heights in %s on humidity and humidity-detail', async (unit) => {
    for (const chartType of ['humidity', 'humidity-detail'])
      expect((await create(bareProbe(), { chartType, unit })).unit).toBe(unit);
  });

  it.each(['humidity', 'humidity-detail'])('on %s is in vwc, the reference unit, unless told', async (chartType) => {
    expect((await create(bareProbe(), { chartType })).unit).toBe('vwc');
  });

  it.each(['humidity-heatmap', 'temperature', 'tensio'])(
    'on %s has the unit null, and takes none',
    async (chartType) => {
      const module = bareProbe();
      expect((await create(module, { chartType })).unit).toBeNull();
      const refusal = await farm.refusal('create_annotation', {
        module,
        chartType,
        type: 'h-line',
        p1: P1,
        unit: 'vwc',
      });
      expect(refusal).toMatchObject({ code: 'invalid_body', field: 'unit' });
    },
  );

  it.each<[string, unknown]>([
    ['text for a value', [NOW, 'wet']],
    ['text for both', ['here', 'there']],
    ['an instant in ISO 8601', [CLOCK, 20]],
    ['infinity', [NOW, '1e999']],
    ['an instant before 1970', [-1, 20]],
    ['no value', [NOW]],
    ['three numbers', [NOW, 1, 2]],
    ['null for a value', [NOW, null]],
    ['an object', { at: NOW, value: 1 }],
  ])('refuses %s in a point: invalid_body with a hint, and nothing is written', async (_, point) => {
    const module = bareProbe();
    const asked = { module, type: 'segment', p1: P1, p2: P2 };
    for (const field of ['p1', 'p2'])
      expect(await farm.refusal('create_annotation', { ...asked, [field]: point })).toMatchObject({
        code: 'invalid_body',
        status: 400,
        field,
        hint: expect.stringMatching(/\[/),
      });
    expect(await list(module)).toEqual([]);
    const drawn = await create(module, asked);
    for (const field of ['p1', 'p2'])
      expect(await farm.refusal('update_annotation', { annotationId: drawn.id, [field]: point })).toMatchObject({
        code: 'invalid_body',
        field,
      });
    expect(await list(module)).toEqual([drawn]);
  });

  it.each<[string, unknown]>([
    ['chartType', 'rain'],
    ['type', 'circle'],
    ['unit', 'percent'],
    ['style', 'threshold2'],
    ['text', 'x'.repeat(2001)],
  ])('refuses a %s that does not exist or fit: invalid_body, and nothing is written', async (field, value) => {
    const module = bareProbe();
    const refusal = await farm.refusal('create_annotation', { module, type: 'h-line', p1: P1, [field]: value });
    expect(refusal).toMatchObject({ code: 'invalid_body', status: 400, field, hint: expect.stringMatching(/\w/) });
    expect(await list(module)).toEqual([]);
  });

  it('is drawn once under one idempotency key', async () => {
    const module = bareProbe();
    const first = await create(module, { idempotencyKey: `drawn on ${module}` });
    expect(await create(module, { idempotencyKey: `drawn on ${module}` })).toEqual(first);
    expect(await list(module)).toEqual([first]);
  });
});

describe('GET annotations', () => {
  it('answers data alone', async () => {
    expect(await farm.body('list_annotations', { module: bareProbe() })).toEqual({ data: [] });
  });

  it('lists the curve humidity by default', async () => {
    const module = bareProbe();
    const drawn = await create(module);
    await create(module, { chartType: 'temperature' });
    expect(await list(module)).toEqual([drawn]);
  });

  it('accepts tension for tensio', async () => {
    const module = bareProbe();
    const drawn = await create(module, { chartType: 'tensio' });
    expect(await list(module, { chartType: 'tension' })).toEqual([drawn]);
  });

  it('lists oldest to most recent, all units together, also when one was changed since', async () => {
    const module = bareProbe();
    const drawn = [];
    for (const unit of ['mm', 'vwc', 'vwc_max', 'vwc']) drawn.push(await create(module, { unit }));
    await update(drawn[0], { text: 'changed' });
    expect((await list(module)).map(({ id, unit }) => [id, unit])).toEqual(drawn.map(({ id, unit }) => [id, unit]));
  });

  it('lists the drawings of one module', async () => {
    const [module, other] = [bareProbe(), bareProbe()];
    await create(other);
    expect(await list(module)).toEqual([]);
  });

  it('without a module is refused: invalid_id', async () => {
    expect(await farm.refusal('list_annotations')).toMatchObject({ code: 'invalid_id', status: 400 });
  });

  it('of a chart type that does not exist is refused: invalid_parameter', async () => {
    expect(await farm.refusal('list_annotations', { module: 'Probe 1', chartType: 'rain' })).toMatchObject({
      code: 'invalid_parameter',
      status: 400,
      field: 'chartType',
    });
  });

  it.each(['#9001', 'Boxed'])('of %s, a module unknown or never commissioned, is 404 not_found', async (module) => {
    expect(await farm.refusal('list_annotations', { module })).toMatchObject({ code: 'not_found', status: 404 });
    expect(await farm.refusal('create_annotation', { module, type: 'h-line', p1: P1 })).toMatchObject({
      code: 'not_found',
      status: 404,
    });
  });
});

describe('PATCH annotation', () => {
  it('moves p1 and keeps what is not sent, and says when', async () => {
    const module = bareProbe();
    const drawn = await create(module, { type: 'arrow', p2: P2, style: { fill: 'red' }, text: 'look' });
    // The clock has moved on by a millisecond at least.
    await setTimeout(2);
    const changed = await update(drawn, { p1: [NOW, 1] });
    expect(changed).toEqual({ ...drawn, p1: [NOW, 1], updated_at: changed.updated_at });
    expect(Date.parse(changed.updated_at)).toBeGreaterThan(Date.parse(drawn.created_at));
    expect(await list(module)).toEqual([changed]);
  });

  it('moves p2 alone', async () => {
    const drawn = await create(bareProbe(), { type: 'arrow', p2: P2 });
    expect(await update(drawn, { p2: [NOW, 2] })).toMatchObject({ p1: P1, p2: [NOW, 2] });
  });

  it.each<[string, Record<string, unknown>]>([
    ['text alone wipes the style', { text: 'new' }],
    ['style alone wipes the text', { style: { fill: 'blue' } }],
    ['both together stay', { style: { fill: 'blue' }, text: 'new' }],
  ])('writes brand-new content: %s', async (_, content) => {
    const module = bareProbe();
    const drawn = await create(module, { style: { fill: 'red', width: 2 }, text: 'old' });
    const { style: __, text: ___, ...bare } = drawn;
    const changed = await update(drawn, content);
    expect(changed).toEqual({ ...bare, content, ...content, updated_at: changed.updated_at });
    expect(await list(module)).toEqual([changed]);
  });

  it.each([
    ['chartType', 'temperature'],
    ['chart_type', 'temperature'],
    ['type', 'rect'],
    ['unit', 'mm'],
  ])('cannot change %s, which is frozen at creation', async (field, value) => {
    const module = bareProbe();
    const drawn = await create(module);
    expect(await farm.refusal('update_annotation', { annotationId: drawn.id, [field]: value })).toMatchObject({
      code: 'invalid_body',
      status: 400,
      field,
    });
    expect(await list(module)).toEqual([drawn]);
  });

  it.each(['update_annotation', 'delete_annotation'])(
    'or DELETE of an unknown one, by %s, is 404 not_found',
    async (tool) => {
      expect(await farm.refusal(tool, { annotationId: UNKNOWN_ANNOTATION })).toMatchObject({
        code: 'not_found',
        status: 404,
      });
    },
  );

  it.each(['12', 'x', `${UNKNOWN_ANNOTATION}0`])('of an id that is no uuid, %s, is refused', async (annotationId) => {
    expect(await farm.refusal('update_annotation', { annotationId, text: 'x' })).toMatchObject({
      code: 'invalid_parameter',
      status: 400,
      field: 'annotationId',
    });
  });

  it('is done once under one idempotency key', async () => {
    const drawn = await create(bareProbe());
    const first = await update(drawn, { text: 'x', idempotencyKey: `text of ${drawn.id}` });
    await update(drawn, { text: 'y' });
    expect(await update(drawn, { text: 'x', idempotencyKey: `text of ${drawn.id}` })).toEqual(first);
    expect(await list(`#${drawn.module_id}`)).toMatchObject([{ text: 'y' }]);
  });
});

describe('DELETE annotation', () => {
  it('takes the drawing off its curve, and leaves the others', async () => {
    const module = bareProbe();
    const [kept, gone] = [await create(module), await create(module)];
    expect(await remove(gone)).toEqual({ success: true, disabledAlertId: null });
    expect(await list(module)).toEqual([kept]);
  });

  it('of one that is deleted already is 404 not_found', async () => {
    const drawn = await create(bareProbe());
    await remove(drawn);
    expect(await farm.refusal('delete_annotation', { annotationId: drawn.id })).toMatchObject({ code: 'not_found' });
  });
});

describe('an agronomic threshold', () => {
  it.each([
    ['threshold1', 'field capacity'],
    ['threshold2', 'wilting point'],
  ])('is an h-line whose style.fill is %s: the %s, the newest of them', async (fill, name) => {
    const module = bareProbe();
    for (const height of [12, 14]) await create(module, { p1: [NOW, height], style: { fill } });
    expect(await farm.summary('list_annotations', { module })).toContain(`the ${name} as a line at 14 % (vwc)`);
  });

  it.each([
    ['humidity', 'vwc_max'],
    ['humidity', 'mm'],
    ['humidity-detail', 'vwc_max'],
    ['humidity-detail', 'mm'],
    ['humidity-heatmap', undefined],
    ['temperature', undefined],
    ['tensio', undefined],
  ])('is always in vwc: on %s in %s it is refused with THRESHOLD_REQUIRES_VWC', async (chartType, unit) => {
    const module = bareProbe();
    for (const fill of ['threshold1', 'threshold2'])
      expect(
        await farm.refusal('create_annotation', { module, chartType, type: 'h-line', p1: P1, unit, style: { fill } }),
      ).toMatchObject({ code: 'THRESHOLD_REQUIRES_VWC', status: 400, hint: expect.stringContaining('vwc') });
    expect([await list(module, { chartType }), await alerts(module)]).toEqual([[], []]);
  });

  it.each(['vwc_max', 'mm'])('cannot be made of a drawing in %s: THRESHOLD_REQUIRES_VWC', async (unit) => {
    const module = bareProbe();
    const drawn = await create(module, { unit, style: { fill: 'red' } });
    for (const fill of ['threshold1', 'threshold2'])
      expect(await farm.refusal('update_annotation', { annotationId: drawn.id, style: { fill } })).toMatchObject({
        code: 'THRESHOLD_REQUIRES_VWC',
        status: 400,
      });
    expect([await list(module), await alerts(module)]).toEqual([[drawn], []]);
  });

  it.each(['segment', 'v-line', 'rect', 'line'])('is no %s', async (type) => {
    const asked = { module: bareProbe(), type, p1: P1, p2: P2, style: { fill: 'threshold2' } };
    expect(await farm.refusal('create_annotation', asked)).toMatchObject({ code: 'invalid_body', field: 'style' });
  });
});

describe('a wilting-point line', () => {
  it('arms an alert at its height, with the writer as author and first recipient', async () => {
    const module = bareProbe();
    const line = await createWiltingLine(module, 14.25);
    const [alert] = await alertsOf(module);
    expect(alert).toMatchObject({
      annotation_id: line.id,
      module_id: line.module_id,
      threshold: '14.25',
      source: 'annotation',
      is_active: 1,
      created_by: Number(line.user_id),
    });
    const recipients = await store.readAll((db) =>
      db.selectFrom('alert_recipients').select('user_id').where('alert_id', '=', alert.id).execute(),
    );
    expect(recipients).toEqual([{ user_id: Number(line.user_id) }]);
  });

  it('keeps the digits of its height in the threshold', async () => {
    const module = bareProbe();
    const line = await createWiltingLine(module, 14.12345678901234);
    expect(await alerts(module)).toEqual([[line.id, '14.12345678901234', true]]);
  });

  it.each<[string, Record<string, unknown>]>([
    ['a field capacity line', { style: { fill: 'threshold1' } }],
    ['a line of another fill', { style: { fill: 'red' } }],
    ['one on humidity-detail', { chartType: 'humidity-detail', style: { fill: 'threshold2' } }],
  ])('is what arms an alert, not %s', async (_, fields) => {
    const module = bareProbe();
    await create(module, fields);
    expect(await alerts(module)).toEqual([]);
  });

  it('that is moved moves the threshold of its alert', async () => {
    const module = bareProbe();
    const line = await createWiltingLine(module, 14);
    await update(line, { p1: [NOW, 16.5] });
    expect(await alerts(module)).toEqual([[line.id, '16.5', true]]);
  });

  it.each([
    ['its style is written without threshold2', { style: { fill: 'red' } }],
    ['a text sent alone wipes its style', { text: 'note' }],
  ])('disables its alert when %s, and re-enables it when it is one again', async (_, fields) => {
    const module = bareProbe();
    const line = await createWiltingLine(module, 14);
    await update(line, fields);
    expect(await alerts(module)).toEqual([[line.id, '14', false]]);
    await update(line, { style: { fill: 'threshold2' } });
    expect(await alerts(module)).toEqual([[line.id, '14', true]]);
  });

  it('that is deleted disables its alert, and names it', async () => {
    const module = bareProbe();
    const line = await createWiltingLine(module, 14);
    const [alert] = await alertsOf(module);
    expect(await remove(line)).toEqual({ success: true, disabledAlertId: alert.id });
    expect(await alerts(module)).toMatchObject([[expect.anything(), '14', false]]);
  });

  it('disables the alert of an older one', async () => {
    const module = bareProbe();
    const [older, newer] = [await createWiltingLine(module, 12), await createWiltingLine(module, 14)];
    expect(await alerts(module)).toEqual([
      [older.id, '12', false],
      [newer.id, '14', true],
    ]);
  });

  it.each<[string, (line: Json) => Promise<unknown>]>([
    ['deleted', remove],
    ['no wilting point any more', (line) => update(line, { style: { fill: 'red' } })],
  ])('takes over again when the newer is %s', async (_, undo) => {
    const module = bareProbe();
    const [older, newer] = [await createWiltingLine(module, 12), await createWiltingLine(module, 14)];
    await undo(newer);
    expect((await alerts(module)).map(([, ...rest]) => rest)).toEqual([
      ['12', true],
      ['14', false],
    ]);
    expect((await list(module))[0].id).toBe(older.id);
  });

  it('of another probe has an alert of its own', async () => {
    const [one, other] = [bareProbe(), bareProbe()];
    const lines = [await createWiltingLine(one, 12), await createWiltingLine(other, 14)];
    expect([...(await alerts(one)), ...(await alerts(other))]).toEqual([
      [lines[0].id, '12', true],
      [lines[1].id, '14', true],
    ]);
  });

  it.each([-0.1, 100.1])('cannot lie at %s %, drawn or moved', async (height) => {
    const module = bareProbe();
    const line = await createWiltingLine(module, 14);
    const p1 = [NOW, height];
    for (const [tool, args] of [
      ['create_annotation', { module, type: 'h-line', style: { fill: 'threshold2' } }],
      ['update_annotation', { annotationId: line.id }],
    ] as const)
      expect(await farm.refusal(tool, { ...args, p1 })).toMatchObject({ code: 'invalid_body', field: 'p1' });
    expect(await alerts(module)).toEqual([[line.id, '14', true]]);
  });
});

describe('GET company users', () => {
  it('answers the members with their userId, OWNER, MANAGER and VIEWER', async () => {
    const { data } = await farm.body('list_users');
    expect(data).toEqual([
      { userId: expect.stringMatching(/^\d+$/), name: 'Ana', email: 'ana@example.org', role: 'OWNER' },
      { userId: expect.stringMatching(/^\d+$/), name: 'Karim', email: 'karim@example.org', role: 'MANAGER' },
      { userId: expect.stringMatching(/^\d+$/), name: 'Léa', email: 'lea@example.org', role: 'VIEWER' },
    ]);
    expect(new Set(data.map(({ userId }: Json) => userId)).size).toBe(3);
  });
});
