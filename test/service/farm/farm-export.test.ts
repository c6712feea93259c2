import { describe, expect, it } from 'vitest';
import { COMPANY_TABLES, type CompanyTableName } from '../../../src/schema/tables/index.ts';
import { exportFarm } from '../../../src/service/farm/farm-export.ts';
import { importFarm } from '../../../src/service/farm/farm-import.ts';
import { allCompanies } from '../../../src/store/company/companies.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { newEmptyStore } from '../../stores/template-stores.ts';

const NOW = Date.UTC(2026, 6, 1, 12);
const LATER = NOW + 86_400_000;

/** The tables that a farm file describes, with the columns that it leaves to the import. */
const DESCRIBED: Partial<Record<CompanyTableName, readonly string[]>> = {
  users: [],
  parcels: ['farm_installation'],
  seasons: ['set_at'],
  // The file has the version in force.
  water_sources: ['set_at'],
  gateways: [],
  modules: ['farm_installation', 'location_gateway_id', 'moved_at', 'removed_at'],
  sensors: [],
  soil_layers: ['started_at', 'ended_at'],
  // A source is that of a parcel.
  probe_settings: ['set_at', 'water_source'],
  // Weights are those of the sensors of one probe.
  parcel_settings: ['set_at', 'depth_weights'],
  // The file has the version in force.
  installation_versions: ['set_at', 'valid_to'],
  placements: ['set_at'],
};

/** What is recorded, planned, drawn, computed or agreed with others stays in the store. */
const NOT_DESCRIBED: readonly CompanyTableName[] = [
  ...(['readings', 'waterings', 'irrigation_notes', 'rain', 'weather_days'] as const),
  ...(['forecasts', 'schedules'] as const),
  ...(['reading_hours', 'reading_days', 'reading_local_days', 'reading_versions'] as const),
  ...(['annotations', 'alerts', 'alert_recipients', 'alert_states', 'alert_episodes'] as const),
  ...([
    'devices',
    'device_models',
    'device_periods',
    'device_readings',
    'device_status',
    'station_readings',
    'pull_marks',
  ] as const),
  ...(['api_keys', 'sessions', 'changes', 'change_counts', 'idempotency'] as const),
  ...(['outbox', 'probe_doubts', 'doubt_checks', 'unread_messages'] as const),
  ...([
    'pending_plans',
    'pending_doses',
    'change_parts',
    'pending_parts',
    'pending_undos',
    'local_day_zones',
    'reading_retention',
    'daily_rows',
    'recent_deliveries',
    'erasures',
  ] as const),
];

const WATER_TIMES = {
  everyHours: 192,
  turnAt: '2026-07-04T04:00:00.000Z',
  weekdays: null,
  fromTime: null,
  untilTime: '18:00',
  noticeHours: 48,
  seasonFrom: '04-01',
  seasonUntil: '09-30',
  moved: [{ from: '2026-07-12T04:00:00.000Z', to: null }],
  flowLPerH: 72_000,
  leastMm: 40,
  largestMm: 90,
  longestRunMin: 120,
  pauseMin: 30,
  hoursPerDay: 10,
};

