/** 12 daily start times on a parcel of 50 probes: 54,000 waterings in the 90 days to come. */
import { Client } from './client.mjs';
import { program } from './program.mjs';
import { sized } from './sizes.mjs';

export const PROBES = sized(50, 1);
const START_TIMES = Array.from(
  { length: sized(12, 1) },
  (_, index) => `${String(2 * index).padStart(2, '0')}:30`,
);
const PLANNED_DAYS = 90;
/** No clock change in the next 90 days. */
const CLOCK = '2026-07-01T10:00:00Z';

/** Every other probe has its own setup, the rest that of their parcel. */
export const farmOf = (probes) => ({
  company: { name: 'Mas Rouge', timezone: 'Europe/Paris' },
  users: [{ email: 'ana@example.org', name: 'Ana', role: 'OWNER' }],
  parcels: [{ name: 'North block', installation: { system: 'sprinkler', flowMmPerH: 6 } }],
  modules: Array.from({ length: probes }, (_, index) => ({
    uid: `P${index + 1}`,
    name: `Probe ${index + 1}`,
    category: 'SOIL_PROBE',
    parcel: 'North block',
    ...(index % 2 === 0 && {
      installation: { system: 'drip', emitterFlowLph: 1.6, emittersPerM2: 2 },
    }),
  })),
});

/** The planned waterings of a schedule on so many probes. */
export const eventsOf = (probes) => probes * START_TIMES.length * PLANNED_DAYS;

export const EVENTS = eventsOf(PROBES);

export const farm = farmOf(PROBES);

/** All probes have their parcel's equipment. */
export const sharedSetupFarm = {
  ...farm,
  modules: farm.modules.map(({ installation: _, ...module }) => module),
};

export const schedule = {
  parcel: 'North block',
  freq: 'daily',
  startTimes: START_TIMES,
  timezone: 'Europe/Paris',
  startsOn: '2026-07-01',
  inputMode: 'duration',
  durationMin: 20,
};

export const openServer = (db, binary = program) =>
  new Client([binary, '--db', db, '--clock', CLOCK]).open();

/** The rows that a server created for the schedule. */
export async function scheduledRows(rowsOf, db) {
  const tables = {
    schedules: await rowsOf(db, 'schedules'),
    waterings: await rowsOf(db, 'waterings'),
  };
  const { length } = tables.waterings.filter(({ water_mm: dose }) => dose !== null);
  if (length !== EVENTS) throw new Error(`${length} waterings with a dose are not ${EVENTS}`);
  return tables;
}
