/**
 * The effect of the longest reads of one key on others, with ten years of six depths at 15 minutes
 * in the store: how long one such read holds the event loop, and the p99 of `/health` and of a
 * small read of another key while the first key repeats the long read on 20 connections.
 */
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { title, withDatabases } from './databases.mjs';
import { newKey, serveCommand, startServer } from './program.mjs';
import { sized } from './sizes.mjs';
import { DAY_MS, END, importYears } from './year-of-depths.mjs';

const CONNECTIONS = sized(20, 2);
const LOAD_MS = sized(10_000, 10);
const PROBE_PAUSE_MS = 20;
const TARGET_MS = { hold: 100, p99: 250 };
const holdReporter = new URL('./http/event-loop-hold.mjs', import.meta.url).href;

const since = (days) =>
  `start=${new Date(END - days * DAY_MS).toISOString()}&end=${new Date(END).toISOString()}`;
const TEN_YEARS = since(3650);
const LONG_READS = [
  ['ten years at 15 min', `measurements/weighted?${TEN_YEARS}&interval=900`],
  ['ten years in steps of 901 s', `measurements/weighted?${TEN_YEARS}&interval=901&depths=true`],
  [
    'ten years in steps of 86,399 s',
    `measurements/weighted?${TEN_YEARS}&interval=86399&depths=true`,
  ],
  ['ten years by the hour', `measurements/weighted?${TEN_YEARS}&interval=3600`],
  [
    '100 days at 15 min with depths',
    `measurements/weighted?${since(100)}&interval=900&depths=true`,
  ],
  [
    'ten years in at most 50,000 points',
    `measurements/weighted?${TEN_YEARS}&maxPoints=50000&depths=true`,
  ],
  ['a backtest of two years', `alerts/backtest?${since(730)}&threshold=25`],
  ['a chart of ten years', `measurements/chart?${TEN_YEARS}`],
];

function ask(port, path, key, agent) {
  const startedMs = performance.now();
  return new Promise((resolve, reject) => {
    const headers = key && { 'x-api-key': key };
    const asked = request({ port, path, agent, headers }, (answer) => {
      let bytes = 0;
      answer.on('data', (chunk) => {
        bytes += chunk.length;
      });
      answer.on('end', () =>
        resolve({ status: answer.statusCode, bytes, ms: performance.now() - startedMs }),
      );
    });
    asked.on('error', (error) => {
      // The server closes a connection that has been idle for some seconds, perhaps just now.
      if (!asked.reusedSocket || error.code !== 'ECONNRESET') reject(error);
      else ask(port, path, key, agent).then(resolve, reject);
    });
    asked.end();
  });
}

async function repeat(isOver, pauseMs, body) {
  const results = [];
  while (!isOver()) {
    results.push(await body());
    await pause(pauseMs);
  }
  return results;
}

const p99 = (results) =>
  results.map(({ ms }) => ms).toSorted((a, b) => a - b)[Math.ceil(results.length * 0.99) - 1];

await withDatabases(async ({ empty }) => {
  const db = await empty();
  await importYears(db, sized(10, 1), [10, 20, 30, 45, 60, 90]);
  const [busyKey, otherKey] = [newKey(db), newKey(db)];
  const server = await startServer(['--import', holdReporter, ...serveCommand(db)], {
    hasChannel: true,
  });
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const probes = new Agent({ keepAlive: true });
  const probe = async (isOver) => {
    const [health, small] = await Promise.all([
      repeat(isOver, PROBE_PAUSE_MS, () => ask(server.port, '/health', undefined, probes)),
      repeat(isOver, PROBE_PAUSE_MS, () => ask(server.port, '/v1/company', otherKey, probes)),
    ]);
    return { health: p99(health), small: p99(small) };
  };
  const until = (ms) => {
    const end = performance.now() + ms;
    return () => performance.now() >= end;
  };

  await probe(until(LOAD_MS / 10));
  const idle = await probe(until(LOAD_MS / 2));

  const row = (what, measured, target, baseline) =>
    console.log(
      JSON.stringify({
        what: `${title}${what}`,
        against: baseline === undefined ? '' : 'the same without that load',
        baseline: baseline === undefined ? '' : `${baseline.toFixed(1)} ms`,
        measured: `${measured.toFixed(0)} ms`,
        ratio: null,
        target: `at most ${target} ms`,
      }),
    );

  for (const [name, path] of LONG_READS.slice(0, sized(undefined, 1))) {
    const read = () => ask(server.port, `/v1/modules/1/${path}`, busyKey, agent);
    await read();
    await server.ask('report');
    const { status, bytes, ms } = await read();
    const holdMs = await server.ask('report');
    row(
      `${name} (${status}, ${bytes.toLocaleString('en')} bytes, ${ms.toFixed(0)} ms): hold`,
      holdMs,
      TARGET_MS.hold,
    );

    const isOver = until(LOAD_MS);
    const [loaded] = await Promise.all([
      probe(isOver),
      ...Array.from({ length: CONNECTIONS }, () => repeat(isOver, 0, read)),
    ]);
    row(`${name}, ${CONNECTIONS} at once: /health, p99`, loaded.health, TARGET_MS.p99, idle.health);
    row(
      `${name}, ${CONNECTIONS} at once: another key's small read, p99`,
      loaded.small,
      TARGET_MS.p99,
      idle.small,
    );
  }
  agent.destroy();
  probes.destroy();
  await server.stop();
});
