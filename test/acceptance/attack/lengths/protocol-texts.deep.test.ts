import { request } from 'node:http';
import { beforeAll, describe, expect, it } from 'vitest';
import { HOUR } from '../../../time.ts';
import { rpcRequest, toolCallRequest } from '../../mcp/http/mcp-http-client.ts';
import { excessStretch, type Send } from './event-loop.ts';
import { hostileShapes } from './hostile-shapes.ts';
import { serveWatched, type WatchedService } from './watched-service.ts';

let service: WatchedService;
beforeAll(async () => {
  service = await serveWatched();
});

const MAX_HEADER = 14_000;
const HEADERS = [
  'x-api-key',
  'authorization',
  'idempotency-key',
  'traceparent',
  'x-request-id',
  'cookie',
  'accept',
  'accept-language',
  'accept-encoding',
  'content-type',
  'content-encoding',
  'if-none-match',
  'origin',
  'host',
  'user-agent',
  'acequia-remarks',
  'acequia-confirmation',
  'mcp-protocol-version',
  'mcp-session-id',
];
const ROUTES = [
  'GET /v1/modules',
  'POST /v1/parcels/1/irrigation/events',
  'POST /mcp',
  'GET /',
  'POST /v1/ingest',
];

function sendHeader(route: string, name: string, value: string): Promise<unknown> {
  const [method, path = ''] = route.split(' ');
  const headers = { 'x-api-key': service.key, 'content-type': 'application/json', [name]: value };
  return new Promise((resolve) => {
    const outgoing = request(new URL(path, service.base), { method, headers }, (incoming) =>
      incoming.resume().once('end', resolve),
    );
    outgoing.once('error', resolve);
    outgoing.end(method === 'POST' ? '{}' : undefined);
  });
}

async function expectShort(send: Send, length: number): Promise<void> {
  for (const shape of hostileShapes(null))
    expect(await excessStretch(service.watch, send, shape.textOf(length)), shape.name).toBe(0);
}

describe('a hostile text holds the event loop no longer than a harmless one', {
  timeout: HOUR,
}, () => {
  it.each(ROUTES)('in each header of %s', async (route) => {
    for (const name of HEADERS)
      await expectShort(
        (text) => sendHeader(route, name, text.replaceAll(/[^\t\x20-\x7e]/g, 'a').trim()),
        MAX_HEADER,
      );
  });

  it('in the path and the query', async () => {
    for (const start of ['/v1/modules/', '/v1/modules?search=', '/v1/ingest/', '/', '/sign-in?'])
      await expectShort(
        (text) => fetch(new URL(start + encodeURIComponent(text).slice(0, 8_000), service.base)),
        MAX_HEADER,
      );
  });

  it.each([
    ['the name of a tool', (text: string) => toolCallRequest(text, {})],
    ['the name of an argument', (text: string) => toolCallRequest('log_rain', { [text]: 1 })],
    ['all arguments', (text: string) => toolCallRequest('log_rain', text)],
    ['clear', (text: string) => toolCallRequest('correct_rain', { clear: text })],
    ['idempotencyKey', (text: string) => toolCallRequest('log_rain', { idempotencyKey: text })],
    ['confirm', (text: string) => toolCallRequest('delete_annotation', { confirm: text })],
    ['a resource', (text: string) => rpcRequest('resources/read', { uri: text })],
    [
      'the argument of a resource',
      (text: string) => rpcRequest('resources/read', { uri: `acequia://modules/${text}` }),
    ],
    ['a method', (text: string) => rpcRequest(text)],
    ['a cursor', (text: string) => rpcRequest('tools/list', { cursor: text })],
    [
      'a prompt',
      (text: string) =>
        rpcRequest('prompts/get', { name: 'log_watering', arguments: { request: text } }),
    ],
    [
      'a completion',
      (text: string) =>
        rpcRequest('completion/complete', {
          ref: { type: 'ref/prompt', name: 'log_watering' },
          argument: { name: 'module', value: text },
        }),
    ],
  ])('in %s over /mcp', async (_, message) => {
    for (const length of [200, 20_000, 900_000])
      await expectShort((text) => service.send(message(text)), length);
  });
});
