import { afterAll, beforeAll } from 'vitest';
import { isOnPostgres, type StoreLocation } from '../../stores/stores.ts';
import { newEmptyStore } from '../../stores/template-stores.ts';
import { importFarmFile, importReadingsCsv } from '../imported-data.ts';
import { CLOCK, type Json } from '../program.ts';
import type { RawServer } from '../raw-server.ts';

/** Fewer where each statement takes its way to a server, so that the calls last as long. */
const PROBES = isOnPostgres ? 100 : 300;
const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;

/** A farm on which some calls last for seconds: many probes on one parcel, the first with two years of readings. */
const FARM = {
  company: { name: 'Grand Mas', countryCode: 'FR', timezone: 'Europe/Paris' },
  users: [{ email: 'ana@example.org', name: 'Ana', role: 'OWNER' }],
  parcels: [{ name: 'Plain' }],
  modules: Array.from({ length: PROBES }, (_, n) => ({
    uid: `U${n}`,
    name: `Probe ${n}`,
    category: 'SOIL_PROBE',
    parcel: 'Plain',
    commissionedAt: '2020-01-11T09:00:00Z',
    sensors: [10, 30, 50].map((depth) => ({ type: 'humidity', depth })),
    installation: { system: 'sprinkler', flowMmPerH: 6 },
  })),
};

/** Two years of a curve that falls and rises each six days. */
function readings(): string {
  const end = Date.parse(CLOCK);
  const rows = ['time,humidity_10,humidity_30,humidity_50'];
  for (let at = end - 730 * DAY_MS; at < end; at += 30 * MINUTE_MS) {
    const value = (25 + 8 * Math.sin(at / DAY_MS)).toFixed(1);
    rows.push(`${new Date(at).toISOString()},${value},${value},${value}`);
  }
  return rows.join('\n');
}

/** The store of that farm, for all tests of a file. */
export function sharedLongFarm(): { readonly db: string } {
  let place: StoreLocation;
  beforeAll(async () => {
    place = await newEmptyStore();
    const { db } = place;
    await importFarmFile(db, FARM);
    await importReadingsCsv(db, readings(), { module: 'Probe 0' });
  }, 120_000);
  afterAll(() => place.remove());
  return {
    get db() {
      return place.db;
    },
  };
}

/** Twelve waterings a day on each probe, 90 days ahead: 324,000 on 300 probes. */
export const LONG_SCHEDULE = {
  parcel: 'Plain',
  freq: 'daily',
  startTimes: Array.from({ length: 12 }, (_, n) => `${String(2 * n).padStart(2, '0')}:00`),
  timezone: 'Europe/Paris',
  startsOn: '2026-07-01',
  inputMode: 'duration',
  durationMin: 40,
};

export const LONG_BACKTEST = { module: 'Probe 0', threshold: 22, start: '2024-07-05 00:00', end: '2026-07-01 00:00' };

/** Sends a call whose progress is to be told, and gives its id. */
export const callWithProgress = (raw: RawServer, name: string, args: object): number =>
  raw.send('tools/call', { name, arguments: args, _meta: { progressToken: `of ${name}` } });

export interface ProgressNotice {
  readonly progressToken: string;
  readonly progress: number;
  readonly total?: number;
}

/** What was told of progress so far, and the place of each line that told it. */
export const progressNotices = (raw: RawServer): ProgressNotice[] =>
  raw.lines
    .map((line): Json => JSON.parse(line))
    .filter(({ method }) => method === 'notifications/progress')
    .map(({ params }) => params);

export const cancelCall = (raw: RawServer, id: number): void =>
  raw.write(
    `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id, reason: 'enough' } })}\n`,
  );

/** Whether a call was answered. */
export const isAnswered = (raw: RawServer, id: number): boolean => raw.lines.some((line) => JSON.parse(line).id === id);
