import { describe, expect } from 'vitest';
import { ANNOTATION_SHAPES } from '../../../src/domain/alerts/annotation.ts';
import type { AnnotationBody } from '../../../src/schema/alerts/annotation.ts';
import { CHART_TYPES } from '../../../src/schema/alerts/annotation.ts';
import { insertFarmRow } from '../../../src/store/farm/farm-rows.ts';
import {
  advisoriesOf,
  bodyOf,
  FARM_NOW,
  HOUR,
  iso,
  it,
  type TestFarm,
  type ToolCallOptions,
  withFarm,
} from '../../farm.ts';
import { rowsReadBy } from '../../stores/rows-read.ts';
import { statementsOfWrites } from '../../transactions.ts';
import { declareSoil, installProbe } from '../moisture/probe-farm.ts';

const MODULE = 'North 1';
const P1 = [FARM_NOW, 24.5];
const P2 = [FARM_NOW + HOUR, 30];
/** 06:00 in Paris on the day before. */
const SIX_YESTERDAY = Date.UTC(2026, 5, 30, 4);

const create = (farm: TestFarm, fields: Record<string, unknown> = {}, options?: ToolCallOptions) =>
  farm.tool<AnnotationBody>(
    'create_annotation',
    { module: MODULE, type: 'h-line', p1: P1, ...fields },
    options,
  );
const update = (
  farm: TestFarm,
  { id }: { id: string },
  fields: Record<string, unknown>,
  options?: ToolCallOptions,
) => farm.tool<AnnotationBody>('update_annotation', { annotationId: id, ...fields }, options);
const list = async (farm: TestFarm, args = {}) =>
  (await farm.tool<{ data: AnnotationBody[] }>('list_annotations', { module: MODULE, ...args }))
    .data;

const everything = (farm: TestFarm) =>
  farm.write((db) => db.selectFrom('annotations').selectAll().orderBy('seq').execute());
const ownerId = async (farm: TestFarm) =>
  (await farm.tool<{ data: { userId: string }[] }>('list_users')).data[0]!.userId;

describe('a list of annotations longer than its limit', () => {
  it('shows the newest drawings and all threshold lines, and notes how many it omits', async ({
    farm,
  }) => {
    await create(farm, { style: { fill: 'threshold1' } });
    for (const text of ['a', 'b', 'c']) await create(farm, { type: 'text', text });
    const query = { module: MODULE, limit: 2 };
    const page = await farm.tool<{ data: AnnotationBody[] }>('list_annotations', query);
    expect(page.data.map(({ type, text }) => text ?? type)).toEqual(['h-line', 'b', 'c']);
    expect(advisoriesOf(page, 'older_drawings_omitted')).toMatchObject([{ count: 1 }]);
  });

  it('is complete over the wire, and has ten drawings in a tool', async ({ farm }) => {
    for (let each = 0; each < 12; each += 1)
      await create(farm, { type: 'text', text: String(each) });
    const overWire = await farm.wire<{ data: unknown[] }>('list_annotations', {
      moduleId: farm.idOf(MODULE),
    });
    expect([overWire.data.length, (await list(farm)).length]).toEqual([12, 10]);
    expect(advisoriesOf(overWire, 'older_drawings_omitted')).toEqual([]);
  });
});

/** Counts the annotations that all statements of `body` read. */
async function annotationsReadBy(farm: TestFarm, body: () => Promise<unknown>): Promise<number> {
  const statements = await rowsReadBy(farm, body);
  return statements
    .filter(({ sql }) => sql.includes('from "annotations"'))
    .reduce((sum, { rowsReturned }) => sum + rowsReturned, 0);
}

describe('a drawing on a chart with many lines', () => {
  const drawLines = async (farm: TestFarm, count: number): Promise<void> => {
    for (let drawn = 0; drawn < count; drawn++)
      await create(farm, { style: { fill: 'threshold2' }, p1: [FARM_NOW, 10 + drawn / 10] });
  };

  it.for([
    ['a text', { type: 'text', text: 'dry spell' }],
    ['a wilting point', { style: { fill: 'threshold2' } }],
    ['a field capacity', { style: { fill: 'threshold1' } }],
  ] as const)('reads no more of them the more there are: %s', async ([, fields], { farm }) => {
    await drawLines(farm, 12);
    const besideFew = await annotationsReadBy(farm, () => create(farm, fields));
    await drawLines(farm, 12);
    expect(await annotationsReadBy(farm, () => create(farm, fields))).toBe(besideFew);
  });
});

