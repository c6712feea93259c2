import { expect, it } from 'vitest';
import { newBaseFarm } from '../../base-farm.ts';
import { executeStatements } from '../../stores/stores.ts';
import { CLOCK } from '../program.ts';
import { createTestKey, serveStoreForTest } from '../rest-service.ts';
import { EVENTS_PATH, nthWatering } from './raw-requests.ts';

it('refuses more rows than a company may add in a day, and says what counts, but takes readings and an undo', async () => {
  const db = await newBaseFarm();
  const service = await serveStoreForTest(db, '--clock', CLOCK);
  const { key } = await createTestKey(db, '--surface', 'mcp');
  const log = (n: number) => service.request('POST', EVENTS_PATH, { key, body: nthWatering(n) });
  expect((await log(1)).status).toBe(201);
  await executeStatements(db, 'update daily_rows set row_count = 1000000');

  const refused = await log(2);
  expect(refused).toMatchObject({
    status: 429,
    body: {
      code: 'daily_limit',
      detail: expect.stringMatching(/may add \d+ rows a day, and this would be 10000\d\d/),
      hint: expect.stringContaining('Waterings (planned ones too), setups, schedules, alerts'),
    },
  });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);

  const reading = { module: 'A1', type: 'humidity', depth: 10, time: CLOCK, value: 25 };
  const readings = await service.request('POST', '/ingest', { key, body: { readings: [reading] } });
  expect(readings).toMatchObject({ status: 200, body: { readings: { written: 1 } } });
  const { body: changes } = await service.request('GET', '/changes', { key });
  const undo = `/changes/${changes.data[0].id}/undo`;
  expect((await service.request('POST', undo, { key, body: {} })).status).toBe(200);
});
