/** 12 daily start times on a parcel of 50 probes: 54,000 waterings in the 90 days to come. */
import { Client } from './client.mjs';
import { figure, inTurn, limit, rounds } from './figures.mjs';
import { program } from './program.mjs';

const PROBES = 50;
const START_TIMES = Array.from({ length: 12 }, (_, index) => `${String(2 * index).padStart(2, '0')}:30`);
export const EVENTS = 54_000;
/** Longest time, in ms, for which one write may hold the lock. */
const LONGEST_HOLD_MS = 250;
/** No clock change in the next 90 days. */
const CLOCK = '2026-07-01T10:00:00Z';

/** Every other probe has a setup of its own, the others have their parcel's. */
export const farm = {
  company: { name: 'Mas Rouge', timezone: 'Europe/Paris' },
  users: [{ email: 'ana@example.org', name: 'Ana', role: 'OWNER' }],
  parcels: [{ name: 'North block', installation: { system: 'sprinkler', flowMmPerH: 6 } }],
  modules: Array.from({ length: PROBES }, (_, index) => ({
    uid: `P${index + 1}`,
    name: `Probe ${index + 1}`,
    category: 'SOIL_PROBE',
    parcel: 'North block',
    ...(index % 2 === 0 && { installation: { system: 'drip', emitterFlowLph: 1.6, emittersPerM2: 2 } }),
  })),
};

/** All probes have their parcel's equipment. */
export const sharedSetupFarm = { ...farm, modules: farm.modules.map(({ installation: _, ...module }) => module) };

const schedule = {
  parcel: 'North block',
  freq: 'daily',
  startTimes: START_TIMES,
  timezone: 'Europe/Paris',
  startsOn: '2026-07-01',
  inputMode: 'duration',
  durationMin: 20,
};

export async function secondsToCreate(db) {
  const server = await new Client([program, '--db', db, '--clock', CLOCK]).open();
  await server.call('list_schedules');
  const begun = performance.now();
  await server.call('create_schedule', schedule);
  const seconds = (performance.now() - begun) / 1000;
  await server.end();
  return seconds;
}

/**
 * Creates schedules, then gives the parcel a new setup: seconds until set_parcel_installation has answered, and the
 * longest time in ms for which others could not write meanwhile, as `watchLock` finds it.
 */
export async function redose(db, schedules, watchLock) {
  const server = await new Client([program, '--db', db, '--clock', CLOCK]).open();
  for (let count = 0; count < schedules; count++) await server.call('create_schedule', schedule);
  const watch = await watchLock();
  const begun = performance.now();
  await server.call('set_parcel_installation', { parcel: 'North block', system: 'sprinkler', flowMmPerH: 7 });
  const seconds = (performance.now() - begun) / 1000;
  const longestHoldMs = await watch.stop();
  await server.end();
  return { seconds, longestHoldMs };
}

/**
 * Measures and reports the new setup against `insertOnce`, the seconds of plain inserts of the same rows. `redoseOnce` does
 * it on a store of its own, with some schedules.
 */
export async function reportRedose({ name, against, others, insertOnce, redoseOnce }) {
  const holds = [];
  const durations = await inTurn(rounds(5), {
    baseline: insertOnce,
    measured: async () => {
      const { seconds, longestHoldMs } = await redoseOnce(1);
      holds.push(longestHoldMs);
      return seconds;
    },
  });
  figure({
    what: `${name}a new setup of a parcel of 50 probes with 12 daily start times: 54,000 planned waterings get a new dose`,
    ...{ against, unit: 's', digits: 2, ...durations, reach: 3 },
  });
  const limitHold = (what, measured) => limit({ what: name + what, unit: 'ms', measured, reach: LONGEST_HOLD_MS });
  limitHold(`the longest that ${others} cannot write meanwhile`, holds);
  const { seconds, longestHoldMs } = await redoseOnce(5);
  limitHold(`the same with five such schedules (270,000 planned waterings, ${seconds.toFixed(1)} s)`, [longestHoldMs]);
}