const FULL_FARM = {
  company: {
    name: 'Mas Rouge',
    legalName: 'Mas Rouge SARL',
    countryCode: 'FR',
    currency: 'EUR',
    city: 'Lunel',
    postalCode: '34400',
    region: 'Occitanie',
    timezone: 'Europe/Paris',
    units: 'us',
  },
  users: [
    { email: 'ana@example.org', name: 'Ana', role: 'OWNER' },
    { email: 'bo@example.org', name: 'Bo', role: 'VIEWER' },
  ],
  waterSources: [
    { name: 'North canal', waterTimes: WATER_TIMES },
    { name: 'Well', waterTimes: null },
  ],
  parcels: [
    {
      name: 'North block',
      type: 'olive',
      areaM2: 15000,
      geometry: {
        type: 'Polygon',
        coordinates: [
          [
            [3.87, 43.61],
            [3.88, 43.61],
            [3.88, 43.62],
            [3.87, 43.61],
          ],
        ],
      },
      soilProfile: [
        { usdaClass: 'Loam', depthTopCm: 0, depthBottomCm: 60 },
        { usdaClass: 'Sandy clay loam', depthTopCm: 60, depthBottomCm: 120 },
      ],
      installation: {
        system: 'sprinkler',
        flowMmPerH: 6,
        irrigatedAreaM2: 12000,
        fractionWetted: 0.9,
        notes: 'Rented',
        effectiveFrom: '2026-03-20T06:00:00.000Z',
      },
      settings: {
        rootDepthCm: 70,
        stonesByDepth: { '20': 15 },
        emitterDepthCm: 25,
        mulch: 'organic',
        allowedDepletion: 0.55,
        refillPercent: 80,
        efficiencyPercent: 75,
        leachingPercent: 10,
        hoursPerDay: 6,
        restFrom: '11-15',
        restUntil: '02-28',
        waterTimes: WATER_TIMES,
        waterSource: 'North canal',
      },
      season: {
        plantedOn: '2026-03-20',
        harvestedOn: '2026-06-20',
        stage: 'mid',
        stageOn: '2026-05-10',
        earlierStages: [{ stage: 'initial', on: '2026-04-02' }],
        rootDepthCm: 65,
      },
    },
    { name: 'Fallow' },
  ],
  gateways: [
    {
      imei: '356938035643809',
      serialHex: '0123456789abcdef01234567',
      firmware: '2.4.1',
      assignedAt: '2025-01-10T00:00:00.000Z',
      status: {
        lastSeen: '2026-07-01T05:00:00.000Z',
        batteryMv: 3920,
        level: 3,
        lat: 43.6,
        lon: 3.9,
      },
    },
  ],
  modules: [
    {
      uid: 'A1B2C3',
      name: 'North 1',
      number: 1,
      serialHex: '00ff',
      category: 'SOIL_PROBE',
      parcel: 'North block',
      gateway: '356938035643809',
      commissionedAt: '2025-01-11T09:00:00.000Z',
      location: { lat: 43.61, lon: 3.87, source: 'manual' },
      sensors: [
        { type: 'humidity', depth: 10, label: 'top' },
        { type: 'temperature', depth: 10 },
        { type: 'humidity', depth: 30 },
      ],
      calibration: [
        { depthCm: 10, readPercent: 20, truePercent: 23, from: '2025-01-11T09:00:00.000Z' },
        { depthCm: 10, readPercent: 12, truePercent: 14, from: '2026-05-01T00:00:00.000Z' },
        { depthCm: 10, readPercent: 30, truePercent: 29, from: '2026-05-01T00:00:00.000Z' },
        { depthCm: 30, readPercent: 20, truePercent: 18, from: null },
      ],
      settings: {
        rootDepthCm: 60,
        depthWeights: { '10': 0.25, '30': 0.75 },
        stonesByDepth: { '0': 10, '40': 50 },
        emitterDepthCm: 30,
        mulch: 'plastic',
        allowedDepletion: 0.4,
        refillPercent: 90,
        efficiencyPercent: 92,
        leachingPercent: 5,
        hoursPerDay: 2.5,
        restFrom: '12-01',
        restUntil: '01-31',
        waterTimes: WATER_TIMES,
      },
      installation: {
        system: 'drip',
        emitterFlowLph: 1.6,
        emitterSpacingM: 0.5,
        lineSpacingM: 2,
        effectiveFrom: '2026-02-01T00:00:00.000Z',
      },
      placement: { emitterDistanceCm: 15, notes: 'East of the row' },
    },
    {
      uid: 'A1B2C4',
      commissionedAt: '2026-06-01T00:00:00.000Z',
      isCommissioningAssumed: true,
      settings: { restFrom: 'never' },
      installation: { system: 'drip', emitterFlowLph: 2, emittersPerM2: 1.5 },
    },
    { uid: 'A1B2C5', commissionedAt: null },
  ],
};

async function withEmptyStore<T>(body: (store: Store) => Promise<T>): Promise<T> {
  const place = await newEmptyStore();
  const store = await openStore({ db: place.db });
  try {
    return await body(store);
  } finally {
    await store.close();
    await place.remove();
  }
}

