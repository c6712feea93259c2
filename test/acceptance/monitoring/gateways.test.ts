import { describe, expect, it } from 'vitest';
import { CLOCK, type Json } from '../program.ts';
import { stdioFarm } from '../stdio-farm.ts';

const NOW = Date.parse(CLOCK);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const iso = (at: number): string => new Date(at).toISOString();

const COMMISSIONED = '2025-01-11T09:00:00Z';
const ASSIGNED = '2025-01-10T00:00:00.000Z';

/** The IMEIs of gateways that stand for something; the battery's and the bars' follow below. */
const FULL = '356938035643809';
const NEVER_SEEN = '356938035643810';
const SILENT_FOR_MORE = '356938035643811';
const SILENT_FOR_LESS = '356938035643812';
const EMPTY = '356938035643813';
const CARRYING = '356938035643814';

/** Voltage in mV and charge in %: the points of the table, between two of them, and outside of it. */
const CHARGE = [
  [3300, 0],
  [3600, 15],
  [3700, 40],
  [3800, 60],
  [3950, 80],
  [4200, 100],
  // 15 + 25 / 2, and 80 + 20 / 5.
  [3650, 28],
  [4000, 84],
  [0, 0],
  [3299, 0],
  [5000, 100],
] as const;
const LEVELS = [0, 1, 2, 3, 4] as const;

const ofVoltage = (mv: number) => `1000000000${10_000 + mv}`;
const ofLevel = (level: number) => `20000000000000${level}`;
const moduleOn = (imei: string) => ({
  uid: `on ${imei}`,
  name: `On ${imei}`,
  gateway: imei,
  commissionedAt: COMMISSIONED,
});

const transmitted = (imei: string, status: object) => ({
  imei,
  assignedAt: ASSIGNED,
  status: { lastSeen: iso(NOW - HOUR), ...status },
});

const farm = stdioFarm({
  company: { name: 'Mas Rouge', timezone: 'Europe/Paris' },
  users: [{ email: 'ana@example.org', name: 'Ana', role: 'OWNER' }],
  gateways: [
    {
      ...transmitted(FULL, { batteryMv: 3800, level: 3, lat: 43.6, lon: 3.9 }),
      serialHex: '0123456789abcdef01234567',
      firmware: '2.4.1',
    },
    { imei: NEVER_SEEN, assignedAt: ASSIGNED },
    transmitted(SILENT_FOR_MORE, { lastSeen: iso(NOW - 25 * HOUR) }),
    transmitted(SILENT_FOR_LESS, { lastSeen: iso(NOW - 25 * HOUR + 20 * MINUTE) }),
    transmitted(EMPTY, {}),
    transmitted(CARRYING, {}),
    ...CHARGE.map(([batteryMv]) => transmitted(ofVoltage(batteryMv), { batteryMv })),
    ...LEVELS.map((level) => transmitted(ofLevel(level), { level })),
    // More than a page holds that nobody gave a limit for.
    ...Array.from({ length: 50 }, (_, index) => transmitted(`9000000000000${10 + index}`, {})),
  ],
  modules: [
    ...[FULL, NEVER_SEEN, SILENT_FOR_MORE, SILENT_FOR_LESS].map(moduleOn),
    ...CHARGE.map(([mv]) => moduleOn(ofVoltage(mv))),
    ...LEVELS.map((level) => moduleOn(ofLevel(level))),
    { uid: 'E1', name: 'Boxed', gateway: EMPTY },
    { uid: 'C1', name: 'Named', number: 11, category: 'SOIL_PROBE', gateway: CARRYING, commissionedAt: COMMISSIONED },
    { uid: 'C2', number: 12, category: 'SOIL_PROBE', gateway: CARRYING, commissionedAt: COMMISSIONED },
    { uid: 'C3', number: 3, category: 'WEATHER_STATION', gateway: CARRYING, commissionedAt: COMMISSIONED },
    { uid: 'C4', category: 'TENSIOMETER', gateway: CARRYING, commissionedAt: COMMISSIONED },
    { uid: 'C5', gateway: CARRYING, commissionedAt: COMMISSIONED },
    { uid: 'F1', name: 'Free', category: 'SOIL_PROBE', commissionedAt: COMMISSIONED },
  ],
});

const COUNT = 6 + CHARGE.length + LEVELS.length + 50;

