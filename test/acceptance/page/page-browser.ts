import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll } from 'vitest';
import { afterTest } from '../../cleanup.ts';
import type { RestService } from '../rest-service.ts';
import { sharedBrowser } from '../shared-browser.ts';
import { addSession, newLink } from './signed-in.ts';

export const PHONE = {
  viewport: { width: 390, height: 844 },
  isMobile: true,
  hasTouch: true,
} as const;
export const DESKTOP = {
  viewport: { width: 1280, height: 800 },
  isMobile: false,
  hasTouch: false,
} as const;
/** The least height of a view in a chat. */
export const CHAT = { viewport: { width: 640, height: 400 } } as const;

export interface OpenPage {
  readonly page: Page;
  /** Errors of the page and what its policy refused. */
  readonly complaints: string[];
  /** Paths below /v1 that were read or written. */
  readonly requests: string[];
}

interface OpenPageOptions extends BrowserContextOptions {
  readonly company?: string;
  readonly user?: string;
  readonly hash?: string;
}

/** Opens the page, signed in; the device is in another time zone than the farm. */
export function livePageBrowser(usual: BrowserContextOptions = PHONE) {
  // To load it again takes a third of the work of a context of its own.
  let shared: Page | undefined;
  let loads = 0;
  afterAll(() => shared?.context().close());

  async function newPage(options: BrowserContextOptions): Promise<Page> {
    const places = { locale: 'en-GB', timezoneId: 'America/Los_Angeles' };
    const browser = await sharedBrowser();
    const context = await browser.newContext({
      ...usual,
      ...places,
      serviceWorkers: 'block',
      ...options,
    });
    return context.newPage();
  }

  async function sharedPage(service: RestService): Promise<Page> {
    shared ??= await newPage({});
    const page = shared;
    afterTest(async () => {
      for (const event of ['console', 'pageerror', 'request']) page.removeAllListeners(event);
      await page.unrouteAll();
      // A page that nobody needs would go on reading.
      await page.goto(new URL('/nothing', service.base).href);
    });
    return page;
  }

  return async function open(
    service: RestService,
    options: OpenPageOptions = {},
  ): Promise<OpenPage> {
    const { company, user = 'ana@example.org', hash = '#/', ...contextOptions } = options;
    const isShared = Object.keys(contextOptions).length === 0;
    const page = isShared ? await sharedPage(service) : await newPage(contextOptions);
    const context = page.context();
    if (!isShared) afterTest(() => context.close());
    await context.clearCookies();
    await addSession(context, service, await newLink(service, { company, user }));
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
    // With a fragment alone it would not load again.
    loads += 1;
    await page.goto(new URL(`/?${loads}${hash}`, service.base).href);
    await page.locator('h1:not(.hidden)').waitFor();
    return { page, complaints, requests };
  };
}

const axeSource = (): Promise<string> =>
  readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Ids of the rules that the page breaks, each with the first element. */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  await page.evaluate(await axeSource());
  return page.evaluate<string[]>(
    `axe.run(document).then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes[0].html))`,
  );
}

/** The elements that a finger would miss. */
export const smallTargets = (page: Page): Promise<string[]> =>
  page.evaluate(
    `[...document.querySelectorAll('a, button, select, input:not([type=radio]), .segments label')]
      .filter((each) => each.getBoundingClientRect().height < 44).map((each) => each.outerHTML.slice(0, 80))`,
  );
