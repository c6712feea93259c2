import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AcequiaError } from '../../../src/schema/error.ts';
import { importFarm } from '../../../src/service/farm/farm-import.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { wateringRow } from '../../store/sample-rows.ts';
import type { StoreLocation } from '../../stores/stores.ts';
import { newEmptyStore } from '../../stores/template-stores.ts';

const NOW = Date.UTC(2026, 6, 1, 12);
const LATER = NOW + 86_400_000;

let place: StoreLocation;
let store: Store;
beforeEach(async () => {
  place = await newEmptyStore();
  store = await openStore({ db: place.db });
});
afterEach(async () => {
  await store.close();
  await place.remove();
});

const RING = [
  [3.87, 43.61],
  [3.88, 43.61],
  [3.88, 43.62],
  [3.87, 43.61],
];

const masRouge = () => ({
  company: { name: 'Mas Rouge', countryCode: 'FR', currency: 'EUR', timezone: 'Europe/Paris' },
  users: [{ email: 'ana@example.org', name: 'Ana', role: 'OWNER' }],
  parcels: [
    {
      name: 'North block',
      type: 'olive',
      geometry: { type: 'Polygon', coordinates: [RING] },
      soilProfile: [{ usdaClass: 'Loam', depthTopCm: 0, depthBottomCm: 60 }],
      installation: { system: 'sprinkler', flowMmPerH: 6 },
    },
  ],
  gateways: [
    {
      imei: '356938035643809',
      serialHex: '0123456789abcdef01234567',
      firmware: '2.4.1',
      assignedAt: '2025-01-10T00:00:00Z',
      status: { lastSeen: '2026-07-01T05:00:00Z', batteryMv: 3920, level: 3, lat: 43.6, lon: 3.9 },
    },
  ],
  modules: [
    {
      uid: 'A1B2C3',
      name: 'North 1',
      number: 1,
      serialHex: null,
      category: 'SOIL_PROBE',
      parcel: 'North block',
      gateway: '356938035643809',
      commissionedAt: '2025-01-11T09:00:00',
      location: { lat: 43.61, lon: 3.87, source: 'manual' },
      sensors: [
        { type: 'humidity', depth: 10, label: null },
        { type: 'temperature', depth: 10 },
      ],
      settings: { rootDepthCm: 60, depthWeights: { '10': 0.5, '20': 0.5 } },
      installation: { system: 'drip', emitterFlowLph: 1.6, emittersPerM2: 2 },
    },
  ],
});

// biome-ignore lint/suspicious/noExplicitAny: the tests put all kinds of wrong things into it
type AnyFarm = any;

const imported = (farm: AnyFarm, now = NOW) => importFarm(store, JSON.stringify(farm), now);

function changed(change: (farm: AnyFarm) => void): AnyFarm {
  const farm = masRouge();
  change(farm);
  return farm;
}

const TABLES = [
  'users',
  'parcels',
  'gateways',
  'modules',
  'sensors',
  'soil_layers',
  'installation_versions',
] as const;

const everything = () =>
  store.readAll(async (db) => {
    const rows: Record<string, object[]> = {
      companies: await db.selectFrom('companies').selectAll().orderBy('id').execute(),
    };
    rows.probe_settings = await db
      .selectFrom('probe_settings')
      .selectAll()
      .orderBy('valid_from')
      .execute();
    for (const table of TABLES)
      rows[table] = await db.selectFrom(table).selectAll().orderBy('id').execute();
    return JSON.parse(JSON.stringify(rows)) as Record<string, Record<string, unknown>[]>;
  });

const refusal = async (farm: AnyFarm): Promise<AcequiaError> =>
  imported(farm).then(
    () => expect.unreachable('it was imported'),
    (error) => error,
  );
const change = (of: (farm: AnyFarm) => object, fields: object, now?: number) =>
  imported(
    changed((farm) => Object.assign(of(farm), fields)),
    now,
  );

async function expectRefusal(
  path: string,
  why: RegExp,
  spoil: (farm: AnyFarm) => void,
): Promise<void> {
  const error = await refusal(changed(spoil));
  expect(error).toMatchObject({
    name: 'AcequiaError',
    code: 'invalid_body',
    status: 400,
    field: path,
  });
  expect(error.message.startsWith(`${path} `)).toBe(true);
  expect(error.message).toMatch(why);
  expect((await everything()).companies).toEqual([]);
}

