/**
 * What one company with sixteen keys can do to take all of a scarce thing, each by the slowest and by
 * the fastest way. Every attack gets `{ port, keys, facts }` and returns a function that ends it.
 */
import { setMaxListeners } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

const DRIP_MS = 500;
const CONNECTIONS_OF_KEY = 8;
const REFUSED_PAUSE_MS = 100;

const megabytes = (count) => count * 1_048_576;

/** Rows of readings that exist nowhere, so that they are read and refused. */
function batchOf(bytes, at) {
  const row = `nowhere,humidity,10,${at},21\n`;
  return `module,type,depth,time,value\n${row.repeat(Math.ceil(bytes / row.length))}`;
}

function headOf({ path, key, type = 'text/csv', length, encoding, accept }) {
  const lines = [
    `POST ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    ...(key ? [`x-api-key: ${key}`, `Authorization: Bearer ${key}`] : []),
    ...(accept ? [`Accept: ${accept}`] : []),
    `Content-Type: ${type}`,
    ...(encoding ? [`Content-Encoding: ${encoding}`] : []),
    `Content-Length: ${length}`,
  ];
  return `${lines.join('\r\n')}\r\n\r\n`;
}

/** Keeps connections open, each with what `begin` writes and then a byte at a time. */
function dripping(port, count, begin) {
  let isOver = false;
  const sockets = new Set();

  const open = (index) => {
    if (isOver) return;
    const socket = connect(port, '127.0.0.1');
    sockets.add(socket);
    const drip = setInterval(() => socket.writable && socket.write('a'), DRIP_MS);
    socket.on('error', () => undefined).on('data', () => undefined);
    socket.once('connect', () => socket.write(begin(index)));
    socket.once('close', () => {
      clearInterval(drip);
      sockets.delete(socket);
      setTimeout(open, REFUSED_PAUSE_MS, index);
    });
  };

  for (let index = 0; index < count; index++) open(index);
  return async () => {
    isOver = true;
    for (const socket of sockets) socket.destroy();
  };
}

/** Like repeating, but sends a refused request again at once. */
function repeatingAtOnce(target, requestOf, perKey) {
  return repeating(target, requestOf, perKey, 0);
}

/** Sends requests without a pause on several connections for each key. */
function repeating(
  { port, keys },
  requestOf,
  perKey = CONNECTIONS_OF_KEY,
  refusedPauseMs = REFUSED_PAUSE_MS,
) {
  const ending = new AbortController();
  setMaxListeners(0, ending.signal);
  const send = async (key, index) => {
    for (let turn = 0; !ending.signal.aborted; turn++) {
      const { path, isUnread = false, isLeft = false, ...init } = requestOf(index, turn);
      const headers = { 'x-api-key': key, Authorization: `Bearer ${key}`, ...init.headers };
      const { signal } = ending;
      const ok = await fetch(`http://127.0.0.1:${port}${path}`, { ...init, headers, signal })
        .then(async (response) => {
          if (isUnread && response.ok) await pause(60_000, undefined, { signal });
          await (isLeft && response.ok ? response.body.cancel() : response.arrayBuffer());
          return response.ok;
        })
        .catch(() => false);
      if (!ok) await pause(refusedPauseMs);
    }
  };
  const all = keys.flatMap((key) => Array.from({ length: perKey }, (_, index) => send(key, index)));
  return async () => {
    ending.abort();
    await Promise.all(all);
  };
}

const csv = { 'content-type': 'text/csv' };
const json = { 'content-type': 'application/json' };
const mcpHeaders = { ...json, accept: 'application/json, text/event-stream' };

const callOf = (name, args) =>
  JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name, arguments: args },
  });

const everyKey = ({ keys }, perKey) => keys.flatMap((key) => Array(perKey).fill(key));

/** A POST whose body never ends, from each connection of each key. */
function unendingBodies(target, perKey, { length, type, encoding, path = '/v1/ingest', start }) {
  const all = everyKey(target, perKey);
  const head = (key) => headOf({ path, key, length, type, encoding, accept: '*/*' });
  return dripping(target.port, all.length, (index) =>
    Buffer.concat([Buffer.from(head(all[index])), Buffer.from(start ?? 'a')]),
  );
}

const PIPELINED = 8;
const PIPELINING_CONNECTIONS = 400;

