import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { HOUR, iso, MINUTE } from '../../time.ts';
import { BROWSER } from '../browser.ts';
import { bodyOf, connectForFile } from '../mcp-session.ts';
import { CLOCK, runCommand } from '../program.ts';
import { type RestService, serveStoreForFile } from '../rest-service.ts';
import { accessibilityProblems, livePageBrowser, smallTargets } from './page-browser.ts';
import { addPageFarm, NOW, pageFarmForFile } from './page-farm.ts';

/** Loses the first answer: the service does what it is asked, and the page never hears of it. */
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
  const openPage = livePageBrowser();
  let service: RestService;
  beforeAll(async () => {
    service = await serveStoreForFile(await pageFarmForFile(), '--clock', CLOCK);
  });

  const open = (options: Parameters<typeof openPage>[1] = {}) =>
    openPage(service, { company: 'Mas Rouge', ...options });
  const noticeOf = (page: Page) => page.locator('.notice').innerText();

  /** A farm that the test may change. */
  async function newFarm() {
    const { company, key, idOf } = await addPageFarm(service);
    const listOf = async (path: string) => (await service.request('GET', path, { key })).body.data;
    return {
      company,
      idOf,
      alerts: () => listOf('/alerts'),
      done: () => listOf('/irrigation/events?status=done'),
      /** A reading at both depths a minute ago. */
      async send(uid: string, value: number) {
        const time = iso(NOW - MINUTE);
        const readings = [15, 45].map((depth) => ({
          module: uid,
          type: 'humidity',
          depth,
          time,
          value,
        }));
        const body = { readings };
        expect((await service.request('POST', '/ingest', { key, body })).status).toBe(200);
      },
      async sendUnknown(device: string) {
        const readings = [{ device, type: 'field:soil_moist', time: iso(NOW - MINUTE), value: 24 }];
        const body = { readings };
        expect((await service.request('POST', '/ingest', { key, body })).status).toBe(200);
      },
      /** A run that has just ended. */
      async water(probe: string, durationMin: number) {
        const startedAt = iso(NOW - durationMin * MINUTE);
        const body = { startedAt, inputMode: 'duration', durationMin };
        const path = `/modules/${idOf(probe)}/irrigation/events`;
        expect((await service.request('POST', path, { key, body })).status).toBe(201);
      },
      /** A parcel of 6 mm/h that nothing measures. */
      async addTerrace() {
        const terrace = await service.request('PUT', '/parcels', {
          key,
          body: { name: 'Terrace' },
        });
        const path = `/parcels/${terrace.body.parcel.id}/irrigation/installation`;
        const body = { system: 'sprinkler', flowMmPerH: 6, fractionWetted: 1 };
        expect((await service.request('PUT', path, { key, body })).status).toBe(200);
      },
      doneOnParcels: () => listOf('/irrigation/parcel-events?status=done'),
      plan: (day: string) =>
        service.request('POST', `/modules/${idOf('North 1')}/irrigation/events`, {
          key,
          body: {
            startedAt: `${day}T04:00:00Z`,
            inputMode: 'duration',
            durationMin: 40,
            status: 'planned',
          },
        }),
      open: (options: Parameters<typeof openPage>[1] = {}) => open({ company, ...options }),
    };
  }

  it('shows every probe by need, and opens one by a tap', async () => {
    const { page, complaints, requests } = await open();
    const cards = page.locator('.card');
    expect(await cards.locator('.name').allTextContents()).toEqual([
      'North 2',
      'South 1',
      'North 1',
    ]);
    expect(requests).toEqual(['GET /page']);
    // Before the first frame, cards have no inner text (content-visibility).
    await expect.poll(() => cards.last().innerText()).not.toBe('');
    const texts = await cards.allInnerTexts();
    expect(texts[0]).toMatch(
      /North block · olive\s+13\.2 %\s+Under stress.*no watering logged\s+60 min ago/s,
    );
    expect(texts[1]).toMatch(/South block · peach\s+23 %\s+No data.*2 days ago/s);
    expect(texts[2]).toMatch(/24\.4 %\s+In comfort\s+stress in about 7 days/s);
    expect(await cards.first().locator('svg.sparkline path').count()).toBe(1);
    await page.locator('.device').waitFor();
    expect([...(await accessibilityProblems(page)), ...(await smallTargets(page))]).toEqual([]);
    await cards.nth(2).tap();
    await page.locator('.depths dt').first().waitFor();
    expect(await page.locator('h1').innerText()).toBe('North 1');
    expect(await page.locator('.summary').innerText()).toMatch(/Today 11:00.* · 60 min ago/);
    expect(await page.locator('.depths dt').allInnerTexts()).toEqual(['15 cm', '45 cm']);
    await page.locator('.chart-drawing path').first().waitFor();
    expect([...(await accessibilityProblems(page)), ...(await smallTargets(page))]).toEqual([]);
    await page.goBack();
    await cards.first().waitFor();
    expect(complaints).toEqual([]);
  });

  it('ages by the minute without the service, whose loss it says, and shows what falls silent', async () => {
    const { page } = await open();
    await page.clock.install();
    await page.reload();
    const card = page.locator('.card', { hasText: 'North 1' });
    await expect.poll(() => card.innerText()).toMatch(/In comfort.*60 min ago/s);
    await page.route('**/page/events', (route) => route.abort());
    await page.clock.fastForward('00:50');
    await expect.poll(() => page.locator('.offline').innerText()).toContain('No connection.');
    await page.clock.fastForward('10:00');
    await expect.poll(() => card.innerText()).toContain('70 min ago');
    expect(await page.locator('.offline').innerText()).toMatch(/is from 1[01] min ago/);
    await page.unroute('**/page/events');
    await page.clock.fastForward('00:46');
    await expect.poll(() => page.locator('.offline').innerText()).toBe('');
    await page.clock.fastForward('25:00:00');
    await expect.poll(() => card.innerText()).toMatch(/No data.*26 h ago/s);
  });

  it('says first what is to be checked, whatever the reading, and that little water is no watering', async () => {
    const { send, sendUnknown, water, open } = await newFarm();
    await send('A1', 2);
    await sendUnknown('A84041FFFF181F0D');
    await water('North 2', 5);
    const { page } = await open();
    const cards = page.locator('.card');
    await expect.poll(() => cards.nth(1).innerText()).not.toBe('');
    expect(await cards.nth(0).innerText()).toMatch(
      /North 1\s.*2 %\s+Check first\s+a sensor fell suddenly/s,
    );
    expect(await cards.nth(1).innerText()).toMatch(/North 2\s.*Under stress/s);
    expect(await page.locator('.subtitle').innerText()).toContain(
      '1 needs water · 1 device to assign',
    );
    await water('North 2', 600);
    await expect
      .poll(() => cards.nth(1).innerText())
      .toMatch(/North 2\s.*Check first\s+a recent watering may be soaking in/s);
    expect(await page.locator('.subtitle').innerText()).not.toContain('water');
    await page.locator('.card', { hasText: 'North 1' }).tap();
    await expect
      .poll(() => page.locator('.summary').innerText())
      .toMatch(/2 %\s+Check first\s+a sensor fell suddenly/);
    expect(await page.locator('.summary').innerText()).not.toMatch(/comfort|stress/i);
  });

  it('logs a watering with the dose that is shown while typing, in the time of the farm, and undoes it', async () => {
    const { idOf, done, open } = await newFarm();
    const { page, complaints } = await open({ hash: `#/log/${idOf('North 1')}` });
    // Noon in Paris is 3:00 where the phone is.
    expect(await page.locator('input[type=datetime-local]').inputValue()).toBe('2026-07-01T12:00');
    await page.locator('input[type=datetime-local]').fill('2026-07-01T06:00');
    const [amount, dose] = [page.locator('.amount input'), () => page.locator('.dose').innerText()];
    await amount.fill('40');
    await expect.poll(dose).toMatch(/^2 mm\s+4 mm in the wetted zone \(50 %\) · 4 m³/);
    await page.getByText('m³', { exact: true }).tap();
    await amount.fill('6,0');
    await expect.poll(dose).toMatch(/^3 mm\s+6 mm in the wetted zone \(50 %\) · 1 h/);
    expect(await done()).toEqual([]);
    await page.getByRole('button', { name: 'Log it' }).dblclick();
    await expect.poll(() => noticeOf(page)).toContain('Logged: North 1, today 06:00.');
    const [logged, ...others] = await done();
    expect(others).toEqual([]);
    expect(logged).toMatchObject({
      startedAt: '2026-07-01T04:00:00.000Z',
      inputVolumeM3: 6,
      waterMm: 3,
    });
    await expect
      .poll(() => page.locator('.waterings').innerText())
      .toMatch(/Last\s+today 06:00\s+3 mm · 6 m³/);
    await page.getByRole('button', { name: 'Undo' }).tap();
    await expect.poll(() => noticeOf(page)).toContain('Undone.');
    expect(await done()).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('says why an amount is not taken, and logs a whole parcel once where the answer is lost', async () => {
    const { done, open } = await newFarm();
    const { page } = await open({ hash: '#/log' });
    const save = page.getByRole('button', { name: 'Log it' });
    expect(await save.isDisabled()).toBe(true);
    await page.locator('select').selectOption({ label: 'All of North block (2 probes)' });
    const dose = () => page.locator('.dose').innerText();
    for (const [amount, why] of [
      ['1,000', 'Write it without a separator for thousands: 1000, or 1.5.'],
      ['0', 'It must be more than 0.'],
      ['60 min', 'Enter only a number, such as 40 or 1.5.'],
      ['90.5', 'A watering lasts 1 minute to 31 days. Give whole minutes.'],
    ] as const) {
      await page.locator('.amount input').fill(amount);
      await expect.poll(dose).toBe(why);
      expect(await save.isDisabled()).toBe(true);
    }
    await page.locator('.amount input').fill('20');
    await expect.poll(dose).toMatch(/^1 mm on each of 2 probes/);
    await loseFirstAnswer(page, '**/irrigation/events');
    await save.tap();
    const problem = 'The service does not answer. Check your connection, then try again.';
    await expect.poll(() => page.locator('form [role=alert]').innerText()).toBe(problem);
    await save.tap();
    await expect.poll(() => noticeOf(page)).toContain('Logged: North block, today 12:00.');
    expect((await done()).map(({ waterMm }: { waterMm: number }) => waterMm)).toEqual([1, 1]);
  });

  it('logs a watering of a parcel that has no probe, and undoes it', async () => {
    const { addTerrace, done, doneOnParcels, open } = await newFarm();
    await addTerrace();
    const { page, complaints } = await open({ hash: '#/log' });
    await page.locator('select').selectOption({ label: 'Terrace' });
    await page.locator('.amount input').fill('60');
    await expect.poll(() => page.locator('.dose').innerText()).toMatch(/^6 mm/);
    await page.getByRole('button', { name: 'Log it' }).tap();
    await expect.poll(() => noticeOf(page)).toContain('Logged: Terrace, today 12:00.');
    expect(await doneOnParcels()).toEqual([expect.objectContaining({ waterMm: 6 })]);
    expect(await done()).toEqual([]);
    await page.getByRole('button', { name: 'Undo' }).tap();
    await expect.poll(() => noticeOf(page)).toContain('Undone.');
    expect(await doneOnParcels()).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('adds one alert where the answer is lost and the person tries again', async () => {
    const { idOf, alerts, open } = await newFarm();
    const { page } = await open({ hash: `#/probe/${idOf('South 1')}` });
    await loseFirstAnswer(page, '**/v1/alerts');
    await page.getByRole('button', { name: '+ New alert' }).tap();
    const save = page.getByRole('button', { name: 'Save' });
    await save.tap();
    await expect
      .poll(() => page.locator('.chart-bar').innerText())
      .toContain('The service does not answer.');
    await save.tap();
    await page.getByText('Saved: New alert').waitFor();
    expect(await alerts()).toHaveLength(1);
  });

  it('asks whether what was planned ran, says what was recorded where an answer was lost, and reviews it', async () => {
    const { idOf, plan, done, open } = await newFarm();
    for (const day of ['2026-06-29', '2026-06-30']) await plan(day);
    const { page } = await open();
    const answer = (name: string) => page.locator('.waiting').first().getByRole('button', { name });
    const question = () => page.locator('.confirm h2').innerText();
    expect(await question()).toBe('Did these 2 waterings run?');
    expect(await page.locator('.waiting').first().innerText()).toMatch(
      /^North 1 yesterday 06:00\s+2 mm · 40 min/,
    );
    await loseFirstAnswer(page, '**/v1/irrigation/events/**');
    await answer('It ran').tap();
    await expect.poll(() => noticeOf(page)).toContain('The service does not answer.');
    await answer('It did not').tap();
    await expect.poll(() => noticeOf(page)).toContain('North 1, yesterday 06:00: Confirmed.');
    await expect.poll(question).toBe('Did this watering run?');
    await page.getByRole('button', { name: 'Undo' }).tap();
    await expect.poll(question).toBe('Did these 2 waterings run?');
    await answer('It ran').tap();
    await expect.poll(question).toBe('Did this watering run?');
    await answer('It did not').tap();
    await page.locator('.confirm').waitFor({ state: 'detached' });
    const startedAt = '2026-06-30T04:00:00.000Z';
    expect(await done()).toEqual([expect.objectContaining({ startedAt })]);
    await page.evaluate(`location.hash = '#/review/${idOf('North 1')}'`);
    await page.locator('.rows li').first().waitFor();
    expect(await page.locator('.rows').first().innerText()).toMatch(/yesterday 06:00\s+2 mm/);
  });

  it('says of water that nobody saw that it is assumed', async () => {
    const { company, idOf, open } = await newFarm();
    const before = ['--db', service.db, '--clock', iso(NOW - 31 * HOUR)];
    const key = await service.newKey('--company', company, '--surface', 'mcp');
    const assistant = await connectForFile(before, { env: { ACEQUIA_API_KEY: key } });
    const schedule = { freq: 'daily', startTimes: ['06:00'], durationMin: 40 };
    bodyOf(await assistant.call('create_schedule', { module: 'North 1', ...schedule }));
    const tick = await runCommand(['tick', '--db', service.db, '--clock', CLOCK]);
    expect(tick).toMatchObject({ code: 0 });

    const { page } = await open({ hash: `#/probe/${idOf('North 1')}` });
    await expect
      .poll(() => page.locator('.waterings').innerText())
      .toMatch(/Last\s+today 06:00\s+2 mm · 40 min · assumed/);
    const chart = page.locator('.chart-window');
    await expect
      .poll(() => chart.getAttribute('aria-label'))
      .toMatch(/2 waterings, 4.mm \(assumed\)\./);
    await page.getByText('Values as a table').tap();
    await expect
      .poll(() => page.locator('.chart-table tbody').innerText())
      .toMatch(/yesterday.*\t2 \(assumed\)/);
  });

  it('shows a VIEWER everything and nothing that writes', async () => {
    const { idOf, plan, open } = await newFarm();
    await plan('2026-06-30');
    const { page } = await open({ user: 'vera@example.org' });
    expect(await page.locator('.card').count()).toBe(3);
    expect(await page.locator('.waiting').count()).toBe(1);
    expect(await page.locator('main button').count()).toBe(0);
    expect(await page.getByText('Log a watering').count()).toBe(0);
    await page.evaluate(`location.hash = '#/log/${idOf('North 1')}'`);
    await expect.poll(() => page.locator('main').innerText()).toContain('change nothing');
    expect(await page.locator('form').count()).toBe(0);
  });

  it('can be used with the keyboard alone', async () => {
    const { page } = await open();
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

  it('says in plain words what to do without a connection, and once signed out', async () => {
    const { page } = await open();
    const problem = () => page.locator('[role=alert]').innerText();
    await page.route('**/v1/**', (route) => route.abort());
    await page.reload();
    await expect.poll(problem).toMatch(/^The service does not answer\. Check your connection/);
    await page.unroute('**/v1/**');
    await page.locator('[role=alert] button').tap();
    await page.locator('.card').first().waitFor();
    await page.context().clearCookies();
    await page.reload();
    await expect.poll(problem).toMatch(/^You are not signed in\. Open your sign-in link/);
  });
});
