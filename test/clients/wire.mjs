import { once } from 'node:events';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

const tap = fileURLToPath(new URL('./stdio-tap.mjs', import.meta.url));
const VERSION_OF_REQUEST = 'io.modelcontextprotocol/protocolVersion';

/** The command of a stdio server whose messages are also written to a file. */
export const recordedCommand = (command, log) => [process.execPath, tap, log, ...command];

/**
 * An address that forwards to the server, adds headers, and writes the messages of both sides to a
 * file.
 */
export async function recordedAddress(to, added, log) {
  const record = (from, text) => {
    for (const message of messagesIn(text))
      appendFileSync(log, `${JSON.stringify({ from, message })}\n`);
  };
  const server = createServer(async (incoming, outgoing) => {
    const body = await textOf(incoming);
    record('client', body);
    const headers = { ...incoming.headers, ...added };
    const path = new URL(to).pathname === incoming.url ? to : new URL(incoming.url, to);
    const onward = request(path, { method: incoming.method, headers }, async (answer) => {
      outgoing.writeHead(answer.statusCode, answer.headers);
      answer.pipe(outgoing);
      record('server', await textOf(decoded(answer)).catch(() => ''));
    });
    onward.on('error', () => outgoing.destroy());
    outgoing.once('close', () => onward.destroy());
    onward.end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}/mcp`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const DECODERS = { br: createBrotliDecompress, gzip: createGunzip, deflate: createInflate };

function decoded(answer) {
  const decoder = DECODERS[answer.headers['content-encoding']]?.();
  return decoder ? answer.pipe(decoder) : answer;
}

async function textOf(stream) {
  const parts = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts).toString('utf8');
}

/** The JSON messages of a body, which is one message, or a stream of events. */
function messagesIn(text) {
  const events = [...text.matchAll(/^data: ?(.+)$/gm)].map(([, data]) => data);
  return (events.length > 0 ? events : [text]).flatMap((each) => {
    try {
      return [JSON.parse(each)].flat();
    } catch {
      return [];
    }
  });
}

/**
 * What a client asked and got: each request with its answer, and the version of the protocol that
 * they spoke.
 */
export function readWire(log) {
  const lines = existsSync(log) ? readFileSync(log, 'utf8').split('\n').filter(Boolean) : [];
  const entries = lines.map((line) => JSON.parse(line));
  const exchanges = [];
  for (const { from, message } of entries) {
    if (from === 'client' && message.method && message.id !== undefined)
      exchanges.push({ request: message });
    if (from !== 'server' || message.id === undefined) continue;
    const open = exchanges.find((each) => each.request.id === message.id && !each.answer);
    if (open) open.answer = message;
  }
  const methods = exchanges.map(({ request: { method } }) => method);
  return {
    exchanges,
    version: versionOf(exchanges),
    opening: methods.slice(0, 2),
    methods: [...new Set(methods)],
  };
}

/** Returns the last version of a client that tried one and went on with another. */
function versionOf(exchanges) {
  const versions = exchanges.flatMap(({ request: { method, params }, answer }) => {
    if (method === 'initialize') return answer?.result?.protocolVersion ?? [];
    return method === 'server/discover' ? [] : (params?._meta?.[VERSION_OF_REQUEST] ?? []);
  });
  return versions.at(-1);
}