describe('an annotation', () => {
  it('answers every field, and repeats style and text of its content', async ({ farm }) => {
    const drawn = await create(farm, {
      type: 'segment',
      p2: P2,
      unit: 'mm',
      style: { fill: 'red', width: 2 },
      text: 'dry spell',
    });
    expect(bodyOf(drawn)).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      module_id: farm.idOf(MODULE),
      probe_id: null,
      chart_type: 'humidity',
      type: 'segment',
      p1: P1,
      p2: P2,
      unit: 'mm',
      content: { style: { fill: 'red', width: 2 }, text: 'dry spell' },
      user_id: await ownerId(farm),
      created_at: iso(FARM_NOW),
      updated_at: iso(FARM_NOW),
      style: { fill: 'red', width: 2 },
      text: 'dry spell',
    });
  });

  it('has neither style nor text by default', async ({ farm }) => {
    const drawn = bodyOf(await create(farm));
    expect(drawn).toMatchObject({ content: {}, p2: null });
    expect(drawn).not.toHaveProperty('style');
    expect(drawn).not.toHaveProperty('text');
  });

  it.each(ANNOTATION_SHAPES)('accepts the shape %s', (type) =>
    withFarm(async (farm) => {
      expect(await create(farm, { type, p2: P2 })).toMatchObject({ type });
    }),
  );

  it.each([
    ...CHART_TYPES.map((chartType) => [chartType, chartType] as const),
    ['tension', 'tensio'] as const,
  ])('belongs to the curve %s as %s', (chartType, chart_type) =>
    withFarm(async (farm) => {
      const drawn = await create(farm, { chartType });
      expect(drawn.chart_type).toBe(chart_type);
      expect(await list(farm, { chartType })).toEqual([bodyOf(drawn)]);
    }),
  );

  it.for(['humidity', 'humidity-detail'])(
    'on %s is in vwc unless another unit is given',
    async (chartType, { farm }) => {
      expect((await create(farm, { chartType })).unit).toBe('vwc');
      for (const unit of ['vwc', 'vwc_max', 'mm'])
        expect((await create(farm, { chartType, unit })).unit).toBe(unit);
    },
  );

  it.for(['humidity-heatmap', 'temperature', 'tensio'])(
    'on %s has no unit, and takes none',
    async (chartType, { farm }) => {
      expect((await create(farm, { chartType })).unit).toBeNull();
      await expect(create(farm, { chartType, unit: 'vwc' })).rejects.toMatchObject({
        code: 'invalid_body',
        status: 400,
        field: 'unit',
      });
    },
  );

  it('accepts null for a unit and a second point over the wire', async ({ farm }) => {
    const input = { moduleId: farm.idOf(MODULE), type: 'text', p1: P1, p2: null, unit: null };
    expect(await farm.wire('create_annotation', input)).toMatchObject({ unit: 'vwc', p2: null });
  });

  it.for(['segment', 'ray', 'infinite', 'arrow', 'rect'])(
    'that is a %s needs a second point',
    async (type, { farm }) => {
      await expect(create(farm, { type })).rejects.toMatchObject({
        code: 'invalid_body',
        field: 'until',
      });
      expect(await everything(farm)).toEqual([]);
    },
  );

  it.for<[string, unknown]>([
    ['text for a value', [FARM_NOW, 'wet']],
    ['text for both', ['here', 'there']],
    ['text in place of a point', 'noon'],
    ['words that name no instant', ['some day', 20]],
    ['NaN', [FARM_NOW, 'NaN']],
    ['infinity', [FARM_NOW, '1e999']],
    ['a huge value', [FARM_NOW, 1e300]],
    ['a huge instant', [1e18, 20]],
    ['an instant before 1970', [-1, 20]],
    ['no value', [FARM_NOW]],
    ['three numbers', [FARM_NOW, 1, 2]],
    ['nothing', []],
    ['null for a value', [FARM_NOW, null]],
    ['an object', { at: FARM_NOW, value: 1 }],
    ['a list of points', [P1, P2]],
  ] as const)(
    'refuses %s in a point: invalid_body, with a hint, and writes nothing',
    async ([_, point], { farm }) => {
      const refusal = { code: 'invalid_body', status: 400, hint: expect.stringMatching(/\[/) };
      await expect(create(farm, { p1: point })).rejects.toMatchObject({ ...refusal, field: 'p1' });
      await expect(create(farm, { type: 'segment', p2: point })).rejects.toMatchObject({
        ...refusal,
        field: 'p2',
      });
      expect(await everything(farm)).toEqual([]);
      const drawn = await create(farm);
      await expect(update(farm, drawn, { p1: point })).rejects.toMatchObject({
        ...refusal,
        field: 'p1',
      });
      expect(await list(farm)).toEqual([bodyOf(drawn)]);
    },
  );

  it('reads a local time in a point: 06:00 in Paris is 04:00 UTC', async ({ farm }) => {
    expect(await create(farm, { p1: ['yesterday 6:00', 20] })).toMatchObject({
      p1: [SIX_YESTERDAY, 20],
    });
  });

  it.for([
    ['v-line', 'p1', 'yesterday 6:00', 'at'],
    ['v-line', 'p1', ['yesterday 6:00'], 'at'],
    ['h-line', 'p1', 18, 'value'],
    ['segment', 'p2', 'today 6:00', 'until'],
    ['rect', 'p2', ['today 6:00', 'wet'], 'endValue'],
  ] as const)(
    'of a %s quotes the %s %j as it was sent, and says to give %s',
    async (row, { farm }) => {
      const [type, field, point, argument] = row;
      await expect(create(farm, { type, [field]: point })).rejects.toMatchObject({
        code: 'invalid_body',
        field,
        message: expect.stringContaining(JSON.stringify([point].flat().at(-1))),
        hint: expect.stringMatching(new RegExp(`\\b${argument}\\b`)),
      });
    },
  );

  it.for([
    ['chartType', 'rain'],
    ['type', 'circle'],
    ['unit', 'percent'],
    ['style', 'threshold2'],
    ['style', ['red']],
    ['style', { fill: 'x'.repeat(4001) }],
    ['text', 'x'.repeat(2001)],
  ] as const)('refuses %s %s: invalid_body', async ([field, value], { farm }) => {
    await expect(create(farm, { [field]: value })).rejects.toMatchObject({
      code: 'invalid_body',
      field,
    });
    expect(await everything(farm)).toEqual([]);
  });

  it('is refused without type: invalid_body', async ({ farm }) => {
    await expect(create(farm, { type: undefined })).rejects.toMatchObject({
      code: 'invalid_body',
      field: 'type',
    });
  });

  it('is refused for a caller without a user: no_user', async ({ farm }) => {
    await expect(create(farm, {}, { caller: { userId: null } })).rejects.toMatchObject({
      code: 'no_user',
      status: 403,
    });
    expect(await everything(farm)).toEqual([]);
  });

  it('belongs to the calling user', async ({ farm }) => {
    const karim = await farm.write((db) =>
      insertFarmRow(db, 'users', { email: 'karim@example.org', name: 'Karim', role: 'MANAGER' }),
    );
    const drawn = await create(farm, {}, { caller: { userId: karim, role: 'MANAGER' } });
    expect(drawn.user_id).toBe(String(karim));
    expect((await update(farm, drawn, { text: 'x' })).user_id).toBe(String(karim));
  });
});

