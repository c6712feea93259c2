/** A durable write: log_watering over stdio against an echo that makes one raw insert, p50 of the calls. */
import { callEcho, typicalCall } from './client.mjs';
import { COUNTS, isPostgres, title, withDatabases } from './databases.mjs';
import { figure, inTurn, rounds } from './figures.mjs';
import { echo, farm, importFarm, program } from './program.mjs';

const PROBES = 20;
const FIRST_AT = Date.UTC(2025, 0, 2);
const INTERVAL_MS = 6 * 3_600_000;

/** A year of waterings, four a day, fits the calls of all rounds. */
const wateredFarm = {
  ...farm,
  modules: Array.from({ length: PROBES }, (_, index) => ({
    ...farm.modules[0],
    uid: `A${index + 1}`,
    name: `North ${index + 1}`,
  })),
};

let written = 0;

function nextWatering() {
  const index = written++;
  return {
    module: `North ${(index % PROBES) + 1}`,
    startedAt: new Date(FIRST_AT + Math.floor(index / PROBES) * INTERVAL_MS).toISOString(),
    inputMode: 'duration',
    durationMin: 45,
  };
}

await withDatabases(async ({ empty }) => {
  const [db, plain] = [await empty(), await empty()];
  await importFarm(db, wateredFarm);
  const baseline = isPostgres ? [echo, plain, 'write'] : [echo, plain];
  const times = await inTurn(rounds(isPostgres ? 10 : 12), {
    baseline: () => typicalCall(baseline, callEcho, COUNTS),
    measured: () => typicalCall([program, '--db', db], (client) => client.call('log_watering', nextWatering()), COUNTS),
  });
  figure({
    what: `${title}log_watering over stdio, durable, p50`,
    against: isPostgres
      ? 'echo and one raw insert on the same server, synchronous_commit on'
      : 'echo and one raw insert, synchronous FULL',
    unit: 'ms',
    digits: 3,
    ...times,
    target: isPostgres ? 6 : 4,
  });
});
