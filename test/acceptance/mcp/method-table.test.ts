import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ClientRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect, it } from 'vitest';
import { newBaseFarm } from '../../base-farm.ts';
import { type Json, REPOSITORY } from '../program.ts';
import { initializeRaw, type RawServer, startRawServer } from '../raw-server.ts';
import { createTestKey, serveStoreForTest } from '../rest-service.ts';

const COLUMNS = [
  'earlier, stdio',
  'earlier, HTTP',
  '2026-07-28, stdio',
  '2026-07-28, HTTP',
] as const;
type Column = (typeof COLUMNS)[number];

const clientInfo = { name: 'raw', version: '1' };
const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': clientInfo,
};
const FIRING = 'acequia://alerts/firing';

/** Arguments with which a served request succeeds. */
const PARAMETERS: Readonly<Record<string, Json>> = {
  initialize: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo },
  'tools/call': { name: 'list_modules', arguments: {} },
  'prompts/get': { name: 'plan_week' },
  'resources/read': { uri: 'acequia://company' },
  'resources/subscribe': { uri: FIRING },
  'resources/unsubscribe': { uri: FIRING },
  'subscriptions/listen': { notifications: { resourceSubscriptions: [FIRING] } },
  'completion/complete': {
    ref: { type: 'ref/prompt', name: 'plan_week' },
    argument: { name: 'module', value: '' },
  },
  'skills/get': { uri: 'skill://acequia/plan-week/SKILL.md' },
  'logging/setLevel': { level: 'info' },
  ...Object.fromEntries(
    ['get', 'result', 'cancel'].map((method) => [`tasks/${method}`, { taskId: '1' }]),
  ),
};

/** The columns in which the documentation says yes, by method. */
function documented(): Map<string, readonly Column[]> {
  const page = readFileSync(join(REPOSITORY, 'docs', 'mcp-over-http.md'), 'utf8');
  const [, table = ''] = /<!-- methods -->([\s\S]*?)<!-- \/methods -->/.exec(page) ?? [];
  const rows = table.split('\n').filter((line) => line.startsWith('| `'));
  return new Map(
    rows.flatMap((row) => {
      const [, methods = '', ...cells] = row.split('|').map((cell) => cell.trim());
      const served = COLUMNS.filter((_, index) => {
        expect([row, cells[index]]).toEqual([row, expect.stringMatching(/^(yes|no)$/)]);
        return cells[index] === 'yes';
      });
      return [...methods.matchAll(/`([^`]+)`/g)].map(([, method]) => [method!, served] as const);
    }),
  );
}

/** An answer, or the acknowledgement of a stream that stays open and says what it will report. */
const isServed = ({ result, params, error }: Json): boolean => {
  if (error !== undefined) expect(error).toMatchObject({ code: -32601 });
  return (
    result !== undefined || params?.notifications?.resourceSubscriptions?.includes(FIRING) === true
  );
};

async function sendRaw(raw: RawServer, method: string, params: object): Promise<boolean> {
  const id = raw.send(method, params);
  if (method !== 'subscriptions/listen') return isServed(await raw.answer(id));
  const reply = (): Json =>
    raw.messages.find(
      (each) => each.id === id || each.method === 'notifications/subscriptions/acknowledged',
    );
  await expect.poll(reply).toBeDefined();
  return isServed(reply());
}

async function overHttp(
  url: URL,
  headers: Record<string, string>,
  method: string,
  params: Json,
): Promise<boolean> {
  const name = params.name ?? params.uri ?? params.taskId;
  const end = new AbortController();
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-method': method,
      ...(name === undefined ? {} : { 'mcp-name': name }),
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: end.signal,
  });
  let text = '';
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const [, message] = /(?:^|\ndata: )(\{.*\})(?:\n|$)/.exec(text) ?? [];
    if (message === undefined) continue;
    end.abort();
    return isServed(JSON.parse(message));
  }
  throw new Error(`${response.status} without a message: ${text}`);
}

it('answers the requests that the documentation says, in each era and on each transport', async () => {
  const db = await newBaseFarm();
  const { key } = await createTestKey(db);
  const service = await serveStoreForTest(db);
  const url = new URL('/mcp', service.base);
  const start = () => startRawServer(['--db', db]);
  const [earlier, newer] = [await initializeRaw(start()), start()];
  const [earlierHttp, newerHttp] = ['2025-11-25', '2026-07-28'].map((version) => ({
    'x-api-key': key,
    'mcp-protocol-version': version,
  }));
  const send: Record<Column, (method: string, params: object) => Promise<boolean>> = {
    'earlier, stdio': (method, params) =>
      sendRaw(method === 'initialize' ? start() : earlier, method, params),
    'earlier, HTTP': (method, params) => overHttp(url, earlierHttp!, method, params),
    '2026-07-28, stdio': (method, params) => sendRaw(newer, method, { ...params, _meta: ENVELOPE }),
    '2026-07-28, HTTP': (method, params) =>
      overHttp(url, newerHttp!, method, { ...params, _meta: ENVELOPE }),
  };
  const table = documented();
  for (const column of COLUMNS) await send[column]('tools/list', {});
  for (const [method, expected] of table) {
    const served: Column[] = [];
    for (const column of COLUMNS)
      if (await send[column](method, PARAMETERS[method] ?? {})) served.push(column);
    expect([method, served]).toEqual([method, expected]);
  }
  const known = ClientRequestSchema.options.map(({ shape }) => shape.method.value);
  expect(known.filter((method) => !table.has(method))).toEqual([]);
});