const imported = (store: Store, farm: object, now = NOW) =>
  importFarm(store, JSON.stringify(farm), now);

async function exported(store: Store, now = NOW) {
  const [company] = await store.readAll(allCompanies);
  return store.read(company!.id, (db) => exportFarm({ db, now }, company!));
}

type Rows = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;

const rowsIn = (store: Store): Promise<Rows> =>
  store.readAll(async (db) => {
    const rows: Record<string, Rows[string]> = {
      companies: await db.selectFrom('companies').selectAll().execute(),
    };
    for (const table of Object.keys(DESCRIBED))
      rows[table] = await db
        .selectFrom(table as 'users')
        .selectAll()
        .execute();
    const read = JSON.parse(JSON.stringify(rows)) as Rows;
    // PostgreSQL moves a row that is updated.
    const inOrder = (ofTable: Rows[string]) =>
      ofTable.toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));
    return Object.fromEntries(
      Object.entries(read).map(([table, ofTable]) => [table, inOrder(ofTable)]),
    );
  });

const described = (rows: Rows): Rows =>
  Object.fromEntries(
    Object.entries(rows).map(([table, ofTable]) => {
      const left = DESCRIBED[table as CompanyTableName] ?? [];
      const columns = ofTable.map((row) =>
        Object.fromEntries(Object.entries(row).filter(([column]) => !left.includes(column))),
      );
      return [table, columns];
    }),
  );

const unchanged = ({
  plans: _,
  completedDoses: __,
  zoneChange: ___,
  company,
  moduleResults,
  ...tallies
}: Awaited<ReturnType<typeof imported>>): boolean =>
  company.outcome === 'unchanged' &&
  moduleResults.every(({ outcome }) => outcome === 'unchanged') &&
  Object.values(tallies).every(({ created, changed }) => created + changed === 0);

describe('an exported farm', () => {
  it('has each column of the tables that it describes', () =>
    withEmptyStore(async (store) => {
      await imported(store, FULL_FARM);
      for (const [table, ofTable] of Object.entries(described(await rowsIn(store)))) {
        const columns = Object.keys(ofTable[0] ?? {});
        const empty = columns.filter((column) => ofTable.every((row) => row[column] === null));
        expect({ table, isEmpty: columns.length === 0, empty }).toEqual({
          table,
          isEmpty: false,
          empty: [],
        });
      }
    }));

  it('gives an empty store the same rows, and the same file', () =>
    withEmptyStore(async (one) => {
      await imported(one, FULL_FARM);
      const file = await exported(one);
      await withEmptyStore(async (other) => {
        await imported(other, file, LATER);
        expect(described(await rowsIn(other))).toEqual(described(await rowsIn(one)));
        expect(await exported(other, LATER)).toEqual(file);
      });
    }));

  it('changes nothing where it comes from, however often', () =>
    withEmptyStore(async (store) => {
      await imported(store, FULL_FARM);
      const before = await rowsIn(store);
      const file = await exported(store);
      for (const now of [NOW, LATER])
        expect(unchanged(await imported(store, file, now))).toBe(true);
      expect(unchanged(await imported(store, FULL_FARM, LATER))).toBe(true);
      expect(described(await rowsIn(store))).toEqual(described(before));
    }));

  it('says of each table whether it describes it', () => {
    expect(Object.keys(COMPANY_TABLES).sort()).toEqual(
      [...Object.keys(DESCRIBED), ...NOT_DESCRIBED].sort(),
    );
  });
});

