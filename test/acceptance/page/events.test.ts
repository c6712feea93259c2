import { expect, it } from 'vitest';
import { newBaseFarm } from '../../base-farm.ts';
import { afterTest } from '../../cleanup.ts';
import { executeStatements } from '../../stores/stores.ts';
import { CLOCK } from '../program.ts';
import { type RestService, serveStoreForTest, sharedRestService } from '../rest-service.ts';
import { moistureOfNorth1 } from './page-farm.ts';
import { endNewestSession, newLink, type Session, signInTo } from './signed-in.ts';

const openStream = async (service: RestService, headers: Record<string, string>) => {
  const stopping = new AbortController();
  afterTest(() => stopping.abort());
  return fetch(new URL('/page/events', service.base), { headers, signal: stopping.signal });
};

async function follow(service: RestService, { cookie }: Session) {
  const response = await openStream(service, { cookie, 'acequia-page': '1' });
  let text = '';
  let isEnded = false;
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  const ended = (async () => {
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) text += chunk.value;
    isEnded = true;
  })().catch(() => undefined);
  return {
    response,
    changes: () => text.split('data: change\n\n').length - 1,
    isEnded: () => isEnded,
    ended,
  };
}

const shared = sharedRestService();

it('tells of readings, alerts and writes, whichever process takes them', async () => {
  const service = shared();
  const other = await serveStoreForTest(service.db, '--clock', CLOCK);
  const session = await signInTo(service, await newLink(service));
  const key = await service.newKey();
  const stream = await follow(service, session);
  expect(stream.response.headers.get('content-type')).toBe('text/event-stream');
  const post = async (to: RestService, path: string, body: unknown) => {
    const before = stream.changes();
    expect((await to.request('POST', path, { key, body })).status).toBeLessThan(300);
    await expect.poll(stream.changes, { timeout: 8_000 }).toBeGreaterThan(before);
  };
  await post(service, '/ingest', moistureOfNorth1('09:10', 30));
  await post(other, '/ingest', moistureOfNorth1('09:25', 29));
  await post(other, '/alerts', { moduleId: 1, threshold: 20, hysteresis: 2 });
  await post(other, '/ingest', moistureOfNorth1('09:40', 12));
});

it('is for people who are signed in, and for the page alone', async () => {
  const service = shared();
  const { cookie } = await signInTo(service, await newLink(service));
  const status = async (headers: Record<string, string>) => (await openStream(service, headers)).status;
  expect(await status({ cookie })).toBe(403);
  expect(await status({ 'acequia-page': '1' })).toBe(401);
  expect(await status({ 'acequia-page': '1', 'x-api-key': await service.newKey() })).toBe(401);
  expect(await status({ 'acequia-page': '1', cookie, origin: 'https://evil.example' })).toBe(403);
});

it('ends when the session ends, and with the service', async () => {
  const service = await serveStoreForTest(await newBaseFarm(), '--clock', CLOCK);
  const staying = await follow(service, await signInTo(service, await newLink(service)));
  const ending = await follow(service, await signInTo(service, await newLink(service)));
  await endNewestSession(service.db);
  await expect.poll(ending.isEnded, { timeout: 8_000 }).toBe(true);
  expect(staying.isEnded()).toBe(false);
  const { code } = await service.stop();
  await staying.ended;
  expect([code, staying.isEnded()]).toEqual([0, true]);
});

it('is refused to a member with sixteen of them, none of which HEAD opens', async () => {
  const service = shared();
  await executeStatements(
    service.db,
    "insert into users (company_id, email, name, role) values (1, 'karim@example.org', 'Karim', 'OWNER')",
  );
  const session = await signInTo(service, await newLink(service, { user: 'karim@example.org' }));
  const headers = { cookie: session.cookie, 'acequia-page': '1' };
  for (let sent = 0; sent < 16; sent++) {
    const response = await fetch(new URL('/page/events', service.base), { method: 'HEAD', headers });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
  }
  const streams = await Promise.all(Array.from({ length: 16 }, () => follow(service, session)));
  expect(streams.map(({ response }) => response.status)).toEqual(Array.from({ length: 16 }, () => 200));
  expect((await follow(service, session)).response.status).toBe(429);
});
