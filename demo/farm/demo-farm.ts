import type { UsdaClass } from '../../src/domain/soil/soil-catalog.ts';
import type { FarmFile } from '../../src/schema/farm/farm-file.ts';
import type { SoilHydraulics } from './soil-column.ts';

/** A file whose company has this name is a demo farm, which may be overwritten. */
export const DEMO_COMPANY = 'Mas Rouge (demo)';
export const DEMO_ZONE = 'Europe/Paris';

export const PROBE_DEPTHS_CM = [10, 20, 30, 40, 60];
export const TENSIOMETER_DEPTHS_CM = [30, 60];

export interface DemoEquipment {
  readonly system: 'drip' | 'micro_sprinkler';
  readonly emitterFlowLph: number;
  readonly emittersPerM2: number;
  readonly fractionWetted: number;
}

/** 3.2 mm/h. */
export const NORTH_DRIP: DemoEquipment = {
  system: 'drip',
  emitterFlowLph: 1.6,
  emittersPerM2: 2,
  fractionWetted: 0.35,
};
/** 5 mm/h; installed around North 2 this week. */
export const NEW_DRIP: DemoEquipment = {
  system: 'drip',
  emitterFlowLph: 2,
  emittersPerM2: 2.5,
  fractionWetted: 0.35,
};
/** 3 mm/h; waters the south block, but is not declared yet. */
export const SOUTH_SPRINKLERS: DemoEquipment = {
  system: 'micro_sprinkler',
  emitterFlowLph: 30,
  emittersPerM2: 0.1,
  fractionWetted: 0.6,
};

export const equipmentFlowMmPerH = ({ emitterFlowLph, emittersPerM2 }: DemoEquipment): number =>
  emitterFlowLph * emittersPerM2;

interface DemoHorizon {
  readonly usdaClass: UsdaClass;
  readonly bottomCm: number;
  readonly soil: SoilHydraulics;
}

/** Constants of the classes: Saxton & Rawls (2006), Table 3. */
const horizon = (
  usdaClass: UsdaClass,
  bottomCm: number,
  [wiltingPoint, fieldCapacity, saturation, saturatedConductivityMmPerH]: readonly [
    number,
    number,
    number,
    number,
  ],
): DemoHorizon => ({
  usdaClass,
  bottomCm,
  soil: { wiltingPoint, fieldCapacity, saturation, saturatedConductivityMmPerH },
});

export const NORTH_SOIL = [
  horizon('Loam', 40, [0.14, 0.28, 0.46, 15.5]),
  horizon('Clay loam', 100, [0.22, 0.36, 0.48, 4.3]),
];
export const SOUTH_SOIL = [
  horizon('Sandy loam', 50, [0.08, 0.18, 0.45, 50.3]),
  horizon('Sandy clay loam', 100, [0.17, 0.27, 0.43, 11.3]),
];

const WEST_GATEWAY = '356938035643809';
export const EAST_GATEWAY = '356938035643817';

const profile = (horizons: readonly DemoHorizon[]) =>
  horizons.map(({ usdaClass, bottomCm }, index) => ({
    usdaClass,
    depthTopCm: horizons[index - 1]?.bottomCm ?? 0,
    depthBottomCm: bottomCm,
  }));

const rectangle = (west: number, south: number, east: number, north: number) => ({
  type: 'Polygon' as const,
  coordinates: [
    [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
      [west, south],
    ],
  ],
});

const moistureAndTemperature = PROBE_DEPTHS_CM.flatMap((depth) => [
  { type: 'humidity' as const, depth },
  { type: 'temperature' as const, depth },
]);

interface ProbePlace {
  readonly number: number;
  readonly uid: string;
  readonly name: string;
  readonly parcel: string;
  readonly lat: number;
  readonly lon: number;
}

interface GatewayStatus {
  readonly batteryMv: number;
  readonly level: number;
  readonly lat: number;
  readonly lon: number;
}

export function demoFarm(startsAt: number, now: number): FarmFile {
  const instant = (at: number): string => new Date(at).toISOString();
  const probe = ({ lat, lon, ...place }: ProbePlace) => ({
    ...place,
    category: 'SOIL_PROBE' as const,
    gateway: place.parcel === 'North block' ? WEST_GATEWAY : EAST_GATEWAY,
    commissionedAt: instant(startsAt),
    location: { lat, lon, source: 'manual' as const },
    sensors: moistureAndTemperature,
    settings: { rootDepthCm: 60 },
  });
  const gateway = (imei: string, serialHex: string, status: GatewayStatus) => ({
    imei,
    serialHex,
    firmware: '2.4.1',
    assignedAt: instant(startsAt),
    status: { lastSeen: instant(now), ...status },
  });
  // The farm file leaves the wetted fraction out, so that answers name the default of drip, which
  // is the same.
  const { fractionWetted: _, ...drip } = NORTH_DRIP;
  return {
    company: {
      name: DEMO_COMPANY,
      countryCode: 'FR',
      currency: 'EUR',
      city: 'Montpellier',
      timezone: DEMO_ZONE,
    },
    users: [
      { email: 'ana@example.org', name: 'Ana', role: 'OWNER' },
      { email: 'karim@example.org', name: 'Karim', role: 'MANAGER' },
    ],
    parcels: [
      {
        name: 'North block',
        type: 'peach',
        geometry: rectangle(3.868, 43.613, 3.872, 43.615),
        soilProfile: profile(NORTH_SOIL),
        installation: drip,
      },
      {
        name: 'South block',
        type: 'apricot',
        geometry: rectangle(3.868, 43.609, 3.872, 43.611),
        soilProfile: profile(SOUTH_SOIL),
      },
    ],
    gateways: [
      gateway(WEST_GATEWAY, '0123456789abcdef01234567', {
        batteryMv: 3920,
        level: 4,
        lat: 43.6141,
        lon: 3.8701,
      }),
      gateway(EAST_GATEWAY, '89abcdef0123456789abcdef', {
        batteryMv: 3780,
        level: 3,
        lat: 43.6102,
        lon: 3.8699,
      }),
    ],
    modules: [
      probe({
        number: 1,
        uid: 'A1B201',
        name: 'North 1',
        parcel: 'North block',
        lat: 43.6138,
        lon: 3.8692,
      }),
      probe({
        number: 2,
        uid: 'A1B202',
        name: 'North 2',
        parcel: 'North block',
        lat: 43.6143,
        lon: 3.8712,
      }),
      probe({
        number: 3,
        uid: 'A1B203',
        name: 'South 1',
        parcel: 'South block',
        lat: 43.6101,
        lon: 3.8703,
      }),
      {
        uid: 'A1B204',
        name: 'South tension',
        category: 'TENSIOMETER',
        parcel: 'South block',
        gateway: EAST_GATEWAY,
        commissionedAt: instant(startsAt),
        location: { lat: 43.6099, lon: 3.8695, source: 'manual' },
        sensors: TENSIOMETER_DEPTHS_CM.map((depth) => ({ type: 'tensio', depth })),
      },
      {
        uid: 'A1B205',
        name: 'Weather mast',
        category: 'WEATHER_STATION',
        gateway: WEST_GATEWAY,
        commissionedAt: instant(startsAt),
        location: { lat: 43.6121, lon: 3.87, source: 'manual' },
        sensors: [{ type: 'temperature' }, { type: 'humidity' }],
      },
    ],
  };
}
