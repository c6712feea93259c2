import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { afterTest } from '../../cleanup.ts';
import { BROWSER } from '../browser.ts';
import { connectAppHttp, connectAppStdio, farmWithReadings } from '../mcp/app-clients.ts';
import { CLOCK } from '../program.ts';
import { serveStoreForTest } from '../rest-service.ts';
import { type AppHost, type OpenApp, type OpenOptions, startAppHost } from './app-host.ts';

const themeOf = ({ view }: OpenApp) => view.evaluate(() => document.documentElement.dataset.theme);

describe.skipIf(!BROWSER)('the live page in a chat', () => {
  let host: AppHost;
  beforeAll(async () => {
    host = await startAppHost();
  });
  afterAll(() => host?.close());

  async function openOverStdio(options: Omit<OpenOptions, 'client'>): Promise<OpenApp> {
    const client = await connectAppStdio(await farmWithReadings(), { age: 'newer' });
    afterTest(() => client.close());
    const app = await host.open({ client, ...options });
    afterTest(() => app.close());
    return app;
  }

  it('opens on the probe of show_moisture, follows the host, hears no stranger, and leaves when it is told', async () => {
    const app = await openOverStdio({
      ...{ tool: 'show_moisture', args: { module: 'North 1' } },
      context: { theme: 'dark', locale: 'es-ES', containerDimensions: { maxHeight: 400 } },
    });
    await app.view.locator('main').waitFor({ state: 'attached' });
    expect(new URL(app.view.url()).hash).toBe('#/probe/1');
    expect(await themeOf(app)).toBe('dark');
    expect(app.recorded('size')).toContainEqual({ height: 400 });

    const method = 'ui/notifications/host-context-changed';
    await app.postFromStranger({ jsonrpc: '2.0', method, params: { theme: 'light', locale: 'fr' } });
    await app.postFromStranger({ jsonrpc: '2.0', id: 'x', method: 'ui/resource-teardown', params: {} });
    await app.change({ locale: 'en-GB' });
    expect(await themeOf(app)).toBe('dark');
    await app.change({ theme: 'light' });
    await expect.poll(() => themeOf(app)).toBe('light');

    expect(await app.tearDown()).toEqual({});
    await expect.poll(() => app.view.locator('#page').innerHTML()).toBe('');
    expect([app.complaints, app.requests]).toEqual([[], []]);
  });

  it('opens on the farm of show_farm, also over HTTP in the earlier age', async () => {
    const service = await serveStoreForTest(await farmWithReadings(), '--clock', CLOCK);
    const client = await connectAppHttp(service, { age: 'earlier' });
    afterTest(() => client.close());
    const app = await host.open({ client, tool: 'show_farm', width: 400 });
    afterTest(() => app.close());
    await app.view.locator('main').waitFor();
    expect(new URL(app.view.url()).hash).toBe('#/');
    expect([app.complaints, app.requests]).toEqual([[], []]);
  });
});
