import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { CallToolResult, Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { afterTest } from '../../cleanup.ts';
import { BROWSER } from '../browser.ts';
import {
  connectAppHttp,
  connectAppStdio,
  ERAS,
  farmWithReadingsForFile,
} from '../mcp/app-clients.ts';
import { CLOCK, type Json } from '../program.ts';
import { type RestService, serveStoreForFile } from '../rest-service.ts';
import { type AppHost, type OpenApp, type OpenOptions, startAppHost } from './app-host.ts';

const axeSource = await readFile(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
);

/** A width and a height that hosts give (docs/mcp-apps.md). */
const SIZES = [
  [400, 400],
  [494, 720],
  [768, 400],
  [1200, 720],
] as const;

/** The language by the first word of the form for a watering. */
const LANGUAGES = [
  ['en-GB', 'en', 'Log a watering'],
  ['fr-FR', 'fr', 'Noter un arrosage'],
  ['es-MX', 'es', 'Registrar un riego'],
] as const;

const headingOf = ({ view }: OpenApp, name: string) =>
  view.getByRole('heading', { level: 1, name });

/** Passes on the texts of a result alone, as some hosts do. */
const textsAlone = ({ content, isError }: CallToolResult): CallToolResult => ({
  content,
  ...(isError ? { isError } : {}),
});

async function axeFaults({ view }: OpenApp): Promise<string[]> {
  await view.evaluate(axeSource);
  const { violations, passes }: Json = await view.evaluate(() =>
    (window as Json).axe.run(document),
  );
  expect(passes.length).toBeGreaterThan(10);
  return violations.map(({ id, nodes }: Json) => `${id}: ${nodes[0].html}`);
}

const widthsOf = ({ view }: OpenApp) =>
  view.evaluate(() => ({ content: document.documentElement.scrollWidth, frame: innerWidth }));

describe.skipIf(!BROWSER)('the live page in chats of every kind', () => {
  let host: AppHost;
  let service: RestService;
  let client: Client;
  beforeAll(async () => {
    host = await startAppHost();
    service = await serveStoreForFile(await farmWithReadingsForFile(), '--clock', CLOCK);
    client = await connectAppHttp(service, { era: 'newer' });
  });
  afterAll(async () => {
    await client?.close();
    host?.close();
  });

  async function open(options: Partial<OpenOptions> & Pick<OpenOptions, 'tool'>): Promise<OpenApp> {
    const app = await host.open({ client, ...options });
    afterTest(() => app.close());
    return app;
  }

  const openProbe = (options: Partial<OpenOptions> = {}) =>
    open({ tool: 'show_moisture', args: { module: 'North 1' }, ...options });

  it.each(
    ERAS.flatMap((era) =>
      (['standard input', 'HTTP'] as const).map((transport) => [era, transport] as const),
    ),
  )('opens and reads in the %s era over %s', async (era, transport) => {
    const own = await (transport === 'HTTP'
      ? connectAppHttp(service, { era })
      : connectAppStdio(service.db, { era }));
    afterTest(() => own.close());
    const app = await openProbe({ client: own });
    await headingOf(app, 'North 1').waitFor();
    await expect.poll(() => app.calls).toContain('get_moisture_series');
    const farm = await open({ client: own, tool: 'show_farm' });
    await headingOf(farm, 'Mas Rouge').waitFor();
    expect([app.complaints, app.requests, farm.complaints, farm.requests]).toEqual([
      [],
      [],
      [],
      [],
    ]);
  });

  it('opens on the period that was asked for', async () => {
    const args = { module: 'North 1', start: '2026-06-27', end: '2026-06-27' };
    const app = await open({ tool: 'show_moisture', args, context: { locale: 'en' } });
    await headingOf(app, 'North 1').waitFor();
    await app.view.locator('.chart').getByText('Sat 27').waitFor();
    const [start, end] = app.view.url().split('/').at(-1)!.split('-').map(Number);
    expect([start, end! - start!]).toEqual([Date.parse('2026-06-26T22:00Z'), 24 * 60 * 60_000]);
  });

  it.each(SIZES)(
    'fits %i px of width and %i of height, light and dark, without a fault for axe',
    async (width, height) => {
      for (const theme of ['light', 'dark'] as const) {
        const app = await open({
          tool: 'show_farm',
          width,
          height,
          context: { theme, containerDimensions: { height, width } },
        });
        await headingOf(app, 'Mas Rouge').waitFor();
        expect(await axeFaults(app)).toEqual([]);
        const at = await widthsOf(app);
        expect(at.content).toBeLessThanOrEqual(at.frame);
        await app.view.getByRole('link', { name: 'North 1' }).click();
        await headingOf(app, 'North 1').waitFor();
        await expect.poll(() => app.calls).toContain('get_moisture_series');
        expect(await axeFaults(app)).toEqual([]);
        const within = await widthsOf(app);
        expect(within.content).toBeLessThanOrEqual(within.frame);
        // The host has decided the height.
        expect([app.recorded('size'), app.complaints]).toEqual([[], []]);
      }
    },
  );

  it.each(LANGUAGES)('speaks the language of a host in %s', async (locale, lang, words) => {
    const app = await openProbe({ context: { locale } });
    await app.view.getByRole('link', { name: words }).waitFor();
    expect(await app.view.evaluate(() => document.documentElement.lang)).toBe(lang);
  });

  it.each([{}, { locale: 'pt-BR' }])(
    'speaks the language of the company in a host with %j',
    async (context) => {
      const app = await openProbe({ context });
      await app.view.getByRole('link', { name: 'Noter un arrosage' }).waitFor();
    },
  );

  it('works where the host writes the page into a frame of its own origin', async () => {
    const app = await openProbe({ sandbox: 'written', context: { locale: 'en' } });
    await headingOf(app, 'North 1').waitFor();
    await app.view.getByRole('link', { name: 'Back' }).click();
    await headingOf(app, 'Mas Rouge').waitFor();
    expect([app.complaints, app.requests]).toEqual([[], []]);
  });

  it('works where the host passes on the texts of results alone', async () => {
    const app = await open({ tool: 'show_farm', passOn: textsAlone });
    await headingOf(app, 'Mas Rouge').waitFor();
    await app.view.getByRole('link', { name: 'North 1' }).click();
    await headingOf(app, 'North 1').waitFor();
    expect(app.complaints).toEqual([]);
  });

  it('opens on the farm where the host sends no result', async () => {
    const app = await openProbe({ sendsResult: false });
    await headingOf(app, 'Mas Rouge').waitFor();
  });

  it('says so where the tools of the page are refused, and reads again when it is asked to', async () => {
    let isRefused = true;
    const refusal: CallToolResult = {
      isError: true,
      content: [
        { type: 'text', text: 'The key was revoked.' },
        { type: 'text', text: 'unauthenticated: Create another key.' },
      ],
    };
    const app = await open({
      tool: 'show_farm',
      context: { locale: 'en' },
      passOn: (result) => (isRefused ? refusal : result),
    });
    await app.view.getByText('You are not signed in.').waitFor();
    isRefused = false;
    await app.view.getByRole('button', { name: 'Try again' }).click();
    await headingOf(app, 'Mas Rouge').waitFor();
  });

  it('tells nothing to the model of a host that passes nothing on', async () => {
    const app = await openProbe({ capabilities: { serverTools: {} }, context: { locale: 'en' } });
    // While it loads, the host gives it its height, which may move a link away from a click.
    await app.view.getByRole('link', { name: 'Log a watering' }).press('Enter');
    await app.view.getByRole('textbox', { name: 'Minutes' }).fill('20');
    await app.view.getByRole('textbox', { name: 'Minutes' }).press('Enter');
    await headingOf(app, 'North 1').waitFor();
    await expect.poll(() => app.calls).toContain('log_watering');
    expect(app.recorded('context')).toEqual([]);
  });
});