/** Many connections, each with as many requests at once as it may send. */
function pipelining({ port, keys }, path, { isRead }) {
  let isOver = false;
  const sockets = new Set();

  const open = (index) => {
    if (isOver) return;
    const request = (last) =>
      [
        `GET ${path} HTTP/1.1`,
        'Host: 127.0.0.1',
        `x-api-key: ${keys[index % keys.length]}`,
        ...(last ? ['Connection: close'] : []),
      ].join('\r\n');
    const all = Array.from({ length: PIPELINED }, (_, n) => request(isRead && n === PIPELINED - 1));
    const socket = connect(port, '127.0.0.1');
    sockets.add(socket);
    if (isRead) socket.resume();
    socket.on('error', () => undefined);
    socket.once('connect', () => socket.write(all.map((each) => `${each}\r\n\r\n`).join('')));
    socket.once('close', () => {
      sockets.delete(socket);
      setImmediate(open, index);
    });
  };

  for (let index = 0; index < PIPELINING_CONNECTIONS; index++) open(index);
  return async () => {
    isOver = true;
    for (const socket of sockets) socket.destroy();
  };
}

const now = () => new Date().toISOString();

const SECONDS_OF_SEASON = 200 * 86_400;

const wateringOf = (place, secondsAgo) => ({
  path: `/v1/${place}/irrigation/events`,
  method: 'POST',
  headers: json,
  body: JSON.stringify({
    startedAt: new Date(Date.now() - 86_400_000 - secondsAgo * 1_000).toISOString(),
    inputMode: 'duration',
    durationMin: 30,
  }),
});

const equipmentOf = ({ facts }, turn) => ({
  path: `/v1/parcels/${facts.parcelId}/irrigation/installation`,
  method: 'PUT',
  headers: json,
  body: JSON.stringify({ system: 'sprinkler', flowMmPerH: 5 + (turn % 50) / 10 }),
});

const postOf = (path, body) => ({
  path,
  method: 'POST',
  headers: json,
  body: JSON.stringify(body),
});

/** As many waterings as a schedule can plan. */
const scheduleOf = (parcelId, minute) => ({
  path: '/v1/irrigation/schedules',
  method: 'POST',
  headers: json,
  body: JSON.stringify({
    targetParcelId: parcelId,
    freq: 'daily',
    timezone: 'Europe/Paris',
    startsOn: now().slice(0, 10),
    startTimes: Array.from({ length: 12 }, (_, n) =>
      [2 * n, 10 + minute].map((part) => String(part).padStart(2, '0')).join(':'),
    ),
    inputMode: 'duration',
    durationMin: 5,
  }),
});

const listenRequest = {
  path: '/mcp',
  method: 'POST',
  headers: {
    ...mcpHeaders,
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'subscriptions/listen',
  },
  body: JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'subscriptions/listen',
    params: {
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 'attacker', version: '1' },
        'io.modelcontextprotocol/clientCapabilities': {},
      },
      notifications: { resourceSubscriptions: ['acequia://alerts/firing'] },
    },
  }),
};

/** More connections of each key than it may have streams. */
const LISTENERS_OF_KEY = 31;