describe('a farm file', () => {
  const withModule = (fields: object) => ({
    company: FULL_FARM.company,
    modules: [{ uid: 'A1B2C3', sensors: [{ type: 'humidity', depth: 10 }], ...fields }],
  });
  const withParcel = (fields: object) => ({
    company: FULL_FARM.company,
    parcels: [{ name: 'North block', type: 'olive', ...fields }],
  });

  it('empties all settings, the season and the calibration with null, and keeps what it omits', () =>
    withEmptyStore(async (store) => {
      await imported(store, FULL_FARM);
      await imported(store, {
        ...withParcel({ settings: { refillPercent: 70 } }),
        ...withModule({ settings: { restFrom: null } }),
      });
      const omitting = await exported(store);
      expect(omitting.parcels![0]!.settings).toEqual({
        ...FULL_FARM.parcels[0]!.settings,
        refillPercent: 70,
      });
      const { restFrom: _, restUntil: __, ...others } = FULL_FARM.modules[0]!.settings!;
      expect(omitting.modules![0]!.settings).toEqual(others);

      await imported(store, {
        ...withParcel({ settings: null, season: null }),
        ...withModule({ settings: null, calibration: null }),
      });
      const { parcels, modules } = await exported(store);
      expect(parcels![0]).not.toHaveProperty('settings');
      expect(parcels![0]).not.toHaveProperty('season');
      expect(modules![0]).not.toHaveProperty('settings');
      expect(modules![0]).not.toHaveProperty('calibration');
    }));

  it('keeps the day of a stage that it repeats, and takes another crop for another season', () =>
    withEmptyStore(async (store) => {
      await imported(store, withParcel({ season: { plantedOn: '2026-04-01', stage: 'mid' } }));
      await imported(store, withParcel({ season: { stage: 'mid' } }), LATER);
      const olive = { plantedOn: '2026-04-01', stage: 'mid', stageOn: '2026-07-01' };
      expect((await exported(store)).parcels![0]!.season).toEqual(olive);

      const tomato = withParcel({ type: 'tomato', season: { plantedOn: '2026-06-01' } });
      await imported(store, tomato, LATER);
      expect((await exported(store)).parcels![0]!.season).toEqual({ plantedOn: '2026-06-01' });
    }));

  it('takes commissionedAt for the start of a calibration without a date', () =>
    withEmptyStore(async (store) => {
      const point = { depthCm: 10, readPercent: 20, truePercent: 23 };
      const commissionedAt = '2025-01-11T09:00:00.000Z';
      await imported(store, withModule({ commissionedAt, calibration: [point] }));
      expect((await exported(store)).modules![0]!.calibration).toEqual([
        { ...point, from: commissionedAt },
      ]);
    }));

  it.each<[path: string, farm: object]>([
    [
      'modules[0].calibration',
      withModule({ calibration: [{ depthCm: 20, readPercent: 20, truePercent: 23 }] }),
    ],
    [
      'modules[0].calibration[0].from',
      withModule({
        calibration: [{ depthCm: 10, readPercent: 20, truePercent: 23, from: 'May' }],
      }),
    ],
    [
      'modules[0].calibration',
      withModule({
        calibration: [{ depthCm: 10, readPercent: 20, truePercent: 23, from: '2027-01-01' }],
      }),
    ],
    ['modules[0]', withModule({ settings: { restFrom: '11-15' } })],
    ['modules[0].settings.refillPercent', withModule({ settings: { refillPercent: 120 } })],
    ['modules[0].installation', withModule({ installation: { system: 'drip', lineSpacingM: 2 } })],
    ['parcels[0].settings', withParcel({ settings: { restFrom: '11-15' } })],
    ...[
      { everyHours: 192 },
      { weekdays: [1], seasonFrom: '10-01' },
      { leastMm: 90, largestMm: 10 },
    ].map((waterTimes): [string, object] => [
      'parcels[0].settings',
      withParcel({ settings: { waterTimes } }),
    ]),
    [
      'modules[0].settings.waterTimes.weekdays',
      withModule({ settings: { waterTimes: { weekdays: [] } } }),
    ],
    ['parcels[0].settings.depthWeights', withParcel({ settings: { depthWeights: { '10': 1 } } })],
    [
      'parcels[0].season',
      withParcel({ season: { plantedOn: '2026-05-01', harvestedOn: '2026-04-01' } }),
    ],
  ])('is refused at %s', (path, farm) =>
    withEmptyStore(async (store) => {
      await expect(imported(store, farm)).rejects.toMatchObject({ field: path });
    }),
  );
});
