import { request as httpRequest } from 'node:http';
import { describe, expect, it } from 'vitest';
import { revokeKey } from '../../../../src/service/keys/key-administration.ts';
import { afterTest } from '../../../cleanup.ts';
import { importFarmFile } from '../../../imported-data.ts';
import { FIRING, listenRequest } from '../../../mcp/listen-request.ts';
import { withSecondStore } from '../../../stores/stores.ts';
import { FIRING_SINCE, setFiringOf } from '../../alerts/stored-alerts.ts';
import {
  createTestKey,
  type RestService,
  sharedRestService,
  startRestService,
} from '../../rest-service.ts';
import { mcpUrl } from '../http/mcp-http-client.ts';
import {
  connectListener,
  type ListeningClient,
  type WatchedProbe,
  watchProbe,
} from './listening-client.ts';

const shared = sharedRestService();
let count = 0;

/** A company with one probe, so that each test hears of its own alerts alone. */
async function newCompany(db: string): Promise<{ keyOptions: string[]; uid: string }> {
  const name = `Mas ${++count}`;
  const uid = `Z${count}`;
  const sensors = [10, 20, 30].map((depth) => ({ type: 'humidity', depth }));
  await importFarmFile(db, {
    company: { name },
    users: [{ email: 'eva@example.org', name: 'Eva', role: 'OWNER' }],
    modules: [
      {
        uid,
        name: 'Blue 1',
        category: 'SOIL_PROBE',
        commissionedAt: '2025-01-11T09:00:00Z',
        sensors,
      },
    ],
  });
  return { keyOptions: ['--company', name, '--user', 'eva@example.org'], uid };
}

interface Listening extends ListeningClient {
  readonly key: string;
  readonly keyOptions: readonly string[];
  watchProbe(): Promise<WatchedProbe>;
}

/** Listens with a key of a new company. */
async function listening(
  service: RestService = shared(),
  ...moreOptions: string[]
): Promise<Listening> {
  const { keyOptions, uid } = await newCompany(service.db);
  const key = await service.newKey(...keyOptions, ...moreOptions);
  const listener = await connectListener(service, key);
  return { ...listener, key, keyOptions, watchProbe: () => watchProbe(service, key, uid) };
}

describe('a client that listens over HTTP', () => {
  it('is notified when an alert fires, and when it is resolved', async () => {
    const listener = await listening();
    const probe = await listener.watchProbe();
    const subscription = await listener.listen(FIRING, 'acequia://company');
    expect(subscription.honoredFilter).toEqual({ resourceSubscriptions: [FIRING] });
    await probe.sendDry();
    await expect.poll(() => listener.updates).toEqual([FIRING]);
    expect(await listener.firingAlerts()).toMatchObject([{ id: probe.alertId }]);
    await probe.sendMoist();
    await expect.poll(() => listener.updates).toEqual([FIRING, FIRING]);
    expect(await listener.firingAlerts()).toEqual([]);
  });

  it('is notified of what another process writes', async () => {
    const listener = await listening();
    const { alertId } = await listener.watchProbe();
    await listener.listen(FIRING);
    await setFiringOf(shared().db, alertId, FIRING_SINCE);
    await expect.poll(() => listener.updates).toEqual([FIRING]);
  });

  it('is notified of the alerts of its own company only', async () => {
    const [rouge, bleu] = [await listening(), await listening()];
    const [probe, otherProbe] = [await rouge.watchProbe(), await bleu.watchProbe()];
    await Promise.all([rouge.listen(FIRING), bleu.listen(FIRING)]);
    await probe.sendDry();
    await expect.poll(() => rouge.updates).toEqual([FIRING]);
    expect(bleu.updates).toEqual([]);
    await otherProbe.sendDry();
    await expect.poll(() => bleu.updates).toEqual([FIRING]);
    await probe.sendMoist();
    await expect.poll(() => rouge.updates).toEqual([FIRING, FIRING]);
    expect(bleu.updates).toEqual([FIRING]);
  });

  it('gets nothing after its key was revoked: the stream ends', async () => {
    const { watchProbe: watchOwnProbe, keyOptions } = await listening();
    const probe = await watchOwnProbe();
    const { id, key } = await createTestKey(shared().db, ...keyOptions);
    const listener = await connectListener(shared(), key);
    const subscription = await listener.listen(FIRING);
    await withSecondStore(shared().db, (store) => revokeKey(store, id, Date.now()));
    await probe.sendDry();
    expect(await subscription.closed).toBe('graceful');
    expect(listener.updates).toEqual([]);
  });

  it('gets the end of the stream when the service stops, which does not wait for it', async () => {
    const service = await startRestService();
    const listener = await listening(service);
    const subscriptions = [await listener.listen(FIRING), await listener.listen(FIRING)];
    const { code, stderr } = await service.stop();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    // A service that waited for them would cut them after ten seconds.
    for (const { closed } of subscriptions) expect(await closed).toBe('graceful');
  });

  it('sees that its server was killed', async () => {
    const service = await startRestService();
    const listener = await listening(service);
    const { closed } = await listener.listen(FIRING);
    service.child.kill('SIGKILL');
    expect(await closed).toBe('remote');
  });
});

