import { describe, expect } from 'vitest';
import { FARM_NOW, HOUR, iso, it, type TestFarm, withFarm } from '../farm.ts';

const drip = { system: 'drip', flowMmPerH: 3 };
const minutes = { startedAt: iso(FARM_NOW - HOUR), inputMode: 'duration', durationMin: 60 };
const blue = { company: 'Mas Bleu' };

async function blueIds(farm: TestFarm) {
  const { versions } = await farm.tool<{ versions: { id: number }[] }>(
    'set_module_installation',
    { module: 'Blue 1', ...drip },
    blue,
  );
  const { event } = await farm.log('Blue 1', minutes, blue);
  const { id } = await farm.tool<{ id: string }>('create_alert', { module: 'Blue 1', threshold: 20 }, blue);
  return {
    moduleId: farm.idOf('Blue 1'),
    parcelId: farm.idOf('Blue block'),
    versionId: versions[0]!.id,
    eventId: event.id,
    alertId: id,
  };
}

type Ids = Awaited<ReturnType<typeof blueIds>>;
const UNKNOWN: Ids = {
  moduleId: 9001,
  parcelId: 9002,
  versionId: 9003,
  eventId: 9004,
  alertId: '00000000-0000-4000-8000-000000009005',
};

const REQUESTS: [tool: string, ask: (ids: Ids) => Record<string, unknown>, unknownCode: string][] = [
  ['set_module_placement', ({ moduleId }) => ({ moduleId, emitterDistanceCm: 5 }), 'not_found'],
  ['get_irrigation_setup', ({ moduleId }) => ({ moduleId }), 'not_found'],
  ['generalize_installation', ({ moduleId }) => ({ moduleId }), 'not_found'],
  ['recompute_doses', ({ moduleId }) => ({ moduleId }), 'not_found'],
  ['get_module', ({ moduleId }) => ({ moduleId }), 'not_found'],
  ['set_parcel_installation', ({ parcelId }) => ({ parcelId, ...drip }), 'PARCEL_NOT_FOUND'],
  ['correct_installation', ({ versionId }) => ({ versionId, notes: 'mine now' }), 'not_found'],
  ['correct_watering', ({ eventId }) => ({ eventId, ...minutes, note: 'mine now' }), 'EVENT_NOT_FOUND'],
  ['list_waterings', ({ moduleId }) => ({ moduleId }), 'not_found'],
  ['list_waterings', ({ parcelId }) => ({ parcelId }), 'not_found'],
  ['list_modules', ({ parcelId }) => ({ parcelId }), 'not_found'],
  ['create_alert', ({ moduleId }) => ({ moduleId, threshold: 30 }), 'not_found'],
  ['create_alert', ({ parcelId }) => ({ parcelId, threshold: 30 }), 'not_found'],
  ['update_alert', ({ alertId }) => ({ alertId, threshold: 30, isActive: false }), 'not_found'],
  ['list_alerts', ({ moduleId }) => ({ moduleId }), 'not_found'],
  ['backtest_alert', ({ moduleId }) => ({ moduleId, threshold: 30 }), 'not_found'],
];

const asArguments = ({ moduleId, parcelId, ...fields }: Record<string, unknown>) => ({
  ...(moduleId !== undefined && { module: String(moduleId) }),
  ...(parcelId !== undefined && { parcel: String(parcelId) }),
  ...fields,
});

