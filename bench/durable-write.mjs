/**
 * A durable write: log_watering over stdio against an echo that makes one raw insert, p50 of the
 * calls.
 */
import { callEcho, typicalCall } from './client.mjs';
import { COUNTS, isPostgres, title, withDatabases } from './databases.mjs';
import { figure, inTurn } from './figures.mjs';
import { echo, farm, importFarm, sidesOfBuilds } from './program.mjs';
import { rounds } from './sizes.mjs';

/** So many that the calls of all rounds add fewer rows than a company may in a day. */
const PROBES = 24;
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

const wateringAt = (index) => ({
  module: `North ${(index % PROBES) + 1}`,
  startedAt: new Date(FIRST_AT + Math.floor(index / PROBES) * INTERVAL_MS).toISOString(),
  inputMode: 'duration',
  durationMin: 45,
});

/** Measures a build on a farm of its own, each time with later waterings. */
async function writerOf(binary, db) {
  await importFarm(db, wateredFarm, { binary });
  let written = 0;
  const log = (client) => client.call('log_watering', wateringAt(written++));
  return () => typicalCall([binary, '--db', db], log, COUNTS);
}

await withDatabases(async ({ empty }) => {
  const plain = await empty();
  const baseline = isPostgres ? [echo, plain, 'write'] : [echo, plain];
  const times = await inTurn(rounds(isPostgres ? 10 : 12), {
    baseline: () => typicalCall(baseline, callEcho, COUNTS),
    ...(await sidesOfBuilds(async (binary) => writerOf(binary, await empty()))),
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
