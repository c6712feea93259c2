import { describe, expect, it } from 'vitest';
import { newBaseFarm } from '../../../base-farm.ts';
import { FIRING, listenRequest } from '../../../mcp/listen-request.ts';
import { addAlerts, FIRING_SINCE, setFiring } from '../../alerts/stored-alerts.ts';
import { initializeRaw, startRawServer } from '../../raw-server.ts';
import { connectStdioListener } from './listening-client.ts';

const HOUR_MS = 3_600_000;

async function farmWithAlert(): Promise<string> {
  const db = await newBaseFarm();
  await addAlerts(db, 1, []);
  return db;
}

describe('a client that listens on standard input', () => {
  it('is notified of changes by its own calls and by others, once for each subscription until it closes them', async () => {
    const db = await farmWithAlert();
    const listener = await connectStdioListener(db);
    const [one, other] = [
      await listener.listen(FIRING, 'acequia://company'),
      await listener.listen(FIRING),
    ];
    expect(one.honoredFilter).toEqual({ resourceSubscriptions: [FIRING] });
    await setFiring(db, 1, FIRING_SINCE);
    await expect.poll(() => listener.updates).toEqual([FIRING, FIRING]);
    await one.close();
    await setFiring(db, 1, FIRING_SINCE + HOUR_MS);
    await expect.poll(() => listener.updates).toHaveLength(3);
    await other.close();
    await setFiring(db, 1, null);
    const again = await listener.listen(FIRING);
    await setFiring(db, 1, FIRING_SINCE);
    await expect.poll(() => listener.updates).toHaveLength(4);
    const [{ id: alertId }] = await listener.firingAlerts();
    await listener.client.callTool({
      name: 'update_alert',
      arguments: { alertId, isActive: false },
    });
    await expect.poll(() => listener.updates).toHaveLength(5);
    expect(await listener.firingAlerts()).toEqual([]);
    await again.close();
  });

  it('keeps the subscription that it made in the earlier era, which knows no listening', async () => {
    const db = await farmWithAlert();
    const raw = await initializeRaw(startRawServer(['--db', db]));
    expect(await raw.answer(raw.send('resources/subscribe', { uri: FIRING }))).toMatchObject({
      result: {},
    });
    const { message } = listenRequest(FIRING);
    for (const params of [message.params, { notifications: message.params.notifications }]) {
      const { error } = await raw.answer(raw.send('subscriptions/listen', params));
      expect(error.code).toBe(-32601);
    }
    await setFiring(db, 1, FIRING_SINCE);
    const updated = { method: 'notifications/resources/updated', params: { uri: FIRING } };
    await expect
      .poll(() => raw.messages.filter(({ method }) => method !== undefined))
      .toMatchObject([updated]);
  });

  it('does not keep the server alive at the end of input, and gets the end of its subscription', async () => {
    const raw = startRawServer(['--db', await farmWithAlert()]);
    const { message, body } = listenRequest(FIRING);
    raw.write(`${body}\n`);
    await expect
      .poll(() => raw.messages)
      .toMatchObject([{ method: 'notifications/subscriptions/acknowledged' }]);
    raw.child.stdin.end();
    const { code, stderr } = await raw.ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(raw.messages.slice(1)).toMatchObject([
      { id: message.id, result: { resultType: 'complete' } },
    ]);
  });
});
