import { describe, expect } from 'vitest';
import { formatFarmReport } from '../../../src/cli/store-commands/import-summary.ts';
import type { ListPage } from '../../../src/domain/list-pages.ts';
import type {
  CompanyAnswer,
  ModuleAnswer,
  ParcelAnswer,
} from '../../../src/schema/farm/farm-entry.ts';
import { type Advised, advisoriesOf, DAY, it, type TestFarm } from '../../farm.ts';
import { recordRows } from '../../store/stored-readings.ts';

type Fields = Record<string, unknown>;

const setCompany = (farm: TestFarm, args: Fields) => farm.tool<CompanyAnswer>('set_company', args);
const setParcel = (farm: TestFarm, args: Fields) => farm.tool<ParcelAnswer>('set_parcel', args);
const setModule = (farm: TestFarm, args: Fields) => farm.tool<ModuleAnswer>('set_module', args);

const similarNames = (answer: Advised) => advisoriesOf(answer, 'similar_name');

const refusal = (code: string, field: string) => expect.objectContaining({ code, field });

/** The arguments that set back what a call changed, as an assistant makes them from `before`. */
function undoing({ before }: { before: Fields | null }): Fields {
  const values = Object.entries(before!);
  return {
    ...Object.fromEntries(values.filter(([, value]) => value !== null)),
    clear: values.flatMap(([name, value]) => (value === null ? [name] : [])),
  };
}

describe('set_company', () => {
  it('changes the fields that are sent, answers their earlier values, and can clear them', async ({
    farm,
  }) => {
    const change = await setCompany(farm, {
      name: 'mas rouge',
      newName: 'Mas Vert',
      timezone: 'Europe/Madrid',
      city: 'Lleida',
    });
    expect(change).toMatchObject({
      company: { name: 'Mas Vert', timezone: 'Europe/Madrid', city: 'Lleida' },
      before: { newName: 'Mas Rouge', timezone: 'Europe/Paris', city: null },
    });
    await setCompany(farm, undoing(change));
    expect(await farm.tool('get_company')).toMatchObject({
      name: 'Mas Rouge',
      timezone: 'Europe/Paris',
      city: null,
    });
  });

  it('has the new local hours of schedules, which keep their zone, and of reminders', async ({
    farm,
  }) => {
    await farm.createSchedule({ module: 'North 1' });
    await farm.tool('create_alert', { module: 'North 1', threshold: 20 });
    const starting = (time: string, timezone: string) => ({
      name: 'North 1',
      starts: [time],
      timezone,
    });
    const reminders = {
      kind: 'reminders_follow_zone',
      alerts: [{ name: 'North 1', reminderTime: '08:00:00' }],
      count: 1,
    };

    // 06:00 in Paris is 04:00 UTC in summer.
    const moved = await setCompany(farm, { timezone: 'America/New_York' });
    expect(advisoriesOf(moved, 'schedules_keep_zone')).toMatchObject([
      { schedules: [starting('00:00', 'Europe/Paris')], count: 1 },
    ]);
    expect(advisoriesOf(moved, 'reminders_follow_zone')).toEqual([reminders]);
    const second = { module: 'North 1', timezone: 'America/New_York' };
    expect(advisoriesOf(await farm.createSchedule(second), 'duplicate_schedule')).toEqual([]);

    const { data } = await farm.tool<ListPage<{ id: number }>>('list_changes', { limit: 2 });
    const undone = await farm.tool('undo', { changeId: data[1]?.id });
    expect(advisoriesOf(undone, 'schedules_keep_zone')).toMatchObject([
      { schedules: [starting('12:00', 'America/New_York')] },
    ]);
    expect(advisoriesOf(undone, 'reminders_follow_zone')).toEqual([reminders]);

    const file = { company: { name: 'Mas Rouge', timezone: 'Atlantic/Canary' } };
    const report = formatFarmReport('farm.json', await farm.importFile(file), 'en');
    expect(report).toContain('North 1 at 05:00 (it keeps Europe/Paris); North 1 at 11:00');
    expect(report).toContain('reminders of 1 alert');
  });

  it('can be repeated without an idempotency key when it renames', async ({ farm }) => {
    for (const before of [{ newName: 'Mas Rouge' }, {}])
      expect(
        await setCompany(farm, {
          name: 'Mas Rouge',
          newName: 'Mas Vert',
          ownerEmail: 'Ana@example.org',
        }),
      ).toMatchObject({ before, owner: { name: 'Ana' } });
    for (const before of [{ newName: 'Fallow' }, {}])
      expect(await setParcel(farm, { name: 'Fallow', newName: 'Olives' })).toMatchObject({
        before,
      });
  });

  it('changes nothing when the values are the same', async ({ farm }) => {
    expect(await setCompany(farm, { name: 'Mas Rouge', timezone: 'Europe/Paris' })).toMatchObject({
      before: {},
    });
  });

  it.for([
    [{ name: 'Mas Vert' }, 'name'],
    [{ newName: 'MÁS BLEU' }, 'newName'],
    [{ ownerEmail: 'eve@example.org' }, 'ownerEmail'],
    [{ ownerName: 'Eve' }, 'ownerEmail'],
    [{ countryCode: 'UK' }, 'countryCode'],
    [{ ownerEmail: 'nobody' }, 'ownerEmail'],
  ] as const)('refuses %j', async ([args, field], { farm }) => {
    await expect(setCompany(farm, args)).rejects.toEqual(refusal('invalid_body', field));
  });

  it('says which value is missing and why', async ({ farm }) => {
    await expect(setCompany(farm, { ownerName: 'Eve' })).rejects.toThrow(
      'ownerEmail is missing: ownerName names the person at that address.',
    );
  });

  it('accepts codes in small letters', async ({ farm }) => {
    expect(await setCompany(farm, { countryCode: 'fr', currency: ' eur' })).toMatchObject({
      company: { countryCode: 'FR', currency: 'EUR' },
    });
  });

  it('is for an OWNER or MANAGER whose key has the scope', async ({ farm }) => {
    const call = (
      role: 'MANAGER' | 'VIEWER',
      scopes: readonly ('company:write' | 'company:read')[],
    ) => farm.tool('set_company', { city: 'Nîmes' }, { caller: { role, scopes } });
    await expect(call('VIEWER', ['company:write'])).rejects.toMatchObject({
      code: 'insufficient_role',
    });
    await expect(call('MANAGER', ['company:read'])).rejects.toMatchObject({
      code: 'insufficient_scope',
    });
    expect(await call('MANAGER', ['company:write'])).toMatchObject({ company: { city: 'Nîmes' } });
  });
});

