import fc from 'fast-check';
import { importFarmFile, importReadingsCsv } from '../../../imported-data.ts';
import { CLOCK } from '../../program.ts';

const NOW = Date.parse(CLOCK);
const HOUR = 3_600_000;

interface SensorHistory {
  /** Hours since the last reading; null for a module without readings. */
  readonly silentHours: number | null;
  readonly driest: number;
}

export interface RandomFarm {
  readonly file: {
    readonly parcels: readonly { readonly name: string }[];
    readonly modules: readonly {
      readonly uid: string;
      readonly name: string;
      readonly sensors: readonly { readonly type: string; readonly depth: number }[];
    }[];
  };
  readonly histories: readonly SensorHistory[];
}

const equipment = fc.constantFrom(
  undefined,
  { system: 'drip', emitterFlowLph: 1.6, emittersPerM2: 2 },
  { system: 'sprinkler', flowMmPerH: 6, irrigatedAreaM2: 12_000, notes: 'A "note"\nof two lines' },
  { system: 'micro_sprinkler' },
);
const soilProfile = fc.constantFrom(
  undefined,
  [{ usdaClass: 'Loam', depthTopCm: 0, depthBottomCm: 80 }],
  [
    { usdaClass: 'Sand', depthTopCm: 0, depthBottomCm: 20 },
    { usdaClass: 'Clay', depthTopCm: 40, depthBottomCm: 60 },
  ],
);

const name = fc.constantFrom('North', 'Côte d’Azur', 'East "old"', 'חלקה', 'Tab\\back', 'Öl', 'Ñandú');

const parcel = fc.record({ name, type: fc.constantFrom(null, 'olive'), soilProfile, installation: equipment });

const module = fc.record({
  category: fc.constantFrom('SOIL_PROBE', 'SOIL_PROBE', 'SOIL_PROBE', 'TENSIOMETER', 'WEATHER_STATION', null),
  isInParcel: fc.boolean(),
  commissionedAt: fc.constantFrom(...Array(5).fill('2025-01-11T09:00:00Z'), null),
  depths: fc.uniqueArray(fc.constantFrom(10, 20, 40, 60), { maxLength: 3 }),
  installation: equipment,
  settings: fc.constantFrom(null, { rootDepthCm: 50 }),
  isOnGateway: fc.boolean(),
  silentHours: fc.constantFrom(0, 0, 30, null),
  driest: fc.integer({ min: 5, max: 30 }),
});

const company = fc.record({
  name: fc.constant('Mas Rouge'),
  countryCode: fc.constantFrom(null, 'FR', 'US'),
  timezone: fc.constantFrom(null, 'Europe/Paris', 'America/New_York', 'Australia/Lord_Howe'),
});

export const randomFarms: fc.Arbitrary<RandomFarm> = fc
  .record({
    company,
    parcels: fc.uniqueArray(parcel, { selector: (each) => each.name, minLength: 1, maxLength: 3 }),
    modules: fc.array(module, { minLength: 2, maxLength: 6 }),
  })
  .map(({ company, parcels, modules }) => ({
    file: {
      company,
      users: [{ email: 'ana@example.org', name: 'Ana', role: 'OWNER' }],
      parcels: parcels.map((each, index) => ({ ...each, name: `${each.name} ${index}` })),
      gateways: [{ imei: '356938035643809', assignedAt: '2025-01-10T00:00:00Z' }],
      modules: modules.map(({ isInParcel, isOnGateway, depths, silentHours: _, driest: __, ...each }, index) => ({
        ...each,
        uid: `M${index}`,
        name: `Module ${index}`,
        parcel: isInParcel ? `${parcels[0]!.name} 0` : null,
        gateway: isOnGateway ? '356938035643809' : null,
        sensors: depths.map((depth) => ({ type: each.category === 'TENSIOMETER' ? 'tensio' : 'humidity', depth })),
      })),
    },
    histories: modules.map(({ silentHours: silentFor, driest }) => ({ silentHours: silentFor, driest })),
  }));

function readingsOf({ file, histories }: RandomFarm): string {
  const rows = file.modules.flatMap(({ uid, sensors }, index) => {
    const { silentHours, driest } = histories[index]!;
    if (silentHours === null) return [];
    return Array.from({ length: 72 }, (_, hour) => hour).flatMap((hour) =>
      sensors.map(({ type, depth }) => {
        const value = driest + ((hour + depth) % 40) / 10 + (hour < 20 ? 6 : 0);
        return `${uid},${type},${depth},${new Date(NOW - (silentHours + hour) * HOUR).toISOString()},${value}`;
      }),
    );
  });
  return rows.length === 0 ? '' : `module,type,depth,time,value\n${rows.join('\n')}\n`;
}

export async function importRandomFarm(db: string, farm: RandomFarm): Promise<void> {
  await importFarmFile(db, farm.file);
  const readings = readingsOf(farm);
  if (readings !== '') await importReadingsCsv(db, readings);
}
