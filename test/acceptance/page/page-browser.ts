import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { afterTest } from '../../cleanup.ts';
import { BROWSER, BROWSER_ARGUMENTS } from '../browser.ts';
import { CLOCK } from '../program.ts';
import { type RestService, serveStoreForTest } from '../rest-service.ts';
import { newLink, signInWithBrowser } from './signed-in.ts';

export const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true } as const;
export const DESKTOP = { viewport: { width: 1280, height: 800 } } as const;
/** The least height of a view in a chat. */
export const CHAT = { viewport: { width: 640, height: 400 } } as const;

export interface OpenPage {
  readonly page: Page;
  /** Errors of the page and what its policy refused. */
  readonly complaints: string[];
  /** Paths below /v1 that were read or written. */
  readonly requests: string[];
}

/** A browser of the file. Signs in and opens the page; the phone is in another time zone than the farm. */
export function livePageBrowser() {
  let browser: Browser | undefined;
  beforeAll(async () => {
    if (BROWSER) browser = await chromium.launch({ executablePath: BROWSER, args: BROWSER_ARGUMENTS });
  });
  afterAll(() => browser?.close());

  return async function open(
    service: RestService,
    options: BrowserContextOptions & { readonly user?: string; readonly hash?: string } = {},
  ): Promise<OpenPage> {
    const { user = 'ana@example.org', hash = '#/', ...contextOptions } = options;
    const context = await browser!.newContext({
      ...{ ...PHONE, locale: 'en-GB', timezoneId: 'America/Los_Angeles', serviceWorkers: 'block' },
      ...contextOptions,
    });
    afterTest(() => context.close());
    await signInWithBrowser(context, await newLink(service, { user }));
    const page = await context.newPage();
    const complaints: string[] = [];
    const requests: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith('/v1/')) requests.push(`${request.method()} ${pathname.slice(3)}`);
    });
    await page.goto(new URL(`/${hash}`, service.base).href);
    await page.locator('h1:not(.hidden)').waitFor();
    return { page, complaints, requests };
  };
}

export const servePage = (db: string): Promise<RestService> => serveStoreForTest(db, '--clock', CLOCK);

const axeSource = (): Promise<string> =>
  readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Ids of the rules that the page breaks, each with the first element. */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  await page.evaluate(await axeSource());
  return page.evaluate<string[]>(
    `axe.run(document).then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes[0].html))`,
  );
}