const TRIANGLE = ['43.61, 3.87', '43.61, 3.88', '43.62, 3.88'];
const RING = [
  [3.87, 43.61],
  [3.88, 43.61],
  [3.88, 43.62],
  [3.87, 43.61],
];

describe('set_parcel', () => {
  it('adds a parcel with crop, area and outline', async ({ farm }) => {
    expect(
      await setParcel(farm, { name: 'Olives', type: 'olive', areaM2: 15_000, outline: TRIANGLE }),
    ).toMatchObject({
      parcel: {
        name: 'Olives',
        type: 'olive',
        areaM2: 15_000,
        geometry: { type: 'Polygon', coordinates: [RING] },
      },
      before: null,
      advisories: [
        { kind: 'usual_roots', crop: 'olive', fromCm: 120, toCm: 170, rootDepthCm: null },
      ],
    });
  });

  it('keeps what is known of the season of a crop', async ({ farm }) => {
    await setParcel(farm, { name: 'Field', type: 'tomato', plantedOn: '2026-04-20' });
    const { parcel } = await setParcel(farm, { name: 'Field', rootDepthCm: 60 });
    expect(parcel.season).toEqual({
      crop: 'tomato',
      plantedOn: '2026-04-20',
      harvestedOn: null,
      stage: null,
      stageOn: null,
      earlierStages: null,
      rootDepthCm: 60,
    });
  });

  it('counts the probes at which another root depth counts', async ({ farm }) => {
    const block = { name: 'North block', rootDepthCm: 60 };
    const counts = (answer: Advised) =>
      advisoriesOf(answer, 'roots_of_probes_differ').map(({ count }) => count);
    expect(counts(await setParcel(farm, block))).toEqual([3]);

    const late = { name: 'Late', parcel: 'North block', ...NEW_SENSORS };
    expect(counts(await setModule(farm, late))).toEqual([1]);
    expect(counts(await setModule(farm, { name: 'Late', number: 7 }))).toEqual([]);

    await farm.tool('set_probe_settings', { parcel: 'North block', rootDepthCm: 60 });
    expect(counts(await setParcel(farm, block))).toEqual([]);
  });

  it('asks about root depths of probes that were set for the crop before', async ({ farm }) => {
    const block = { name: 'North block' };
    const depths = (answer: Advised) =>
      advisoriesOf(answer, 'roots_of_earlier_crop').map(({ rootDepthsCm }) => rootDepthsCm);
    await setParcel(farm, { ...block, type: 'lettuce' });
    expect(depths(await setParcel(farm, { ...block, type: 'maize' }))).toEqual([]);

    await setParcel(farm, { ...block, type: 'lettuce' });
    await farm.tool('set_probe_settings', { module: 'North 1', rootDepthCm: 25 });
    expect(depths(await setParcel(farm, { ...block, plantedOn: '2026-05-02' }))).toEqual([]);
    expect(depths(await setParcel(farm, { ...block, type: 'maize' }))).toEqual([[25]]);
    await setParcel(farm, { ...block, type: 'lettuce' });
    expect(depths(await setParcel(farm, { ...block, type: 'maize', rootDepthCm: 60 }))).toEqual([]);
  });

  it('starts another season with another crop, and with a planting after the harvest', async ({
    farm,
  }) => {
    const field = { name: 'Field' };
    await setParcel(farm, { ...field, type: 'tomato', plantedOn: '2026-02-20', rootDepthCm: 60 });
    const lettuce = await setParcel(farm, { ...field, type: 'lettuce', plantedOn: '2026-05-02' });
    expect(lettuce.parcel.season).toMatchObject({ crop: 'lettuce', rootDepthCm: null });
    expect(lettuce.before).toMatchObject({ type: 'tomato', rootDepthCm: 60 });

    await setParcel(farm, { ...field, harvestedOn: '2026-06-20' });
    const { parcel } = await setParcel(farm, { ...field, plantedOn: '2026-06-25' });
    expect(parcel.season).toMatchObject({ crop: 'lettuce', harvestedOn: null });
  });

  it('takes another word for the crop as the same season', async ({ farm }) => {
    await setParcel(farm, { name: 'Field', type: 'maize', plantedOn: '2026-04-20' });
    const { parcel } = await setParcel(farm, { name: 'Field', type: 'corn' });
    expect(parcel.season).toMatchObject({ crop: 'corn', plantedOn: '2026-04-20' });
  });

  it('refuses a harvest before the planting', async ({ farm }) => {
    await setParcel(farm, { name: 'Field', type: 'maize', plantedOn: '2026-04-20' });
    await expect(setParcel(farm, { name: 'Field', harvestedOn: '2026-04-01' })).rejects.toEqual(
      refusal('invalid_body', 'harvestedOn'),
    );
  });

  it('keeps fields that are not sent, and can clear them', async ({ farm }) => {
    await setParcel(farm, { name: 'Olives', type: 'olive', outline: TRIANGLE });
    const change = await setParcel(farm, {
      name: 'OLIVES',
      newName: 'Oliviers',
      areaM2: 200,
      clear: ['outline'],
    });
    expect(change).toMatchObject({
      parcel: { name: 'Oliviers', type: 'olive', areaM2: 200, geometry: { coordinates: [] } },
      before: { newName: 'Olives', areaM2: null, outline: TRIANGLE },
    });
    const { parcel } = await setParcel(farm, { name: 'Oliviers', ...undoing(change) });
    expect(parcel).toEqual({
      id: change.parcel.id,
      name: 'Olives',
      type: 'olive',
      geometry: { type: 'Polygon', coordinates: [RING] },
    });
  });

  it('notes that a name is nearly that of another parcel', async ({ farm }) => {
    expect(similarNames(await setParcel(farm, { name: 'North blok' }))).toEqual([
      { kind: 'similar_name', tool: 'set_parcel', existing: 'North block' },
    ]);
    for (const name of ['East block', 'North block 2'])
      expect(similarNames(await setParcel(farm, { name }))).toEqual([]);
    const probe = (name: string) => setModule(farm, { name, ...NEW_SENSORS });
    expect(similarNames(await probe('North 4'))).toEqual([]);
    expect(similarNames(await probe('Nort 1'))).toEqual([
      { kind: 'similar_name', tool: 'set_module', existing: 'North 1' },
    ]);
  });

  it('takes any outline as GeoJSON text, and gives it back as such', async ({ farm }) => {
    const geometry = { type: 'MultiPolygon', coordinates: [[RING]] };
    await setParcel(farm, { name: 'Olives', outline: geometry });
    const { before } = await setParcel(farm, { name: 'Olives', outline: TRIANGLE });
    expect(before).toEqual({ outline: [JSON.stringify(geometry)] });
  });

  it.for([
    [{ name: 'Olives', outline: ['43.61, 3.87', '43.61, 3.88'] }, 'outline'],
    [{ name: 'Olives', outline: ['143.61, 3.87', ...TRIANGLE] }, 'outline'],
    [{ name: 'Olives', outline: ['{"type":"Point","coordinates":[1,2]}'] }, 'outline'],
    [{ name: 'Olives', areaM2: 0.9 }, 'areaM2'],
    [{ name: 'Fallow', newName: 'north BLOCK' }, 'newName'],
    [{ name: 'Fallow', newName: '#12' }, 'newName'],
    [{ name: ' ' }, 'name'],
  ] as const)('refuses %j', async ([args, field], { farm }) => {
    await expect(setParcel(farm, args)).rejects.toEqual(refusal('invalid_body', field));
  });

  it('does not rename or find by id what does not exist', async ({ farm }) => {
    for (const args of [{ name: 'Olives', newName: 'Oliviers' }, { name: '#9999' }])
      await expect(setParcel(farm, args)).rejects.toMatchObject({ code: 'not_found' });
  });
});