describe('a farm file', () => {
  it('creates everything that it declares, with ids from 1', async () => {
    const report = await imported(masRouge());
    const one = { created: 1, changed: 0, unchanged: 0 };
    expect(report).toEqual({
      company: { id: 1, name: 'Mas Rouge', outcome: 'created' },
      users: one,
      waterSources: { created: 0, changed: 0, unchanged: 0 },
      parcels: one,
      gateways: one,
      modules: one,
      sensors: { created: 2, changed: 0, unchanged: 0 },
      soilLayers: one,
      installations: { created: 2, changed: 0, unchanged: 0 },
      moduleResults: [{ id: 1, uid: 'A1B2C3', name: 'North 1', outcome: 'created' }],
      completedDoses: 0,
      plans: { added: 0, changed: 0, removed: 0 },
      zoneChange: [],
    });
    const rows = await everything();
    expect(rows.modules).toEqual([
      {
        id: 1,
        company_id: 1,
        uid: 'A1B2C3',
        name: 'North 1',
        number: 1,
        serial_hex: null,
        category: 'SOIL_PROBE',
        parcel_id: 1,
        gateway_id: 1,
        commissioned_at: Date.UTC(2025, 0, 11, 8),
        commissioning_is_assumed: 0,
        moved_at: null,
        lat: 43.61,
        lon: 3.87,
        location_source: 'manual',
        location_gateway_id: 1,
        farm_installation: '{"system":"drip","emitterFlowLph":1.6,"emittersPerM2":2}',
        removed_at: null,
      },
    ]);
    expect(rows.probe_settings).toMatchObject([
      {
        module_id: 1,
        valid_from: 0,
        set_at: NOW,
        root_depth_cm: 60,
        depth_weights: '{"10":0.5,"20":0.5}',
      },
    ]);
    expect(rows.gateways![0]).toMatchObject({
      last_seen_at: Date.UTC(2026, 6, 1, 5),
      battery_mv: 3920,
      level: 3,
    });
    // Loam is the sixth class by decreasing sand, then increasing clay.
    expect(rows.soil_layers).toMatchObject([
      { parcel_id: 1, soil_horizon_id: 6, started_at: NOW, ended_at: null },
    ]);
  });

  it('changes nothing when it is imported again', async () => {
    await imported(masRouge());
    const before = await everything();
    const report = await imported(masRouge(), LATER);
    expect(await everything()).toEqual(before);
    const tallies = Object.entries(report).filter(
      ([, value]) => value !== null && typeof value === 'object' && 'created' in value,
    );
    expect(tallies).toHaveLength(8);
    for (const [, tally] of tallies) expect(tally).toMatchObject({ created: 0, changed: 0 });
    expect(report.company.outcome).toBe('unchanged');
  });

  it('changes only the fields it has', async () => {
    await imported(masRouge());
    const before = await everything();
    const report = await imported({
      company: { name: 'Mas Rouge', city: 'Lodève' },
      gateways: [
        {
          imei: '356938035643809',
          assignedAt: '2025-01-10T00:00:00Z',
          status: { lastSeen: '2026-07-01T06:00:00Z' },
        },
      ],
      modules: [
        {
          uid: 'A1B2C3',
          name: 'North one',
          settings: { rootDepthCm: null },
          sensors: [{ type: 'humidity', depth: 20 }],
        },
      ],
    });
    expect(report).toMatchObject({
      company: { outcome: 'changed' },
      gateways: { changed: 1 },
      modules: { changed: 1 },
      sensors: { created: 1 },
    });
    const after = await everything();
    expect(after.companies).toEqual([{ ...before.companies![0], city: 'Lodève' }]);
    expect(after.gateways).toEqual([
      { ...before.gateways![0], last_seen_at: Date.UTC(2026, 6, 1, 6) },
    ]);
    expect(after.modules).toEqual([{ ...before.modules![0], name: 'North one' }]);
    expect(after.probe_settings).toMatchObject([
      { root_depth_cm: 60 },
      { valid_from: NOW, root_depth_cm: null },
    ]);
    expect(after.sensors!.slice(0, 2)).toEqual(before.sensors);
    expect(after.installation_versions).toEqual(before.installation_versions);
  });

  it('empties a field that is null', async () => {
    await imported(masRouge());
    await change((farm) => farm.modules[0], {
      parcel: null,
      gateway: null,
      location: null,
      number: null,
    });
    expect((await everything()).modules![0]).toMatchObject({
      parcel_id: null,
      gateway_id: null,
      number: null,
      lat: null,
      lon: null,
      location_source: null,
      location_gateway_id: null,
    });
  });

  it('keeps the gateway of a declared position until the position is declared again', async () => {
    const second = { imei: '356938035643810', assignedAt: '2025-01-10T00:00:00Z' };
    await imported(masRouge());
    await imported({
      company: { name: 'Mas Rouge' },
      gateways: [second],
      modules: [{ uid: 'A1B2C3', gateway: second.imei }],
    });
    expect((await everything()).modules![0]).toMatchObject({
      gateway_id: 2,
      location_gateway_id: 1,
    });
    const location = masRouge().modules[0]!.location;
    await imported({ company: { name: 'Mas Rouge' }, modules: [{ uid: 'A1B2C3', location }] });
    expect((await everything()).modules![0]).toMatchObject({
      gateway_id: 2,
      location_gateway_id: 2,
    });
  });

  it('can add a second company', async () => {
    await imported(masRouge());
    const second = changed((farm) => Object.assign(farm.company, { name: 'Mas Bleu' }));
    const report = await importFarm(store, JSON.stringify(second), NOW, { newCompany: true });
    expect(report.company).toMatchObject({ id: 2, outcome: 'created' });
    expect(report.moduleResults).toMatchObject([{ id: 2, outcome: 'created' }]);
    const rows = await everything();
    expect(rows.modules!.map(({ company_id, parcel_id }) => [company_id, parcel_id])).toEqual([
      [1, 1],
      [2, 2],
    ]);
  });

  it('recognizes a user by the address without case', async () => {
    await imported(masRouge());
    await imported({
      company: { name: 'Mas Rouge' },
      users: [{ email: 'Ana@Example.org', name: 'Ana', role: 'MANAGER' }],
    });
    expect((await everything()).users).toMatchObject([{ role: 'MANAGER' }]);
  });

  it('can swap the names of two modules', async () => {
    const modules = (a: string, b: string) => [
      { uid: 'A', name: a },
      { uid: 'B', name: b },
    ];
    await imported({ company: { name: 'Mas Rouge' }, modules: modules('one', 'two') });
    await imported({ company: { name: 'Mas Rouge' }, modules: modules('two', 'one') });
    expect((await everything()).modules!.map(({ name }) => name)).toEqual(['two', 'one']);
  });

  it('ignores the order of weights', async () => {
    await imported(masRouge());
    const report = await change((farm) => farm.modules[0].settings, {
      depthWeights: { '20': 0.5, '10': 0.5 },
    });
    expect(report.modules).toMatchObject({ unchanged: 1 });
  });

  it('accepts an outline without coordinates, and a byte order mark', async () => {
    const farm = changed((each) => Object.assign(each.parcels[0].geometry, { coordinates: [] }));
    expect((await importFarm(store, `\uFEFF${JSON.stringify(farm)}`, NOW)).parcels.created).toBe(1);
  });
});

