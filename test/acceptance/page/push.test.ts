import { createPublicKey } from 'node:crypto';
import { jwtVerify } from 'jose';
import { expect, it } from 'vitest';
import { newBaseFarm } from '../../base-farm.ts';
import { itInDeepRuns } from '../../property-runs.ts';
import { executeStatements, rowsOf } from '../../stores/stores.ts';
import { CLOCK } from '../program.ts';
import { type RestService, startServing } from '../rest-service.ts';
import { moistureOfNorth1 } from './page-farm.ts';
import { newPushDevice, type PushedMessage, startPushService } from './push-service.ts';
import {
  endNewestSession,
  newLink,
  redeemSignInLink,
  type Session,
  signInTo,
} from './signed-in.ts';

/** Below the 60 s between the rounds of the background jobs. */
const AT_ONCE = { timeout: 30_000 };

async function serveWith(origin: string, db?: string): Promise<RestService> {
  const env = { ACEQUIA_PUSH_SERVICES: origin };
  return startServing(db ?? (await newBaseFarm()), ['--clock', CLOCK, '--log-level', 'trace'], {
    env,
  });
}

const pageOf =
  ({ base }: RestService, { cookie }: Session) =>
  (method: string, path: string, body?: unknown) =>
    fetch(new URL(path, base), {
      method,
      headers: { 'acequia-page': '1', cookie, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

/** A device that agreed, and an alert that begins to fire with `dry`. */
async function watchedFarm(
  answer: (message: PushedMessage) => { status: number; location?: string },
) {
  const push = await startPushService(answer);
  const service = await serveWith(push.origin);
  const session = await signInTo(service, await newLink(service));
  const device = newPushDevice(push.origin);
  const page = pageOf(service, session);
  expect((await page('PUT', '/page/push', device.subscription)).status).toBe(204);
  const key = await service.newKey();
  const ingest = async (clock: string, value: number) =>
    expect(
      (await service.request('POST', '/ingest', { key, body: moistureOfNorth1(clock, value) }))
        .status,
    ).toBe(200);
  await ingest('08:00', 30);
  const alert = { moduleId: 1, threshold: 20, hysteresis: 2 };
  expect((await service.request('POST', '/alerts', { key, body: alert })).status).toBe(201);
  const state = async () => (await page('GET', '/page/device')).json();
  return { service, push, device, page, ingest, state };
}

it('an alert reaches the device that agreed, encrypted for it alone and signed by the service', async () => {
  const { service, push, device, ingest, state } = await watchedFarm(() => ({ status: 201 }));
  const { email, pushKey, hasPush } = await state();
  expect([email, hasPush]).toEqual(['ana@example.org', true]);
  await ingest('09:30', 12);
  await expect.poll(() => push.received.length, AT_ONCE).toBe(1);
  const [message] = push.received;
  expect(device.read(message!)).toEqual({
    title: expect.stringMatching(/North 1/),
    body: expect.stringMatching(/est sous 20 %.*arrosez/),
    tag: expect.stringMatching(/^[\da-f-]{36}$/),
    moduleId: 1,
  });
  expect(message!.body.toString('latin1')).not.toContain('North 1');
  expect(message!.headers).toMatchObject({
    ttl: '43200',
    urgency: 'high',
    'content-encoding': 'aes128gcm',
  });
  const [, token, sender] = /^vapid t=([^,]+), k=(.+)$/.exec(message!.headers.authorization!)!;
  expect(sender).toBe(pushKey);
  const point = Buffer.from(pushKey, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) =>
    part.toString('base64url'),
  );
  const publicKey = createPublicKey({
    key: { kty: 'EC', crv: 'P-256', x: x!, y: y! },
    format: 'jwk',
  });
  expect((await jwtVerify(token!, publicKey, { audience: push.origin })).payload.sub).toMatch(
    /^https:/,
  );
  await ingest('09:45', 30);
  await expect.poll(() => push.received.length, AT_ONCE).toBe(2);
  expect(device.read(push.received[1]!).tag).toBe(device.read(message!).tag);
  const other = await serveWith(push.origin, service.db);
  const second = pageOf(other, await signInTo(other, await newLink(other)));
  expect((await (await second('GET', '/page/device')).json()).pushKey).toBe(pushKey);
  const { stderr } = await service.stop();
  expect(stderr).not.toMatch(/push\/1|127\.0\.0\.1:\d+\/push/);
});

itInDeepRuns('devices that are gone (404, 410) are forgotten', async () => {
  const { service, push, ingest, state } = await watchedFarm(({ path }) => ({
    status: path === '/push/1' ? 404 : 410,
  }));
  const other = pageOf(service, await signInTo(service, await newLink(service)));
  expect(
    (await other('PUT', '/page/push', newPushDevice(push.origin, '/push/2').subscription)).status,
  ).toBe(204);
  const otherState = async () => (await other('GET', '/page/device')).json();
  const stillAgreed = async () => [(await state()).hasPush, (await otherState()).hasPush];
  expect(await stillAgreed()).toEqual([true, true]);
  await ingest('09:30', 12);
  await expect.poll(stillAgreed, AT_ONCE).toEqual([false, false]);
  await expect
    .poll(() => rowsOf(service.db, "select id from outbox where to_address = ''"))
    .toEqual([]);
  await ingest('09:45', 30);
  await expect
    .poll(() => rowsOf(service.db, "select kind from outbox where kind = 'resolved'"), AT_ONCE)
    .toHaveLength(1);
  expect(push.received.map(({ path }) => path).sort()).toEqual(['/push/1', '/push/2']);
});

itInDeepRuns(
  'a message waits while the push service is down, and follows no redirect',
  async () => {
    const elsewhere = await startPushService(() => ({ status: 201 }));
    const { service, push, ingest } = await watchedFarm(() => ({
      ...(push.received.length === 1
        ? { status: 503 }
        : { status: 307, location: `${elsewhere.origin}/push/1` }),
    }));
    await ingest('09:30', 12);
    const waiting = () =>
      rowsOf(
        service.db,
        'select state, attempts, last_response from outbox where session_id is not null',
      );
    await expect
      .poll(waiting, AT_ONCE)
      .toEqual([{ state: 'waiting', attempts: 1, last_response: '503' }]);
    await executeStatements(service.db, 'update outbox set next_attempt_at = 0');
    await ingest('09:45', 11);
    await expect.poll(waiting, AT_ONCE).toEqual([]);
    expect(elsewhere.received).toEqual([]);
  },
);

it('neither a device that signed out nor one that no longer agrees gets anything', async () => {
  const { service, push, page, ingest, state, device } = await watchedFarm(() => ({ status: 201 }));
  expect((await page('DELETE', '/page/push')).status).toBe(204);
  expect((await state()).hasPush).toBe(false);
  expect((await page('PUT', '/page/push', device.subscription)).status).toBe(204);
  await endNewestSession(service.db);
  await ingest('09:30', 12);
  await expect
    .poll(() => rowsOf(service.db, "select kind from outbox where kind = 'fired'"), AT_ONCE)
    .toHaveLength(1);
  expect(push.received).toEqual([]);
});

itInDeepRuns(
  'a phone gets the alerts of the person who signed in last, whatever the company',
  async () => {
    const { service, device, page, state } = await watchedFarm(() => ({ status: 201 }));
    await executeStatements(
      service.db,
      "insert into companies (name) values ('Other')",
      "insert into users (company_id, email, name, role) values (2, 'eve@example.org', 'Eve', 'OWNER')",
    );
    const eve = await signInTo(
      service,
      await newLink(service, { company: 'Other', user: 'eve@example.org' }),
    );
    const put = (body: unknown) => pageOf(service, eve)('PUT', '/page/push', body);
    const neighbour = `${device.subscription.endpoint}0`;
    expect((await put({ ...device.subscription, endpoint: neighbour })).status).toBe(204);
    expect((await state()).hasPush).toBe(true);
    expect((await put({ ...device.subscription, lang: 'es' })).status).toBe(204);
    expect((await state()).hasPush).toBe(false);
    expect((await page('PUT', '/page/push', device.subscription)).status).toBe(204);
    expect((await state()).hasPush).toBe(true);
    expect(
      (
        await redeemSignInLink(service, await newLink(service, { company: 'Mas Rouge' }), {
          cookie: eve.cookie,
        })
      ).status,
    ).toBe(204);
    expect((await put(device.subscription)).status).toBe(401);
  },
);

itInDeepRuns('only push services of browsers are accepted', async () => {
  const { page, device } = await watchedFarm(() => ({ status: 201 }));
  for (const endpoint of [
    'https://evil.example/push',
    'https://127.0.0.1/push',
    'https://[::1]/push',
    'https://169.254.169.254/latest/meta-data',
    'https://localhost/push',
    'http://fcm.googleapis.com/fcm/send/1',
    'https://fcm.googleapis.com:8443/fcm/send/1',
    'https://fcm.googleapis.com.evil.example/1',
    'https://evilgoogleapis.com/1',
    'https://ana@fcm.googleapis.com/1',
    'file:///etc/passwd',
    'x',
  ])
    expect([
      endpoint,
      (await page('PUT', '/page/push', { ...device.subscription, endpoint })).status,
    ]).toEqual([endpoint, 400]);
  for (const endpoint of [
    'https://fcm.googleapis.com/fcm/send/1',
    'https://updates.push.services.mozilla.com/wpush/v2/1',
    'https://web.push.apple.com/1',
    'https://wns2-db5p.notify.windows.com/w/1',
  ])
    expect((await page('PUT', '/page/push', { ...device.subscription, endpoint })).status).toBe(
      204,
    );
  // The last two are no points of the curve: nothing can be encrypted for them.
  for (const p256dh of ['x', 'A'.repeat(87), `B${'A'.repeat(86)}`]) {
    const keys = { ...device.subscription.keys, p256dh };
    expect((await page('PUT', '/page/push', { ...device.subscription, keys })).status).toBe(400);
  }
});
