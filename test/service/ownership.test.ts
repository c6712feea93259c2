import { describe, expect } from 'vitest';
import type { Caller } from '../../src/operation/authorization.ts';
import { insertFarmRow } from '../../src/store/farm/farm-rows.ts';
import {
  bareModule,
  DAY,
  depthAt,
  FARM_NOW,
  farmsFilledWith,
  HOUR,
  iso,
  it,
  minutesAt,
  type TestFarm,
  withFarm,
} from '../farm.ts';
import { installProbe } from './moisture/probe-farm.ts';

const drip = { system: 'drip', flowMmPerH: 3 };
const minutes = minutesAt(FARM_NOW - HOUR, 60);
const layer = { soilHorizonId: 1, depthTopCm: 0, depthBottomCm: 40 };
const drawing = { type: 'h-line', p1: [FARM_NOW, 24.5] };
const blue = { company: 'Mas Bleu' };

async function blueIds(farm: TestFarm) {
  const create = (tool: string, args: object) =>
    farm.tool<{ id: string }>(tool, { module: 'Blue 1', ...args }, blue);
  const { versions } = await farm.tool<{ versions: { id: number }[] }>(
    'set_module_installation',
    { module: 'Blue 1', ...drip },
    blue,
  );
  return {
    moduleId: farm.idOf('Blue 1'),
    parcelId: farm.idOf('Blue block'),
    versionId: versions[0]!.id,
    eventId: (await farm.log('Blue 1', minutes, blue)).event.id,
    scheduleId: (await farm.createSchedule({ module: 'Blue 1', endsOn: '2026-07-02' }, blue)).id,
    alertId: (await create('create_alert', { threshold: 20 })).id,
    annotationId: (await create('create_annotation', drawing)).id,
  };
}

type Ids = Awaited<ReturnType<typeof blueIds>>;
const withBlueRows = farmsFilledWith(blueIds);

const UNKNOWN: Ids = {
  moduleId: 9001,
  parcelId: 9002,
  versionId: 9003,
  eventId: 9004,
  scheduleId: 9005,
  alertId: '00000000-0000-4000-8000-000000009006',
  annotationId: '00000000-0000-4000-8000-000000009007',
};

/** Operations with the id that they name, the other fields, and the code for an unknown id. */
const REQUESTS: [tool: string, named: keyof Ids, fields?: object, unknownCode?: string][] = [
  ['get_module', 'moduleId'],
  ['get_module_health', 'moduleId'],
  ['get_moisture_series', 'moduleId'],
  ['get_agronomic_state', 'moduleId'],
  ['get_irrigation_setup', 'moduleId'],
  ['set_module_placement', 'moduleId', { emitterDistanceCm: 5 }],
  ['set_probe_settings', 'moduleId', { hoursPerDay: 5 }],
  ['generalize_installation', 'moduleId'],
  ['recompute_doses', 'moduleId'],
  ['advise_watering', 'moduleId'],
  ['review_waterings', 'moduleId'],
  ['suggest_thresholds', 'moduleId'],
  ['chart_moisture', 'moduleId'],
  ['list_waterings', 'moduleId'],
  ['list_waterings', 'parcelId'],
  ['list_waterings', 'scheduleId'],
  ['list_modules', 'parcelId'],
  ['list_alerts', 'moduleId'],
  ['list_schedules', 'moduleId'],
  ['list_schedules', 'parcelId'],
  ['list_annotations', 'moduleId'],
  ['get_soil_profile', 'parcelId'],
  ['set_soil_profile', 'parcelId', { layers: [layer] }],
  ['set_parcel_installation', 'parcelId', drip, 'PARCEL_NOT_FOUND'],
  ['correct_installation', 'versionId', { notes: 'mine now' }],
  ['correct_watering', 'eventId', { ...minutes, note: 'mine now' }, 'EVENT_NOT_FOUND'],
  ['update_schedule', 'scheduleId', { label: 'mine now' }],
  ['create_alert', 'moduleId', { threshold: 30 }],
  ['create_alert', 'parcelId', { threshold: 30 }],
  ['update_alert', 'alertId', { threshold: 30, isActive: false }],
  ['backtest_alert', 'moduleId', { threshold: 30 }],
  ['create_annotation', 'moduleId', drawing],
  ['update_annotation', 'annotationId', { text: 'mine now' }],
  ['delete_annotation', 'annotationId'],
];

const asArguments = ({ moduleId, parcelId, ...fields }: Record<string, unknown>) => ({
  ...(moduleId === undefined ? {} : { module: String(moduleId) }),
  ...(parcelId === undefined ? {} : { parcel: String(parcelId) }),
  ...fields,
});