describe('an installation of a farm file', () => {
  const versions = async () =>
    (await everything()).installation_versions!.map(({ scope, system, valid_from, valid_to }) => [
      scope,
      system,
      valid_from,
      valid_to,
    ]);

  it('does not undo a later change when an older file is imported again', async () => {
    await imported(masRouge());
    await change((farm) => farm.modules[0].installation, { emitterFlowLph: 2 }, LATER);
    const before = await everything();
    const report = await imported(masRouge(), LATER + 86_400_000);
    expect(report.installations).toEqual({ created: 0, changed: 0, unchanged: 2 });
    expect((await everything()).installation_versions).toEqual(before.installation_versions);
  });

  it('starts in 1970 if it is the first, on a probe and on its parcel', async () => {
    await imported(masRouge());
    expect(await versions()).toEqual([
      ['module', 'drip', 0, null],
      ['parcel', 'sprinkler', 0, null],
    ]);
  });

  it('ignores a rate beside both figures of emitters, whatever its value', async () => {
    await imported(masRouge());
    await change((farm) => farm.modules[0].installation, { flowMmPerH: -5 }, LATER);
    expect(await versions()).toEqual([
      ['module', 'drip', 0, null],
      ['parcel', 'sprinkler', 0, null],
    ]);
  });

  it('becomes a new version from now on if it differs', async () => {
    await imported(masRouge());
    const report = await change(
      (farm) => farm.modules[0].installation,
      { emitterFlowLph: 2 },
      LATER,
    );
    expect(report.installations).toEqual({ created: 0, changed: 1, unchanged: 1 });
    expect(await versions()).toEqual([
      ['module', 'drip', 0, LATER],
      ['parcel', 'sprinkler', 0, null],
      ['module', 'drip', LATER, null],
    ]);
  });

  it('starts at effectiveFrom, in the zone of the company', async () => {
    await change((farm) => farm.parcels[0].installation, { effectiveFrom: '2026-03-01T00:00' });
    expect((await versions())[1]).toEqual(['parcel', 'sprinkler', Date.UTC(2026, 1, 28, 23), null]);
    await change(
      (farm) => farm.parcels[0].installation,
      { effectiveFrom: '2026-03-01T00:00' },
      LATER,
    );
    expect(await versions()).toHaveLength(2);
  });

  it('completes the waterings that lack a dose', async () => {
    const [module] = masRouge().modules;
    await change((farm) => farm, {
      parcels: [],
      modules: [{ ...module, parcel: null, installation: null }],
    });
    await store.write(1, (db) =>
      db
        .insertInto('waterings')
        .values(wateringRow(1, 'x', NOW - 1000))
        .execute(),
    );
    const report = await change((farm) => farm, {
      parcels: [],
      modules: [{ ...module, parcel: null }],
    });
    expect(report.completedDoses).toBe(1);
    const row = await store.read(1, (db) =>
      db.selectFrom('waterings').select('water_mm').executeTakeFirstOrThrow(),
    );
    // 1.6 L/h x 2 emitters per m2 = 3.2 mm/h, for 45 minutes.
    expect(row.water_mm).toBeCloseTo(2.4, 12);
  });

  it('is refused with its place in the file', async () => {
    const farm = changed((each) =>
      Object.assign(each.modules[0].installation, { effectiveFrom: '2026-07-02T00:00' }),
    );
    expect((await refusal(farm)).message).toMatch(
      /^modules\[0\]\.installation: effectiveFrom 2026-07-01T22:00:00\.000Z is in the future/,
    );
  });
});

