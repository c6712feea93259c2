import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { newBaseFarm } from '../../base-farm.ts';
import { BROWSER } from '../browser.ts';
import { CLOCK } from '../program.ts';
import { serveStoreForTest } from '../rest-service.ts';
import { CHART_CLOCK, chartFarm } from './chart-farm.ts';
import { DESKTOP, livePageBrowser } from './page-browser.ts';
import { moistureOfNorth1 } from './page-farm.ts';

describe.skipIf(!BROWSER)('the live page', () => {
  const open = livePageBrowser(DESKTOP);

  it('answers in more tabs than a browser has connections, and tells all of them of new readings', async () => {
    const service = await serveStoreForTest(await newBaseFarm(), '--clock', CLOCK);
    const { page: first } = await open(service, { serviceWorkers: 'allow' });
    const pages = [first];
    while (pages.length < 8) {
      const page = await first.context().newPage();
      await page.goto(new URL('/', service.base).href);
      await page.getByText('North 1').first().waitFor({ timeout: 8_000 });
      pages.push(page);
    }
    const key = await service.newKey();
    const tell = async (clock: string, value: number, to: readonly Page[]) => {
      const answer = await service.request('POST', '/ingest', {
        key,
        body: moistureOfNorth1(clock, value),
      });
      expect(answer.status).toBe(200);
      for (const page of to)
        await expect
          .poll(() => page.locator('main').textContent(), { timeout: 20_000 })
          .toContain(String(value));
    };
    await tell('09:10', 41.1, pages);
    await first.close();
    await tell('09:20', 42.3, pages.slice(1));
  }, 60_000);

  it('says how many frames a second it draws while a year is dragged', async () => {
    const service = await serveStoreForTest(await chartFarm(), '--clock', CHART_CLOCK);
    const { page } = await open(service, { hash: '#/probe/1' });
    await page.locator('.chart-drawing path').first().waitFor();
    await page.getByRole('button', { name: '1 y' }).click();
    await page.waitForTimeout(1500);
    const { x, y, width } = (await page.locator('.chart-window').boundingBox())!;
    await page.mouse.move(x + width * 0.2, y + 100);
    await page.mouse.down();
    await page.evaluate(() => {
      const times: number[] = [];
      const count = (time: number): void => {
        times.push(time);
        requestAnimationFrame(count);
      };
      requestAnimationFrame(count);
      Object.assign(globalThis, { frameTimes: times });
    });
    for (let step = 1; step <= 120; step++)
      await page.mouse.move(x + width * (0.2 + 0.005 * step), y + 100);
    const times = await page.evaluate(
      () => (globalThis as unknown as { frameTimes: number[] }).frameTimes,
    );
    await page.mouse.up();
    const seconds = (times.at(-1)! - times[0]!) / 1000;
    process.stdout.write(
      `dragging over a year: ${Math.round((times.length - 1) / seconds)} frames a second\n`,
    );
    expect(times.length).toBeGreaterThan(5);
  });
});
