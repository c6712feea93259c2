import { NOW } from '../local-tools.ts';

const QUARTER = 900_000;

const probe = (uid: string, name: string, parcel: string) => ({
  uid,
  name,
  parcel,
  category: 'SOIL_PROBE',
  commissionedAt: '2025-01-11T09:00:00Z',
});

const loam = [{ usdaClass: 'Loam', depthTopCm: 0, depthBottomCm: 60 }];

/**
 * North block: North 1 with its own drip (3.2 mm/h), North 2 with the sprinklers of the block (6
 * mm/h). Orchard: one probe, drip of 4 mm/h on half of 5,000 m2. Terrace: two probes, no equipment.
 * South block: one, no equipment.
 */
export const REQUESTS_FARM = {
  company: { name: 'Mas Rouge', countryCode: 'FR', timezone: 'Europe/Paris' },
  users: [
    { email: 'ana@example.org', name: 'Ana', role: 'OWNER' },
    { email: 'karim@example.org', name: 'Karim', role: 'MANAGER' },
  ],
  parcels: [
    {
      name: 'North block',
      type: 'olive',
      soilProfile: loam,
      installation: { system: 'sprinkler', flowMmPerH: 6 },
    },
    {
      name: 'Orchard',
      type: 'apricot',
      installation: { system: 'drip', flowMmPerH: 4, fractionWetted: 0.5, irrigatedAreaM2: 5000 },
    },
    { name: 'Terrace' },
    { name: 'South block' },
  ],
  gateways: [{ imei: '356938035643809', assignedAt: '2025-01-10T00:00:00Z' }],
  modules: [
    {
      ...probe('A1', 'North 1', 'North block'),
      gateway: '356938035643809',
      sensors: [10, 20, 30].map((depth) => ({ type: 'humidity', depth })),
      settings: { rootDepthCm: 40 },
      installation: { system: 'drip', emitterFlowLph: 1.6, emittersPerM2: 2 },
    },
    probe('A2', 'North 2', 'North block'),
    probe('B1', 'Apricots 1', 'Orchard'),
    probe('C1', 'Terrace 1', 'Terrace'),
    probe('C2', 'Terrace 2', 'Terrace'),
    probe('D1', 'South 1', 'South block'),
  ],
};

/** At every depth, in %. */
export const NEWEST_VWC = 23.29;

/** Each raises the moisture of North 1 by so much. */
const RISE_POINTS = 1.5;
const RISES_AT = ['2026-06-29T04:00:00Z', '2026-06-30T04:00:00Z'].map(Date.parse);
const RISE_MS = 2 * 3_600_000;

/** It dries by about a point a day, but for its two waterings. */
export function dryingWeek(): string {
  const rows = Array.from({ length: 672 }, (_, index) => {
    const at = NOW - (672 - index) * QUARTER;
    const gained = RISES_AT.reduce(
      (sum, start) => sum + RISE_POINTS * Math.min(1, Math.max(0, (at - start) / RISE_MS)),
      0,
    );
    const value = (30 - RISE_POINTS * RISES_AT.length + gained - index / 100).toFixed(2);
    return `${new Date(at).toISOString()},${value},${value},${value}\n`;
  });
  return `time,humidity_10,humidity_20,humidity_30\n${rows.join('')}`;
}

const minutes = (module: string, startedAt: string, durationMin: number, more: object = {}) => ({
  module,
  startedAt,
  durationMin,
  ...more,
});

/** Their ids are 1 to 5 in this order. */
export const LOGGED_WATERINGS = [
  minutes('North 1', '2026-06-29T06:00', 45),
  minutes('North 1', '2026-06-30T06:00', 60),
  minutes('South 1', '2026-06-30T06:15', 40),
  minutes('North 2', '2026-06-26T06:00', 30, { note: 'windy' }),
  minutes('North 2', '2026-06-27T06:00', 30),
];

/** Their ids are 1 and 2 in this order. */
export const PLANNED_SCHEDULES = ['05:00', '22:00'].map((startTime) => ({
  module: 'Terrace 1',
  freq: 'weekly',
  weekdays: [1, 4],
  startTimes: [startTime],
  timezone: 'Europe/Paris',
  startsOn: '2026-07-02',
  durationMin: 30,
}));

interface PersonRequest {
  readonly text: string;
  readonly tool: string;
  readonly args: Record<string, unknown>;
}

export interface AnsweredRequest extends PersonRequest {
  readonly expected: object;
  readonly followUp?: {
    readonly tool: string;
    readonly args: Record<string, unknown>;
    readonly answers: object;
  };
}

export interface RefusedRequest extends PersonRequest {
  readonly code: string;
  readonly field: string;
  readonly asks: RegExp;
}
