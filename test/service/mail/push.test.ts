import { createECDH, randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { sendOutbox } from '../../../src/service/mail/outbox.ts';
import { openPushTransport, savePushSubscription } from '../../../src/service/mail/push.ts';
import {
  addSession,
  pushSubscriptionOf,
  revokeSession,
  setPushSubscription,
} from '../../../src/store/keys/sessions.ts';
import { addMail } from '../../../src/store/mail/outbox.ts';
import type { Store } from '../../../src/store/store.ts';
import { COMPOSED_AT, fillOutbox, outboxMessage } from '../../outbox-farm.ts';
import { withNewStore } from '../../stores/template-stores.ts';

const GOOGLE = 'https://fcm.googleapis.com';
const DOWN = 'https://down.googleapis.com';

const subscriptionAt = (endpoint: string) => {
  const keys = createECDH('prime256v1');
  keys.generateKeys();
  const p256dh = keys.getPublicKey('base64url');
  return { endpoint, keys: { p256dh, auth: randomBytes(16).toString('base64url') }, lang: 'en' };
};

/** A device of Ana for each address, each with one message, in this order. */
async function addDevices(store: Store, endpoints: readonly string[]): Promise<number[]> {
  const { companyId, alertId } = await fillOutbox(store, 0);
  const now = Date.now();
  const sessions: number[] = [];
  for (const n of endpoints.keys())
    await store.write(companyId, async (db) => {
      const { id: userId } = await db.selectFrom('users').select('id').executeTakeFirstOrThrow();
      const row = {
        user_id: userId,
        hash: String(n),
        created_at: now,
        signed_in_at: now,
        expires_at: now + 1_000_000,
      };
      const sessionId = await addSession(db, row);
      sessions.push(sessionId);
      await addMail(
        db,
        [{ ...outboxMessage(n, { alertId, userId }), to: '', sessionId, text: '{}' }],
        COMPOSED_AT,
      );
    });
  for (const [n, endpoint] of endpoints.entries())
    await savePushSubscription(store, sessions[n]!, subscriptionAt(endpoint));
  return sessions;
}

const it = test.extend<{ store: Store }>({
  // biome-ignore lint/correctness/noEmptyPattern: this fixture depends on no other
  store: async ({}, use) => withNewStore(use),
});

describe('push messages', () => {
  let requests: string[] = [];
  beforeEach(() => {
    requests = [];
    const others = globalThis.fetch;
    vi.stubGlobal('fetch', async (address: string, init?: RequestInit) => {
      if (!address.startsWith('https:')) return others(address, init);
      requests.push(address);
      if (address.startsWith(DOWN)) throw new TypeError('fetch failed');
      return new Response(null, { status: 201 });
    });
  });
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  const send = async (store: Store) => {
    const outcomes: string[] = [];
    const onDelivery = (outcome: string) => void outcomes.push(outcome);
    const openTransport = () => openPushTransport(store);
    await sendOutbox({ store, channel: 'push', openTransport, holder: 'me', onDelivery });
    return outcomes;
  };

  it('are not delayed by devices whose push service does not answer, which is asked three times', async ({
    store,
  }) => {
    const down = [1, 2, 3, 4, 5].map((n) => `${DOWN}/${n}`);
    await addDevices(store, [...down, `${GOOGLE}/1`]);
    expect(await send(store)).toEqual([...Array(5).fill('unreachable'), 'sent']);
    expect(requests).toEqual([...down.slice(0, 3), `${GOOGLE}/1`]);
  });

  it('go out before those that were tried already', async ({ store }) => {
    await addDevices(store, [`${GOOGLE}/1`, `${GOOGLE}/2`]);
    await store.writeUnlocked((all) =>
      all.updateTable('outbox').set({ attempts: 1 }).where('subject', '=', 'Message 0').execute(),
    );
    await send(store);
    expect(requests).toEqual([`${GOOGLE}/2`, `${GOOGLE}/1`]);
  });

  it('are refused for a device whose key cannot be used, which is then forgotten', async ({
    store,
  }) => {
    const [first] = await addDevices(store, [`${GOOGLE}/1`, `${GOOGLE}/2`]);
    const broken = {
      ...subscriptionAt(`${GOOGLE}/1`),
      keys: { p256dh: 'A'.repeat(87), auth: 'A'.repeat(22) },
    };
    await expect(savePushSubscription(store, first!, broken)).rejects.toMatchObject({
      status: 400,
    });
    await store.writeUnlocked((all) => setPushSubscription(all, first!, JSON.stringify(broken)));
    expect(await send(store)).toEqual(['refused', 'sent']);
    const sessions = await store.readAll((all) =>
      all.selectFrom('sessions').select(['id', 'push_subscription']).execute(),
    );
    expect(
      sessions.filter(({ push_subscription }) => push_subscription !== null).map(({ id }) => id),
    ).not.toContain(first);
  });

  it('stay with another session of the device if a revoked one asks for them', async ({
    store,
  }) => {
    const [first, revoked] = await addDevices(store, [`${GOOGLE}/1`, `${GOOGLE}/2`]);
    await store.writeUnlocked((all) => revokeSession(all, revoked!, Date.now()));
    await savePushSubscription(store, revoked!, subscriptionAt(`${GOOGLE}/1`));
    const subscription = await store.readAll((all) => pushSubscriptionOf(all, first!));
    expect(subscription).toContain(`${GOOGLE}/1`);
  });
});
