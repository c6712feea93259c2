import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Json, newFolder, runProgram } from '../program.ts';
import { stdioFarm } from '../stdio-farm.ts';

const COMMISSIONED = '2025-01-11T09:00:00Z';
const ASSIGNED = '2025-01-10T00:00:00Z';

/** Two gateways that told where they are, and one whose GPS is silent. */
const FIRST_GATEWAY = '356938035643809';
const SECOND_GATEWAY = '356938035643810';
const SILENT_GATEWAY = '356938035643811';
const gatewayAt = (imei: string, lat: number, lon: number) => ({
  imei,
  assignedAt: ASSIGNED,
  status: { lastSeen: '2026-07-01T09:00:00Z', lat, lon },
});

const ring = (lon: number, lat: number) => [
  [lon, lat],
  [lon + 0.01, lat],
  [lon + 0.01, lat + 0.01],
  [lon, lat],
];
const POLYGON = { type: 'Polygon', coordinates: [ring(3.87, 43.61)] };
/** With a hole in it. */
const RINGS = {
  type: 'Polygon',
  coordinates: [
    [
      [4, 43],
      [4.1, 43],
      [4.1, 43.1],
      [4, 43.1],
      [4, 43],
    ],
    ring(4.02, 43.01),
  ],
};
const MULTI_POLYGON = { type: 'MultiPolygon', coordinates: [[ring(5, 44)], [ring(6, 44)]] };

const positioned = (uid: string, gateway: string | null, source = 'manual') => ({
  uid,
  name: uid,
  category: 'SOIL_PROBE',
  gateway,
  commissionedAt: COMMISSIONED,
  location: { lat: 43.6, lon: 3.9, source },
});

const numbered = (category: string | null, number: number | null, uid: string) => ({
  uid,
  category,
  number,
  commissionedAt: COMMISSIONED,
});

const COMPANY = {
  name: 'Mas Rouge',
  legalName: 'SCEA Mas Rouge',
  countryCode: 'FR',
  currency: 'EUR',
  city: 'Lunel',
  postalCode: '34400',
  region: 'Occitanie',
  timezone: 'Europe/Paris',
};

const farm = stdioFarm(
  {
    company: COMPANY,
    users: [{ email: 'ana@example.org', name: 'Ana', role: 'OWNER' }],
    parcels: [
      { name: 'North block', type: 'olive', geometry: POLYGON },
      { name: 'Pond field', type: 'Vigne', geometry: RINGS },
      { name: 'Two hills', geometry: MULTI_POLYGON },
      { name: 'Undrawn' },
      ...Array.from({ length: 50 }, (_, index) => ({ name: `Row ${index + 1}` })),
    ],
    gateways: [
      gatewayAt(FIRST_GATEWAY, 43.61, 3.9),
      gatewayAt(SECOND_GATEWAY, 43.6, 3.9),
      { imei: SILENT_GATEWAY, assignedAt: ASSIGNED },
    ],
    modules: [
      {
        uid: 'A1B2C3',
        name: 'North 1',
        number: 1,
        serialHex: '0a0b',
        category: 'SOIL_PROBE',
        parcel: 'North block',
        gateway: FIRST_GATEWAY,
        commissionedAt: COMMISSIONED,
        location: { lat: 43.61, lon: 3.9, source: 'manual' },
        sensors: [30, 10].flatMap((depth) => [
          { type: 'humidity', depth },
          { type: 'temperature', depth, label: `T ${depth}` },
        ]),
      },
      { uid: 'BARE', name: 'Bare', commissionedAt: COMMISSIONED },
      {
        uid: 'SENSORS',
        name: 'Sensors',
        category: 'TENSIOMETER',
        commissionedAt: COMMISSIONED,
        sensors: [{ type: 'temperature' }, { type: 'tensio', depth: 0 }, { type: 'humidity', depth: 12.5 }],
      },
      numbered('SOIL_PROBE', 12, 'N1'),
      numbered('WEATHER_STATION', 3, 'N2'),
      numbered('TENSIOMETER', null, 'N3'),
      { uid: 'BOXED', name: 'Boxed', category: 'SOIL_PROBE', gateway: FIRST_GATEWAY, parcel: 'North block' },
      positioned('Seeded', FIRST_GATEWAY, 'seeded'),
      positioned('By gateway', FIRST_GATEWAY, 'gateway'),
      positioned('Drifted', FIRST_GATEWAY),
      positioned('On the spot', SECOND_GATEWAY),
      positioned('Silent', SILENT_GATEWAY),
      positioned('Moved', FIRST_GATEWAY),
      positioned('Detached', FIRST_GATEWAY),
      positioned('Reconfirmed', FIRST_GATEWAY),
    ],
  },
  {
    company: { name: 'Mas Rouge' },
    modules: [
      { uid: 'Moved', gateway: SECOND_GATEWAY },
      { uid: 'Detached', gateway: null },
      positioned('Reconfirmed', SECOND_GATEWAY),
    ],
  },
);

