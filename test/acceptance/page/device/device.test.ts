import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { itInDeepRuns } from '../../../property-runs.ts';
import { rowsOf } from '../../../stores/stores.ts';
import { BROWSER } from '../../browser.ts';
import { CLOCK } from '../../program.ts';
import { serveStoreForTest } from '../../rest-service.ts';
import { newFarmOfManyProbes } from '../page-farm.ts';
import { newPushDevice } from '../push-service.ts';
import { endNewestSession } from '../signed-in.ts';
import { openDevice, PHONE, stored } from './open-device.ts';
import { startProxy } from './proxy.ts';

const isControlled = (page: Page) =>
  page.evaluate<boolean>(
    'navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller !== null)',
  );

describe.skipIf(!BROWSER)('on a device', () => {
  const { service, home, openPage } = openDevice();

  it('says who is signed in, and signs out with everything that was stored', async () => {
    const page = await openPage({ locale: 'es-ES' });
    await page.getByText('Sesión de ana@example.org').waitFor();
    await expect.poll(() => isControlled(page)).toBe(true);
    await page.reload();
    await page.locator('.device').waitFor();
    await expect
      .poll(() => page.evaluate<number>('caches.keys().then((names) => names.length)'))
      .toBeGreaterThan(1);
    await page.getByRole('button', { name: 'Cerrar sesión' }).click();
    await expect.poll(async () => (await page.context().cookies()).length).toBe(0);
    await expect.poll(() => page.locator('.device').count()).toBe(0);
    expect(await stored(page)).toBe(0);
  });

  itInDeepRuns('shows nothing of the farm once the session was ended elsewhere', async () => {
    const page = await openPage();
    await page.getByText('North 1').first().waitFor();
    await endNewestSession(service().db);
    await page.getByText('You are not signed in.').waitFor();
    expect(await page.getByText('North 1').count()).toBe(0);
    await expect.poll(() => page.locator('.device').count()).toBe(0);
  });

  it('shows the last data and their age without a connection', async () => {
    const page = await openPage();
    await page.getByText('North 1').first().waitFor();
    // The first visit is enough.
    await expect.poll(() => stored(page)).toBeGreaterThan(0);
    await page.context().setOffline(true);
    await page.reload();
    await page.getByText('North 1').first().waitFor();
    const notice = page.getByText('No connection. What you see is from 1 min ago.');
    await notice.waitFor();
    const { y, height } = (await notice.boundingBox())!;
    expect(y + height).toBeLessThanOrEqual(PHONE.viewport.height);
    expect(await page.locator('.device').count()).toBe(0);
  });

  itInDeepRuns('shows answers that the device has no space to store', async () => {
    const page = await openPage();
    await expect.poll(() => isControlled(page)).toBe(true);
    const session = await page.context().newCDPSession(page);
    await session.send('Storage.overrideQuotaForOrigin', {
      origin: new URL(home()).origin,
      quotaSize: 1_000,
    });
    await page.reload();
    await page.getByText('North 1').first().waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await page.locator('.offline').textContent()).toBe('');
  });

  it('shows 200 probes in one request for data and 300 kB with all that a first visit stores, and finds one among them', async () => {
    const many = await serveStoreForTest(await newFarmOfManyProbes(), '--clock', CLOCK);
    const proxy = await startProxy(many);
    const page = await openPage({ at: proxy.home, of: many });
    await expect.poll(() => stored(page)).toBeGreaterThan(0);
    expect(proxy.requests.filter((request) => request.startsWith('GET /v1/'))).toEqual([
      'GET /v1/page?lang=en',
    ]);
    expect(proxy.requests).toContain('GET /sw.js');
    expect(proxy.bytes()).toBeGreaterThan(40_000);
    expect(proxy.bytes()).toBeLessThanOrEqual(300_000);
    await page.context().setOffline(true);
    await page.reload();
    await expect.poll(() => page.locator('.card').count()).toBe(200);
    await page.locator('input[type=search]').fill('row 147');
    expect(await page.locator('.card .name').allTextContents()).toEqual(['Olivette, row 147']);
    expect(await page.getByText('1 probe found.').count()).toBe(1);
    await page.locator('input[type=search]').fill('Terrace 7 ·');
    await page.getByText('By parcel').click();
    expect(await page.locator('section h2').allTextContents()).toEqual(['Terrace 7']);
    expect(await page.locator('.card').count()).toBe(10);
  });

  it('asks for notifications, and shows an alert that opens its probe', async () => {
    const page = await openPage();
    await page.context().grantPermissions(['notifications'], { origin: new URL(home()).origin });
    // A real subscription needs the push service of the browser.
    await page.evaluate(`{
      const toJSON = () => (${JSON.stringify(newPushDevice('https://fcm.googleapis.com').subscription)});
      // Of another service, which was at this address before.
      let subscription = { unsubscribe: async () => (subscription = null) };
      PushManager.prototype.subscribe = async () => {
        if (subscription) throw new DOMException('another key', 'InvalidStateError');
        return (subscription = { toJSON, unsubscribe: async () => (subscription = null) });
      };
      PushManager.prototype.getSubscription = async () => subscription;
    }`);
    const control = page.getByRole('switch', { name: 'Notify me of alerts on this device' });
    await control.click();
    await expect.poll(() => control.getAttribute('aria-checked')).toBe('true');
    const agreed = () =>
      rowsOf<{ push: string }>(
        service().db,
        'select push_subscription as push from sessions where push_subscription is not null',
      );
    expect(JSON.parse((await agreed())[0]!.push)).toMatchObject({ lang: 'en' });

    const renewed = newPushDevice('https://fcm.googleapis.com', '/push/2').subscription;
    await page
      .context()
      .serviceWorkers()[0]!
      .evaluate(`{
      const event = new Event('pushsubscriptionchange');
      event.waitUntil = () => undefined;
      event.newSubscription = { toJSON: () => (${JSON.stringify({ ...renewed, lang: undefined })}) };
      self.dispatchEvent(event);
    }`);
    await expect
      .poll(async () => JSON.parse((await agreed())[0]!.push))
      .toEqual({ ...renewed, lang: 'en' });

    const session = await page.context().newCDPSession(page);
    await session.send('ServiceWorker.enable');
    const registered = new Promise<string>((resolve) =>
      session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
        if (registrations[0]) resolve(registrations[0].registrationId);
      }),
    );
    await session.send('ServiceWorker.disable');
    await session.send('ServiceWorker.enable');
    await session.send('ServiceWorker.deliverPushMessage', {
      origin: new URL(home()).origin,
      registrationId: await registered,
      data: JSON.stringify({
        title: 'Dry soil: North 1',
        body: 'Look at it.',
        tag: 'a',
        moduleId: 1,
      }),
    });
    const shown = `navigator.serviceWorker.ready.then((worker) => worker.getNotifications())
      .then((all) => all.map(({ title, body, data, renotify }) => [title, body, data.address, renotify]))`;
    await expect
      .poll(() => page.evaluate(shown))
      .toEqual([['Dry soil: North 1', 'Look at it.', `${home()}#/probe/1`, true]]);

    await control.click();
    await expect.poll(() => control.getAttribute('aria-checked')).toBe('false');
    expect(await agreed()).toEqual([]);
  });
});