const NEW_SENSORS = { sensors: ['humidity 20'] };

describe('set_module', () => {
  const NEW = {
    name: 'Olive 1',
    parcel: 'fallow',
    sensors: ['humidity 20', 'moisture 40 cm', 'temperature'],
  };

  it('adds a probe in service from now on, with a uid of its own', async ({ farm }) => {
    const { module, before } = await setModule(farm, NEW);
    expect(module).toMatchObject({
      uid: 'olive-1',
      name: 'Olive 1',
      category: 'SOIL_PROBE',
      parcelId: farm.idOf('Fallow'),
      location: null,
      sensors: [
        { type: 'temperature', depth: null },
        { type: 'humidity', depth: 20 },
        { type: 'humidity', depth: 40 },
      ],
    });
    expect(before).toBeNull();
    expect(await farm.tool('get_module', { module: 'Olive 1' })).toMatchObject({ uid: 'olive-1' });
  });

  it('takes a probe with tension alone for a tensiometer', async ({ farm }) => {
    const { module } = await setModule(farm, { name: 'T', sensors: ['tension 30'] });
    expect(module.category).toBe('TENSIOMETER');
  });

  it('changes every field, answers the earlier values, and can clear them', async ({ farm }) => {
    await setModule(farm, { ...NEW, sensors: ['humidity 20'] });
    const change = await setModule(farm, {
      name: 'olive 1',
      newName: 'Olivier 1',
      uid: 'A1B2',
      serialHex: '0aF',
      number: 7,
      category: 'TENSIOMETER',
      latitude: 43.61,
      longitude: 3.87,
      commissionedAt: '2026-01-10T08:00',
      rootDepthCm: 60,
      sensors: ['humidity 30: Top'],
      depthWeights: ['30: 1'],
      parcel: 'North block',
    });
    expect(change.module).toMatchObject({
      name: 'Olivier 1',
      uid: 'A1B2',
      serialHex: '0aF',
      category: 'TENSIOMETER',
      location: { lat: 43.61, lon: 3.87, source: 'manual', stale: false },
      sensors: [{ type: 'humidity', depth: 30, label: 'Top' }],
    });
    expect(change.before).toEqual({
      newName: 'Olive 1',
      uid: 'olive-1',
      serialHex: null,
      number: null,
      category: 'SOIL_PROBE',
      latitude: null,
      longitude: null,
      commissionedAt: '2026-07-01T10:00:00.000Z',
      rootDepthCm: null,
      sensors: ['humidity 20'],
      depthWeights: null,
      parcel: `#${farm.idOf('Fallow')}`,
    });
    const back = await setModule(farm, { name: 'Olivier 1', ...undoing(change) });
    expect(back.before).toEqual(change.after);
    expect(back.before).toMatchObject({
      newName: 'Olivier 1',
      rootDepthCm: 60,
      depthWeights: ['30: 1'],
    });
    expect(
      await setModule(farm, { ...NEW, sensors: ['humidity 20'], uid: 'olive-1' }),
    ).toMatchObject({ before: {} });
  });

  it.for([
    ['today', '2026-06-30T22:00:00.000Z'],
    ['2026-01-10', '2026-01-09T23:00:00.000Z'],
    ['22/6/2026', '2026-06-21T22:00:00.000Z'],
  ] as const)(
    'takes the day %j from its local midnight',
    async ([commissionedAt, expected], { farm }) => {
      await setModule(farm, NEW);
      await setModule(farm, { name: 'Olive 1', commissionedAt });
      const { before } = await setModule(farm, {
        name: 'Olive 1',
        commissionedAt: '2025-01-01T06:00',
      });
      expect(before).toEqual({ commissionedAt: expected });
    },
  );

  it.for([
    [{ rootDepthCm: 0.6 }, /5 to 500 cm/],
    [{ rootDepthCm: 600 }, /5 to 500 cm/],
    [{ sensors: ['humidity 501'] }, /in cm, from 0 to 500/],
    [{ sensors: ['humidity 20'], depthWeights: ['20: 1', '30: 1'] }, /no sensor.*at 20 cm/],
    [{ commissionedAt: '2026-07-02T12:01' }, /at most a day ahead/],
  ] as const)('refuses %j with the unit and the range', async ([args, text], { farm }) => {
    const refused = await setModule(farm, { name: 'Olive 1', ...NEW_SENSORS, ...args }).catch(
      (error) => error,
    );
    expect(`${refused.message} ${refused.hint}`).toMatch(text);
    expect(refused.field).toBe(Object.keys(args).at(-1));
    expect(
      (await farm.tool<{ data: { name: string }[] }>('list_modules')).data.map(({ name }) => name),
    ).not.toContain('Olive 1');
  });

  it('is refused where the spoken name is that of several', async ({ farm }) => {
    for (const name of ['West 1', 'West-1', 'west one']) await farm.wire('set_module', { name });
    await expect(setModule(farm, { name: 'ouest un', number: 3 })).rejects.toMatchObject({
      code: 'AMBIGUOUS_NAME',
      field: 'name',
      message: expect.stringContaining('"West 1"'),
    });
    const { module } = await setModule(farm, { name: 'west one', number: 3 });
    expect(module.name).toBe('west one');
  });

  it('adds by exact name without sensors only in REST', async ({ farm }) => {
    const { module } = await farm.wire<ModuleAnswer>('set_module', { name: 'north one' });
    expect(module).toMatchObject({ name: 'north one', sensors: [] });
    await expect(
      farm.wire('set_module', { name: 'Olive 1', depthWeights: ['30: 1'] }),
    ).rejects.toMatchObject({ hint: expect.stringContaining('Give its sensors') });
  });

  it('leaves the wider ranges of the farm file as they were', async ({ farm }) => {
    const settings = { rootDepthCm: 600, depthWeights: { 700: 1 } };
    const sensors = [{ type: 'humidity', depth: 600 }];
    await farm.importFile({
      company: { name: 'Mas Rouge' },
      parcels: [{ name: 'Pot', areaM2: 0.5 }],
      modules: [{ uid: 'deep', name: 'Deep', commissionedAt: '2030-01-01', sensors, settings }],
    });
    const { before } = await setModule(farm, { name: 'Deep', rootDepthCm: 60 });
    expect(before).toEqual({ rootDepthCm: 600 });
  });

  it('accepts the limits themselves', async ({ farm }) => {
    const fields = {
      sensors: ['humidity 500'],
      depthWeights: ['500: 1'],
      commissionedAt: '2026-07-02T12:00',
    };
    for (const rootDepthCm of [5, 500])
      await setModule(farm, { name: 'Olive 1', ...fields, rootDepthCm });
  });

  it('answers what a call set on a new probe', async ({ farm }) => {
    const { after } = await setModule(farm, { ...NEW, rootDepthCm: 60 });
    expect(after).toMatchObject({
      rootDepthCm: 60,
      commissionedAt: '2026-07-01T10:00:00.000Z',
      uid: 'olive-1',
    });
  });

  it('keeps sensors that have readings', async ({ farm }) => {
    const { module } = await setModule(farm, NEW);
    await farm.write((db) => recordRows(db, [[module.sensors[1]!.id, farm.now - DAY, 20]]));
    const change = await setModule(farm, { name: 'Olive 1', sensors: ['humidity 60'] });
    expect(change.module.sensors.map(({ depth }) => depth)).toEqual([20, 60]);
    expect(advisoriesOf(change, 'sensors_with_readings_kept')).toMatchObject([
      { sensors: [{ type: 'humidity', depth: 20 }] },
    ]);
  });

  it('gives a probe that comes into a parcel its setup, its missing doses and its schedules', async ({
    farm,
  }) => {
    await farm.declareParcel('Fallow', { system: 'sprinkler', flowMmPerH: 6 });
    await farm.createSchedule({ parcel: 'Fallow', startTimes: ['06:00'], endsOn: '2026-07-04' });
    await setModule(farm, { name: 'Olive 1', ...NEW_SENSORS });
    const { event } = await farm.log('Olive 1', {
      startedAt: 'today 6:00',
      inputMode: 'duration',
      durationMin: 30,
    });
    expect(event.waterMm).toBeNull();
    await setModule(farm, { name: 'Olive 1', parcel: 'Fallow' });
    // 30 min at 6 mm/h; the mornings of 2, 3 and 4 July.
    expect((await farm.watering(event.id)).waterMm).toBe(3);
    expect(await farm.occurrences()).toHaveLength(3);
  });

  it.for([
    [{ name: 'Olive 1', sensors: ['wind 20'] }, 'sensors'],
    [{ name: 'Olive 1', sensors: ['humidity 20', 'moisture 20 cm'] }, 'sensors'],
    [{ name: 'Olive 1', latitude: 43 }, 'longitude'],
    [{ name: 'Olive 1', depthWeights: ['20: 0'] }, 'depthWeights'],
    [{ name: 'Olive 1', uid: 'North 1' }, 'uid'],
    [{ name: 'North 2', newName: 'NORTH 1' }, 'newName'],
    [{ name: 'Olive 1', gateway: '356938035643809' }, 'gateway'],
    [{ name: 'Olive 1', parcel: 'Nowhere' }, 'parcel'],
  ] as const)('refuses %j and adds nothing', async ([args, field], { farm }) => {
    const written = farm.isWrittenBy(() =>
      expect(setModule(farm, { ...NEW_SENSORS, ...args })).rejects.toMatchObject({ field }),
    );
    expect(await written).toBe(false);
  });

  it('adds what differs from another name by punctuation alone, and says so', async ({ farm }) => {
    await setModule(farm, { name: 'A+', ...NEW_SENSORS });
    await expect(setModule(farm, { name: 'A-', parcel: 'Fallow' })).rejects.toMatchObject({
      message: expect.stringContaining('"A+"'),
    });
    const added = await setModule(farm, { name: 'A-', ...NEW_SENSORS });
    expect([added.module.name, added.before]).toEqual(['A-', null]);
    expect(similarNames(added)).toMatchObject([{ existing: 'A+' }]);
    const parcels = [await setParcel(farm, { name: 'B+' }), await setParcel(farm, { name: 'B-' })];
    expect(parcels.map(({ before: earlier }) => earlier)).toEqual([null, null]);
  });
});
