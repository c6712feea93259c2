import { describe, expect, it } from 'vitest';
import { documentedOperations, renderDocument } from '../../http/openapi/rendered-document.ts';
import { BROWSER } from '../browser.ts';
import { sharedRestService } from '../rest-service.ts';
import { apiPageOf, openedApiPage } from './opened-api-page.ts';

const farm = sharedRestService();
const home = (): URL => apiPageOf(farm());

describe.skipIf(!BROWSER)('the API page', () => {
  const { page, requests, expectNoComplaints } = openedApiPage(farm);

  it('shows every operation of the document', async () => {
    const shown = await page()
      .locator('.opblock')
      .evaluateAll((blocks) => blocks.map(({ id }) => id.split('-').pop()));
    expect(shown.sort()).toEqual(
      documentedOperations(renderDocument())
        .map((each) => each.operationId)
        .sort(),
    );
    expect(await page().title()).toBe('Acequia');
  });

  it('fetches nothing from elsewhere, without errors or warnings', async () => {
    await page().locator('.models-control').click();
    await page().waitForLoadState('networkidle');
    expect(requests.length).toBeGreaterThan(4);
    expectNoComplaints();
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