describe('a resource of another company', () => {
  it.each(REQUESTS)('is 403 forbidden_resource to %s by %s', (tool, named, fields) =>
    withBlueRows(async (farm, ids) => {
      const request = { [named]: ids[named], ...fields };
      const refusal = { code: 'forbidden_resource', status: 403 };
      await expect(farm.wire(tool, request)).rejects.toMatchObject(refusal);
      await expect(farm.tool(tool, asArguments(request))).rejects.toMatchObject(refusal);
    }),
  );

  it.for([
    ['set_module_installation', drip],
    ['log_watering', minutes],
  ] as const)(
    'is 400 MODULE_NOT_OWNED to %s, whose errors list that code',
    async ([tool, body], { farm }) => {
      const { moduleId } = await blueIds(farm);
      for (const id of [moduleId, UNKNOWN.moduleId]) {
        const refusal = { code: 'MODULE_NOT_OWNED', status: 400 };
        await expect(farm.wire(tool, { moduleId: id, ...body })).rejects.toMatchObject(refusal);
        await expect(farm.tool(tool, { module: String(id), ...body })).rejects.toMatchObject(
          refusal,
        );
      }
    },
  );

  it('is not changed by a refused call', async ({ farm }) => {
    const ids = await blueIds(farm);
    const state = async () => [
      await farm.tool('get_irrigation_setup', { module: 'Blue 1' }, blue),
      await farm.tool('list_waterings', {}, blue),
      ...(await Promise.all(
        ['list_alerts', 'list_schedules'].map((list) => farm.tool(list, {}, blue)),
      )),
      await farm.tool('list_annotations', { module: 'Blue 1' }, blue),
      await farm.tool('get_soil_profile', { parcel: 'Blue block' }, blue),
    ];
    const before = await state();
    const isWritten = await farm.isWrittenBy(async () => {
      for (const [tool, named, fields] of REQUESTS)
        await expect(farm.wire(tool, { [named]: ids[named], ...fields })).rejects.toThrow();
    });
    expect(isWritten).toBe(false);
    expect(await state()).toEqual(before);
  });

  it('is in no list', async ({ farm }) => {
    await blueIds(farm);
    for (const tool of [
      'list_waterings',
      'list_modules',
      'list_parcels',
      'list_alerts',
      'list_schedules',
    ]) {
      const { data } = await farm.tool<{ data: unknown[] }>(tool, { limit: 200 });
      expect(JSON.stringify(data)).not.toContain('Blue');
    }
    expect(await farm.waterings()).toEqual([]);
  });

  it('is not found by its name, which no answer shows', async ({ farm }) => {
    const error = await farm.tool('get_module', { module: 'Blue 1' }).catch((refused) => refused);
    expect(error).toMatchObject({ code: 'not_found', status: 404 });
    expect(error.hint).not.toContain('Blue');
  });
});

describe('an unknown resource', () => {
  it.each(REQUESTS)(
    'is refused 404 by %s by %s with the endpoint’s own code',
    (tool, named, fields, code = 'not_found') =>
      withFarm(async (farm) => {
        const request = { [named]: UNKNOWN[named], ...fields };
        await expect(farm.wire(tool, request)).rejects.toMatchObject({ code, status: 404 });
        await expect(farm.tool(tool, asArguments(request))).rejects.toMatchObject({
          code,
          status: 404,
        });
      }),
  );

  it.for([
    ['set_parcel_installation', { parcel: 'Nowhere', ...drip }, 'PARCEL_NOT_FOUND', 404],
    ['set_module_installation', { module: 'Nowhere', ...drip }, 'MODULE_NOT_OWNED', 400],
    ['log_watering', { module: 'Nowhere', ...minutes }, 'MODULE_NOT_OWNED', 400],
    ['recompute_doses', { module: 'Nowhere' }, 'not_found', 404],
  ] as const)(
    'by name is refused by %s with the same code',
    async ([tool, args, code, status], { farm }) => {
      await expect(farm.tool(tool, args)).rejects.toMatchObject({ code, status });
    },
  );
});

describe('a module that was never commissioned', () => {
  it.for([
    ['get_module', {}],
    ['get_module_health', {}],
    ['get_moisture_series', {}],
    ['get_agronomic_state', {}],
    ['backtest_alert', { threshold: 30 }],
    ['list_annotations', {}],
    ['create_annotation', drawing],
  ] as const)('is 404 not_found to %s', async ([tool, fields], { farm }) => {
    await farm.write((db) =>
      insertFarmRow(db, 'modules', bareModule({ uid: 'A1', name: 'Boxed', commissioned_at: null })),
    );
    const refusal = { code: 'not_found', status: 404 };
    await expect(farm.tool(tool, { module: 'Boxed', ...fields })).rejects.toMatchObject(refusal);
  });
});