const list = (args = {}) => farm.body('list_gateways', args);
const gateway = async (imei: string, args = {}): Promise<Json> => (await list({ search: imei, ...args })).data[0];
const imeis = ({ data }: Json): string[] => data.map(({ imei }: Json) => imei);
const health = async (imei: string) => (await farm.body('get_module_health', { module: `On ${imei}` })).health;
const moduleNamed = (name: string) => farm.body('get_module', { module: name });

describe('a gateway', () => {
  it('has the fields of the spec, each with its value', async () => {
    const { id, uid } = await moduleNamed(`On ${FULL}`);
    expect(await gateway(FULL)).toEqual({
      id: expect.any(Number),
      imei: FULL,
      serialHex: '0123456789abcdef01234567',
      firmware: '2.4.1',
      assignedAt: ASSIGNED,
      status: 'active',
      lastSeen: iso(NOW - HOUR),
      soc: 60,
      level: 3,
      modules: [{ id, uid, name: `On ${FULL}`, category: null }],
    });
  });

  it('has the id that its modules give for it', async () => {
    expect((await moduleNamed(`On ${FULL}`)).gateway).toEqual({ id: (await gateway(FULL)).id, imei: FULL });
  });

  it('of the oldest has serialHex null, and firmware null until transmitted', async () => {
    expect(await gateway(EMPTY)).toMatchObject({ serialHex: null, firmware: null });
  });

  it('has lastSeen, soc and level null when nothing was ever transmitted', async () => {
    expect(await gateway(NEVER_SEEN)).toMatchObject({ lastSeen: null, soc: null, level: null });
  });

  it('has soc null while its voltage is unknown', async () => {
    expect(await gateway(SILENT_FOR_LESS)).toMatchObject({ lastSeen: expect.any(String), soc: null });
  });

  it.each(CHARGE)('has at %i mV the soc %i', async (mv, soc) => {
    const imei = ofVoltage(mv);
    expect([(await gateway(imei)).soc, (await health(imei)).soc]).toEqual([soc, soc]);
  });

  it.each(LEVELS)('has the level %i, in bars', async (level) => {
    const imei = ofLevel(level);
    expect([(await gateway(imei)).level, (await health(imei)).level]).toEqual([level, level]);
  });

  it.each([
    ['faulty', 'when it transmitted nothing so far', NEVER_SEEN],
    ['faulty', 'after no transmission for more than 25 hours', SILENT_FOR_MORE],
    ['active', 'when it transmitted within 25 hours', SILENT_FOR_LESS],
    ['active', 'when it transmitted an hour ago', FULL],
  ])('is %s %s, in the list as in the health of its modules', async (status, _, imei) => {
    expect([(await gateway(imei)).status, (await health(imei)).status]).toEqual([status, status]);
  });

  it('has modules with id, uid, name and category, names following lang en by default', async () => {
    const { modules } = await gateway(CARRYING);
    expect(modules).toEqual([
      { id: expect.any(Number), uid: 'C1', name: 'Named', category: 'SOIL_PROBE' },
      { id: expect.any(Number), uid: 'C2', name: 'Soil probe 12', category: 'SOIL_PROBE' },
      { id: expect.any(Number), uid: 'C3', name: 'Weather station 3', category: 'WEATHER_STATION' },
      { id: expect.any(Number), uid: 'C4', name: null, category: 'TENSIOMETER' },
      { id: expect.any(Number), uid: 'C5', name: null, category: null },
    ]);
  });

  it('has names of modules in French with lang fr, categories unchanged', async () => {
    const { modules } = await gateway(CARRYING, { lang: 'fr' });
    expect(modules.map(({ name, category }: Json) => [name, category])).toEqual([
      ['Named', 'SOIL_PROBE'],
      ['Sonde 12', 'SOIL_PROBE'],
      ['Station météo 3', 'WEATHER_STATION'],
      [null, 'TENSIOMETER'],
      [null, null],
    ]);
  });

  it('has empty modules when no probe is in service on it: a module never commissioned is none', async () => {
    expect((await gateway(EMPTY)).modules).toEqual([]);
  });
});

