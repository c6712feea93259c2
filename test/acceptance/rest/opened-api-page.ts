import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { BROWSER } from '../browser.ts';
import type { RestService } from '../rest-service.ts';
import { sharedBrowser } from '../shared-browser.ts';

export const apiPageOf = ({ base }: RestService): URL => new URL('/docs', base);

/** The API page in a browser, for the tests of a `describe`. */
export function openedApiPage(farm: () => RestService) {
  let page: Page;
  const requests: string[] = [];
  const complaints: string[] = [];
  beforeAll(async () => {
    if (!BROWSER) return;
    const browser = await sharedBrowser();
    page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    page.on('request', (request) => requests.push(request.url()));
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(apiPageOf(farm()).href);
    await page.locator('.opblock').first().waitFor();
  });
  afterAll(() => page?.close());

  return {
    page: () => page,
    requests,
    block: (tag: string, name: string) => page.locator(`#operations-${tag}-${name}`),
    expectNoComplaints(): void {
      const { origin } = apiPageOf(farm());
      const isForeign = (url: string) => !url.startsWith('data:') && new URL(url).origin !== origin;
      expect(requests.filter(isForeign)).toEqual([]);
      expect(complaints).toEqual([]);
    },
  };
}