describe('a module without a date of commissioning', () => {
  const boxed = (farm: TestFarm) => installProbe(farm, { name: 'Boxed', commissioned: false });
  const reads = [
    'get_module',
    'get_moisture_series',
    'get_agronomic_state',
    'advise_watering',
    'list_annotations',
  ];

  it.for([
    ['reading', async (farm: TestFarm) => (await boxed(farm)).recordAll([FARM_NOW - HOUR], 24)],
    [
      'watering',
      async (farm: TestFarm) => {
        await boxed(farm);
        await farm.log('Boxed', depthAt(FARM_NOW - HOUR, 5));
      },
    ],
  ] as const)('is in service from its first %s', async ([_, use], { farm }) => {
    await use(farm);
    for (const tool of reads)
      expect(await farm.tool(tool, { module: 'Boxed' })).toHaveProperty('summary');
  });

  it('is in service from its import, unless the file says that it is not', async ({ farm }) => {
    const module = { category: 'SOIL_PROBE', sensors: [{ type: 'humidity', depth: 10 }] };
    const modules = [
      { uid: 'U1', name: 'Undated', ...module },
      { uid: 'U2', name: 'In its box', commissionedAt: null, ...module },
    ];
    await farm.importFile({ modules });
    for (const tool of reads)
      expect(await farm.tool(tool, { module: 'Undated' })).toHaveProperty('summary');
    const unused = farm.tool('get_module', { module: 'In its box' });
    await expect(unused).rejects.toMatchObject({ code: 'not_found', status: 404 });
    farm.now += DAY;
    const { moduleResults } = await farm.importFile({ modules });
    expect(moduleResults.map(({ outcome }) => outcome)).toEqual(['unchanged', 'unchanged']);
  });
});

describe('an invalid id', () => {
  it.for([
    ['get_module', 'moduleId'],
    ['get_module_health', 'moduleId'],
    ['get_moisture_series', 'moduleId'],
    ['get_agronomic_state', 'moduleId'],
    ['list_annotations', 'moduleId'],
    ['get_soil_profile', 'parcelId'],
    ['set_soil_profile', 'parcelId'],
  ])('is 400 invalid_id to %s', async ([tool, named], { farm }) => {
    for (const id of [undefined, 'x', 0, -1, 1.5]) {
      const request = {
        ...(id === undefined ? {} : { [named!]: id }),
        ...(tool === 'set_soil_profile' ? { layers: [] } : {}),
      };
      await expect(farm.wire(tool!, request)).rejects.toMatchObject({
        code: 'invalid_id',
        status: 400,
      });
    }
  });

  it.for([
    ['update_annotation', 'annotationId', 'invalid_parameter'],
    ['delete_annotation', 'annotationId', 'invalid_parameter'],
    ['update_alert', 'alertId', 'invalid_parameter'],
  ])('is 400 to %s if it is not a UUID', async ([tool, named, code], { farm }) => {
    for (const id of ['12', 'x', `${UNKNOWN.alertId}0`])
      await expect(farm.wire(tool!, { [named!]: id })).rejects.toMatchObject({
        code,
        field: named,
        status: 400,
      });
  });
});

describe('the order of the checks', () => {
  it.for([
    [
      'set_module_installation',
      { moduleId: 9001, ...drip, effectiveFrom: iso(FARM_NOW + HOUR) },
      'EFFECTIVE_FROM_IN_FUTURE',
    ],
    [
      'set_parcel_installation',
      { parcelId: 9001, ...drip, effectiveFrom: iso(FARM_NOW + HOUR) },
      'EFFECTIVE_FROM_IN_FUTURE',
    ],
    [
      'generalize_installation',
      { moduleId: 9001, effectiveFrom: iso(FARM_NOW + HOUR) },
      'EFFECTIVE_FROM_IN_FUTURE',
    ],
    [
      'correct_installation',
      { versionId: 9001, effectiveFrom: iso(FARM_NOW + HOUR) },
      'EFFECTIVE_FROM_IN_FUTURE',
    ],
    [
      'log_watering',
      { moduleId: 9001, ...minutes, endedAt: minutes.startedAt },
      'ENDED_BEFORE_STARTED',
    ],
    ['log_watering', { moduleId: 9001, ...minutes, durationMin: undefined }, 'MISSING_DURATION'],
    [
      'correct_watering',
      { eventId: 9001, ...minutes, endedAt: minutes.startedAt },
      'ENDED_BEFORE_STARTED',
    ],
    [
      'set_soil_profile',
      { parcelId: 9001, layers: [{ ...layer, depthBottomCm: 0 }] },
      'invalid_body',
    ],
    [
      'correct_watering',
      { eventId: 9001, ...minutes, startedAt: iso(FARM_NOW + HOUR), status: 'done' },
      'INVALID_STATUS',
    ],
  ] as const)(
    '%s checks the entry before the owner: %o is %s',
    async ([tool, input, code], { farm }) => {
      await expect(farm.wire(tool, JSON.parse(JSON.stringify(input)))).rejects.toMatchObject({
        code,
      });
    },
  );

  it.for([
    ['insufficient_scope', { scopes: ['readings:read'] }],
    ['insufficient_role', { role: 'VIEWER' }],
  ] as [string, Partial<Caller>][])(
    '%s comes before the entry',
    async ([code, caller], { farm }) => {
      await expect(farm.tool('log_watering', {}, { caller })).rejects.toMatchObject({
        code,
        status: 403,
      });
    },
  );
});
