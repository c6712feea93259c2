import type { BrowserContextOptions, Page } from 'playwright-core';
import { beforeAll } from 'vitest';
import { baseFarmForFile } from '../../../base-farm.ts';
import { afterTest } from '../../../cleanup.ts';
import { BROWSER } from '../../browser.ts';
import { CLOCK } from '../../program.ts';
import { type RestService, serveStoreForFile } from '../../rest-service.ts';
import { sharedBrowser } from '../../shared-browser.ts';
import { addSession, newLink } from '../signed-in.ts';

export const PHONE = { viewport: { width: 390, height: 844 } };

interface OpenOptions extends BrowserContextOptions {
  readonly at?: string;
  readonly of?: RestService;
}

/** Opens the page of one service of the file as a device does, with its service worker. */
export function openDevice() {
  let service: RestService;
  beforeAll(async () => {
    if (BROWSER) service = await serveStoreForFile(await baseFarmForFile(), '--clock', CLOCK);
  });

  const home = () => new URL('/', service.base).href;

  async function openPage({
    at = home(),
    of = service,
    ...options
  }: OpenOptions = {}): Promise<Page> {
    const browser = await sharedBrowser();
    const context = await browser.newContext({ ...PHONE, ...options });
    afterTest(() => context.close());
    await addSession(context, of, await newLink(of), at);
    const page = await context.newPage();
    await page.goto(at);
    await page.locator('.device').waitFor();
    return page;
  }

  return { service: () => service, home, openPage };
}

/** How many answers the device has stored. */
export const stored = (page: Page) =>
  page.evaluate<number>(
    'caches.open("acequia-answers").then((cache) => cache.keys()).then((keys) => keys.length)',
  );
