import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { documentedOperations, renderDocument } from '../../http/openapi/rendered-document.ts';
import { sharedRestService } from '../rest-service.ts';

const BROWSER = [process.env.ACEQUIA_BROWSER, '/usr/bin/chromium'].find((path) => path && existsSync(path));

const ARGUMENTS = [
  ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
];

describe.skipIf(!BROWSER)('the page', () => {
  const farm = sharedRestService();
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: BROWSER!, args: ARGUMENTS });
  });
  afterAll(() => browser?.close());

  async function opened(viewport = { width: 1280, height: 900 }) {
    const page = await browser.newPage({ viewport });
    const requests: string[] = [];
    const complaints: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(new URL('/', farm().base).href);
    await page.locator('.opblock').first().waitFor();
    return { page, requests, complaints };
  }

  const foreign = (requests: readonly string[]) =>
    requests.filter(
      (url) => !url.startsWith('data:') && new URL(url).origin !== new URL(new URL('/', farm().base).href).origin,
    );

  const block = (page: Page, tag: string, name: string) => page.locator(`#operations-${tag}-${name}`);

  it('shows every operation of the document', async () => {
    const { page } = await opened();
    const shown = await page.locator('.opblock').evaluateAll((blocks) => blocks.map(({ id }) => id.split('-').pop()));
    expect(shown.sort()).toEqual(
      documentedOperations(renderDocument())
        .map((each) => each.operationId)
        .sort(),
    );
    expect(await page.title()).toBe('Acequia');
    await page.close();
  });

  it('fetches nothing from elsewhere and complains of nothing, also with an operation open', async () => {
    const { page, requests, complaints } = await opened();
    await block(page, 'irrigation', 'log_watering').locator('.opblock-summary-control').click();
    await block(page, 'irrigation', 'log_watering').locator('.responses-table').waitFor();
    await page.locator('.models-control').click();
    await page.waitForLoadState('networkidle');
    expect(requests.length).toBeGreaterThan(4);
    expect(foreign(requests)).toEqual([]);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('asks the service with a key that a person gives, and keeps it nowhere', async () => {
    const { page, requests, complaints } = await opened();
    const key = await farm().newKey();
    await page.locator('.auth-wrapper .authorize').click();
    await page.locator('.auth-container input').fill(key);
    await page.locator('.auth-btn-wrapper .authorize').click();
    await page.locator('.auth-btn-wrapper .btn-done').click();
    const company = block(page, 'company', 'get_company');
    await company.locator('.opblock-summary-control').click();
    await company.locator('.try-out__btn').click();
    await company.locator('.execute').click();
    const live = company.locator('.live-responses-table .response');
    await live.waitFor();
    expect(await live.locator('.response-col_status').textContent()).toMatch(/^200/);
    expect(await live.locator('.highlight-code').first().textContent()).toContain('"Mas Rouge"');
    expect(foreign(requests)).toEqual([]);
    expect(complaints).toEqual([]);
    expect(await page.locator('.auth-wrapper .authorize.locked').count()).toBe(1);
    const kept = await page.evaluate<string>(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
    );
    expect(kept).not.toContain(key);
    await page.reload();
    await page.locator('.opblock').first().waitFor();
    expect(await page.locator('.auth-wrapper .authorize.locked').count()).toBe(0);
    await page.close();
  });

  it('fits a phone, also with an operation open', async () => {
    const { page } = await opened({ width: 390, height: 844 });
    await block(page, 'irrigation', 'log_watering').locator('.opblock-summary-control').click();
    await block(page, 'irrigation', 'log_watering').locator('.responses-table').waitFor();
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    await page.close();
  });
});

describe('the page without a browser', () => {
  const farm = sharedRestService();

  it('is served with its files and their licences, under a policy that lets nothing in from elsewhere', async () => {
    const home = await fetch(new URL('/', farm().base).href);
    expect(home.status).toBe(200);
    expect(home.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(home.headers.get('content-security-policy')).toMatch(/^default-src 'self';/);
    const named = [...(await home.text()).matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1]!);
    expect(named.length).toBeGreaterThan(4);
    for (const name of [...named, 'page/LICENSE', 'page/NOTICE', 'page/swagger-ui-bundle.js.LICENSE.txt']) {
      expect(name).not.toMatch(/^(https?:)?\/\//);
      const file = await fetch(new URL(name, new URL('/', farm().base).href));
      expect(file.status, name).toBe(200);
      expect(await file.text(), name).not.toBe('');
    }
  });

  it('gives no file from outside its folder', async () => {
    for (const path of ['page/..%2fcatalog.json', 'page/%2e%2e%2fcatalog.json', 'page/.%2fpage.js', 'page/none.js']) {
      const answer = await fetch(new URL(path, new URL('/', farm().base).href));
      expect([path, answer.status]).toEqual([path, 404]);
    }
  });
});
