import { describe, expect, it } from 'vitest';
import { BROWSER } from '../browser.ts';
import { sharedRestService } from '../rest-service.ts';
import { openedApiPage } from './opened-api-page.ts';

const farm = sharedRestService();

describe.skipIf(!BROWSER)('the API page', () => {
  const { page, block, expectNoComplaints } = openedApiPage(farm);

  it('fits a phone, also with an operation open', async () => {
    const operation = block('irrigation', 'log_watering');
    await operation.locator('.opblock-summary-control').click();
    await operation.locator('.responses-table').waitFor();
    await page().setViewportSize({ width: 390, height: 844 });
    expect(
      await page().evaluate<number>('document.documentElement.scrollWidth'),
    ).toBeLessThanOrEqual(390);
    await page().setViewportSize({ width: 1280, height: 900 });
  });

  it('sends requests with the key of the user, and stores it nowhere', async () => {
    const key = await farm().newKey();
    await page().locator('.auth-wrapper .authorize').click();
    await page().locator('.auth-container input').fill(key);
    await page().locator('.auth-btn-wrapper .authorize').click();
    await page().locator('.auth-btn-wrapper .btn-done').click();
    const company = block('company', 'get_company');
    await company.locator('.opblock-summary-control').click();
    await company.locator('.try-out__btn').click();
    await company.locator('.execute').click();
    const live = company.locator('.live-responses-table .response');
    await live.waitFor();
    expect(await live.locator('.response-col_status').textContent()).toMatch(/^200/);
    expect(await live.locator('.highlight-code').first().textContent()).toContain('"Mas Rouge"');
    expectNoComplaints();
    expect(await page().locator('.auth-wrapper .authorize.locked').count()).toBe(1);
    const stored = await page().evaluate<string>(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
    );
    expect(stored).not.toContain(key);
    await page().reload();
    await page().locator('.opblock').first().waitFor();
    expect(await page().locator('.auth-wrapper .authorize.locked').count()).toBe(0);
  });
});