describe('a resource of another company', () => {
  it.each(REQUESTS)('is 403 forbidden_resource to %s', (tool, ask) =>
    withFarm(async (farm) => {
      const ids = await blueIds(farm);
      const refusal = { code: 'forbidden_resource', status: 403 };
      await expect(farm.wire(tool, ask(ids))).rejects.toMatchObject(refusal);
      await expect(farm.tool(tool, asArguments(ask(ids)))).rejects.toMatchObject(refusal);
    }),
  );

  it.for([
    ['set_module_installation', drip],
    ['log_watering', minutes],
  ] as const)('is 400 MODULE_NOT_OWNED to %s, whose errors list that code', async ([tool, body], { farm }) => {
    const { moduleId } = await blueIds(farm);
    for (const id of [moduleId, UNKNOWN.moduleId]) {
      const refusal = { code: 'MODULE_NOT_OWNED', status: 400 };
      await expect(farm.wire(tool, { moduleId: id, ...body })).rejects.toMatchObject(refusal);
      await expect(farm.tool(tool, { module: String(id), ...body })).rejects.toMatchObject(refusal);
    }
  });

  it('is not changed by a refused call', async ({ farm }) => {
    const ids = await blueIds(farm);
    const state = async () => [
      await farm.tool('get_irrigation_setup', { module: 'Blue 1' }, blue),
      await farm.tool('list_waterings', {}, blue),
      await farm.tool('list_alerts', {}, blue),
    ];
    const before = await state();
    const isWritten = await farm.isWrittenBy(async () => {
      for (const [tool, ask] of REQUESTS) await expect(farm.wire(tool, ask(ids))).rejects.toThrow();
    });
    expect(isWritten).toBe(false);
    expect(await state()).toEqual(before);
  });

  it('is in no list', async ({ farm }) => {
    await blueIds(farm);
    for (const tool of ['list_waterings', 'list_modules', 'list_parcels', 'list_alerts']) {
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
  it.each(REQUESTS)('is refused 404 by %s with the endpoint’s own code: %o %s', (tool, ask, code) =>
    withFarm(async (farm) => {
      await expect(farm.wire(tool, ask(UNKNOWN))).rejects.toMatchObject({ code, status: 404 });
      await expect(farm.tool(tool, asArguments(ask(UNKNOWN)))).rejects.toMatchObject({ code, status: 404 });
    }),
  );

  it.for([
    ['set_parcel_installation', { parcel: 'Nowhere', ...drip }, 'PARCEL_NOT_FOUND', 404],
    ['set_module_installation', { module: 'Nowhere', ...drip }, 'MODULE_NOT_OWNED', 400],
    ['log_watering', { module: 'Nowhere', ...minutes }, 'MODULE_NOT_OWNED', 400],
    ['recompute_doses', { module: 'Nowhere' }, 'not_found', 404],
  ] as const)('by name is refused by %s with the same code', async ([tool, args, code, status], { farm }) => {
    await expect(farm.tool(tool, args)).rejects.toMatchObject({ code, status });
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
    ['generalize_installation', { moduleId: 9001, effectiveFrom: iso(FARM_NOW + HOUR) }, 'EFFECTIVE_FROM_IN_FUTURE'],
    ['correct_installation', { versionId: 9001, effectiveFrom: iso(FARM_NOW + HOUR) }, 'EFFECTIVE_FROM_IN_FUTURE'],
    ['log_watering', { moduleId: 9001, ...minutes, endedAt: minutes.startedAt }, 'ENDED_BEFORE_STARTED'],
    ['log_watering', { moduleId: 9001, ...minutes, durationMin: undefined }, 'MISSING_DURATION'],
    ['correct_watering', { eventId: 9001, ...minutes, endedAt: minutes.startedAt }, 'ENDED_BEFORE_STARTED'],
    [
      'correct_watering',
      { eventId: 9001, ...minutes, startedAt: iso(FARM_NOW + HOUR), status: 'done' },
      'INVALID_STATUS',
    ],
  ] as const)('%s checks the entry before the owner: %o is %s', async ([tool, input, code], { farm }) => {
    await expect(farm.wire(tool, JSON.parse(JSON.stringify(input)))).rejects.toMatchObject({ code });
  });

  it('scope comes before the entry', async ({ farm }) => {
    await expect(farm.tool('log_watering', {}, { caller: { scopes: ['readings:read'] } })).rejects.toMatchObject({
      code: 'insufficient_scope',
      status: 403,
    });
  });

  it('role comes before the entry', async ({ farm }) => {
    await expect(farm.tool('log_watering', {}, { caller: { role: 'VIEWER' } })).rejects.toMatchObject({
      code: 'insufficient_role',
      status: 403,
    });
  });
});
