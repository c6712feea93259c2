import { describe, expect, it } from 'vitest';
import { newBaseFarm } from '../../base-farm.ts';
import { afterTest } from '../../cleanup.ts';
import { itInDeepRuns } from '../../property-runs.ts';
import { executeStatements, rowsOf } from '../../stores/stores.ts';
import { BROWSER } from '../browser.ts';
import { CLOCK, runProgram } from '../program.ts';
import { serveStoreForTest, sharedRestService } from '../rest-service.ts';
import { sharedBrowser } from '../shared-browser.ts';
import { endNewestSession, newLink, redeemSignInLink, signInTo } from './signed-in.ts';

const WATERING = { startedAt: '2026-06-30T06:00', inputMode: 'duration', durationMin: 30 };
const EVENTS = '/modules/1/irrigation/events';
/** Its tests do not depend on each other's sessions. */
const shared = sharedRestService();

describe('a session', () => {
  it('is opened once by a link, with a cookie that no script reads and no other site sends', async () => {
    const service = shared();
    const link = await newLink(service);
    for (const method of ['GET', 'HEAD']) expect((await fetch(link, { method })).status).toBe(200);
    const answer = await redeemSignInLink(service, link);
    expect(answer.status).toBe(204);
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^acequia_\d+=acequia_session_[\w-]{43}; Path=\/; Max-Age=7776000; HttpOnly; SameSite=Lax$/,
      ),
    ]);
    expect((await redeemSignInLink(service, link)).status).toBe(401);
  });

  it('is described before the tap by its member and farm, which does not use up the link', async () => {
    const service = shared();
    const link = await newLink(service);
    const describe = (headers: Record<string, string> = { 'acequia-page': '1' }) =>
      fetch(new URL('/sign-in/link', service.base), {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ link: new URL(link).hash.slice(1) }),
      });
    for (let n = 0; n < 2; n++) {
      const answer = await describe();
      expect(answer.status).toBe(200);
      expect(await answer.json()).toEqual({
        name: 'Ana',
        email: 'ana@example.org',
        farm: 'Mas Rouge',
      });
    }
    expect((await describe({})).status).toBe(403);
    expect((await redeemSignInLink(service, link)).status).toBe(204);
    expect((await describe()).status).toBe(401);
  });

  it('has a secure cookie of this host alone where the browser speaks TLS', async () => {
    const service = shared();
    const origin = { origin: `https://127.0.0.1:${service.port}` };
    const answer = await redeemSignInLink(service, await newLink(service), origin);
    expect(answer.headers.getSetCookie()[0]).toMatch(
      /^__Host-acequia=.*; HttpOnly; SameSite=Lax; Secure$/,
    );
  });

  it('never has a secret that the browser sent', async () => {
    const service = shared();
    const before = await signInTo(service, await newLink(service));
    const answer = await redeemSignInLink(service, await newLink(service), {
      cookie: before.cookie,
    });
    expect(answer.headers.getSetCookie()[0]).not.toContain(before.cookie);
    const link = await newLink(service);
    const asCookie = `acequia_${service.port}=${new URL(link).hash.slice(1)}`;
    const headers = { cookie: asCookie, 'acequia-page': '1' };
    expect((await service.request('GET', '/company', { headers })).status).toBe(401);
  });

  it('reads and writes as its member, as entered by hand', async () => {
    const service = shared();
    const session = await signInTo(service, await newLink(service));
    expect((await session.request('GET', '/company')).body.name).toBe('Mas Rouge');
    const { status, body } = await session.request('POST', EVENTS, { body: WATERING });
    expect([status, body.event.source]).toEqual([201, 'manual']);
    expect((await session.request('GET', '/changes')).body.data[0].userName).toBe('Ana');
  });

  it('is refused without the header of the page, from another site, and at other surfaces', async () => {
    const service = shared();
    const { cookie, request } = await signInTo(service, await newLink(service));
    const code = async (headers: Record<string, string>) =>
      (await request('GET', '/company', { headers })).body.code;
    const plain = await service.request('GET', '/company', { headers: { cookie } });
    expect([plain.status, plain.body.code]).toEqual([401, 'unauthenticated']);
    expect(await code({ origin: 'https://evil.example' })).toBe('forbidden_origin');
    expect(await code({ origin: 'null' })).toBe('forbidden_origin');
    expect(await code({ 'sec-fetch-site': 'cross-site' })).toBe('forbidden_origin');
    expect(await code({ 'sec-fetch-site': 'same-site' })).toBe('forbidden_origin');
    const post = (path: string, headers: Record<string, string>) =>
      fetch(new URL(path, service.base), {
        method: 'POST',
        headers: { cookie, 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
      });
    expect((await post('/mcp', { 'acequia-page': '1' })).status).toBe(401);
    expect((await post('/v1/ingest/ecowitt/wh51', { 'acequia-page': '1' })).status).toBe(401);
    for (const path of ['/sign-in', '/sign-out']) {
      expect((await post(path, {})).status).toBe(403);
      expect(
        (await post(path, { 'acequia-page': '1', origin: 'https://evil.example' })).status,
      ).toBe(403);
    }
    expect((await request('GET', '/company')).status).toBe(200);
  });

  it('of another company sees nothing of this one', async () => {
    const service = await serveStoreForTest(await newBaseFarm(), '--clock', CLOCK);
    await executeStatements(
      service.db,
      "insert into companies (id, name) values (2, 'Other')",
      "insert into users (company_id, email, name, role) values (2, 'eve@example.org', 'Eve', 'OWNER')",
    );
    const { request } = await signInTo(
      service,
      await newLink(service, { company: 'Other', user: 'eve@example.org' }),
    );
    expect((await request('GET', '/modules')).body.data).toEqual([]);
    expect((await request('GET', '/modules/1')).body.code).toBe('forbidden_resource');
    expect((await request('POST', EVENTS, { body: WATERING })).body.code).toBe('MODULE_NOT_OWNED');
  });

  it('ends when it expires; a link expires after a day', async () => {
    const service = shared();
    const day = 86_400_000;
    const at = Date.parse(CLOCK) - day;
    expect((await redeemSignInLink(service, await newLink(service, { at }))).status).toBe(401);
    const session = await signInTo(service, await newLink(service));
    await executeStatements(service.db, `update sessions set expires_at = ${Date.parse(CLOCK)}`);
    const { status, body } = await session.request('GET', '/company');
    expect([status, body.hint]).toEqual([401, expect.stringContaining('acequia keys link')]);
  });

  it('has the current role of its member, and ends when the member is removed', async () => {
    const service = shared();
    const { db } = service;
    await executeStatements(
      db,
      "insert into users (company_id, email, name, role) values (1, 'karim@example.org', 'Karim', 'MANAGER')",
    );
    const { request } = await signInTo(
      service,
      await newLink(service, { user: 'karim@example.org' }),
    );
    const write = () => request('POST', EVENTS, { body: WATERING });
    expect((await write()).status).toBe(201);
    await executeStatements(db, "update users set role = 'VIEWER' where name = 'Karim'");
    expect((await request('GET', '/modules')).status).toBe(200);
    const refused = await write();
    expect([refused.status, refused.body.code]).toEqual([403, 'insufficient_role']);
    await executeStatements(
      db,
      'update waterings set created_by = null',
      "delete from users where name = 'Karim'",
    );
    expect((await request('GET', '/modules')).status).toBe(401);
  });

  it('has the name of its device, and ends at once from the command line or by signing out', async () => {
    const service = shared();
    const phone =
      'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/130.0 Mobile Safari/537.36';
    const { stdout } = await runProgram('keys', 'link', '--db', service.db, '--clock', CLOCK);
    const answer = await redeemSignInLink(service, stdout.trim(), { 'user-agent': phone });
    const headers = {
      cookie: answer.headers.getSetCookie()[0]!.split(';')[0]!,
      'acequia-page': '1',
    };
    const [session] = await rowsOf(
      service.db,
      'select id, device from sessions order by id desc limit 1',
    );
    expect(session!.device).toBe('Chrome, Android');
    await runProgram('keys', 'sign-out', String(session!.id), '--db', service.db, '--clock', CLOCK);
    expect((await service.request('GET', '/company', { headers })).status).toBe(401);
    const waiting = await newLink(service);
    await endNewestSession(service.db);
    expect((await redeemSignInLink(service, waiting)).status).toBe(401);
    const { cookie, request } = await signInTo(service, await newLink(service));
    const signOut = await fetch(new URL('/sign-out', service.base), {
      method: 'POST',
      headers: { 'acequia-page': '1', cookie },
    });
    expect([signOut.status, signOut.headers.getSetCookie()[0]]).toEqual([
      204,
      expect.stringContaining('Max-Age=0'),
    ]);
    expect((await request('GET', '/company')).status).toBe(401);
  });

  itInDeepRuns('is opened by one of two processes that get the link at the same time', async () => {
    const services = [shared(), await serveStoreForTest(shared().db, '--clock', CLOCK)];
    const opened = () =>
      rowsOf(shared().db, 'select id from sessions where signed_in_at is not null');
    const before = await opened();
    for (let round = 0; round < 2; round++) {
      const link = await newLink(services[0]!);
      const answers = await Promise.all(
        [...services, ...services].map((service) => redeemSignInLink(service, link)),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([204, 401, 401, 401]);
    }
    expect(await opened()).toHaveLength(before.length + 2);
  });

  it('has no secret in the log, whatever is sent', async () => {
    const service = await serveStoreForTest(
      await newBaseFarm(),
      '--clock',
      CLOCK,
      '--log-level',
      'trace',
    );
    const link = await newLink(service);
    const linkSecret = new URL(link).hash.slice(1);
    const { cookie, request } = await signInTo(service, link);
    await request('GET', '/company');
    await request('GET', `/modules/${linkSecret}`);
    const misplaced = await fetch(
      new URL(`/sign-in/${linkSecret}?link=${linkSecret}`, service.base),
    );
    expect(await misplaced.text()).not.toContain(linkSecret.slice(20));
    await redeemSignInLink(service, link);
    const { stderr, stdout } = await service.stop();
    expect(stderr).toContain('/sign-in');
    for (const secret of [
      linkSecret.slice('acequia_link_'.length),
      cookie.split('acequia_session_')[1]!,
    ])
      expect((stdout + stderr).includes(secret)).toBe(false);
  });
});