describe('a soil profile of a farm file', () => {
  it('replaces the layer with the same top, and keeps the others', async () => {
    const withProfile = (...soilProfile: object[]) =>
      changed((farm) => Object.assign(farm.parcels[0], { soilProfile }));
    const sand = { usdaClass: 'Sand', depthTopCm: 0, depthBottomCm: 30 };
    const clay = { usdaClass: 'Clay', depthTopCm: 30, depthBottomCm: 60 };
    await imported(withProfile(sand, clay));
    const report = await imported(withProfile({ ...sand, usdaClass: 'Loamy sand' }, clay), LATER);
    expect(report.soilLayers).toEqual({ created: 0, changed: 1, unchanged: 1 });
    expect((await everything()).soil_layers).toMatchObject([
      { soil_horizon_id: 1, depth_top_cm: 0, started_at: NOW, ended_at: LATER },
      { soil_horizon_id: 8, depth_top_cm: 30, started_at: NOW, ended_at: null },
      { soil_horizon_id: 2, depth_top_cm: 0, started_at: LATER, ended_at: null },
    ]);
  });
});

it('refuses a soil profile of more layers than a parcel can have, also with those already there', async () => {
  const withLayers = (from: number, count: number) =>
    changed((farm) =>
      Object.assign(farm.parcels[0], {
        soilProfile: Array.from({ length: count }, (_, index) => ({
          usdaClass: 'Loam',
          depthTopCm: from + index,
          depthBottomCm: from + index + 1,
        })),
      }),
    );
  await imported(withLayers(0, 50));
  expect((await refusal(withLayers(50, 1))).message).toMatch(
    /^parcels\[0\]\.soilProfile: the profile would have 51 layers/,
  );
  await imported(withLayers(49, 1));
});