const moduleNamed = (module: string, args = {}) => farm.body('get_module', { module, ...args });
const locationOf = async (module: string) => (await moduleNamed(module)).location;
const idOfUid = async (uid: string) =>
  `#${(await farm.body('list_modules', { search: uid })).data.find((each: Json) => each.uid === uid).id}`;
const parcels = async (): Promise<Json[]> => (await farm.body('list_parcels', { limit: 200, detail: 'full' })).data;
const parcelNamed = async (name: string) => (await parcels()).find((each) => each.name === name);

describe('a module', () => {
  it('has the fields of the spec, each with its value', async () => {
    const sensor = (type: string, depth: number, label: string) => ({ id: expect.any(Number), type, depth, label });
    expect(await moduleNamed('North 1')).toEqual({
      id: expect.any(Number),
      uid: 'A1B2C3',
      name: 'North 1',
      serialHex: '0a0b',
      category: 'SOIL_PROBE',
      location: { lat: 43.61, lon: 3.9, source: 'manual', stale: false, driftMeters: 0 },
      parcelId: (await parcelNamed('North block')).id,
      sensors: [
        sensor('humidity', 10, 'Moisture 10 cm'),
        sensor('temperature', 10, 'T 10'),
        sensor('humidity', 30, 'Moisture 30 cm'),
        sensor('temperature', 30, 'T 30'),
      ],
      gateway: { id: expect.any(Number), imei: FIRST_GATEWAY },
    });
  });

  it('has serialHex, category, location, parcelId and gateway null where there is none', async () => {
    expect(await moduleNamed('Bare')).toEqual({
      id: expect.any(Number),
      uid: 'BARE',
      name: 'Bare',
      serialHex: null,
      category: null,
      location: null,
      parcelId: null,
      sensors: [],
      gateway: null,
    });
  });

  it.each([
    ['SOIL_PROBE', 'N1', 'Soil probe 12', 'Sonde 12'],
    ['WEATHER_STATION', 'N2', 'Weather station 3', 'Station météo 3'],
    ['TENSIOMETER', 'N3', null, null],
  ])('of category %s without a name has a default name following lang', async (category, uid, en, fr) => {
    const module = await idOfUid(uid);
    expect(await moduleNamed(module)).toMatchObject({ category, name: en });
    expect(await moduleNamed(module, { lang: 'en' })).toMatchObject({ category, name: en });
    expect(await moduleNamed(module, { lang: 'fr' })).toMatchObject({ category, name: fr });
  });

  it('has the name that the customer gave in every lang', async () => {
    for (const lang of ['en', 'fr']) expect((await moduleNamed('North 1', { lang })).name).toBe('North 1');
  });

  it('is found by its default name', async () => {
    expect((await moduleNamed('soil probe 12')).uid).toBe('N1');
  });

  it('has a name that is unique within the company', async () => {
    const file = join(await newFolder(), 'farm.json');
    const modules = ['D1', 'D2'].map((uid) => ({ uid, name: 'Twice', commissionedAt: COMMISSIONED }));
    await writeFile(file, JSON.stringify({ company: { name: 'Mas Rouge' }, modules }));
    await expect(runProgram('import', file, '--db', farm.db)).rejects.toMatchObject({
      stderr: expect.stringContaining('Twice'),
    });
    expect((await farm.body('list_modules', { search: 'Twice' })).data).toEqual([]);
  });

  it('has sensors of type humidity, temperature and tensio, depth in cm from 0 = surface, or null', async () => {
    const { sensors } = await moduleNamed('Sensors');
    expect(new Set(sensors.map(({ type, depth }: Json) => `${type} ${depth}`))).toEqual(
      new Set(['temperature null', 'tensio 0', 'humidity 12.5']),
    );
  });

  it.each([
    ['en', 'Moisture 10 cm', 'Temperature', 'Tension 0 cm'],
    ['fr', 'Humidité 10 cm', 'Température', 'Tension 0 cm'],
  ])('has default labels of sensors in %s', async (lang, ...labels) => {
    const [probe, sensors] = [await moduleNamed('North 1', { lang }), await moduleNamed('Sensors', { lang })];
    const label = ({ sensors }: Json, type: string) => sensors.find((each: Json) => each.type === type).label;
    expect([label(probe, 'humidity'), label(sensors, 'temperature'), label(sensors, 'tensio')]).toEqual(labels);
  });

  it('keeps the label that was given to a sensor in every lang', async () => {
    const { sensors } = await moduleNamed('North 1', { lang: 'fr' });
    expect(sensors.map(({ label }: Json) => label)).toContain('T 10');
  });
});