/** By the thing in the table of docs/reliability.md. */
export const ATTACKS = {
  connections: {
    slow: ({ port }) => dripping(port, 1_000, () => 'GET /health HTTP/1.1\r\nHost: a\r\nx: '),
    fast: ({ port }) => {
      let isOver = false;
      const reconnect = () => {
        if (isOver) return;
        const socket = connect(port, '127.0.0.1', () => socket.destroy());
        socket.on('error', () => undefined).once('close', () => setImmediate(reconnect));
      };
      for (let n = 0; n < 50; n++) reconnect();
      return async () => {
        isOver = true;
      };
    },
  },
  begunRequests: {
    slow: (target) => pipelining(target, '/', { isRead: false }),
    fast: (target) => pipelining(target, '/v1/company', { isRead: true }),
  },
  requests: {
    slow: (target) => unendingBodies(target, 40, { length: 60_000 }),
    fast: (target) => repeating(target, () => ({ path: '/v1/company' })),
  },
  unknownRequests: {
    slow: ({ port, keys }) =>
      unendingBodies({ port, keys: keys.map((_, index) => `acequia_${index}`) }, 40, {
        length: 60_000,
      }),
    fast: ({ port, keys }) =>
      repeating({ port, keys: keys.map((_, index) => `acequia_${index}`) }, (_, turn) => ({
        path: '/v1/company',
        headers: { 'x-api-key': `acequia_${turn}` },
      })),
  },
  calls: {
    slow: (target) =>
      repeating(target, (_, turn) => ({
        path: '/mcp',
        method: 'POST',
        headers: mcpHeaders,
        body: callOf('review_waterings', { module: '#1', start: `${30 + (turn % 60)} days ago` }),
      })),
    fast: (target) =>
      repeating(target, () => ({
        path: '/mcp',
        method: 'POST',
        headers: mcpHeaders,
        body: callOf('get_company', {}),
      })),
  },
  loopTurns: {
    slow: (target) => {
      const probe = `/v1/modules/${target.facts.moduleId}/irrigation`;
      return repeating(target, (index, turn) => {
        const kinds = [
          () => postOf(`${probe}/recompute`, {}),
          () => equipmentOf(target, turn),
          () => postOf(`${probe}/installation/generalize`, { dryRun: true, dropSiblings: true }),
        ];
        return kinds[(index + turn) % kinds.length]();
      });
    },
    fast: (target) =>
      repeating(target, () =>
        postOf(`/v1/modules/${target.facts.moduleId}/irrigation/recompute`, {}),
      ),
  },
  smallBodies: {
    slow: (target) => unendingBodies(target, 40, { length: 65_000, start: 'a'.repeat(60_000) }),
    fast: (target) => {
      const body = batchOf(60_000, now());
      return repeating(target, () => ({ path: '/v1/ingest', method: 'POST', headers: csv, body }));
    },
  },
  bodies: {
    slow: (target) =>
      unendingBodies(target, 8, {
        length: megabytes(16),
        encoding: 'gzip',
        start: gzipSync(batchOf(megabytes(16), now())).subarray(0, 16_000),
      }),
    fast: (target) => {
      const body = `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"${'a'.repeat(1_000_000)}"}}`;
      return repeating(target, () => ({
        path: '/mcp',
        method: 'POST',
        headers: mcpHeaders,
        body,
      }));
    },
  },
  batches: {
    slow: (target) => {
      const body = gzipSync(batchOf(megabytes(15), now()));
      const headers = { ...csv, 'content-encoding': 'gzip' };
      return repeating(target, () => ({ path: '/v1/ingest', method: 'POST', headers, body }), 2);
    },
    fast: (target) => {
      const body = batchOf(200_000, now());
      return repeating(target, () => ({ path: '/v1/ingest', method: 'POST', headers: csv, body }));
    },
  },
  shortReads: {
    slow: (target) => repeating(target, () => ({ path: '/v1/modules?limit=200' })),
    fast: (target) => repeating(target, () => ({ path: '/v1/gateways' })),
  },
  longReads: {
    slow: (target) =>
      repeating(target, (index, turn) => ({
        path: `/v1/modules/1/irrigation/review?start=${new Date(Date.now() - (300 + index * 7 + (turn % 50)) * 86_400_000).toISOString()}`,
      })),
    fast: (target) => repeating(target, () => ({ path: '/v1/brief' })),
  },
  listenStreams: {
    slow: (target) => repeating(target, () => ({ ...listenRequest, isLeft: true })),
    fast: (target) =>
      repeatingAtOnce(target, () => ({ ...listenRequest, isUnread: true }), LISTENERS_OF_KEY),
  },
  answers: {
    slow: (target) =>
      repeating(target, () => ({ path: '/v1/modules?limit=200&detail=full', isUnread: true }), 40),
    fast: (target) => repeating(target, () => ({ path: '/v1/parcels?limit=200' })),
  },
  writeLock: {
    slow: (target) =>
      repeating(target, (index, turn) =>
        turn % 20 === 0
          ? scheduleOf(target.facts.parcelId, index)
          : wateringOf(`parcels/${target.facts.parcelId}`, turn),
      ),
    fast: (target) =>
      repeating(target, (_, turn) => wateringOf(`modules/${target.facts.moduleId}`, turn)),
    'large-parcel': (target) =>
      repeating(
        target,
        () => wateringOf(`parcels/${target.facts.parcelId}`, Math.random() * SECONDS_OF_SEASON),
        2,
      ),
  },
};
