/**
 * The effect of a company that takes all it can of a scarce thing on another company: twenty calls of
 * that kind, idle and attacked, once by the slowest and once by the fastest way.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { newKey, serveCommand, startServer } from '../program.mjs';
import { sized } from '../sizes.mjs';
import { ATTACKS } from './attacks.mjs';

const KEYS = sized(16, 1);
const TRIES = sized(20, 2);
const TRY_PAUSE_MS = 50;
/** Until calls in parallel wait for each other. */
const BEGIN_MS = sized(4_000, 20);
const PROBES = sized(300, 1);
const MANY_PROBES = sized(2_000, 1);

/** One step of others, as docs/reliability.md promises. */
export const STEP_MS = 250;
export const P99_MS = 1_000;

const moduleOf = (uid, parcel, number) => ({
  uid,
  name: `${parcel} ${number}`,
  number,
  category: 'SOIL_PROBE',
  parcel,
  commissionedAt: '2025-01-01T00:00:00Z',
  sensors: [{ type: 'humidity', depth: 10 }],
});

const farmOf = (name, probes) => ({
  company: { name, timezone: 'Europe/Paris' },
  users: [{ email: `${name.toLowerCase()}@example.org`, name, role: 'OWNER' }],
  parcels: [{ name: `${name} block`, installation: { system: 'sprinkler', flowMmPerH: 6 } }],
  modules: Array.from({ length: probes }, (_, index) =>
    moduleOf(`${name}${index}`, `${name} block`, index + 1),
  ),
});

/** The farms of the companies that attack and of the one that only works. */
export const FARMS = [farmOf('Greedy', PROBES), farmOf('Large', MANY_PROBES), farmOf('Quiet', 1)];

const attackerOf = (way) => (way === 'large-parcel' ? 'Large' : 'Greedy');

const json = { 'content-type': 'application/json' };
const mcp = { ...json, accept: 'application/json, text/event-stream' };

/** What the other company does of each kind. */
function victimCall(thing, { moduleId, parcelName }) {
  const reading = {
    path: '/v1/ingest',
    method: 'POST',
    headers: { 'content-type': 'text/csv' },
    body: `module,type,depth,time,value\nQuiet0,humidity,10,${new Date().toISOString()},21\n`,
  };
  const batch = {
    ...reading,
    body: reading.body + `${parcelName} 1,humidity,10,x,1\n`.repeat(4_000),
  };
  const watering = {
    path: `/v1/modules/${moduleId}/irrigation/events`,
    method: 'POST',
    headers: json,
    body: JSON.stringify({
      startedAt: new Date(Date.now() - 1_000).toISOString(),
      inputMode: 'duration',
      durationMin: 30,
    }),
  };
  const call = {
    path: '/mcp',
    method: 'POST',
    headers: mcp,
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'get_company', arguments: {} },
    }),
  };
  const calls = {
    connections: { path: '/v1/company', headers: { connection: 'close' } },
    begunRequests: { path: '/v1/company' },
    unknownRequests: { path: '/v1/company' },
    requests: { path: '/v1/company' },
    calls: call,
    smallBodies: reading,
    bodies: batch,
    batches: batch,
    shortReads: { path: '/v1/modules' },
    longReads: { path: '/v1/brief' },
    answers: { path: '/v1/parcels' },
    writeLock: watering,
    loopTurns: watering,
    listenStreams: watering,
  };
  return calls[thing];
}

async function timesOf(port, key, callOf) {
  const times = [];
  const statuses = {};
  for (let n = 0; n < TRIES; n++) {
    const { path, ...init } = callOf();
    const startedMs = performance.now();
    const headers = { 'x-api-key': key, Authorization: `Bearer ${key}`, ...init.headers };
    const status = await fetch(`http://127.0.0.1:${port}${path}`, { ...init, headers }).then(
      async (response) => {
        await response.arrayBuffer();
        return response.ok ? 'answered' : String(response.status);
      },
      (error) => error.cause?.code ?? error.name,
    );
    statuses[status] = (statuses[status] ?? 0) + 1;
    times.push(performance.now() - startedMs);
    await pause(TRY_PAUSE_MS);
  }
  times.sort((a, b) => a - b);
  return { p50: times[TRIES / 2], p99: times[TRIES - 1], statuses };
}

async function attack(thing, way, target) {
  const file = fileURLToPath(new URL('./attacker.mjs', import.meta.url));
  const child = spawn(process.execPath, [file, JSON.stringify({ thing, way, target })], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  await once(child.stdout, 'data');
  await pause(BEGIN_MS);
  return async () => {
    child.stdin.end();
    await ended;
  };
}

const get = async (port, key, path) =>
  (await fetch(`http://127.0.0.1:${port}/v1${path}`, { headers: { 'x-api-key': key } })).json();

const newKeys = (db, company) =>
  Array.from({ length: KEYS }, () => newKey(db, { options: ['--company', company] }));

async function targetOf(port, keys) {
  const [parcel] = (await get(port, keys[0], '/parcels')).data;
  const [module] = (await get(port, keys[0], '/modules')).data;
  return { port, keys, facts: { parcelId: parcel.id, moduleId: module.id } };
}

/**
 * Measures each thing in each way. `db` holds the farms. Yields `{ thing, way, idle, attacked }`.
 */
export async function* measureShares(db, named = []) {
  const things = named.length > 0 ? named : Object.keys(ATTACKS).slice(0, sized(undefined, 1));
  const attackers = new Set(things.flatMap((thing) => Object.keys(ATTACKS[thing]).map(attackerOf)));
  const keys = new Map([...attackers].map((company) => [company, newKeys(db, company)]));
  const quietKey = newKey(db, { options: ['--company', 'Quiet'] });
  const server = await startServer(serveCommand(db));
  try {
    const { port } = server;
    const [quiet] = (await get(port, quietKey, '/modules')).data;
    const targets = new Map();
    for (const company of attackers) targets.set(company, await targetOf(port, keys.get(company)));
    const victim = { moduleId: quiet.id, parcelName: 'Quiet block' };

    for (const thing of things) {
      const callOf = () => victimCall(thing, victim);
      await timesOf(port, quietKey, callOf);
      const idle = await timesOf(port, quietKey, callOf);
      for (const way of Object.keys(ATTACKS[thing])) {
        const end = await attack(thing, way, targets.get(attackerOf(way)));
        const attacked = await timesOf(port, quietKey, callOf);
        await end();
        yield { thing, way, idle, attacked };
      }
    }
  } finally {
    await server.stop();
  }
}