describe('an invalid farm file', () => {
  it.each<[path: string, why: RegExp, value: unknown]>([
    ['company', /is missing/, undefined],
    ['company.name', /is not valid: expected the name of the company/, ' '],
    ['company.timezone', /IANA/, 'Europe/Pari'],
    ['company.timezone', /Europe\/London or Asia\/Dhaka/, 'BST'],
    ['company.countryCode', /ISO 3166/, 'UK'],
    ['company.currency', /ISO 4217/, 'EURO'],
    ['company.timezon', /is not known there; did you mean timezone\?/, 'Europe/Paris'],
    [
      'probes',
      /is not known there; the known keys are company, users, waterSources, parcels, gateways, modules/,
      [],
    ],
    ['users[0].role', /OWNER, MANAGER, VIEWER/, 'BOSS'],
    ['users[0].email', /e-mail/, 'ana'],
    ['parcels[0].geometry.type', /Polygon or MultiPolygon/, 'Point'],
    ['parcels[0].soilProfile[0].usdaClass', /Sandy clay loam/, 'loam'],
    ['parcels[0].installation.system', /Give one of drip/, 'hose'],
    ['parcels[0].installation.flowMmPerH', /\d mm\/h/, '6'],
    ['gateways[0].imei', /15 digits/, '35693803564380'],
    ['gateways[0].serialHex', /24 hexadecimal/, 'xyz'],
    ['gateways[0].assignedAt', /is missing/, undefined],
    ['gateways[0].assignedAt', /30 February 2025 does not exist/, '2025-02-30T00:00'],
    ['gateways[0].status.level', /0 to 4/, 5],
    ['gateways[0].status.lat', /both lat and lon/, undefined],
    ['modules[0].uid', /is missing/, undefined],
    ['modules[0].category', /WEATHER_STATION/, 'PROBE'],
    ['modules[0].parcel', /"South block", which is not a parcel/, 'South block'],
    ['modules[0].gateway', /which is not a gateway/, '111111111111111'],
    ['modules[0].location.lat', /-90 to 90/, 91],
    ['modules[0].sensors[0].depth', /a depth in cm/, 'ten'],
    ['modules[0].settings.depthWeights', /at least one above 0/, { '10': 0 }],
    ['modules[0].settings.depthWeights', /weights by depth/, { top: 1 }],
  ])('is refused at %s: %s', async (path, why, value) => {
    const keys = path.split(/[.[\]]+/).filter((key) => key !== '');
    const last = keys.pop()!;
    await expectRefusal(path, why, (farm) => {
      keys.reduce((node, key) => node[key], farm)[last] = value;
    });
  });

  it.each<[path: string, why: RegExp, change: (farm: AnyFarm) => void]>([
    [
      'users[1].email',
      /repeats that of users\[0\]/,
      (farm) => farm.users.push({ ...farm.users[0], email: 'ANA@example.org' }),
    ],
    [
      'parcels[1].name',
      /repeats that of parcels\[0\]: "North block"/,
      (farm) => farm.parcels.push(farm.parcels[0]),
    ],
    [
      'parcels[0].geometry.coordinates[0][3]',
      /closes it/,
      (farm) => farm.parcels[0].geometry.coordinates.splice(0, 1, [...RING.slice(0, 3), [1, 1]]),
    ],
    [
      'parcels[0].soilProfile[0].depthBottomCm',
      /below the top/,
      (farm) => Object.assign(farm.parcels[0].soilProfile[0], { depthTopCm: 60 }),
    ],
    [
      'parcels[0].soilProfile[1]',
      /overlaps parcels\[0\]\.soilProfile\[0\]/,
      (farm) =>
        farm.parcels[0].soilProfile.push({ usdaClass: 'Clay', depthTopCm: 59, depthBottomCm: 90 }),
    ],
    [
      'gateways[1].imei',
      /repeats that of gateways\[0\]/,
      (farm) => farm.gateways.push(farm.gateways[0]),
    ],
    [
      'modules[1].uid',
      /repeats that of modules\[0\]/,
      (farm) => farm.modules.push({ ...farm.modules[0], name: 'other' }),
    ],
    [
      'modules[1].name',
      /repeats that of modules\[0\]/,
      (farm) => farm.modules.push({ ...farm.modules[0], uid: 'other' }),
    ],
    [
      'modules[0].sensors[2].depth',
      /repeats that of modules\[0\]\.sensors\[0\]/,
      (farm) => farm.modules[0].sensors.push({ type: 'humidity', depth: 10 }),
    ],
    [
      'modules[0].settings.depthWeights["10"]',
      /a weight from 0 up/,
      (farm) => Object.assign(farm.modules[0].settings, { depthWeights: { '10': -1 } }),
    ],
  ])('is refused at %s for a whole change: %s', expectRefusal);

  it('is refused with line and column if it is not JSON', async () => {
    await expect(importFarm(store, '{\n  "company": {,}\n}', NOW)).rejects.toThrow(
      /line 2, column 15/,
    );
    await expect(importFarm(store, '{ "company": ', NOW)).rejects.toThrow(/line 1, column 14/);
    await expect(importFarm(store, '', NOW)).rejects.toThrow(/line 1, column 1/);
  });

  it.each([
    ['a bare word', '{\n  "company": "[, :",\n  "modules": yes\n}', 'line 3, column 14'],
    ['a value in single quotes', `{\n  "company": 'Mas'\n}`, 'line 2, column 14'],
    ['a misspelt literal', '{\n  "dryRun": True,\n  "modules": []\n}', 'line 2, column 13'],
    ['a comma for a value', '{\n  "company": ,\n  "modules": []\n}', 'line 2, column 14'],
    [
      'a comma after the last of a list',
      '{\n  "modules": [],\n  "users": [1, ]\n}',
      'line 3, column 16',
    ],
    ['no-break spaces', '{\n  "modules": [],\n  "users":\u00a0[]\n}', 'line 3, column 11'],
    ['a byte order mark', '\ufeff{ "company": {,} }', 'line 1, column 15'],
  ])('is refused with line and column for %s', async (_, text, place) => {
    await expect(importFarm(store, text, NOW)).rejects.toThrow(`something is wrong at ${place}.`);
  });

  it('is not imported in part', async () => {
    await imported(masRouge());
    const before = await everything();
    const farm = changed((each) => {
      each.company.city = 'Lodève';
      each.parcels.push({ name: 'South block' });
      each.modules[0].installation = { system: 'pivot', effectiveFrom: '1970-01-01T00:00:00Z' };
    });
    expect((await refusal(farm)).message).toMatch(
      /^modules\[0\]\.installation: A setup version of this target already starts/,
    );
    expect(await everything()).toEqual(before);
  });

  it('cannot give a module the name of another', async () => {
    await imported(masRouge());
    const farm = { company: { name: 'Mas Rouge' }, modules: [{ uid: 'OTHER', name: 'North 1' }] };
    expect((await refusal(farm)).message).toBe(
      'modules[0].name is "North 1", the name of module "A1B2C3".',
    );
  });

  it('is refused with five faults and the number of others', async () => {
    const farm = { company: { name: 'Mas Rouge' }, modules: Array.from({ length: 7 }, () => ({})) };
    const { message } = await refusal(farm);
    expect(message.split('\n')).toHaveLength(6);
    expect(message).toMatch(/and 2 more$/);
  });

  it.each(['null', '[]', '"farm"', '7'])('is refused unless it is an object: %s', async (text) => {
    await expect(importFarm(store, text, NOW)).rejects.toMatchObject({ code: 'invalid_body' });
  });

  it('is refused for a text with U+0000', async () => {
    const farm = masRouge();
    farm.modules[0]!.name = 'North\u00001';
    expect((await refusal(farm)).message).toMatch(
      /^modules\[0\]\.name contains the character U\+0000/,
    );
  });
});
