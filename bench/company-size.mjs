/**
 * Calls of three readings, as JSON and as a CSV with a module column, to a company of 2,000 probes
 * against the same calls to one of 50, each with an armed alert per probe, over 4 connections. Both
 * are addressed in their first 50 probes, at the same instants.
 */
import { isPostgres, title, withDatabases } from './databases.mjs';
import { figure, median } from './figures.mjs';
import { requestText, responsesPerSecond } from './http/load.mjs';
import { importFarm, newKey, serveCommand, startServer } from './program.mjs';
import { inWords, rounds, sized } from './sizes.mjs';

const SIZES = sized([50, 2_000], [1, 2]);
const NAMED_PROBES = SIZES[0];
const DEPTHS = [10, 20, 30];
const CONNECTIONS = 4;
const WARM_UP_MS = sized(3_000, 20);
const SLICE_MS = sized(1_000, 20);
const ALERTS_AT_ONCE = 8;
/** Readings of the last two hours, so that alerts are evaluated as those of live readings are. */
const PERIOD_MS = 2 * 3_600_000;
const SPACING_MS = isPostgres ? 60_000 : 10_000;

const uid = (index) => `U${index + 1}`;

const farmOf = (probes) => ({
  company: { name: `Mas of ${probes}`, timezone: 'Europe/Paris' },
  users: [{ email: 'ana@example.org', name: 'Ana', role: 'OWNER' }],
  parcels: [],
  modules: Array.from({ length: probes }, (_, index) => ({
    uid: uid(index),
    name: `Probe ${index + 1}`,
    category: 'SOIL_PROBE',
    sensors: DEPTHS.map((depth) => ({ type: 'humidity', depth })),
  })),
});

async function addAlerts(port, key, probes) {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const addTo = async (moduleId) => {
    const body = JSON.stringify({ moduleId, threshold: 5 });
    const answer = await fetch(`http://127.0.0.1:${port}/v1/alerts`, {
      method: 'POST',
      headers,
      body,
    });
    if (!answer.ok) throw new Error(await answer.text());
  };
  let next = 1;
  const add = async () => {
    while (next <= probes) await addTo(next++);
  };
  await Promise.all(Array.from({ length: ALERTS_AT_ONCE }, add));
}

const FORMS = {
  JSON: (module, time) => ({
    readings: DEPTHS.map((depth) => ({ module, type: 'humidity', depth, time, value: 25 })),
  }),
  'CSV with a module column': (module, time) => ({
    csv: `module,type,depth,time,value\n${DEPTHS.map((depth) => `${module},humidity,${depth},${time},25\n`).join('')}`,
  }),
};

/** Each call is of the next probe; once all have sent, they send again, a little later. */
function callsOf(key) {
  const firstAt = Date.now() - PERIOD_MS;
  let sent = 0;
  return (form) => {
    const module = uid(sent % NAMED_PROBES);
    const time = new Date(firstAt + Math.floor(sent++ / NAMED_PROBES) * SPACING_MS).toISOString();
    return requestText({ method: 'POST', path: '/v1/ingest', key, body: form(module, time) });
  };
}

await withDatabases(async ({ empty, analyze }) => {
  const sides = [];
  const ratesOf = new Map(Object.keys(FORMS).map((name) => [name, SIZES.map(() => [])]));
  try {
    for (const probes of SIZES) {
      const db = await empty();
      await importFarm(db, farmOf(probes));
      const key = newKey(db);
      const server = await startServer(serveCommand(db));
      sides.push({ server, next: callsOf(key) });
      await addAlerts(server.port, key, probes);
      await analyze(db);
    }

    const rate = ({ server, next }, form, ms) =>
      responsesPerSecond(server.port, {
        connections: CONNECTIONS,
        ms,
        next: () => next(form),
        status: 200,
      });
    for (const side of sides)
      for (const form of Object.values(FORMS)) await rate(side, form, WARM_UP_MS);
    for (let round = 0; round < rounds(8); round++)
      for (const [name, form] of Object.entries(FORMS))
        for (const [index, side] of sides.entries())
          ratesOf.get(name)[index].push(await rate(side, form, SLICE_MS));
  } finally {
    for (const { server } of sides) await server.stop();
  }

  for (const [name, rates] of ratesOf) {
    const [baseline, measured] = rates.map(median);
    figure({
      what: `${title}calls of three readings as ${name} to a company of ${inWords(SIZES[1])} probes with alerts, 4 connections`,
      against: `the same calls to a company of ${SIZES[0]} probes`,
      unit: 'a second',
      digits: 0,
      baseline,
      measured,
      target: 'at least 0.8x',
    });
  }
});