describe('an annotation that is placed in words', () => {
  const place = (farm: TestFarm, fields: Record<string, unknown>) =>
    create(farm, { p1: undefined, ...fields });
  const YESTERDAY = Date.UTC(2026, 5, 29, 22);

  it.for([
    [{ type: 'h-line', value: 18 }, [FARM_NOW, 18], null],
    [{ type: 'h-line', value: 18, at: 'yesterday 6:00' }, [SIX_YESTERDAY, 18], null],
    [{ type: 'v-line', at: 'yesterday 6:00' }, [SIX_YESTERDAY, 0], null],
    [{ type: 'text', at: '2026-06-30', text: 'hail' }, [YESTERDAY, 0], null],
    [{ type: 'text', at: 'yesterday', text: 'hail', value: 30 }, [YESTERDAY, 30], null],
    [
      { type: 'segment', at: 'yesterday 6:00', until: '2026-07-01T12:00', value: 20 },
      [SIX_YESTERDAY, 20],
      [FARM_NOW, 20],
    ],
    [
      { type: 'rect', at: 'yesterday 6:00', until: 'today 12:00', value: 20, endValue: 30 },
      [SIX_YESTERDAY, 20],
      [FARM_NOW, 30],
    ],
  ] as const)('%o is at %o and %o', async ([fields, p1, p2], { farm }) => {
    expect(await place(farm, fields)).toMatchObject({ p1, p2 });
  });

  it.for([
    [{ type: 'h-line' }, 'value'],
    [{ type: 'h-line', at: 'yesterday 6:00' }, 'value'],
    [{ type: 'v-line', value: 18 }, 'at'],
    [{ type: 'text', text: 'hail' }, 'at'],
    [{ type: 'segment', at: 'yesterday 6:00', value: 20 }, 'until'],
    [{ type: 'rect', at: 'yesterday 6:00', until: 'today 6:00', value: 20 }, 'endValue'],
    [{ type: 'h-line', value: 18, p1: P1 }, 'p1'],
    [{ type: 'segment', at: 'yesterday 6:00', value: 20, until: 'today 6:00', p2: P2 }, 'p2'],
    [{ type: 'h-line', value: 0.18, style: { fill: 'threshold2' } }, 'value'],
    [{ type: 'v-line', at: 'some day' }, 'at'],
  ] as const)('%o is refused for %s', async ([fields, field], { farm }) => {
    await expect(place(farm, fields)).rejects.toMatchObject({ code: 'invalid_body', field });
    expect(await everything(farm)).toEqual([]);
  });

  it('keeps what a change does not move', async ({ farm }) => {
    const line = await place(farm, { type: 'h-line', value: 18, at: 'yesterday 6:00', p2: P2 });
    expect(await update(farm, line, { value: 19 })).toMatchObject({
      p1: [SIX_YESTERDAY, 19],
      p2: [P2[0], 19],
    });
    const text = await place(farm, { type: 'text', at: 'yesterday 6:00', value: 30, text: 'hail' });
    expect(await update(farm, text, { at: '2026-06-30' })).toMatchObject({
      p1: [YESTERDAY, 30],
      text: 'hail',
    });
    const segment = await place(farm, {
      type: 'segment',
      at: 'yesterday 6:00',
      value: 20,
      until: 'today 12:00',
    });
    expect(await update(farm, segment, { endValue: 25 })).toMatchObject({
      p1: [SIX_YESTERDAY, 20],
      p2: [FARM_NOW, 25],
    });
    await expect(update(farm, line, { value: 19, p1: P1 })).rejects.toMatchObject({ field: 'p1' });
  });
});

