import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { BROWSER } from '../browser.ts';
import { CLOCK } from '../program.ts';
import { type RestService, serveStoreForFile } from '../rest-service.ts';
import { livePageBrowser } from './page-browser.ts';
import { addPageFarm, pageFarmForFile } from './page-farm.ts';

/** A context of its own: another browser. */
const ANOTHER = { colorScheme: 'light' } as const;

const PAGES = { timeout: 20_000 };

/** What the page asks for from now on: its reads of the farm and of rows, and all its requests. */
function listenTo(page: Page) {
  const farm: string[] = [];
  const all: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname.startsWith('/v1/')) all.push(pathname + search);
    if (pathname === '/v1/page') farm.push(search);
  });
  return { farm, all };
}

describe.skipIf(!BROWSER)('open pages', () => {
  const open = livePageBrowser();
  let service: RestService;
  beforeAll(async () => {
    service = await serveStoreForFile(await pageFarmForFile(), '--clock', CLOCK);
  });

  /** A farm of its own, whose gateway sends readings of "North 1". */
  async function newFarm() {
    const { company, key, idOf } = await addPageFarm(service);
    const north1 = idOf('North 1');
    return {
      idOf,
      rowsOfNorth1: `?moduleIds=${north1}`,
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
  }

  const expectShown = (page: Page, text: string) =>
    expect.poll(() => page.locator('main').textContent(), PAGES).toContain(text);

  it('of a farm read the rows of the probe that a message is about, and that of another probe reads nothing', async () => {
    const farm = await newFarm();
    const pages = await Promise.all(Array.from({ length: 4 }, () => farm.open()));
    const { page: ofSouth1 } = await farm.open(`#/probe/${farm.idOf('South 1')}`);
    await ofSouth1.locator('.chart-drawing path').first().waitFor();
    const south1 = listenTo(ofSouth1);
    const reads = pages.map(({ page }) => listenTo(page));

    await farm.send('09:10', 41.1);
    for (const { page } of pages) await expectShown(page, '41.1');
    for (const { all } of reads)
      expect(new Set(all)).toEqual(new Set([`/v1/page${farm.rowsOfNorth1}`]));
    expect(south1.all).toEqual([]);

    // The rows that were left out are read once they are in view.
    await ofSouth1.locator('a.back').click();
    await expectShown(ofSouth1, '41.1');
    expect(south1.farm).toEqual([farm.rowsOfNorth1]);
  }, 60_000);

  it('in two tabs of one browser read once', async () => {
    const farm = await newFarm();
    const { page: first } = await farm.open();
    const second = await first.context().newPage();
    await second.goto(first.url());
    await second.locator('.card').first().waitFor();
    const reads = [listenTo(first), listenTo(second)];

    await farm.send('09:10', 42.2);
    for (const page of [first, second]) await expectShown(page, '42.2');
    expect(reads.flatMap(({ all }) => all)).toEqual([`/v1/page${farm.rowsOfNorth1}`]);
  }, 60_000);

  it('in two tabs of one browser read the whole farm once in 15 s, however often it changes', async () => {
    const farm = await newFarm();
    const { page: first } = await farm.open();
    const second = await first.context().newPage();
    await second.goto(first.url());
    await second.locator('.card').first().waitFor();
    const openedAt = performance.now();
    const reads = [listenTo(first), listenTo(second)];
    const wholeReads = () => reads.flatMap(({ farm: each }) => each).filter((each) => each === '');

    for (let n = 0; performance.now() - openedAt < 14_000; n++) {
      await farm.changeParcel(`fig ${n}`);
      await first.waitForTimeout(500);
    }
    expect(wholeReads()).toEqual([]);
    await farm.changeParcel('walnut');
    for (const page of [first, second]) await expectShown(page, 'walnut');
    expect(wholeReads()).toEqual(['']);
  }, 90_000);
});