describe('the location of a module', () => {
  it.each([
    ['manual', 'Drifted'],
    ['seeded', 'Seeded'],
    ['gateway', 'By gateway'],
  ])('has lat, lon and the source %s', async (source, module) => {
    expect(await locationOf(module)).toMatchObject({ lat: 43.6, lon: 3.9, source });
  });

  it('is not stale under the gateway of its declaration', async () => {
    expect(await locationOf('Drifted')).toMatchObject({ stale: false });
  });

  it.each(['Moved', 'Detached'])(
    'is stale when the probe was moved to another gateway or detached: %s',
    async (module) => {
      expect(await locationOf(module)).toMatchObject({ lat: 43.6, lon: 3.9, stale: true });
      expect(await farm.summary('get_module', { module })).toContain('must be reconfirmed');
    },
  );

  it('is not stale any more once it is reconfirmed under the new gateway', async () => {
    expect(await locationOf('Reconfirmed')).toMatchObject({ stale: false });
  });

  it.each<[string, string, number | null]>([
    // 0.01 degree of a great circle of 6,371,008.8 m.
    ['the gap with the gateway’s last GPS position', 'Drifted', 1112],
    ['0 on the spot', 'On the spot', 0],
    ['null if the GPS is silent', 'Silent', null],
    ['null without a gateway', 'Detached', null],
  ])('has driftMeters: %s', async (_, module, metres) => {
    expect(await locationOf(module)).toMatchObject({ driftMeters: metres });
  });
});

describe('GET module', () => {
  it('of one that is owned but was never commissioned is 404 not_found', async () => {
    expect(await farm.refusal('get_module', { module: 'Boxed' })).toMatchObject({ code: 'not_found', status: 404 });
    expect((await farm.body('list_modules', { search: 'Boxed' })).data).toMatchObject([{ uid: 'BOXED' }]);
  });

  it.each(['#9001', 'No such probe'])('of %s, which nobody has, is 404 not_found', async (module) => {
    expect(await farm.refusal('get_module', { module })).toMatchObject({ code: 'not_found', status: 404 });
  });

  it('without a module is refused: invalid_id', async () => {
    expect(await farm.refusal('get_module')).toMatchObject({ code: 'invalid_id', status: 400, field: 'module' });
  });

  it('in a language other than en and fr is refused: invalid_parameter', async () => {
    expect(await farm.refusal('get_module', { module: 'North 1', lang: 'de' })).toMatchObject({
      code: 'invalid_parameter',
      status: 400,
      field: 'lang',
    });
  });

  it('is what the resource of the module gives', async () => {
    expect(await farm.resource('acequia://modules/North%201')).toEqual(await moduleNamed('North 1'));
  });
});

describe('a parcel', () => {
  it('has the fields of the spec, each with its value', async () => {
    expect(await parcelNamed('North block')).toEqual({
      id: expect.any(Number),
      name: 'North block',
      type: 'olive',
      geometry: POLYGON,
    });
  });

  it('has a type that is free text, never translated, or null', async () => {
    expect((await parcelNamed('Pond field')).type).toBe('Vigne');
    expect((await parcelNamed('Two hills')).type).toBeNull();
  });

  it.each([
    ['Polygon', 'North block', POLYGON],
    ['Polygon of several rings', 'Pond field', RINGS],
    ['MultiPolygon', 'Two hills', MULTI_POLYGON],
  ])('has a geometry of type %s with the rings that were declared', async (_, name, geometry) => {
    expect((await parcelNamed(name)).geometry).toEqual(geometry);
  });

  it('has a geometry without rings where none was declared', async () => {
    expect((await parcelNamed('Undrawn')).geometry).toEqual({ type: 'Polygon', coordinates: [] });
  });

  it.each<[string, unknown]>([
    ['is not closed on its first point', [ring(7, 43).slice(0, 3)]],
    ['has a text in a position', [[['east', 43], ...ring(7, 43).slice(1, 3), ['east', 43]]]],
    ['lies off the globe', [ring(200, 43)]],
  ])('of which a ring %s is refused by the import, and nothing is written', async (_, coordinates) => {
    const file = join(await newFolder(), 'farm.json');
    const parcel = { name: 'Wrong', geometry: { type: 'Polygon', coordinates } };
    await writeFile(file, JSON.stringify({ company: { name: 'Mas Rouge' }, parcels: [parcel] }));
    await expect(runProgram('import', file, '--db', farm.db)).rejects.toMatchObject({
      stderr: expect.stringMatching(/\w/),
    });
    expect(await parcelNamed('Wrong')).toBeUndefined();
  });
});