describe('an ambiguous annotation', () => {
  it('is refused with an instant in seconds, naming milliseconds', async ({ farm }) => {
    await expect(create(farm, { type: 'v-line', p1: [FARM_NOW / 1000, 3] })).rejects.toMatchObject({
      code: 'invalid_body',
      field: 'p1',
      message: expect.stringContaining('ms, not seconds'),
    });
    expect(await everything(farm)).toEqual([]);
  });

  it('loses its second point by clear, if the shape needs none', async ({ farm }) => {
    const drawn = await create(farm, { type: 'text', p2: P2, text: 'here' });
    for (const field of ['p2', 'until']) {
      expect((await update(farm, drawn, { p2: P2 })).p2).toEqual(P2);
      expect((await update(farm, drawn, { clear: [field] })).p2).toBeNull();
    }
    const segment = await create(farm, { type: 'segment', p2: P2 });
    await expect(update(farm, segment, { clear: ['p2'] })).rejects.toMatchObject({
      code: 'invalid_body',
    });
  });

  it('notes a threshold without soil moisture', async ({ farm }) => {
    const threshold = { module: 'Mast', p1: [FARM_NOW, 14], style: { fill: 'threshold2' } };
    expect(advisoriesOf(await create(farm, threshold), 'no_moisture_for_drawing')).toHaveLength(1);
  });
});

describe('GET annotations', () => {
  it('lists one curve, oldest to most recent, all units together', async ({ farm }) => {
    const ids = [];
    for (const unit of ['mm', 'vwc', 'vwc_max', 'vwc']) ids.push((await create(farm, { unit })).id);
    await create(farm, { chartType: 'temperature' });
    expect((await list(farm)).map(({ id }) => id)).toEqual(ids);
    await update(farm, { id: ids[0]! }, { text: 'changed' });
    expect((await list(farm)).map(({ id }) => id)).toEqual(ids);
  });

  it('lists the curve humidity by default', async ({ farm }) => {
    const drawn = await create(farm);
    const { data } = await farm.wire<{ data: unknown[] }>('list_annotations', {
      moduleId: farm.idOf(MODULE),
    });
    expect(data).toEqual([bodyOf(drawn)]);
  });

  it('lists the drawings of one module', async ({ farm }) => {
    await create(farm, { module: 'North 2' });
    expect(await list(farm)).toEqual([]);
  });

  it('refuses a curve that does not exist: invalid_parameter', async ({ farm }) => {
    await expect(list(farm, { chartType: 'rain' })).rejects.toMatchObject({
      code: 'invalid_parameter',
      field: 'chartType',
    });
  });
});

