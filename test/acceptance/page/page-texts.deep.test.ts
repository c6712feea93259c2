import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { LANGS } from '../../../src/domain/lang.ts';
import { UNIT_SYSTEMS, type UnitSystem } from '../../../src/domain/units.ts';
import { afterFile } from '../../cleanup.ts';
import { expectRecorded } from '../../recorded/recording.ts';
import { STOPPED_CLOCK } from '../advice/recorded/farm-program.ts';
import { BROWSER } from '../browser.ts';
import { CLOCK, type Json } from '../program.ts';
import { type RestService, startServing } from '../rest-service.ts';
import { DESKTOP, livePageBrowser } from './page-browser.ts';
import { pageFarmForFile } from './page-farm.ts';

const LOCALES = { en: 'en-GB', fr: 'fr-FR', es: 'es-ES' } as const;

/** Each view, with the elements that it shows last. */
const VIEWS: Readonly<Record<string, readonly string[]>> = {
  '#/': ['.card', '.device'],
  '#/probe/1': ['.depths dd', '.chart-drawing path'],
  '#/probe/2': ['.depths dd', '.chart-drawing path'],
  '#/probe/3': ['.depths dd'],
  '#/review/1': ['.rows li'],
  '#/review/2': ['h1:not(.hidden)'],
  '#/log/1': ['.figure'],
  '#/log': ['h1:not(.hidden)'],
};

const WATERINGS = [
  ['2026-06-30', 'planned'],
  ['2026-06-28', 'done'],
] as const;

async function serveFarm(units: UnitSystem): Promise<RestService> {
  const options = ['--clock', CLOCK, '--rate-limit', '0'];
  const service = await startServing(await pageFarmForFile(), options, {
    env: STOPPED_CLOCK,
    after: afterFile,
  });
  const key = await service.newKey();
  const write = async (method: string, path: string, body: object): Promise<void> => {
    const answer = await service.request(method, path, { key, body });
    if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
  };
  await write('PUT', '/company', { units });
  for (const [day, status] of WATERINGS) {
    const amount = { inputMode: 'duration', durationMin: 40, status };
    const startedAt = `${day}T04:00:00Z`;
    await write('POST', '/modules/1/irrigation/events', { startedAt, ...amount });
  }
  await write('POST', '/alerts', { moduleId: 2, threshold: 20, reminderTime: '08:00:00' });
  return service;
}

/** All that a person can read or hear, in the order of the page. */
const textsOf = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`(() => {
    const texts = [];
    const walk = (node) => {
      if (node.nodeType === Node.TEXT_NODE) texts.push(node.textContent);
      if (node.nodeType !== Node.ELEMENT_NODE || /^(SCRIPT|STYLE)$/.test(node.tagName)) return;
      for (const name of ['aria-label', 'aria-valuetext', 'title', 'placeholder', 'alt'])
        if (node.hasAttribute(name)) texts.push(name + ': ' + node.getAttribute(name));
      for (const child of node.childNodes) walk(child);
    };
    walk(document.body);
    return texts.map((text) => text.replace(/\\s+/g, ' ').trim()).filter(Boolean);
  })()`);

async function settledTexts(page: Page): Promise<string[]> {
  let before: string[] = [];
  await expect
    .poll(
      async () => {
        const texts = await textsOf(page);
        const isSettled = JSON.stringify(texts) === JSON.stringify(before);
        before = texts;
        return isSettled;
      },
      { interval: 400, timeout: 20_000 },
    )
    .toBe(true);
  return before;
}

describe.skipIf(!BROWSER)('the live page', () => {
  const open = livePageBrowser();

  it('says what was recorded', async () => {
    const said: Record<string, Json> = {};
    for (const units of UNIT_SYSTEMS) {
      const service = await serveFarm(units);
      for (const lang of LANGS) {
        const { page } = await open(service, { ...DESKTOP, locale: LOCALES[lang] });
        await page.clock.setFixedTime(CLOCK);
        await page.reload();
        for (const [hash, elements] of Object.entries(VIEWS)) {
          await page.goto(new URL(`/${hash}`, service.base).href);
          if (hash === '#/log/1') await page.locator('.amount input').fill('40');
          for (const each of elements) await page.locator(each).first().waitFor();
          said[`${hash}, ${units}, ${lang}`] = await settledTexts(page);
        }
        const accept = { 'accept-language': lang };
        const signIn = await fetch(new URL('/sign-in', service.base), { headers: accept });
        said[`sign-in, ${units}, ${lang}`] = (await signIn.text()).replace(
          /<style.*?<\/style>/s,
          '',
        );
      }
    }
    await expectRecorded('page', said);
  });
});
