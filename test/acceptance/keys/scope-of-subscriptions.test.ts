import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect, it } from 'vitest';
import { newBaseFarm } from '../../base-farm.ts';
import { importFarmFile } from '../../imported-data.ts';
import { addAlerts, FIRING_SINCE, setFiring, setFiringOf } from '../alerts/stored-alerts.ts';
import { bodyOf, type McpSession, startStdioServer } from '../mcp-session.ts';
import type { Json } from '../program.ts';
import { createTestKey } from '../rest-service.ts';

const FIRING = 'acequia://alerts/firing';
const TEMPLATES = {
  module: 'acequia://modules/{module}',
  parcel: 'acequia://parcels/{parcel}/soil-profile',
} as const;

const OTHER_FARM = {
  company: { name: 'Mas Bleu' },
  users: [{ email: 'eva@example.org', name: 'Eva', role: 'OWNER' }],
  modules: [
    { uid: 'Z1', name: 'Blue 1', category: 'SOIL_PROBE', commissionedAt: '2025-01-11T09:00:00Z' },
  ],
};

async function startWithKey(db: string, ...keyOptions: string[]): Promise<McpSession> {
  const { key } = await createTestKey(db, ...keyOptions);
  return startStdioServer(['--db', db], { ACEQUIA_API_KEY: key });
}

async function subscribe({ client }: McpSession): Promise<string[]> {
  const updates: string[] = [];
  client.setNotificationHandler(
    ResourceUpdatedNotificationSchema,
    ({ params }) => void updates.push(params.uri),
  );
  await client.subscribeResource({ uri: FIRING });
  return updates;
}

async function firingAlerts({ client }: McpSession): Promise<Json[]> {
  const [content] = (await client.readResource({ uri: FIRING })).contents;
  return JSON.parse((content as { text: string }).text).data;
}

async function completions({ client }: McpSession, name: 'module' | 'parcel'): Promise<string[]> {
  const uri = TEMPLATES[name];
  const ref = { type: 'ref/resource', uri } as const;
  return (await client.complete({ ref, argument: { name, value: '' } })).completion.values;
}

it('a key subscribes to the alerts of its own company only, and without parcels:read completes no parcel', async () => {
  const db = await newBaseFarm();
  await importFarmFile(db, OTHER_FARM);
  const own = await startWithKey(db, '--company', 'Mas Rouge', '--scopes', 'readings:read');
  const other = await startWithKey(db, '--company', 'Mas Bleu');
  const { id } = bodyOf(await other.call('create_alert', { module: 'Blue 1', threshold: 20 }));
  const [toOwn, toOther] = [await subscribe(own), await subscribe(other)];
  await addAlerts(db, 1, []);
  await setFiring(db, 1, FIRING_SINCE);
  await expect.poll(() => toOwn).toEqual([FIRING]);
  expect([await firingAlerts(own), await firingAlerts(other)]).toMatchObject([
    [{ moduleId: 1 }],
    [],
  ]);
  expect(toOther).toEqual([]);
  await setFiringOf(db, id, FIRING_SINCE);
  await expect.poll(() => toOther).toEqual([FIRING]);
  expect(toOwn).toEqual([FIRING]);
  expect(await completions(own, 'module')).toContain('North 1');
  expect(await completions(own, 'parcel')).toEqual([]);
});

it('a key without readings:read does not subscribe, and completes no module', async () => {
  const session = await startWithKey(await newBaseFarm(), '--scopes', 'parcels:read');
  const refused = subscribe(session);
  await expect(refused).rejects.toThrow(/insufficient_scope: .*readings:read/);
  await expect(refused).rejects.toMatchObject({
    data: { code: 'insufficient_scope', hint: expect.any(String) },
  });
  expect(await completions(session, 'module')).toEqual([]);
  expect(await completions(session, 'parcel')).toContain('North block');
});
