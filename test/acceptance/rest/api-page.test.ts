import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { documentedOperations, renderDocument } from '../../http/openapi/rendered-document.ts';
import { BROWSER } from '../browser.ts';
import { sharedRestService } from '../rest-service.ts';
import { sharedBrowser } from '../shared-browser.ts';

const farm = sharedRestService();
const home = (): URL => new URL('/docs', farm().base);

describe.skipIf(!BROWSER)('the API page', () => {
  let page: Page;
  const requests: string[] = [];
  const complaints: string[] = [];
  beforeAll(async () => {
    const browser = await sharedBrowser();
    page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    page.on('request', (request) => requests.push(request.url()));
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(home().href);
    await page.locator('.opblock').first().waitFor();
  });
  afterAll(() => page?.close());

  function expectNoComplaints(): void {
    const isForeign = (url: string) =>
      !url.startsWith('data:') && new URL(url).origin !== home().origin;
    expect(requests.filter(isForeign)).toEqual([]);
    expect(complaints).toEqual([]);
  }

  const block = (tag: string, name: string) => page.locator(`#operations-${tag}-${name}`);

  it('shows every operation of the document', async () => {
    const shown = await page
      .locator('.opblock')
      .evaluateAll((blocks) => blocks.map(({ id }) => id.split('-').pop()));
    expect(shown.sort()).toEqual(
      documentedOperations(renderDocument())
        .map((each) => each.operationId)
        .sort(),
    );
    expect(await page.title()).toBe('Acequia');
  });

  it('fits a phone, also with an operation open', async () => {
    const operation = block('irrigation', 'log_watering');
    await operation.locator('.opblock-summary-control').click();
    await operation.locator('.responses-table').waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(
      390,
    );
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  it('fetches nothing from elsewhere, without errors or warnings', async () => {
    await page.locator('.models-control').click();
    await page.waitForLoadState('networkidle');
    expect(requests.length).toBeGreaterThan(4);
    expectNoComplaints();
  });

  it('sends requests with the key of the user, and stores it nowhere', async () => {
    const key = await farm().newKey();
    await page.locator('.auth-wrapper .authorize').click();
    await page.locator('.auth-container input').fill(key);
    await page.locator('.auth-btn-wrapper .authorize').click();
    await page.locator('.auth-btn-wrapper .btn-done').click();
    const company = block('company', 'get_company');
    await company.locator('.opblock-summary-control').click();
    await company.locator('.try-out__btn').click();
    await company.locator('.execute').click();
    const live = company.locator('.live-responses-table .response');
    await live.waitFor();
    expect(await live.locator('.response-col_status').textContent()).toMatch(/^200/);
    expect(await live.locator('.highlight-code').first().textContent()).toContain('"Mas Rouge"');
    expectNoComplaints();
    expect(await page.locator('.auth-wrapper .authorize.locked').count()).toBe(1);
    const stored = await page.evaluate<string>(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
    );
    expect(stored).not.toContain(key);
    await page.reload();
    await page.locator('.opblock').first().waitFor();
    expect(await page.locator('.auth-wrapper .authorize.locked').count()).toBe(0);
  });
});

describe('the API page without a browser', () => {
  it('is served with its files and their licences, under a policy that allows nothing from elsewhere', async () => {
    const answer = await fetch(home());
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'self';/);
    const named = [...(await answer.text()).matchAll(/(?:src|href)="([^"]+)"/g)].map(
      (match) => match[1]!,
    );
    expect(named.length).toBeGreaterThan(4);
    for (const name of [
      ...named,
      'docs/LICENSE',
      'docs/NOTICE',
      'docs/swagger-ui-bundle.js.LICENSE.txt',
    ]) {
      expect(name).not.toMatch(/^(https?:)?\/\//);
      const file = await fetch(new URL(name, home()));
      expect(file.status, name).toBe(200);
      expect(await file.text(), name).not.toBe('');
    }
  });

  it('includes no file outside its folder', async () => {
    for (const path of [
      'docs/..%2fcatalog.json',
      'docs/%2e%2e%2fcatalog.json',
      'docs/.%2fpage.js',
      'docs/none.js',
    ]) {
      const answer = await fetch(new URL(path, home()));
      expect([path, answer.status]).toEqual([path, 404]);
    }
  });
});
