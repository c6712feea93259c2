import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { newBaseFarm } from '../../base-farm.ts';
import { importFarmFile } from '../../imported-data.ts';
import { addAlerts, FIRING_SINCE, setFiring } from '../alerts/stored-alerts.ts';
import { type McpSession, startStdioServer } from '../mcp-session.ts';
import type { Json } from '../program.ts';
import { createTestKey } from '../rest-service.ts';

const FIRING = 'acequia://alerts/firing';

const OTHER_FARM = {
  company: { name: 'Mas Bleu' },
  users: [{ email: 'eva@example.org', name: 'Eva', role: 'OWNER' }],
  modules: [{ uid: 'Z1', name: 'Blue 1', category: 'SOIL_PROBE', commissionedAt: '2025-01-11T09:00:00Z' }],
};

async function twoFarms(): Promise<string> {
  const db = await newBaseFarm();
  await importFarmFile(db, OTHER_FARM);
  return db;
}

async function startWithKey(db: string, ...keyOptions: string[]): Promise<McpSession> {
  const { key } = await createTestKey(db, ...keyOptions);
  return startStdioServer(['--db', db], { ACEQUIA_API_KEY: key });
}

async function subscribe({ client }: McpSession): Promise<string[]> {
  const updates: string[] = [];
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void updates.push(params.uri));
  await client.subscribeResource({ uri: FIRING });
  return updates;
}

async function firingAlerts({ client }: McpSession): Promise<Json[]> {
  const [content] = (await client.readResource({ uri: FIRING })).contents;
  return JSON.parse((content as { text: string }).text).data;
}

describe('a subscription to the firing alerts', () => {
  it('covers the alerts of its own company only', async () => {
    const db = await twoFarms();
    const [own, other] = await Promise.all([
      startWithKey(db, '--company', 'Mas Rouge'),
      startWithKey(db, '--company', 'Mas Bleu'),
    ]);
    const [toOwn, toOther] = [await subscribe(own), await subscribe(other)];
    await addAlerts(db, 1, []);
    await setFiring(db, 1, FIRING_SINCE);
    await expect.poll(() => toOwn).toEqual([FIRING]);
    expect([await firingAlerts(own), await firingAlerts(other)]).toMatchObject([[{ moduleId: 1 }], []]);
    expect(toOther).toEqual([]);
  });

  it('is refused without the scope, with an unknown key, and without a key if there are several companies', async () => {
    const db = await twoFarms();
    const refused = subscribe(await startWithKey(db, '--company', 'Mas Rouge', '--scopes', 'catalog:read'));
    await expect(refused).rejects.toThrow(/insufficient_scope: .*readings:read/);
    await expect(refused).rejects.toMatchObject({ data: { code: 'insufficient_scope', hint: expect.any(String) } });
    const unknownKey: Record<string, string> = { ACEQUIA_API_KEY: 'acequia_no-such-key' };
    for (const env of [unknownKey, {}])
      await expect(subscribe(await startStdioServer(['--db', db], env))).rejects.toMatchObject({
        data: { code: 'unauthenticated' },
      });
  });
});

describe('a key that may not list', () => {
  const completions = async ({ client }: McpSession, name: 'module' | 'parcel') => {
    const ref = { type: 'ref/resource', uri: `acequia://${name}s/{${name}}` } as const;
    return (await client.complete({ ref, argument: { name, value: '' } })).completion.values;
  };

  it('completes names of modules only with readings:read, and of parcels only with parcels:read', async () => {
    const db = await newBaseFarm();
    const modules = await startWithKey(db, '--scopes', 'readings:read');
    expect(await completions(modules, 'module')).toContain('North 1');
    expect(await completions(modules, 'parcel')).toEqual([]);
    const parcels = await startWithKey(db, '--scopes', 'parcels:read');
    expect(await completions(parcels, 'module')).toEqual([]);
    expect(await completions(parcels, 'parcel')).toContain('North block');
  });
});
