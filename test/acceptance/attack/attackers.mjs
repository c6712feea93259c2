// A process of its own, so that its work does not delay the measurements. Arguments: base URL and
// keys as JSON. Prints the answers by attack and status when it is stopped.
import { gzipSync } from 'node:zlib';

const { base, keys, parcelId, scheduleId, moduleId } = JSON.parse(process.argv[2]);

const emptyFields = `{${Array.from({ length: 22 }, (_, index) => `"f${index}":{}`).join(',')}}`;
const repeated = (row, count) =>
  gzipSync(`{"readings":[${Array(count).fill(row).join(',')}]}`, { level: 9 });
const bomb = repeated(`{"a":[${Array(22).fill('{}').join(',')}]}`, 200_000);
const badRows = repeated('{"a":1}', 200_000);
const emptyRows = repeated('{}', 5_000_000);
const unknownFields = repeated(emptyFields, 40_000);
const deep = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;
const manyKeys = `{${Array.from({ length: 90_000 }, (_, index) => `"k${index}":1`).join(',')}}`;

const json = { 'content-type': 'application/json' };
const gzip = { ...json, 'content-encoding': 'gzip' };
const ago = (days) => new Date(Date.now() - days * 86_400_000).toISOString();
const ingest = (body, headers) => ({
  path: '/ingest',
  method: 'POST',
  key: keys.ingest,
  headers,
  body,
});
const series = (query) => ({ path: `/modules/${moduleId}/measurements/${query}`, key: keys.read });

let flow = 5;
const nextFlow = () => {
  flow = flow >= 50 ? 5 : flow + 0.01;
  return flow;
};

/** How many of each are under way at once, and the request. */
const attacks = {
  'gzip bomb': [14, () => ingest(bomb, gzip)],
  'bad rows': [2, () => ingest(badRows, gzip)],
  'five million empty rows': [2, () => ingest(emptyRows, gzip)],
  'unknown fields': [2, () => ingest(unknownFields, gzip)],
  'deep batch': [1, () => ingest(deep, json)],
  'ten years at 15 min': [
    20,
    () => series(`weighted?interval=900&start=${ago(3650)}&end=${ago(0)}`),
  ],
  '50,000 points': [5, () => series(`weighted?maxPoints=50000&start=${ago(3650)}&end=${ago(0)}`)],
  backtest: [
    3,
    () => ({
      path: `/modules/${moduleId}/alerts/backtest?threshold=20&start=${ago(730)}&end=${ago(0)}`,
      key: keys.read,
    }),
  ],
  brief: [2, () => ({ path: '/brief', key: keys.read })],
  'set equipment': [
    2,
    () => ({
      path: `/parcels/${parcelId}/irrigation/installation`,
      method: 'PUT',
      key: keys.write,
      headers: json,
      body: JSON.stringify({
        system: 'sprinkler',
        flowMmPerH: nextFlow(),
        effectiveFrom: ago(Math.random() * 300),
      }),
    }),
  ],
  'change schedule': [
    2,
    () => ({
      path: `/irrigation/schedules/${scheduleId}`,
      method: 'PATCH',
      key: keys.write,
      headers: json,
      body: JSON.stringify({ durationMin: 10 + Math.floor(Math.random() * 50) }),
    }),
  ],
  'many keys to /mcp': [
    2,
    () => ({ root: '/mcp', method: 'POST', key: keys.mcp, headers: json, body: manyKeys }),
  ],
  'deep call': [
    2,
    () => ({
      root: '/mcp',
      method: 'POST',
      key: keys.mcp,
      headers: { ...json, accept: 'application/json, text/event-stream' },
      body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"log_watering","arguments":${JSON.stringify(deep)}}}`,
    }),
  ],
  'spaces in Content-Type': [
    2,
    () => ({
      path: '/ingest',
      method: 'POST',
      key: keys.ingest,
      headers: { 'content-type': `application/json;${' '.repeat(14_000)}x` },
      body: '{}',
    }),
  ],
  'no valid key': [4, () => ({ path: '/company', key: `acequia_${Math.random()}` })],
  'revoked key': [1, () => ({ path: '/company', key: keys.revoked })],
};

const counts = {};
let isOver = false;

async function attackRepeatedly(name, requestOf) {
  counts[name] ??= {};
  while (!isOver) {
    const { root, path, method = 'GET', key, headers, body } = requestOf();
    const outcome = await fetch(root ? new URL(root, base) : `${base}${path}`, {
      method,
      headers: { 'x-api-key': key, ...headers },
      body,
      signal: AbortSignal.timeout(120_000),
    }).then(
      async (response) => {
        await response.arrayBuffer();
        return response.status;
      },
      (error) => error.cause?.code ?? error.name,
    );
    counts[name][outcome] = (counts[name][outcome] ?? 0) + 1;
    // A refusal costs the service little: without a pause they would use up this machine's
    // processors.
    if (outcome !== 200) await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

process.once('SIGTERM', () => {
  isOver = true;
  process.stdout.write(JSON.stringify(counts), () => process.exit(0));
});

for (const [name, [concurrency, requestOf]] of Object.entries(attacks))
  for (let n = 0; n < concurrency; n++) void attackRepeatedly(name, requestOf);
