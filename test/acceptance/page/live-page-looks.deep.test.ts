import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BROWSER } from '../browser.ts';
import { CLOCK } from '../program.ts';
import { serveStoreForFile } from '../rest-service.ts';
import {
  accessibilityProblems,
  CHAT,
  DESKTOP,
  livePageBrowser,
  PHONE,
  smallTargets,
} from './page-browser.ts';
import { pageFarmForFile } from './page-farm.ts';

/** The folder for pictures of every view, to look at. */
const PICTURES = process.env.ACEQUIA_TEST_PICTURES;

const VIEWS = ['#/', '#/probe/1', '#/log/1', '#/review/1'];
const LOOKS = [
  ['phone', PHONE, 'light', 'en-GB'],
  ['phone', PHONE, 'dark', 'es-ES'],
  ['desktop', DESKTOP, 'dark', 'fr-FR'],
  ['desktop', DESKTOP, 'light', 'en-GB'],
  ['chat', CHAT, 'light', 'es-ES'],
] as const;

describe.skipIf(!BROWSER)('the live page', () => {
  const open = livePageBrowser();

  it.each(LOOKS)(
    'is accessible and fits on a %s (%o, %s, %s)',
    async (name, device, colorScheme, locale) => {
      const service = await serveStoreForFile(await pageFarmForFile(), '--clock', CLOCK);
      const key = await service.newKey();
      for (const [day, status] of [
        ['2026-06-30', 'planned'],
        ['2026-06-28', 'done'],
      ])
        await service.request('POST', '/modules/1/irrigation/events', {
          key,
          body: { startedAt: `${day}T04:00:00Z`, inputMode: 'duration', durationMin: 40, status },
        });
      const { page, complaints } = await open(service, { ...device, colorScheme, locale });
      expect(await page.evaluate('document.documentElement.lang')).toBe(locale.slice(0, 2));
      for (const hash of VIEWS) {
        await page.goto(new URL(`/${hash}`, service.base).href);
        await page.locator('h1:not(.hidden)').waitFor();
        if (hash.startsWith('#/log')) {
          await page.locator('.amount input').fill('40');
          await page.locator('.figure').waitFor();
        }
        if (hash.startsWith('#/probe')) await page.locator('.depths dd').first().waitFor();
        if (hash.startsWith('#/review')) await page.locator('.rows li').first().waitFor();
        expect([hash, ...(await accessibilityProblems(page))]).toEqual([hash]);
        const { width } = device.viewport;
        expect(
          await page.evaluate<number>('document.documentElement.scrollWidth'),
        ).toBeLessThanOrEqual(width);
        expect([hash, ...(await smallTargets(page))]).toEqual([hash]);
        if (PICTURES) {
          await mkdir(PICTURES, { recursive: true });
          const view = hash.replace(/\W+/g, '-').replace(/^-|-$/g, '') || 'farm';
          await page.screenshot({
            path: join(PICTURES, `${view}-${name}-${colorScheme}-${locale.slice(0, 2)}.png`),
          });
        }
      }
      expect(complaints).toEqual([]);
    },
  );
});
