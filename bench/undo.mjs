/**
 * A schedule of 12 daily start times on a parcel of 300 probes, which has 324,000 planned
 * waterings: the longest time that a watering of another process takes to be logged while the built
 * server creates it, takes it back, restores it and changes it back.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { title, withDatabases } from './databases.mjs';
import { limit } from './figures.mjs';
import { importFarm } from './program.mjs';
import { eventsOf, farmOf, openServer, schedule } from './schedule-of-parcel.mjs';
import { inWords, sized } from './sizes.mjs';

const PROBES = sized(300, 1);
/** Longest time, in ms, that others may wait. */
const LONGEST_WAIT_MS = 250;
const PAUSE_MS = 100;

const farm = farmOf(PROBES);
const farmWithOtherProbe = {
  ...farm,
  modules: [...farm.modules, { uid: 'other', name: 'Other', category: 'SOIL_PROBE' }],
};

const watering = {
  module: 'Other',
  startedAt: 'today 06:00',
  inputMode: 'duration',
  durationMin: 5,
};

/** Logs waterings until `work` is done; returns the longest time in ms that one took. */
async function longestWaitDuring(server, work) {
  let isDone = false;
  const done = work.finally(() => {
    isDone = true;
  });
  let longest = 0;
  while (!isDone) {
    const startedMs = performance.now();
    await server.call('log_watering', watering);
    longest = Math.max(longest, performance.now() - startedMs);
    await pause(PAUSE_MS);
  }
  await done;
  return longest;
}

await withDatabases(async ({ empty }) => {
  const db = await empty();
  await importFarm(db, farmWithOtherProbe);
  const [server, other] = [await openServer(db), await openServer(db)];
  await other.call('log_watering', watering);

  const measure = async (what, name, args = {}) => {
    const startedMs = performance.now();
    const longest = await longestWaitDuring(other, server.call(name, args));
    const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
    limit({
      what: `${title}the longest that a watering of another process takes during ${what} (${seconds} s)`,
      unit: 'ms',
      measured: [longest],
      target: LONGEST_WAIT_MS,
    });
  };
  /** Below the waterings of the other process, which may fill several pages. */
  const newestChange = async (operation) => {
    for (let cursor; cursor !== null; ) {
      const { structuredContent } = await server.call('list_changes', {
        limit: 200,
        ...(cursor && { cursor }),
      });
      const change = structuredContent.data.find((each) => each.operation === operation);
      if (change) return change.id;
      cursor = structuredContent.nextCursor ?? null;
    }
    throw new Error(`There is no change by ${operation}`);
  };
  const undo = async (what, operation) =>
    measure(what, 'undo', { changeId: String(await newestChange(operation)) });

  const planned = `a schedule of ${inWords(eventsOf(PROBES))} planned waterings`;
  await measure(planned, 'create_schedule', schedule);
  await undo(`the undo of ${planned}`, 'create_schedule');
  await undo('the undo of that undo', 'undo');
  const { structuredContent } = await server.call('list_schedules');
  const scheduleId = structuredContent.data[0].id;
  await measure('a change of its start times', 'update_schedule', {
    scheduleId,
    startTimes: ['05:00', '17:00'],
  });
  await undo('the undo of that change', 'update_schedule');
  await server.end();
  await other.end();
});
