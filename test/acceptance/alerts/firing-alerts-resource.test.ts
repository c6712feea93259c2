import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { newBaseFarm } from '../../base-farm.ts';
import { newFolder } from '../../temporary-places.ts';
import { bodyOf, connectStdio, type McpSession } from '../mcp-session.ts';
import type { Json } from '../program.ts';
import { connectRaw } from '../raw-server.ts';
import { addAlerts, alertId, FIRING_SINCE, setFiring } from './stored-alerts.ts';

const FIRING = 'acequia://alerts/firing';

async function read({ client }: McpSession): Promise<Json> {
  const [content] = (await client.readResource({ uri: FIRING })).contents;
  return JSON.parse((content as { text: string }).text);
}

it('lists exactly the firing alerts, from every page of the list', async () => {
  const db = await newBaseFarm();
  await addAlerts(db, 450, [1, 225, 450]);
  const session = await connectStdio(db);
  const { data, next_cursor } = await read(session);
  expect([data.map(({ id }: Json) => id).sort(), next_cursor]).toEqual([[1, 225, 450].map(alertId), null]);
  const { data: listed } = bodyOf(await session.call('list_alerts', { limit: 200 }));
  expect(data).toContainEqual(listed.find(({ id }: Json) => id === alertId(1)));
  expect(data[0].state).toMatchObject({ firing: true, since: new Date(FIRING_SINCE).toISOString() });
});

describe('a subscription to the firing alerts', () => {
  it('notifies of changes by another process and by calls of its own server, once each', async () => {
    const db = await newBaseFarm();
    await addAlerts(db, 2, []);
    const session = await connectStdio(db);
    const updates: string[] = [];
    session.client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
      updates.push(params.uri);
    });
    await session.client.subscribeResource({ uri: FIRING });
    await setFiring(db, 1, FIRING_SINCE);
    await expect.poll(() => updates).toEqual([FIRING]);
    await setFiring(db, 1, FIRING_SINCE + 3_600_000);
    await expect.poll(() => updates).toEqual([FIRING, FIRING]);
    // The alert is quiet, so the list does not change.
    bodyOf(await session.call('update_alert', { alertId: alertId(2), isActive: false }));
    bodyOf(await session.call('update_alert', { alertId: alertId(1), isActive: false }));
    await expect.poll(() => updates).toEqual([FIRING, FIRING, FIRING]);
    expect((await read(session)).data).toEqual([]);
  });

  it.each(['a store', 'no store'])('does not keep a server with %s alive at the end of input', async (what) => {
    const db = what === 'a store' ? await newBaseFarm() : join(await newFolder(), 'none.db');
    const raw = await connectRaw(db);
    expect((await raw.answer(raw.send('resources/subscribe', { uri: FIRING }))).result).toEqual({});
    raw.child.stdin.end();
    expect(await raw.ended).toMatchObject({ code: 0, signal: null, stderr: '' });
    expect(existsSync(db)).toBe(what === 'a store');
  });
});