describe('GET parcels', () => {
  it('holds 10 to a page where a tool gives no limit', async () => {
    expect((await farm.body('list_parcels')).data).toHaveLength(10);
  });

  it('lists every parcel once from page to page, until null marks the last', async () => {
    const names: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Json = await farm.body('list_parcels', { limit: 20, ...(cursor !== null && { cursor }) });
      names.push(...page.data.map(({ name }: Json) => name));
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(names).toEqual((await parcels()).map(({ name }) => name));
    expect(new Set(names).size).toBe(54);
  });

  it.each([0, 201, 1.5, 'many'])('refuses the limit %s: invalid_limit', async (limit) => {
    expect(await farm.refusal('list_parcels', { limit })).toMatchObject({ code: 'invalid_limit', status: 400 });
  });

  it('refuses a cursor that is broken, or of another list: invalid_cursor', async () => {
    const { next_cursor } = await farm.body('list_modules', { limit: 1 });
    for (const cursor of ['page 2', next_cursor])
      expect(await farm.refusal('list_parcels', { cursor })).toMatchObject({ code: 'invalid_cursor', status: 400 });
  });
});

describe('GET company', () => {
  it('answers every field of the company', async () => {
    expect(await farm.body('get_company')).toEqual({ id: 1, ...COMPANY });
  });
});

describe('GET company of one that declared its name alone', () => {
  const bare = stdioFarm({
    company: { name: 'Mas Bleu' },
    users: [{ email: 'bo@example.org', name: 'Bo', role: 'OWNER' }],
  });

  it('answers null for the others', async () => {
    expect(await bare.body('get_company')).toEqual({
      id: 1,
      name: 'Mas Bleu',
      legalName: null,
      countryCode: null,
      currency: null,
      city: null,
      postalCode: null,
      region: null,
      timezone: null,
    });
  });

  it('says that its zone is by default Europe/Paris', async () => {
    expect(await bare.summary('get_company')).toContain('Europe/Paris');
  });
});

/** The ten lists and their codes. Source: spec, "Enumerations catalog". */
const CODES = {
  measurement_types: ['humidity', 'temperature', 'tensio'],
  company_roles: ['OWNER', 'MANAGER', 'VIEWER'],
  agronomic_states: ['saturated', 'comfort', 'stress'],
  irrigation_systems: ['drip', 'micro_sprinkler', 'sprinkler', 'pivot', 'gravity', 'manual', 'other'],
  irrigation_input_modes: ['duration', 'depth_mm', 'volume_m3'],
  irrigation_event_statuses: ['planned', 'done', 'skipped'],
  irrigation_event_sources: ['manual', 'schedule', 'api', 'mcp'],
  irrigation_schedule_freqs: ['daily', 'weekly'],
  irrigation_confirmation_policies: ['auto', 'manual'],
  irrigation_warnings: ['NO_INSTALLATION', 'MISSING_FLOW_RATE', 'MISSING_IRRIGATED_AREA', 'DEFAULT_FRACTION_WETTED'],
};

describe('GET enums', () => {
  it('answers the ten lists of the catalog, and no other', async () => {
    expect(Object.keys(await farm.body('get_enums')).sort()).toEqual(Object.keys(CODES).sort());
  });

  it.each(Object.entries(CODES))(
    'lists %s as code and label, labels in the lang that is asked for',
    async (name, codes) => {
      const [en, fr] = [await farm.body('get_enums', { lang: 'en' }), await farm.body('get_enums', { lang: 'fr' })];
      for (const lists of [en, fr])
        expect(lists[name]).toEqual(codes.map((code) => ({ code, label: expect.stringMatching(/\S/) })));
      expect(fr[name]).not.toEqual(en[name]);
    },
  );

  it('is in English by default, and in no other language than en and fr: invalid_parameter', async () => {
    expect(await farm.body('get_enums')).toEqual(await farm.body('get_enums', { lang: 'en' }));
    expect(await farm.refusal('get_enums', { lang: 'de' })).toMatchObject({ code: 'invalid_parameter', field: 'lang' });
  });

  it.each(['en', 'fr'])('is what the resource of the catalog gives in %s', async (lang) => {
    expect(await farm.resource(`acequia://catalog/enums?lang=${lang}`)).toEqual(await farm.body('get_enums', { lang }));
  });
});