describe('the files of the page', () => {
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(new URL(path, shared().base), { headers });

  it('allow only what the page itself has, and no frame', async () => {
    for (const path of ['/', '/sign-in', '/sw.js']) {
      const policy = (await get(path)).headers.get('content-security-policy')!;
      expect(policy).toMatch(/^default-src 'none';/);
      expect(policy).toMatch(/; base-uri 'none'; frame-ancestors 'none'$/);
      expect(policy).not.toMatch(/unsafe|\*|https?:/);
    }
  });

  it('are not served to requests for another host', async () => {
    const { openRawConnection } = await import('../rest/raw-requests.ts');
    for (const path of ['/', '/sign-in', '/sw.js', '/manifest.webmanifest']) {
      const { socket, closed } = await openRawConnection(shared().port);
      socket.write(`GET ${path} HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n`);
      expect(await closed).toMatch(/^HTTP\/1\.1 403 /);
    }
  });

  it('include a manifest with the icons that an installed page needs', async () => {
    const manifest = await (await get('/manifest.webmanifest')).json();
    expect(manifest).toMatchObject({ name: 'Acequia', display: 'standalone', start_url: './' });
    expect(
      manifest.icons.map(({ sizes, purpose }: Record<string, string>) => `${sizes} ${purpose}`),
    ).toEqual(['192x192 any', '512x512 any', '512x512 maskable']);
    for (const { src, sizes } of manifest.icons) {
      const icon = Buffer.from(await (await get(`/${src}`)).arrayBuffer());
      expect(`${icon.readUInt32BE(16)}x${icon.readUInt32BE(20)}`).toBe(sizes);
    }
  });

  it('are fetched again only when they have changed', async () => {
    const tag = (await get('/')).headers.get('etag')!;
    expect((await get('/', { 'if-none-match': tag })).status).toBe(304);
  });

  it('speak the language of the browser', async () => {
    const textIn = async (lang: string) =>
      (await get('/sign-in', { 'accept-language': lang })).text();
    expect(await textIn('fr-FR,fr;q=0.9,en;q=0.8')).toContain('>Se connecter</button>');
    expect(await textIn('de-DE,es;q=0.5')).toContain('>Entrar</button>');
    expect(await textIn('de')).toContain('>Sign in</button>');
  });
});

describe.skipIf(!BROWSER)('in a browser', () => {
  it('a link signs in with one tap, and says so when it was used', async () => {
    const service = shared();
    const browser = await sharedBrowser();
    const context = await browser.newContext({
      viewport: { width: 390, height: 844 },
      locale: 'fr-FR',
    });
    afterTest(() => context.close());
    const complaints: string[] = [];
    context.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    const link = await newLink(service);
    const page = await context.newPage();
    await page.goto(link);
    await expect
      .poll(() => page.locator('#whom').innerText())
      .toMatch(
        /^Vous vous connectez en tant que Ana \(ana@example\.org\) à l’exploitation Mas Rouge\. Si ce n’est pas vous/,
      );
    await page.locator('button').click();
    await page.waitForURL((url) => url.pathname === '/');
    const [cookie] = await context.cookies();
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' });
    await page.locator('.card').first().waitFor();
    expect(complaints).toEqual([]);
    await page.goto(link);
    await page.getByText('Ce lien a déjà servi').waitFor();
    expect(await page.locator('button').isVisible()).toBe(false);
    await page.goto(new URL('/sign-in', service.base).href);
    await page.getByText('Ce lien a déjà servi').waitFor();
  });
});
