import type { z } from 'zod/v3';
import type { farmFile } from './farm-file.ts';

/** The JSON Schema of a farm file shows them. docs/import.md explains the second one. */
export const FARM_FILE_EXAMPLES: readonly z.input<typeof farmFile>[] = [
  {
    company: { name: 'Olive farm', timezone: 'Europe/Madrid' },
    users: [{ email: 'ana@example.org', name: 'Ana', role: 'OWNER' }],
    modules: [
      {
        uid: 'A1',
        name: 'North 1',
        category: 'SOIL_PROBE',
        sensors: [{ type: 'humidity', depth: 20 }],
      },
    ],
  },
  {
    company: { name: 'Mas Rouge', countryCode: 'FR', currency: 'EUR', timezone: 'Europe/Paris' },
    users: [{ email: 'ana@example.org', name: 'Ana', role: 'OWNER' }],
    parcels: [
      {
        name: 'North block',
        type: 'olive',
        areaM2: 15000,
        soilProfile: [{ usdaClass: 'Loam', depthTopCm: 0, depthBottomCm: 60 }],
        installation: {
          system: 'drip',
          emitterFlowLph: 1.6,
          emitterSpacingM: 0.5,
          lineSpacingM: 1,
        },
        settings: { restFrom: '11-15', restUntil: '02-28' },
        season: { plantedOn: '2026-03-20', rootDepthCm: 60 },
      },
    ],
    gateways: [{ imei: '356938035643809', assignedAt: '2025-01-10T00:00:00Z' }],
    modules: [
      {
        uid: 'A1B2C3',
        name: 'North 1',
        category: 'SOIL_PROBE',
        parcel: 'North block',
        gateway: '356938035643809',
        commissionedAt: '2025-01-11T09:00:00Z',
        location: { lat: 43.61, lon: 3.87, source: 'manual' },
        sensors: [
          { type: 'humidity', depth: 10 },
          { type: 'humidity', depth: 30 },
          { type: 'temperature', depth: 10 },
          { type: 'temperature', depth: 30 },
        ],
        calibration: [{ depthCm: 10, readPercent: 20, truePercent: 23, from: '2026-05-01' }],
        settings: { rootDepthCm: 60 },
        placement: { emitterDistanceCm: 15 },
      },
      {
        uid: 'mast',
        name: 'Mast',
        category: 'WEATHER_STATION',
        parcel: 'North block',
        sensors: [],
      },
    ],
  },
];
