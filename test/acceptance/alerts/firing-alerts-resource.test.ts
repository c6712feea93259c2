import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { newBaseFarm } from '../../base-farm.ts';
import { FIRING } from '../../mcp/listen-request.ts';
import { newFolder } from '../../temporary-places.ts';
import { bodyOf } from '../mcp-session.ts';
import type { Json } from '../program.ts';
import { connectRaw } from '../raw-server.ts';
import { addAlerts, alertId, FIRING_SINCE, setFiring } from './stored-alerts.ts';

it('the firing alerts come from every page of the list, and a subscriber is notified of each change once', async () => {
  const db = await newBaseFarm();
  await addAlerts(db, 250, [1, 225, 250]);
  const raw = await connectRaw(db);
  const call = async (name: string, args: object) =>
    bodyOf((await raw.answer(raw.call(name, args))).result);
  const firing = async () => {
    const { result } = await raw.answer(raw.send('resources/read', { uri: FIRING }));
    return JSON.parse(result.contents[0].text);
  };
  const { data, next_cursor } = await firing();
  expect([data.map(({ id }: Json) => id).sort(), next_cursor]).toEqual([
    [1, 225, 250].map(alertId),
    null,
  ]);
  const { data: listed } = await call('list_alerts', { limit: 200 });
  expect(data).toContainEqual(listed.find(({ id }: Json) => id === alertId(1)));
  expect(data[0].state).toMatchObject({
    firing: true,
    since: new Date(FIRING_SINCE).toISOString(),
  });

  const updates = () =>
    raw.messages.flatMap(({ method, params }) =>
      method === 'notifications/resources/updated' ? [params.uri] : [],
    );
  await raw.answer(raw.send('resources/subscribe', { uri: FIRING }));
  await setFiring(db, 3, FIRING_SINCE);
  await expect.poll(updates).toEqual([FIRING]);
  await setFiring(db, 3, FIRING_SINCE + 3_600_000);
  await expect.poll(updates).toEqual([FIRING, FIRING]);
  // The alert is quiet, so the list does not change.
  await call('update_alert', { alertId: alertId(2), isActive: false });
  await call('update_alert', { alertId: alertId(1), isActive: false });
  await expect.poll(updates).toEqual([FIRING, FIRING, FIRING]);
  const { data: remaining } = await firing();
  expect(remaining.map(({ id }: Json) => id).sort()).toEqual([3, 225, 250].map(alertId));

  raw.child.stdin.end();
  expect(await raw.ended).toMatchObject({ code: 0, signal: null, stderr: '' });
});

it('a subscription does not keep a server without a store alive at the end of input', async () => {
  const db = join(await newFolder(), 'none.db');
  const raw = await connectRaw(db);
  expect((await raw.answer(raw.send('resources/subscribe', { uri: FIRING }))).result).toEqual({});
  raw.child.stdin.end();
  expect(await raw.ended).toMatchObject({ code: 0, signal: null, stderr: '' });
  expect(existsSync(db)).toBe(false);
});
