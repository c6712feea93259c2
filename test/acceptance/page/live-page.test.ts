import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { BROWSER } from '../browser.ts';
import type { RestService } from '../rest-service.ts';
import { accessibilityProblems, DESKTOP, livePageBrowser, servePage } from './page-browser.ts';
import { newFarmOfManyProbes, newPageFarm } from './page-farm.ts';

const doneWaterings = async (service: RestService) =>
  (await service.request('GET', '/irrigation/events?status=done', { key: await service.newKey() })).body.data;

/** Of the writes there: the service does what it is asked, and the page never hears of it. */
async function loseFirstAnswer(page: Page, url: string): Promise<void> {
  let lost = 0;
  await page.route(url, async (route) => {
    if (route.request().method() === 'GET' || lost > 0) return route.continue();
    lost += 1;
    await route.fetch();
    return route.abort('connectionreset');
  });
}

describe.skipIf(!BROWSER)('the live page', () => {
  const open = livePageBrowser();
  const serve = async (): Promise<RestService> => servePage(await newPageFarm());

  it('shows every probe by need, and opens one by a tap', async () => {
    const { page, complaints, requests } = await open(await serve());
    const cards = page.locator('.card');
    expect(await cards.locator('.name').allTextContents()).toEqual(['North 2', 'South 1', 'North 1']);
    expect(requests).toEqual(['GET /page']);
    // Before the first frame, cards have no inner text (content-visibility).
    await expect.poll(() => cards.last().innerText()).not.toBe('');
    const texts = await cards.allInnerTexts();
    expect(texts[0]).toMatch(/North block · olive\s+13\.2 %\s+Under stress.*no watering logged\s+60 min ago/s);
    expect(texts[1]).toMatch(/South block · peach\s+23 %\s+No data.*2 days ago/s);
    expect(texts[2]).toMatch(/24\.4 %\s+In comfort\s+stress in about 7 days/s);
    expect(await cards.first().locator('svg.sparkline path').count()).toBe(1);
    expect(await accessibilityProblems(page)).toEqual([]);
    await cards.nth(2).tap();
    await page.locator('.depths dt').first().waitFor();
    expect(await page.locator('h1').innerText()).toBe('North 1');
    expect(await page.locator('.summary').innerText()).toContain('North 1 is in comfort, 24.4 % by volume today 11:00');
    expect(await page.locator('.depths dt').allInnerTexts()).toEqual(['15 cm', '45 cm']);
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.goBack();
    await cards.first().waitFor();
    expect(complaints).toEqual([]);
  });

  it('logs a watering with the dose that is shown while typing, in the time of the farm, and takes it back', async () => {
    const service = await serve();
    const { page, complaints } = await open(service, { hash: '#/log/1' });
    // Noon in Paris is 3:00 where the phone is.
    expect(await page.locator('input[type=datetime-local]').inputValue()).toBe('2026-07-01T12:00');
    await page.locator('input[type=datetime-local]').fill('2026-07-01T06:00');
    await page.locator('.amount input').fill('40');
    await expect.poll(() => page.locator('.dose').innerText()).toMatch(/^2 mm\s+4 mm in the wetted zone · 4 m³/);
    await page.getByText('m³', { exact: true }).tap();
    await page.locator('.amount input').fill('6,0');
    await expect.poll(() => page.locator('.dose').innerText()).toMatch(/^3 mm\s+6 mm in the wetted zone · 1 h/);
    expect(await doneWaterings(service)).toEqual([]);
    await page.getByRole('button', { name: 'Log it' }).dblclick();
    await expect.poll(() => page.locator('.notice').innerText()).toContain('Logged: North 1, today 06:00.');
    const [logged, ...others] = await doneWaterings(service);
    expect(others).toEqual([]);
    expect(logged).toMatchObject({ startedAt: '2026-07-01T04:00:00.000Z', inputVolumeM3: 6, waterMm: 3 });
    await expect.poll(() => page.locator('.waterings').innerText()).toMatch(/Last\s+today 06:00\s+3 mm · 6 m³/);
    await page.getByRole('button', { name: 'Undo' }).tap();
    await expect.poll(() => page.locator('.notice').innerText()).toContain('Taken back.');
    expect(await doneWaterings(service)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('logs once where the answer is lost and the person tries again', async () => {
    const service = await serve();
    const { page } = await open(service, { hash: '#/log/1' });
    await page.locator('.amount input').fill('40');
    await loseFirstAnswer(page, '**/v1/modules/1/irrigation/events');
    const save = page.getByRole('button', { name: 'Log it' });
    await save.tap();
    await expect
      .poll(() => page.locator('form [role=alert]').innerText())
      .toBe('The farm does not answer. Check your connection, then try again.');
    await save.tap();
    await expect.poll(() => page.locator('.notice').innerText()).toContain('Logged');
    expect(await doneWaterings(service)).toHaveLength(1);
  });

  it('adds one alert where the answer is lost and the person tries again', async () => {
    const service = await serve();
    const { page } = await open(service, { hash: '#/probe/3' });
    await loseFirstAnswer(page, '**/v1/alerts');
    await page.getByRole('button', { name: '+ New alert' }).tap();
    const save = page.getByRole('button', { name: 'Save' });
    await save.tap();
    await expect.poll(() => page.locator('.chart-bar').innerText()).toContain('The farm does not answer.');
    await save.tap();
    await page.getByText('Saved: New alert').waitFor();
    const { data } = (await service.request('GET', '/alerts', { key: await service.newKey() })).body;
    expect(data).toHaveLength(1);
  });

  it('says that a watering was confirmed where the answer was lost and the person then says that it did not run', async () => {
    const service = await serve();
    const body = { startedAt: '2026-06-30T04:00:00Z', inputMode: 'duration', durationMin: 40, status: 'planned' };
    await service.request('POST', '/modules/1/irrigation/events', { key: await service.newKey(), body });
    const { page } = await open(service);
    await loseFirstAnswer(page, '**/v1/irrigation/events/**');
    await page.getByRole('button', { name: 'It ran' }).tap();
    await expect.poll(() => page.locator('.notice').innerText()).toContain('The farm does not answer.');
    await page.getByRole('button', { name: 'It did not' }).tap();
    await expect.poll(() => page.locator('.notice').innerText()).toContain('North 1, yesterday 06:00: Confirmed.');
    await page.locator('.confirm').waitFor({ state: 'detached' });
    expect(await doneWaterings(service)).toHaveLength(1);
    await page.getByRole('button', { name: 'Undo' }).tap();
    await page.locator('.confirm').waitFor();
  });

  it('says why an amount is not taken, and logs none of them', async () => {
    const { page } = await open(await serve(), { hash: '#/log/1' });
    const save = page.getByRole('button', { name: 'Log it' });
    for (const [amount, why] of [
      ['1,000', 'Write it without a separator for thousands: 1000, or 1.5.'],
      ['0', 'It must be more than 0.'],
      ['60 min', 'Only a number here, such as 40 or 1.5.'],
      ['90.5', 'A watering lasts 1 minute to 31 days. Give whole minutes.'],
    ] as const) {
      await page.locator('.amount input').fill(amount);
      await expect.poll(() => page.locator('.dose').innerText()).toBe(why);
      expect(await save.isDisabled()).toBe(true);
    }
    await page.locator('.amount input').fill('90');
    await expect.poll(() => save.isDisabled()).toBe(false);
  });

  it('logs a watering of a whole parcel', async () => {
    const service = await serve();
    const { page } = await open(service, { hash: '#/log' });
    expect(await page.getByRole('button', { name: 'Log it' }).isDisabled()).toBe(true);
    await page.locator('select').selectOption({ label: 'All of North block (2 probes)' });
    await page.locator('.amount input').fill('20');
    await expect.poll(() => page.locator('.dose').innerText()).toMatch(/^1 mm on each of 2 probes/);
    await page.getByRole('button', { name: 'Log it' }).tap();
    await expect.poll(() => page.locator('.notice').innerText()).toContain('Logged: North block, today 12:00.');
    expect(
      (await doneWaterings(service)).map(({ moduleId, waterMm }: Record<string, number>) => [moduleId, waterMm]).sort(),
    ).toEqual([
      [1, 1],
      [2, 1],
    ]);
  });

  it('asks whether what was planned ran, and reviews what it did', async () => {
    const service = await serve();
    const key = await service.newKey();
    for (const day of ['2026-06-29', '2026-06-30'])
      await service.request('POST', '/modules/1/irrigation/events', {
        key,
        body: { startedAt: `${day}T04:00:00Z`, inputMode: 'duration', durationMin: 40, status: 'planned' },
      });
    const { page, complaints } = await open(service);
    expect(await page.locator('.confirm h2').innerText()).toBe('Did these 2 waterings run?');
    expect(await page.locator('.waiting').first().innerText()).toMatch(/^North 1 yesterday 06:00\s+2 mm · 40 min/);
    await page.locator('.waiting').first().getByRole('button', { name: 'It ran' }).tap();
    await expect.poll(() => page.locator('.confirm h2').innerText()).toBe('Did this watering run?');
    await page.getByRole('button', { name: 'It did not' }).tap();
    await page.locator('.confirm').waitFor({ state: 'detached' });
    expect((await doneWaterings(service)).map(({ startedAt }: { startedAt: string }) => startedAt)).toEqual([
      '2026-06-30T04:00:00.000Z',
    ]);
    await page.goto(new URL('/#/review/1', service.base).href);
    await page.locator('.rows li').first().waitFor();
    expect(await page.locator('.rows').first().innerText()).toMatch(/yesterday 06:00\s+2 mm/);
    expect(complaints).toEqual([]);
  });

  it('shows a VIEWER everything and nothing that writes', async () => {
    const service = await serve();
    await service.request('POST', '/modules/1/irrigation/events', {
      key: await service.newKey(),
      body: { startedAt: '2026-06-30T04:00:00Z', inputMode: 'duration', durationMin: 40, status: 'planned' },
    });
    const { page } = await open(service, { user: 'vera@example.org' });
    expect(await page.locator('.card').count()).toBe(3);
    expect(await page.locator('.waiting').count()).toBe(1);
    expect(await page.locator('main button').count()).toBe(0);
    expect(await page.getByText('Log a watering').count()).toBe(0);
    await page.goto(new URL('/#/log/1', service.base).href);
    await expect.poll(() => page.locator('main').innerText()).toContain('change nothing');
    expect(await page.locator('form').count()).toBe(0);
  });

  it('can be used with the keyboard alone', async () => {
    const { page } = await open(await serve(), DESKTOP);
    const focused = () => page.evaluate<string>('document.activeElement.innerText ?? ""');
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('Log a watering');
    await page.keyboard.press('Tab');
    expect(await focused()).toContain('North 2');
    await page.keyboard.press('Enter');
    await page.locator('.probe').waitFor();
    await expect.poll(focused).toBe('North 2');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    await page.locator('.card').first().waitFor();
    await expect.poll(focused).toBe('Mas Rouge');
  });

  it.each([
    ['without a connection', 'en-GB', /^The farm does not answer\. Check your connection/],
    ['once signed out', 'fr-FR', /^Vous n’êtes pas connecté\. Ouvrez votre lien/],
    ['once signed out', 'es-ES', /^No ha iniciado sesión\. Abra su enlace/],
  ] as const)('says %s in plain words (%s) what to do', async (what, locale, words) => {
    const { page } = await open(await serve(), { locale });
    if (what === 'without a connection') await page.route('**/v1/**', (route) => route.abort());
    else await page.context().clearCookies();
    await page.reload();
    await expect.poll(() => page.locator('[role=alert]').innerText()).toMatch(words);
    await page.unroute('**/v1/**');
    if (what !== 'without a connection') return;
    await page.locator('[role=alert] button').tap();
    await page.locator('.card').first().waitFor();
  });

  it('shows the first view of 200 probes in one request and 300 kB, and finds one among them', async () => {
    const service = await servePage(await newFarmOfManyProbes());
    const sizes = new Map<string, number>();
    const { page, requests } = await open(service, { hash: '#/nothing' });
    page.on('response', async (response) => {
      const body = await response.body().catch(() => Buffer.alloc(0));
      sizes.set(new URL(response.url()).pathname, body.length);
    });
    requests.length = 0;
    await page.reload();
    await expect.poll(() => page.locator('.card').count()).toBe(200);
    expect(requests).toEqual(['GET /page']);
    await expect.poll(() => sizes.get('/v1/page')).toBeGreaterThan(80_000);
    const bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0);
    expect(sizes.get('/')).toBeGreaterThan(50_000);
    expect(bytes).toBeLessThanOrEqual(300_000);
    await page.locator('input[type=search]').fill('row 147');
    expect(await page.locator('.card .name').allTextContents()).toEqual(['Olivette, row 147']);
    expect(await page.getByText('1 probe found.').count()).toBe(1);
    await page.locator('input[type=search]').fill('Terrace 7 ·');
    await page.getByText('By parcel').tap();
    expect(await page.locator('section h2').allTextContents()).toEqual(['Terrace 7']);
    expect(await page.locator('.card').count()).toBe(10);
  });
});
