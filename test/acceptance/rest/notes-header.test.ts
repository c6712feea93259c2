import { describe, expect, it } from 'vitest';
import { newBaseFarm } from '../../base-farm.ts';
import { bodyOf, startStdioServer } from '../mcp-session.ts';
import { createTestKey, serveStoreForTest, startRestService } from '../rest-service.ts';
import { openRawConnection } from './raw-requests.ts';

const EVENTS = '/modules/1/irrigation/events';
const WATERING = { startedAt: '2026-07-01T06:00:00Z', inputMode: 'duration', durationMin: 40 };

describe('the notes of an answer', () => {
  it('are sent only on request', async () => {
    const { request, newKey } = await startRestService();
    const key = await newKey();
    const twice = async (headers: Record<string, string>) => {
      const answer = await request('POST', EVENTS, { key, body: WATERING, headers });
      return answer.headers.get('acequia-remarks');
    };
    await twice({});
    expect(await twice({})).toBeNull();
    const remarks = await twice({ 'acequia-remarks': '1' });
    expect(JSON.parse(decodeURIComponent(remarks!))).toEqual([expect.stringMatching(/overlaps watering/)]);
    const read = await request('GET', '/company', { key, headers: { 'acequia-remarks': '1' } });
    expect(read.headers.get('acequia-remarks')).toBe(encodeURIComponent('[]'));
  });

  it('are the same with a remote service as with a store, also in a replay', async () => {
    const db = await newBaseFarm();
    const { base } = await serveStoreForTest(db, '--clock', '2026-07-01T10:00:00Z');
    const { key } = await createTestKey(db, '--surface', 'mcp');
    const remote = await startStdioServer(['--remote', base], { ACEQUIA_API_KEY: key });
    const local = await startStdioServer(['--db', await newBaseFarm()]);
    const entry = { module: 'North 1', ...WATERING };
    for (const idempotencyKey of ['one', 'two', 'two']) {
      const summary = async (server: typeof remote) =>
        bodyOf(await server.call('log_watering', { ...entry, idempotencyKey })).summary as string;
      expect(await summary(remote)).toBe(await summary(local));
    }
    expect(bodyOf(await remote.call('log_watering', entry)).summary).toContain('overlaps watering');
  });
});

it('two Idempotency-Keys on one request are refused, and nothing is written', async () => {
  const { port, request, newKey } = await startRestService();
  const key = await newKey();
  const body = JSON.stringify(WATERING);
  const over = await openRawConnection(port);
  over.socket.write(
    [
      `POST /v1${EVENTS} HTTP/1.1`,
      'Host: localhost',
      `x-api-key: ${key}`,
      'Idempotency-Key: one',
      'Idempotency-Key: two',
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
  const answer = await over.closed;
  expect(answer).toContain('HTTP/1.1 400');
  expect(answer).toContain('"code":"invalid_parameter"');
  expect(answer).toContain('is repeated');
  expect((await request('GET', '/irrigation/events', { key })).body.data).toEqual([]);
});