describe('PATCH annotation', () => {
  it('moves the points, and keeps the other fields', async ({ farm }) => {
    const drawn = await create(farm, {
      type: 'arrow',
      p2: P2,
      style: { fill: 'red' },
      text: 'look',
    });
    farm.now += HOUR;
    const changed = bodyOf(await update(farm, drawn, { p1: [FARM_NOW, 1] }));
    expect(changed).toEqual({
      ...bodyOf(drawn),
      p1: [FARM_NOW, 1],
      updated_at: iso(FARM_NOW + HOUR),
    });
    expect(await list(farm)).toEqual([changed]);
    expect(bodyOf(await update(farm, drawn, { p2: [FARM_NOW, 2] }))).toEqual({
      ...changed,
      p2: [FARM_NOW, 2],
    });
  });

  it('changes nothing without a field', async ({ farm }) => {
    const drawn = await create(farm, { text: 'x' });
    farm.now += HOUR;
    expect(bodyOf(await update(farm, drawn, {}))).toEqual(bodyOf(drawn));
    expect(await list(farm)).toEqual([bodyOf(drawn)]);
  });

  it.for([
    ['text alone wipes the style', { text: 'new' }, { text: 'new' }],
    ['style alone wipes the text', { style: { fill: 'blue' } }, { style: { fill: 'blue' } }],
    [
      'both together stay',
      { style: { fill: 'blue' }, text: 'new' },
      { style: { fill: 'blue' }, text: 'new' },
    ],
    ['an empty text is a text', { text: '' }, { text: '' }],
  ] as const)(
    'writes brand-new content over the wire: %s',
    async ([_, change, content], { farm }) => {
      const drawn = await create(farm, { style: { fill: 'red', width: 2 }, text: 'old' });
      const sent = { annotationId: drawn.id, ...change };
      const changed = bodyOf(await farm.wire<AnnotationBody>('update_annotation', sent));
      const { style: __, text: ___, ...bare } = bodyOf(drawn);
      expect(changed).toEqual({ ...bare, content, ...content });
      expect(await list(farm)).toEqual([changed]);
    },
  );

  it.for([
    ['a text', { text: 'new' }, { style: { fill: 'red', width: 2 }, text: 'new' }],
    ['a style', { style: { fill: 'blue' } }, { style: { fill: 'blue' }, text: 'old' }],
    ['a place', { value: 30 }, { style: { fill: 'red', width: 2 }, text: 'old' }],
    ['a cleared text', { clear: ['text'] }, { style: { fill: 'red', width: 2 } }],
    ['a cleared style', { clear: ['style'], text: 'new' }, { text: 'new' }],
  ] as const)(
    'keeps in a tool what is not sent with %s',
    async ([_, change, content], { farm }) => {
      const drawn = await create(farm, { style: { fill: 'red', width: 2 }, text: 'old' });
      const changed = await update(farm, drawn, change);
      expect(changed.content).toEqual(content);
      expect(await list(farm)).toEqual([bodyOf(changed)]);
    },
  );

  it.for([
    ['replaces the whole content', { content: { text: 'new' } }, { text: 'new' }],
    ['may be empty', { content: {} }, {}],
    [
      'takes style and text into it',
      { content: { style: { fill: 'blue' }, text: 'in content' }, text: 'beside' },
      { style: { fill: 'blue' }, text: 'beside' },
    ],
  ] as const)('content over the wire %s', async ([_, change, content], { farm }) => {
    const drawn = await create(farm, { style: { fill: 'red' }, text: 'old' });
    const changed = await farm.wire<AnnotationBody>('update_annotation', {
      annotationId: drawn.id,
      ...change,
    });
    expect(changed.content).toEqual(content);
  });

  it('has no content in a tool, where style and text say the same', async ({ farm }) => {
    const drawn = await create(farm);
    await expect(update(farm, drawn, { content: { text: 'x' } })).rejects.toMatchObject({
      code: 'invalid_body',
      field: 'content',
    });
  });

  it('notes a removed style', async ({ farm }) => {
    const drawn = await create(farm, { style: { fill: 'red' } });
    const updated = await update(farm, drawn, { clear: ['style'] });
    expect(advisoriesOf(updated, 'content_part_removed')).toMatchObject([{ part: 'style' }]);
  });

  it.for([
    ['chart_type', 'temperature'],
    ['chartType', 'temperature'],
    ['type', 'rect'],
    ['unit', 'mm'],
  ] as const)('cannot change %s after creation', async ([field, value], { farm }) => {
    const drawn = await create(farm);
    const refusal = { code: 'invalid_body', field };
    await expect(update(farm, drawn, { [field]: value })).rejects.toMatchObject(refusal);
    await expect(
      farm.wire('update_annotation', { annotationId: drawn.id, [field]: value }),
    ).rejects.toMatchObject(refusal);
    expect(await list(farm)).toEqual([bodyOf(drawn)]);
  });

  it('accepts an id in capitals', async ({ farm }) => {
    const drawn = await create(farm);
    expect(await update(farm, { id: drawn.id.toUpperCase() }, { text: 'x' })).toMatchObject({
      id: drawn.id,
    });
  });
});

