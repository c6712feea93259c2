import { expect, it } from 'vitest';
import { itInDeepRuns } from '../../property-runs.ts';
import { withSecondStore } from '../../stores/stores.ts';
import { startRestService } from '../rest-service.ts';

const BEA = { name: 'Bea', email: 'bea@example.org', role: 'MANAGER' } as const;

const WATERING = { startedAt: '2026-07-01T06:00', inputMode: 'duration', durationMin: 30 };

it('gives members with equal scopes their own names in the answer that they share', async () => {
  const service = await startRestService();
  await withSecondStore(service.db, (store) =>
    store.write(1, (db) => db.insertInto('users').values(BEA).execute()),
  );
  const keyOf = (email: string, scopes: string) =>
    service.newKey('--user', email, '--scopes', scopes);
  const keys = [
    await keyOf('ana@example.org', 'readings:read'),
    await keyOf('bea@example.org', 'readings:read'),
    await keyOf('ana@example.org', 'readings:read,irrigation:write'),
  ];
  const pages = await Promise.all(keys.map((key) => service.request('GET', '/page', { key })));

  expect(pages.map(({ status }) => status)).toEqual([200, 200, 200]);
  const users = pages.map(({ body }) => body.user);
  expect(users.map(({ name }) => name)).toEqual(['Ana', 'Bea', 'Ana']);
  expect(users.map(({ scopes }) => scopes.length)).toEqual([1, 1, 2]);

  // The instant says that these two were computed once, and the third for itself.
  const times = pages.map(({ body }) => body.time);
  expect(times[1]).toBe(times[0]);
  expect(times[2]).not.toBe(times[0]);
});

it('never gives a farm the answer of another farm, or of before a write', async () => {
  const service = await startRestService();
  const key = await service.newKey();
  const probe = async () => {
    const { body } = await service.request('GET', '/overview', { key });
    return body.data.find(({ moduleId }: { moduleId: number }) => moduleId === 1);
  };
  const before = await probe();

  const { status } = await service.request('POST', '/modules/1/irrigation/events', {
    key,
    body: WATERING,
  });
  expect(status).toBe(201);
  const after = await probe();
  expect(after.lastWateredAt).toBe('2026-07-01T04:00:00.000Z');
  expect(after.lastWateredAt).not.toBe(before.lastWateredAt);
});

itInDeepRuns('answers long reads and refuses wrong ones as it does short ones', async () => {
  const service = await startRestService();
  const key = await service.newKey();
  const get = (path: string) => service.request('GET', path, { key });

  for (const path of ['/overview', '/brief', '/modules/1/irrigation/review']) {
    const { status, headers, body } = await get(path);
    expect(status, path).toBe(200);
    expect(headers.get('content-type')).toBe('application/json');
    expect(body).toEqual(expect.any(Object));
  }
  const picture = await fetch(`${service.base}/modules/1/measurements/chart`, {
    headers: { 'X-API-Key': key },
  });
  expect(picture.headers.get('content-type')).toBe('image/png');
  expect(
    Buffer.from(await picture.arrayBuffer())
      .subarray(1, 4)
      .toString(),
  ).toBe('PNG');

  const refused = await get(
    '/modules/1/irrigation/review?start=2026-07-02T00:00Z&end=2026-07-01T00:00Z',
  );
  expect(refused.status).toBe(400);
  expect(refused.body.code).toBe('invalid_date');
});
