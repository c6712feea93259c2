/**
 * Requests per second over HTTP, reads and durable writes, over 1 and 32 connections: `acequia
 * serve` against a bare Hono server that runs the statements recorded from ours, with the same
 * settings and transactions, and sends the same bodies. This process makes the load.
 */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { figure, median } from './figures.mjs';
import { requestText, responsesPerSecond } from './http/load.mjs';
import * as built from './program.mjs';
import { rounds, sized } from './sizes.mjs';

const ROUNDS = rounds(8);
const WARM_UP_MS = sized(1_000, 20);
/**
 * The servers are measured alternately for short times, so that a slow moment of the machine or its
 * disk affects both.
 */
const SLICE_MS = sized(150, 20);
const SLICES = sized(8, 1);
const CONNECTIONS = [1, 32];
const FIRST = Date.UTC(2025, 5, 1);
/**
 * By then the first background jobs are done and the use of the key is recorded; the server is idle
 * for a minute.
 */
const QUIET_MS = 4_000;

const recorder = new URL('./http/recorder.mjs', import.meta.url).href;
const replay = fileURLToPath(new URL('./baseline/replay.mjs', import.meta.url));

let written = 0;
const watering = () => ({
  startedAt: new Date(FIRST + written++ * 60_000).toISOString(),
  inputMode: 'duration',
  durationMin: 45,
});

const REQUESTS = [
  { name: 'GET /v1/company', method: 'GET', path: '/v1/company', status: 200, target: 0.5 },
  {
    name: 'GET /v1/modules/{moduleId}',
    method: 'GET',
    path: '/v1/modules/1',
    status: 200,
    target: 0.5,
  },
  {
    name: 'POST /v1/modules/{moduleId}/irrigation/events, durable',
    method: 'POST',
    path: '/v1/modules/1/irrigation/events',
    status: 201,
    body: watering,
    target: 0.6,
  },
];

async function record(db, key) {
  const file = `${db}.record`;
  writeFileSync(file, '');
  const server = await built.startServer(['--import', recorder, ...built.serveCommand(db)], {
    env: { ACEQUIA_BENCH_RECORD: file },
  });
  const ask = async ({ method, path, body }) => {
    const before = readFileSync(file, 'utf8').length;
    const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, {
      method,
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: body && JSON.stringify(body),
    });
    const answered = await answer.json();
    const lines = readFileSync(file, 'utf8').slice(before).trim().split('\n');
    return { status: answer.status, body: answered, runs: lines.map((line) => JSON.parse(line)) };
  };

  await ask(REQUESTS[0]);
  await pause(QUIET_MS);

  const recorded = [];
  for (const { method, path, status, body: newBody } of REQUESTS) {
    const body = newBody?.();
    const seen = await ask({ method, path, body });
    // A call begins, reads and ends a transaction at least.
    if (seen.status !== status || seen.runs.length < 3)
      throw new Error(`${method} ${path}: ${JSON.stringify(seen)}`);
    recorded.push({ method, path, ...seen, startedAt: body && Date.parse(body.startedAt) });
  }
  await server.stop();
  return recorded;
}

/** The rate of each side, for each request and number of connections. */
async function measure(sides) {
  const servers = [];
  for (const { argv, key } of sides) servers.push({ ...(await built.startServer(argv)), key });
  await pause(QUIET_MS);

  const rates = [];
  for (const request of REQUESTS) {
    for (const server of servers) await rateOf(server, request, CONNECTIONS.at(-1), WARM_UP_MS);
    for (const connections of CONNECTIONS) {
      rates.push(await ratesInTurn(servers, request, connections));
    }
  }

  for (const server of servers) await server.stop();
  return rates;
}

function rateOf({ port, key }, { method, path, status, body }, connections, ms) {
  const read = requestText({ method, path, key });
  const next = body ? () => requestText({ method, path, key, body: body() }) : () => read;
  return responsesPerSecond(port, { connections, ms, next, status });
}

async function ratesInTurn(servers, request, connections) {
  const slices = servers.map(() => []);
  for (let slice = 0; slice < SLICES; slice++)
    for (const [side, server] of servers.entries())
      slices[side].push(await rateOf(server, request, connections, SLICE_MS));
  return slices.map(median);
}

const copyOf = (db, name) => {
  const to = join(db, '..', name);
  copyFileSync(db, to);
  return to;
};

/** `farms`: of the program, and of the build before if one is named. */
async function compare(farms) {
  const { db, key } = farms[0];
  const script = `${db}.json`;
  writeFileSync(script, JSON.stringify(await record(copyOf(db, 'recorded.db'), key)));

  const samples = [];
  for (let round = 0; round < ROUNDS; round++) {
    const bare = { argv: [replay, script, copyOf(db, `baseline-${round}.db`)], key };
    const builds = farms.map((farm) => ({
      key: farm.key,
      argv: built.serveCommand(copyOf(farm.db, `measured-${round}.db`), farm.binary),
    }));
    samples.push(await measure([bare, ...builds]));
  }

  const cases = REQUESTS.flatMap((request) =>
    CONNECTIONS.map((connections) => ({ ...request, connections })),
  );
  for (const [index, { name, connections, target }] of cases.entries()) {
    const rateOfSide = (side) => median(samples.map((rates) => rates[index][side]));
    figure({
      what: `${name}, ${connections} connection${connections === 1 ? '' : 's'}`,
      against: 'bare Hono and the same SQL',
      unit: 'a second',
      digits: 0,
      baseline: rateOfSide(0),
      measured: rateOfSide(1),
      before: farms.length === 1 ? undefined : rateOfSide(2),
      target: `at least ${target}x`,
    });
  }
}

function withFarmOf(binary, body) {
  const withKey = (db) => body({ binary, db, key: built.newKey(db, { binary }) });
  return built.withFarm(withKey, binary);
}

await withFarmOf(built.program, (farm) =>
  built.programBefore === undefined
    ? compare([farm])
    : withFarmOf(built.programBefore, (farmBefore) => compare([farm, farmBefore])),
);
