import { request as httpRequest } from 'node:http';
import { describe, expect, it } from 'vitest';
import { revokeKey } from '../../../../src/service/keys/key-administration.ts';
import { newBaseFarm } from '../../../base-farm.ts';
import { afterTest } from '../../../cleanup.ts';
import { importFarmFile } from '../../../imported-data.ts';
import { FIRING, listenRequest } from '../../../mcp/listen-request.ts';
import { withSecondStore } from '../../../stores/stores.ts';
import { FIRING_SINCE, setFiringOf } from '../../alerts/stored-alerts.ts';
import { CLOCK } from '../../program.ts';
import { createTestKey, type RestService, serveStoreForTest, startRestService } from '../../rest-service.ts';
import { mcpUrl } from '../http/mcp-http-client.ts';
import { connectListener, type ListeningClient, watchProbe } from './listening-client.ts';

const OWNER = ['--user', 'ana@example.org'];

async function listening(service: RestService, ...keyOptions: string[]): Promise<ListeningClient & { key: string }> {
  const key = await service.newKey(...(keyOptions.length > 0 ? keyOptions : OWNER));
  return { ...(await connectListener(service, key)), key };
}

describe('a client that listens over HTTP', () => {
  it('is told that an alert fires, and that it is resolved', async () => {
    const service = await startRestService();
    const listener = await listening(service);
    const probe = await watchProbe(service, listener.key);
    const subscription = await listener.listen(FIRING, 'acequia://company');
    expect(subscription.honoredFilter).toEqual({ resourceSubscriptions: [FIRING] });
    await probe.sendDry();
    await expect.poll(() => listener.updates).toEqual([FIRING]);
    expect(await listener.firingAlerts()).toMatchObject([{ id: probe.alertId }]);
    await probe.sendMoist();
    await expect.poll(() => listener.updates).toEqual([FIRING, FIRING]);
    expect(await listener.firingAlerts()).toEqual([]);
  });

  it('is told what another process writes', async () => {
    const service = await startRestService();
    const listener = await listening(service);
    const { alertId } = await watchProbe(service, listener.key);
    await listener.listen(FIRING);
    await setFiringOf(service.db, alertId, FIRING_SINCE);
    await expect.poll(() => listener.updates).toEqual([FIRING]);
  });

  it('is told of the alerts of its own company only', async () => {
    const db = await newBaseFarm();
    const sensors = [10, 20, 30].map((depth) => ({ type: 'humidity', depth }));
    await importFarmFile(db, {
      company: { name: 'Mas Bleu' },
      users: [{ email: 'eva@example.org', name: 'Eva', role: 'OWNER' }],
      modules: [{ uid: 'Z1', name: 'Blue 1', category: 'SOIL_PROBE', commissionedAt: '2025-01-11T09:00:00Z', sensors }],
    });
    const service = await serveStoreForTest(db, '--clock', CLOCK);
    const rouge = await listening(service, '--company', 'Mas Rouge', ...OWNER);
    const bleu = await listening(service, '--company', 'Mas Bleu', '--user', 'eva@example.org');
    const [probe, otherProbe] = [await watchProbe(service, rouge.key), await watchProbe(service, bleu.key, 'Z1')];
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

  it('is told nothing after its key was revoked: the stream ends', async () => {
    const service = await startRestService();
    const probe = await watchProbe(service, await service.newKey(...OWNER));
    const { id, key } = await createTestKey(service.db, ...OWNER);
    const listener = await connectListener(service, key);
    const subscription = await listener.listen(FIRING);
    await withSecondStore(service.db, (store) => revokeKey(store, id, Date.now()));
    await probe.sendDry();
    expect(await subscription.closed).toBe('graceful');
    expect(listener.updates).toEqual([]);
  });

  it('is told the end of the stream when the service stops, which does not wait for it', async () => {
    const service = await startRestService();
    const listener = await listening(service);
    const subscriptions = [await listener.listen(FIRING), await listener.listen(FIRING)];
    const startedAt = performance.now();
    const { code, stderr } = await service.stop();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    // After ten seconds it would cut the streams.
    expect(performance.now() - startedAt).toBeLessThan(9_000);
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
    const service = await startRestService();
    const { headers, body } = listenRequest(FIRING);
    const key = await service.newKey(...OWNER);
    const response = await fetch(mcpUrl(service.base), {
      ...{ method: 'POST', body },
      headers: { ...headers, 'x-api-key': key, accept: 'application/json' },
    });
    expect(await response.json()).toMatchObject({
      error: { code: -32600, message: expect.stringContaining('text/event-stream') },
    });
  });

  it('needs the scope that lists alerts', async () => {
    const service = await startRestService();
    const listener = await listening(service, '--scopes', 'catalog:read');
    await expect(listener.listen(FIRING)).rejects.toThrow(/insufficient_scope: .*readings:read/);
  });

  it('is acknowledged nothing else, and nothing at all without the toolset of alerts', async () => {
    const service = await startRestService();
    const other = await (await listening(service)).listen('acequia://company');
    expect([other.honoredFilter, await other.closed]).toEqual([{}, 'graceful']);
    const filtered = await startRestService('--toolsets', 'irrigation');
    const subscription = await (await listening(filtered)).listen(FIRING);
    expect([subscription.honoredFilter, await subscription.closed]).toEqual([{}, 'graceful']);
  });

  it('has 16 streams a key, and another for each that it closes', async () => {
    const service = await startRestService();
    const listener = await listening(service);
    const open = () => Promise.all(Array.from({ length: 16 }, () => listener.listen(FIRING)));
    const subscriptions = await open();
    await expect(listener.listen(FIRING)).rejects.toThrow('You listen on 16 streams already.');
    const another = await listening(service);
    await another.listen(FIRING);
    await Promise.all(subscriptions.map((each) => each.close()));
    await expect.poll(() => open().then((again) => again.length)).toBe(16);
  });

  it('leaves no stream behind when its connection breaks', async () => {
    const service = await startRestService();
    const listener = await listening(service);
    const cut = await Promise.all(Array.from({ length: 16 }, () => openRawStream(service, listener.key)));
    await expect(listener.listen(FIRING)).rejects.toThrow('16 streams');
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
        if (text.includes('notifications/subscriptions/acknowledged')) resolve(() => request.destroy());
        else reject(new Error(text));
      });
    });
    request.once('error', reject).end(body);
    afterTest(() => void request.destroy());
  });
}
