import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { afterTest } from '../../cleanup.ts';
import { BROWSER } from '../browser.ts';
import { connectAppHttp, connectAppStdio, farmWithReadings } from '../mcp/app-clients.ts';
import { CLOCK, type Json } from '../program.ts';
import { serveStoreForTest } from '../rest-service.ts';
import { type AppHost, type OpenApp, startAppHost } from './app-host.ts';

const stateOf = ({ view }: OpenApp) =>
  view.evaluate(() => ({
    theme: document.documentElement.dataset.theme,
    lang: document.documentElement.lang,
  }));

const headingOf = ({ view }: OpenApp, name: string) =>
  view.getByRole('heading', { level: 1, name });

async function waterings(client: Client): Promise<Json[]> {
  const { structuredContent }: Json = await client.callTool({
    name: 'list_waterings',
    arguments: {},
  });
  return structuredContent.data;
}

describe.skipIf(!BROWSER)('the live page in a chat', () => {
  let host: AppHost;
  beforeAll(async () => {
    host = await startAppHost();
  });
  afterAll(() => host?.close());

  it('opens on the probe of show_moisture by texts alone, follows the host, hears no stranger, and leaves when it is told', async () => {
    const client = await connectAppStdio(await farmWithReadings(), { era: 'newer' });
    afterTest(() => client.close());
    const app = await host.open({
      client,
      tool: 'show_moisture',
      args: { module: 'North 1', start: '2026-06-27', end: '2026-06-28' },
      passOn: ({ content, isError }) => ({ content, ...(isError ? { isError } : {}) }),
      context: { theme: 'dark', locale: 'es-ES', containerDimensions: { maxHeight: 400 } },
    });
    afterTest(() => app.close());
    await headingOf(app, 'North 1').waitFor();
    expect(app.view.url()).toContain(`/${Date.parse('2026-06-26T22:00Z')}-`);
    expect(await stateOf(app)).toEqual({ theme: 'dark', lang: 'es' });
    expect(app.recorded('size')).toContainEqual({ height: 400 });

    const method = 'ui/notifications/host-context-changed';
    await app.postFromStranger({
      jsonrpc: '2.0',
      method,
      params: { theme: 'light', locale: 'fr' },
    });
    await app.postFromStranger({
      jsonrpc: '2.0',
      id: 'x',
      method: 'ui/resource-teardown',
      params: {},
    });
    await app.change({ locale: 'en-GB' });
    await expect.poll(() => stateOf(app)).toEqual({ theme: 'dark', lang: 'en' });
    await app.change({ theme: 'light' });
    await expect.poll(() => stateOf(app)).toEqual({ theme: 'light', lang: 'en' });

    expect(await app.tearDown()).toEqual({});
    await expect.poll(() => app.view.locator('#page').innerHTML()).toBe('');
    expect([app.complaints, app.requests]).toEqual([[], []]);
  });

  it('logs a watering from the farm, tells the model, and undoes it, over HTTP in the earlier era', async () => {
    const service = await serveStoreForTest(await farmWithReadings(), '--clock', CLOCK);
    const client = await connectAppHttp(service, { era: 'earlier' });
    afterTest(() => client.close());
    const context = { locale: 'en', timeZone: 'America/New_York' };
    const app = await host.open({ client, tool: 'show_farm', width: 400, context });
    afterTest(() => app.close());
    await app.view.getByText('as of today 12:00 (Europe/Paris)').waitFor();
    await app.change({ timeZone: 'Europe/Madrid' });
    await app.view.getByText(/as of today 12:00$/).waitFor();
    await app.view.getByRole('link', { name: 'North 1' }).click();
    await headingOf(app, 'North 1').waitFor();
    await app.view.getByRole('link', { name: 'Log a watering' }).click();
    await app.view.getByLabel('Start').fill('2026-07-01T06:00');
    await app.view.getByRole('textbox', { name: 'Minutes' }).fill('45');
    await app.view.getByText('2.4 mm').first().waitFor();
    await app.view.getByRole('button', { name: 'Log it' }).click();
    await headingOf(app, 'North 1').waitFor();
    const [watering] = await waterings(client);
    expect(watering).toMatchObject({
      startedAt: '2026-07-01T04:00:00.000Z',
      durationMin: 45,
      waterMm: 2.4,
    });
    const told = (): string => app.recorded('context').at(-1)?.content[0].text;
    await expect.poll(told).toContain('North 1');
    expect(told()).toMatch(/2\.4 mm.*\(log_watering, event \d+, change \d+\)$/);
    await app.view.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => waterings(client)).toEqual([]);
    await expect.poll(() => told().split('\n').length).toBe(3);
    expect([app.complaints, app.requests]).toEqual([[], []]);
  });
});
