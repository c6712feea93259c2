import { describe, expect, it } from 'vitest';
import { newBaseFarm } from '../../base-farm.ts';
import { runInProcess } from '../../in-process-command.ts';
import { CLOCK } from '../program.ts';
import { sharedRestService } from '../rest-service.ts';
import { openRawConnection } from './raw-requests.ts';

const WATERING = { startedAt: '2026-07-01T06:00:00Z', inputMode: 'duration', durationMin: 40 };

const farm = sharedRestService();
/** Each test has a probe of its own. */
const eventsOf = (moduleId: number): string => `/modules/${moduleId}/irrigation/events`;

describe('the advisories of an answer', () => {
  it('are sent only on request', async () => {
    const key = await farm().newKey();
    const notesOf = async (headers: Record<string, string>) => {
      const answer = await farm().request('POST', eventsOf(1), { key, body: WATERING, headers });
      return answer.headers.get('acequia-remarks');
    };
    await notesOf({});
    expect(await notesOf({})).toBeNull();
    const notes = await notesOf({ 'acequia-remarks': '1' });
    expect(JSON.parse(decodeURIComponent(notes!))).toEqual([
      expect.stringMatching(/overlaps another watering/),
    ]);
    const read = await farm().request('GET', '/company', {
      key,
      headers: { 'acequia-remarks': '1' },
    });
    expect(read.headers.get('acequia-remarks')).toBe(encodeURIComponent('[]'));
  });

  it('name both figures of a line that its soil does not explain, beside the change to undo', async () => {
    const key = await farm().newKey();
    const layers = [{ soilHorizonId: 6, depthTopCm: 0, depthBottomCm: 60 }];
    await farm().request('PUT', '/parcels/1/soil-profile', { key, body: { layers } });
    const drawn = await farm().request('POST', '/modules/1/annotations', {
      key,
      body: { type: 'h-line', value: 41, style: { fill: 'threshold1' } },
      headers: { 'acequia-remarks': 'en' },
    });
    expect(drawn.status).toBe(201);
    expect(JSON.parse(decodeURIComponent(drawn.headers.get('acequia-remarks')!))).toEqual([
      expect.stringMatching(/drawn at 41 %, but its texture class has 28 %/),
    ]);
    expect(drawn.headers.get('acequia-change-id')).toMatch(/^\d+$/);
  });

  it('are the same with a remote service as with a store, also in a replay', async () => {
    const env = { ACEQUIA_API_KEY: await farm().newKey('--surface', 'mcp') };
    const db = await newBaseFarm();
    const entry = [
      'module=North 2',
      ...Object.entries(WATERING).map(([name, value]) => `${name}=${value}`),
    ];
    /** The ids differ. */
    const summaryOf = async (place: string[], idempotencyKey: string, env = {}) => {
      const words = [
        'call',
        'log_watering',
        ...entry,
        `idempotencyKey=${idempotencyKey}`,
        '--clock',
        CLOCK,
        ...place,
      ];
      const { stdout } = await runInProcess(words, { env });
      return stdout.replace(/(eventId: )\d+( or )\d+/, '$1M$2N');
    };
    for (const idempotencyKey of ['one', 'two', 'two']) {
      const summary = await summaryOf(['--remote', farm().base], idempotencyKey, env);
      expect(summary).toBe(await summaryOf(['--db', db], idempotencyKey));
      expect(summary.includes('overlaps another watering')).toBe(idempotencyKey === 'two');
    }
  });
});

it('two Idempotency-Keys on one request are refused, and nothing is written', async () => {
  const key = await farm().newKey();
  const body = JSON.stringify(WATERING);
  const over = await openRawConnection(farm().port);
  over.socket.write(
    [
      `POST /v1${eventsOf(3)} HTTP/1.1`,
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
  expect((await farm().request('GET', '/irrigation/events?moduleId=3', { key })).body.data).toEqual(
    [],
  );
});
