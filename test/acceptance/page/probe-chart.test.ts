import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { itInDeepRuns } from '../../property-runs.ts';
import { DAY, HOUR } from '../../time.ts';
import { BROWSER } from '../browser.ts';
import { type RestService, serveStoreForFile } from '../rest-service.ts';
import { CHART_CLOCK, chartFarm, moistureAt } from './chart-farm.ts';
import {
  accessibilityProblems,
  DESKTOP,
  livePageBrowser,
  type OpenPage,
  PHONE,
} from './page-browser.ts';

const NOW = Date.parse(CHART_CLOCK);
const SPANISH_PHONE: BrowserContextOptions = {
  ...PHONE,
  deviceScaleFactor: 2,
  locale: 'es-ES',
  colorScheme: 'dark',
};

describe.skipIf(!BROWSER)('the chart of a probe', () => {
  const openPage = livePageBrowser(DESKTOP);
  let service: RestService;
  let key: string;
  let alertId: string;

  beforeAll(async () => {
    service = await serveStoreForFile(await chartFarm(), '--clock', CHART_CLOCK);
    key = await service.newKey('--user', 'ana@example.org');
    const post = async (path: string, body: unknown) => {
      const answer = await service.request('POST', path, { key, body });
      if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
      return answer.body;
    };
    alertId = (await post('/alerts', { moduleId: 1, threshold: 18, hysteresis: 2 })).id;
    const watering = { inputMode: 'duration', durationMin: 120 };
    for (const days of [5, 2, -1])
      await post('/modules/1/irrigation/events', {
        startedAt: new Date(NOW - days * DAY - 4 * HOUR).toISOString(),
        ...watering,
      });
    await post('/rain', { mm: 12, when: '2026-06-27' });
  });

  async function open(options: Parameters<typeof openPage>[1] = {}): Promise<OpenPage> {
    const opened = await openPage(service, { ...options, hash: '#/probe/1' });
    await opened.page.locator('.chart-drawing path').first().waitFor();
    await opened.page.locator('.chart-episodes rect').first().waitFor();
    return opened;
  }

  /** A number and its unit stay on one line. */
  const textOf = async (place: Locator) => (await place.textContent())!.replaceAll('\u00a0', ' ');
  const periodOf = (page: Page) => page.locator('.chart-window').getAttribute('aria-label');
  const boxOf = async (page: Page) => (await page.locator('.chart-window').boundingBox())!;

  itInDeepRuns('moves with the mouse, zooms with the wheel, and goes back to now', async () => {
    const { page, complaints } = await open();
    const first = await periodOf(page);
    expect(first).toContain('24 Jun – 1 Jul 2026');
    const { x, y, width } = await boxOf(page);
    await page.mouse.move(x + width * 0.3, y + 100);
    await page.mouse.down();
    await page.mouse.move(x + width * 0.8, y + 104, { steps: 8 });
    await page.mouse.up();
    // Half of the plot is half of a week.
    await expect.poll(() => periodOf(page)).toContain('21 Jun – 28 Jun 2026');
    await page.mouse.wheel(0, 600);
    await expect.poll(() => page.locator('[aria-pressed=true]').count()).toBe(0);
    await page.getByRole('button', { name: '1 y' }).click();
    await expect.poll(() => periodOf(page)).toContain('2025');
    await page.getByRole('button', { name: '7 d' }).click();
    await expect.poll(() => periodOf(page)).toBe(first);
    expect(complaints).toEqual([]);
  });

  itInDeepRuns('reads the value under the mouse, in local time of the farm', async () => {
    const { page } = await open();
    await page.getByRole('button', { name: '24 h' }).click();
    const { x, y, width } = await boxOf(page);
    await page.mouse.move(x + width / 2, y + 120);
    // Until the readings of the day have come, it reads means of more of them.
    const readsItsInstant = async () => {
      const text = await textOf(page.locator('.chart-readout'));
      const [, day, hour, minute] = /(today|yesterday) (\d\d):(\d\d)/.exec(text) ?? [];
      // Madrid is two hours ahead of UTC in summer.
      const at = Date.UTC(2026, 5, day === 'today' ? 31 : 30, Number(hour) - 2, Number(minute));
      return text.includes(`15 cm ${Number(moistureAt(at, 15).toFixed(1))}`);
    };
    await expect.poll(readsItsInstant).toBe(true);
  });

  it('answers to keys, and says what it shows', async () => {
    const { page } = await open();
    await page.locator('.chart-window').focus();
    await page.keyboard.press('PageUp');
    await expect.poll(() => periodOf(page)).toContain('17 Jun – 24 Jun 2026');
    await page.keyboard.press('End');
    await expect.poll(() => periodOf(page)).toContain('24 Jun – 1 Jul 2026');
    await page.keyboard.press('Shift+ArrowLeft');
    const spoken = page.locator('.probe-chart output');
    await expect.poll(() => textOf(spoken)).toMatch(/today 11:\d\d.*\d %, 15 cm/);
    expect(await periodOf(page)).toMatch(/3 waterings|2 waterings/);
  });

  it('draws bars of water, hollow where they are planned, rain from above, and gaps as gaps', async () => {
    const { page } = await open();
    const bars = page.locator('.chart-waterings rect');
    await expect.poll(() => bars.count()).toBe(3);
    expect(
      await bars.evaluateAll((all) => all.filter((bar) => bar.hasAttribute('stroke')).length),
    ).toBe(1);
    await expect.poll(() => page.locator('.chart-rain rect').count()).toBe(1);
    await page.getByRole('button', { name: '30 d' }).click();
    const moves = () =>
      page
        .locator('.chart-drawing path')
        .evaluate((path) => path.getAttribute('d')!.split('M').length - 1);
    await expect.poll(moves).toBe(2);
  });

  it('shows the same as a table', async () => {
    const { page } = await open();
    await page.getByText('Values as a table').click();
    await expect.poll(() => page.locator('.chart-table tbody tr').count()).toBeGreaterThan(7);
    expect(await textOf(page.locator('.chart-table'))).toContain('Field capacity: 28 %');
  });

  const backtest = async (threshold: number) =>
    (
      await service.request(
        'GET',
        `/modules/1/alerts/backtest?threshold=${threshold}&hysteresis=2&start=2026-04-02`,
        {
          key,
        },
      )
    ).body;

  it('tries a threshold while its line is pulled, saves it once confirmed, and undoes it', async () => {
    const { page, complaints } = await open();
    const handle = page.getByRole('slider', { name: 'Alert' });
    const { x, y, width, height } = (await handle.boundingBox())!;
    await page.mouse.move(x + width / 2, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + width / 2, y + height / 2 - 30, { steps: 10 });
    const bar = page.locator('.chart-bar');
    await expect.poll(() => textOf(bar)).toMatch(/Alert below: 18 % → \d+(\.\d)? %/);
    expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0);
    await page.mouse.up();
    await expect.poll(() => textOf(bar)).toContain('would have fired');
    const value = Number(await handle.getAttribute('aria-valuenow'));
    const { episodes, inForce } = await backtest(value);
    expect(await textOf(bar)).toContain(`it would have fired ${timesOf(episodes.length)}`);
    expect(await textOf(bar)).toContain(
      `The alert at 18 % would have fired ${timesOf(inForce.episodes)}.`,
    );
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(`Saved: Alert below ${value}\u00a0%`).waitFor();
    const threshold = async () =>
      (await service.request('GET', '/alerts', { key })).body.data.find(
        (each: { id: string }) => each.id === alertId,
      ).threshold;
    expect(await threshold()).toBe(String(value));
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone: Alert below 18\u00a0% again').waitFor();
    expect(await threshold()).toBe('18');
    expect(complaints).toEqual([]);
  });

  it('says of a line which its soil does not explain what would be expected, and confirms it', async () => {
    const { page, complaints } = await open();
    const handle = page.getByRole('slider', { name: 'Field capacity' });
    const bar = page.locator('.chart-bar');
    const doubts = async () =>
      (await service.request('GET', '/modules/1/agronomic-state', { key })).body.doubtedLines;
    await handle.focus();
    for (const _ of Array.from({ length: 10 })) await page.keyboard.press('Shift+ArrowUp');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved: Field capacity').waitFor();
    const [{ height, expected }] = await doubts();
    expect(height - expected).toBeGreaterThan(8);
    expect(await textOf(bar)).toContain(
      `In this soil about ${Math.round(expected)} % would be expected.`,
    );
    expect(await accessibilityProblems(page)).toEqual([]);

    await page.getByRole('button', { name: 'It is right' }).click();
    await expect.poll(() => bar.count()).toBe(0);
    expect(await doubts()).toBeUndefined();
    const { data } = (await service.request('GET', '/modules/1/annotations', { key })).body;
    expect(data).toMatchObject([{ p1: [expect.any(Number), height] }]);
    await service.request('DELETE', `/annotations/${data[0].id}`, { key });
    expect(complaints).toEqual([]);
  });

  itInDeepRuns('pulls a line with keys, and writes nothing when it is let go of', async () => {
    const { page } = await open();
    const handle = page.getByRole('slider', { name: 'Field capacity' });
    await handle.focus();
    for (const _ of [1, 2, 3]) await page.keyboard.press('ArrowUp');
    await page.getByText('Field capacity: 28\u00a0% → 28.3\u00a0%').waitFor();
    expect(await textOf(page.locator('.chart-bar'))).toContain('Plants begin to suffer at');
    await page.keyboard.press('Escape');
    await expect.poll(() => page.locator('.chart-bar').count()).toBe(0);
    expect((await service.request('GET', '/modules/1/annotations', { key })).body.data).toEqual([]);
  });

  itInDeepRuns('has no line to pull for who may only read', async () => {
    const { page } = await open({ user: 'vera@example.org' });
    expect(await page.getByRole('slider').count()).toBe(0);
    expect(await page.locator('.chart-label').count()).toBeGreaterThan(2);
  });

  itInDeepRuns('follows fingers: one moves it, two zoom it, one that rests reads it', async () => {
    const { page, complaints } = await open(SPANISH_PHONE);
    const touch = await touchesOf(page);
    const first = await periodOf(page);
    const { x, y, width } = await boxOf(page);
    await touch('touchStart', [[x + width * 0.2, y + 150]]);
    for (let step = 1; step <= 6; step++)
      await touch('touchMove', [[x + width * (0.2 + 0.1 * step), y + 150]]);
    await touch('touchEnd', []);
    await expect.poll(() => periodOf(page)).not.toBe(first);
    await touch('touchStart', [
      [x + width * 0.4, y + 150],
      [x + width * 0.6, y + 150],
    ]);
    for (let step = 1; step <= 6; step++)
      await touch('touchMove', [
        [x + width * (0.4 - 0.05 * step), y + 150],
        [x + width * (0.6 + 0.05 * step), y + 150],
      ]);
    await touch('touchEnd', []);
    await expect.poll(() => page.locator('.chart-spans [aria-pressed=true]').count()).toBe(0);
    await touch('touchStart', [[x + width * 0.5, y + 150]]);
    await page.waitForTimeout(400);
    await expect.poll(() => page.locator('.chart-cursor').count()).toBe(1);
    await touch('touchEnd', []);
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });
});

const timesOf = (count: number): string => ['never', 'once'][count] ?? `${count} times`;

type Touch = 'touchStart' | 'touchMove' | 'touchEnd';

async function touchesOf(page: Page) {
  const session = await page.context().newCDPSession(page);
  return async (type: Touch, places: readonly (readonly [number, number])[]): Promise<void> => {
    const touchPoints = places.map(([x, y], id) => ({ x, y, id }));
    await session.send('Input.dispatchTouchEvent', { type, touchPoints });
    await page.waitForTimeout(20);
  };
}
