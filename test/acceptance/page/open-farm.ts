import type { Page } from 'playwright-core';
import { beforeAll, expect } from 'vitest';
import { BROWSER } from '../browser.ts';
import { CLOCK } from '../program.ts';
import { type RestService, serveStoreForFile } from '../rest-service.ts';
import { livePageBrowser } from './page-browser.ts';
import { addPageFarm, pageFarmForFile } from './page-farm.ts';

/** A context of its own: another browser. */
const ANOTHER = { colorScheme: 'light' } as const;

const PAGES = { timeout: 20_000 };

/** The requests of the page from now on: its reads of the farm and of rows, and all together. */
export function listenTo(page: Page) {
  const farm: string[] = [];
  const all: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname.startsWith('/v1/')) all.push(pathname + search);
    if (pathname === '/v1/page') farm.push(search);
  });
  return { farm, all };
}

/** Farms of one service of the file, each with a gateway that sends readings of "North 1". */
export function openFarms() {
  const open = livePageBrowser();
  let service: RestService;
  beforeAll(async () => {
    if (BROWSER) service = await serveStoreForFile(await pageFarmForFile(), '--clock', CLOCK);
  });

  return async () => {
    const { company, key, idOf } = await addPageFarm(service);
    const north1 = idOf('North 1');
    return {
      idOf,
      rowsOfNorth1: `?moduleIds=${north1}&lang=en`,
      open: (hash = '#/') => open(service, { ...ANOTHER, company, hash }),
      async send(clock: string, value: number) {
        const time = `2026-07-01T${clock}:00Z`;
        const reading = { module: 'A1', type: 'humidity', time, value };
        const body = { readings: [15, 45].map((depth) => ({ ...reading, depth })) };
        expect((await service.request('POST', '/ingest', { key, body })).status).toBe(200);
      },
      async changeParcel(type: string) {
        const body = { name: 'South block', type };
        expect((await service.request('PUT', '/parcels', { key, body })).status).toBe(200);
      },
    };
  };
}

export const expectShown = (page: Page, text: string) =>
  expect.poll(() => page.locator('main').textContent(), PAGES).toContain(text);