describe('who may listen', () => {
  it('accepts a stream of events', async () => {
    const { headers, body } = listenRequest(FIRING);
    const { key } = await listening();
    const response = await fetch(mcpUrl(shared().base), {
      method: 'POST',
      body,
      headers: { ...headers, 'x-api-key': key, accept: 'application/json' },
    });
    expect(await response.json()).toMatchObject({
      error: { code: -32600, message: expect.stringContaining('text/event-stream') },
    });
  });

  it('needs the scope that lists alerts', async () => {
    const listener = await listening(shared(), '--scopes', 'catalog:read');
    await expect(listener.listen(FIRING)).rejects.toThrow(/insufficient_scope: .*readings:read/);
  });

  it('gets no other resource acknowledged, and none without the toolset of alerts', async () => {
    const other = await (await listening()).listen('acequia://company');
    expect([other.honoredFilter, await other.closed]).toEqual([{}, 'graceful']);
    const filtered = await startRestService('--toolsets', 'irrigation');
    const subscription = await (await listening(filtered)).listen(FIRING);
    expect([subscription.honoredFilter, await subscription.closed]).toEqual([{}, 'graceful']);
  });

  it('has at most 16 streams for a key, and another for each that it closes', async () => {
    const listener = await listening();
    const open = () => Promise.all(Array.from({ length: 16 }, () => listener.listen(FIRING)));
    const subscriptions = await open();
    await expect(listener.listen(FIRING)).rejects.toThrow('listens on too many streams already');
    const another = await listening();
    await another.listen(FIRING);
    await Promise.all(subscriptions.map((each) => each.close()));
    await expect.poll(() => open().then((again) => again.length)).toBe(16);
  });

  it('leaves no stream behind when its connection breaks', async () => {
    const listener = await listening();
    const cut = await Promise.all(
      Array.from({ length: 16 }, () => openRawStream(shared(), listener.key)),
    );
    await expect(listener.listen(FIRING)).rejects.toThrow('too many streams');
    for (const destroy of cut) destroy();
    await expect.poll(() => listener.listen(FIRING).then(() => 'open', String)).toBe('open');
  });
});

/** Resolves once the stream is acknowledged, to what breaks its connection. */
function openRawStream(service: RestService, key: string): Promise<() => void> {
  const { headers, body } = listenRequest(FIRING);
  return new Promise((resolve, reject) => {
    const options = { method: 'POST', headers: { ...headers, 'x-api-key': key }, agent: false };
    const request = httpRequest(mcpUrl(service.base), options, (incoming) => {
      incoming.on('error', () => undefined);
      incoming.setEncoding('utf8').once('data', (text: string) => {
        if (text.includes('notifications/subscriptions/acknowledged'))
          resolve(() => request.destroy());
        else reject(new Error(text));
      });
    });
    request.once('error', reject).end(body);
    afterTest(() => void request.destroy());
  });
}