describe('DELETE annotation', () => {
  it('removes the drawing', async ({ farm }) => {
    const [stored, deleted] = [await create(farm), await create(farm)];
    const answer = await farm.tool('delete_annotation', { annotationId: deleted.id });
    expect(bodyOf(answer)).toEqual({ success: true, disabledAlertId: null });
    expect(await list(farm)).toEqual([bodyOf(stored)]);
  });

  it('answers 404 not_found for a deleted drawing', async ({ farm }) => {
    const { id } = await create(farm);
    await farm.tool('delete_annotation', { annotationId: id });
    for (const tool of ['delete_annotation', 'update_annotation'])
      await expect(farm.tool(tool, { annotationId: id })).rejects.toMatchObject({
        code: 'not_found',
        status: 404,
      });
  });
});

describe('a line that its soil does not explain', () => {
  const drawCapacity = (
    farm: TestFarm,
    moduleId: number,
    value: number,
    options?: ToolCallOptions,
  ) =>
    farm.wire<AnnotationBody>(
      'create_annotation',
      {
        moduleId,
        type: 'h-line',
        p1: [FARM_NOW, value],
        unit: 'vwc',
        style: { fill: 'threshold1' },
      },
      options,
    );
  const doubtedLines = async (farm: TestFarm, moduleId: number) =>
    (
      await farm.wire<{ doubtedLines?: unknown[] }>('get_agronomic_state', {
        moduleId,
      })
    ).doubtedLines;
  const onLoam = async (farm: TestFarm) => {
    const { id } = await installProbe(farm, { parcel: 'North block' });
    await declareSoil(farm, 'North block', [[6, 0, 100]]);
    return id;
  };

  it('is drawn after the person confirms it, and not doubted again', async ({ farm }) => {
    const oak = await onLoam(farm);
    const asked = await drawCapacity(farm, oak, 45, { needsConfirmation: true }).catch(String);
    expect(asked).toContain('at most 43');
    expect(await list(farm, { module: 'Oak' })).toEqual([]);
    await drawCapacity(farm, oak, 45, { isConfirmed: true });
    expect(await doubtedLines(farm, oak)).toBeUndefined();
  });

  it('is judged by past waterings before the write lock is taken', async ({ farm }) => {
    const oak = await onLoam(farm);
    const writes = await statementsOfWrites(farm, async () => {
      const { id } = await drawCapacity(farm, oak, 30);
      await update(farm, { id }, { p1: [FARM_NOW, 31] });
    });
    expect(writes.flat().filter((sql) => sql.includes('from "waterings"'))).toEqual([]);
    expect(writes.flat().filter((sql) => sql.includes('insert into "annotations"'))).toHaveLength(
      1,
    );
  });

  it('is doubted until it is drawn again at the same height', async ({ farm }) => {
    const oak = await onLoam(farm);
    const { id } = await drawCapacity(farm, oak, 45);
    expect(await doubtedLines(farm, oak)).toHaveLength(1);
    await update(farm, { id }, { value: 44 });
    expect(await doubtedLines(farm, oak)).toHaveLength(1);
    await update(farm, { id }, { value: 44 });
    expect(await doubtedLines(farm, oak)).toBeUndefined();
  });

  it('asks nothing where the line fits the soil', async ({ farm }) => {
    const oak = await onLoam(farm);
    await drawCapacity(farm, oak, 30, { needsConfirmation: true });
    expect(await doubtedLines(farm, oak)).toBeUndefined();
  });
});
