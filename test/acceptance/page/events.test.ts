import { describe, expect, it } from 'vitest';
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
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read())
      text += chunk.value;
    isEnded = true;
  })().catch(() => undefined);
  return {
    response,
    /** The modules of each event; null for the farm. */
    changes: () =>
      [...text.matchAll(/^data: (.*)\n\n/gm)].map(
        ([, json]) => (JSON.parse(json!) as { modules: number[] | null }).modules,
      ),
    isEnded: () => isEnded,
    ended,
  };
}

async function signInAsNewMember(service: RestService, name: string): Promise<Session> {
  const user = `${name}@example.org`;
  await executeStatements(
    service.db,
    `insert into users (company_id, email, name, role) values (1, '${user}', '${name}', 'OWNER')`,
  );
  return signInTo(service, await newLink(service, { user }));
}

const shared = sharedRestService();

/** Below the 60 s after which the service looks for changes that nothing announced. */
const ANNOUNCED = { timeout: 30_000 };

describe('the event stream of the page', () => {
  it('names the probe of readings, writes and alerts that begin to fire, whichever process stored them', async () => {
    const service = shared();
    const other = await serveStoreForTest(service.db, '--clock', CLOCK);
    const session = await signInTo(service, await newLink(service));
    const key = await service.newKey();
    // Each on a stream of its own, which reports no earlier change.
    const expectChange = async (by: RestService, path: string, body: unknown) => {
      const stream = await follow(service, session);
      expect(stream.response.headers.get('content-type')).toBe('text/event-stream');
      expect((await by.request('POST', path, { key, body })).status).toBeLessThan(300);
      await expect.poll(stream.changes, ANNOUNCED).toContainEqual([1]);
      expect(stream.changes()).not.toContain(null);
    };
    await expectChange(service, '/ingest', moistureOfNorth1('09:10', 30));
    await expectChange(other, '/alerts', { moduleId: 1, threshold: 20, hysteresis: 15 });
    await expectChange(other, '/ingest', moistureOfNorth1('09:40', 29));
    // The newest readings stay those of 09:40, which do not reach the 35 % at which the alert
    // resolves.
    await expectChange(other, '/ingest', moistureOfNorth1('09:25', 12));
  });

  it('is refused without a session or the header of the page, and to other sites', async () => {
    const service = shared();
    const { cookie } = await signInTo(service, await newLink(service));
    const status = async (headers: Record<string, string>) =>
      (await openStream(service, headers)).status;
    expect(await status({ cookie })).toBe(403);
    expect(await status({ 'acequia-page': '1' })).toBe(401);
    expect(await status({ 'acequia-page': '1', 'x-api-key': await service.newKey() })).toBe(401);
    expect(await status({ 'acequia-page': '1', cookie, origin: 'https://evil.example' })).toBe(403);
  });

  it('ends with its session, while that of another session goes on until the service stops', async () => {
    const service = await serveStoreForTest(await newBaseFarm(), '--clock', CLOCK);
    const lasting = await follow(service, await signInTo(service, await newLink(service)));
    const ending = await follow(service, await signInTo(service, await newLink(service)));
    await endNewestSession(service.db);
    await expect.poll(ending.isEnded, ANNOUNCED).toBe(true);
    expect(lasting.isEnded()).toBe(false);
    const { code } = await service.stop();
    await lasting.ended;
    expect([code, lasting.isEnded()]).toEqual([0, true]);
  });

  it('is refused to a member who has sixteen open', async () => {
    const service = shared();
    const session = await signInAsNewMember(service, 'karim');
    const streams = await Promise.all(Array.from({ length: 16 }, () => follow(service, session)));
    expect(streams.map(({ response }) => response.status)).toEqual(
      Array.from({ length: 16 }, () => 200),
    );
    expect((await follow(service, session)).response.status).toBe(429);
  });

  it('is not opened by HEAD', async () => {
    const service = shared();
    const { cookie } = await signInAsNewMember(service, 'nadia');
    const headers = { cookie, 'acequia-page': '1' };
    // One more than a member may have open.
    for (let sent = 0; sent < 17; sent++) {
      const response = await fetch(new URL('/page/events', service.base), {
        method: 'HEAD',
        headers,
      });
      expect([response.status, response.headers.get('content-type')]).toEqual([
        200,
        'text/event-stream',
      ]);
    }
  });
});