describe('GET gateways', () => {
  it('lists all gateways, page after page, sorted by identifier, until next_cursor is null', async () => {
    const seen: Json[] = [];
    let cursor: string | null = null;
    do {
      const page: Json = await list({ limit: 7, ...(cursor !== null && { cursor }) });
      seen.push(...page.data);
      cursor = page.next_cursor;
    } while (cursor !== null);
    const ids = seen.map(({ id }) => id);
    expect(new Set(ids).size).toBe(COUNT);
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
  });

  it('includes those that carry no probe in service', async () => {
    expect(imeis(await list({ search: EMPTY }))).toEqual([EMPTY]);
  });

  it('has data and next_cursor, and no next_cursor where all fit', async () => {
    const page = await list({ search: FULL });
    expect([Object.keys(page).sort(), page.next_cursor]).toEqual([['data', 'next_cursor'], null]);
  });

  it('holds 10 to a page where a tool gives no limit', async () => {
    expect((await list()).data).toHaveLength(10);
  });

  it('has limits from 1 to 200', async () => {
    expect((await list({ limit: 1 })).data).toHaveLength(1);
    expect((await list({ limit: 200 })).data).toHaveLength(COUNT);
  });

  it.each([0, 201, -1, 1.5, 'many'])('refuses the limit %s: invalid_limit', async (limit) => {
    expect(await farm.refusal('list_gateways', { limit })).toMatchObject({
      code: 'invalid_limit',
      status: 400,
      field: 'limit',
    });
  });

  it('refuses a cursor that is broken, or of another list: invalid_cursor', async () => {
    const { next_cursor } = await farm.body('list_modules', { limit: 1 });
    for (const cursor of ['page 2', next_cursor])
      expect(await farm.refusal('list_gateways', { cursor })).toMatchObject({ code: 'invalid_cursor', status: 400 });
  });

  it.each([
    ['a fragment of the serial number', 'cdef0123', [FULL]],
    ['a fragment of the serial number in capitals', 'CDEF0123', [FULL]],
    ['a fragment of the IMEI', '35643811', [SILENT_FOR_MORE]],
    ['what none has', 'zzz', []],
    ['what would match as a pattern only', '3569%', []],
  ])('searches %s', async (_, search, expected) => {
    expect(imeis(await list({ search }))).toEqual(expected);
  });

  it('reads on within a search', async () => {
    const first = await list({ search: '35693803564381', limit: 3 });
    const second = await list({ search: '35693803564381', limit: 3, cursor: first.next_cursor });
    expect([...imeis(first), ...imeis(second)]).toEqual([
      NEVER_SEEN,
      SILENT_FOR_MORE,
      SILENT_FOR_LESS,
      EMPTY,
      CARRYING,
    ]);
    expect(second.next_cursor).toBeNull();
  });

  it('refuses a language other than en and fr: invalid_parameter', async () => {
    expect(await farm.refusal('list_gateways', { lang: 'de' })).toMatchObject({
      code: 'invalid_parameter',
      status: 400,
      field: 'lang',
    });
  });

  it('says which is faulty, and what hangs on it', async () => {
    expect(await farm.summary('list_gateways', { search: NEVER_SEEN })).toContain(
      `Faulty: ${NEVER_SEEN}, never heard of, carrying On ${NEVER_SEEN}.`,
    );
  });
});

describe('GET module health', () => {
  it('answers the GatewayHealth of the gateway that the module is plugged into, charging false', async () => {
    expect(await health(FULL)).toEqual({
      time: iso(NOW - HOUR),
      id: (await gateway(FULL)).id,
      imei: FULL,
      status: 'active',
      soc: 60,
      charging: false,
      level: 3,
    });
  });

  it('has time, soc and level null when nothing was ever transmitted', async () => {
    expect(await health(NEVER_SEEN)).toMatchObject({ time: null, soc: null, level: null, charging: false });
  });

  it('is null for a module in no gateway', async () => {
    expect(await farm.body('get_module_health', { module: 'Free' })).toEqual({ health: null });
  });

  it('without a module is refused: invalid_id', async () => {
    expect(await farm.refusal('get_module_health')).toMatchObject({ code: 'invalid_id', status: 400 });
  });

  it.each(['#9001', 'Boxed'])('of %s, unknown or never commissioned, is 404 not_found', async (module) => {
    expect(await farm.refusal('get_module_health', { module })).toMatchObject({ code: 'not_found', status: 404 });
  });

  it('is said in one sentence', async () => {
    expect(await farm.summary('get_module_health', { module: `On ${FULL}` })).toBe(
      `The gateway of On ${FULL} (${FULL}) is active: last heard of today 11:00 (Europe/Paris), battery 60 %, signal 3 of 4 bars.`,
    );
  });
});
