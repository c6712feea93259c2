import { describe, expect, it } from 'vitest';
import { BROWSER } from '../../browser.ts';
import { openDevice, PHONE, stored } from './open-device.ts';
import { startProxy } from './proxy.ts';

describe.skipIf(!BROWSER)('on a device', () => {
  const { service, openPage } = openDevice();

  it('shows the last data and their age without a connection, is back with it, and can sign out without it', async () => {
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
    await page.context().setOffline(false);
    await page.locator('.device').waitFor();
    await expect.poll(() => page.locator('.offline').textContent()).toBe('');
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('That did not work.').waitFor();
    expect(await page.evaluate<number>('caches.keys().then((names) => names.length)')).toBe(0);
  });

  it('shows the last data behind a connection that carries nothing, and none of a network that asks for a sign-in', async () => {
    const proxy = await startProxy(service());
    const page = await openPage({ at: proxy.home });
    await expect.poll(() => stored(page)).toBeGreaterThan(0);
    proxy.carry('its own page');
    await page.reload();
    await page.getByText('Welcome to the hotel').waitFor();
    proxy.carry('nothing');
    await page.reload();
    await page.getByText('North 1').first().waitFor();
    await page.getByText('No connection. What you see is from').waitFor();
  });
});
