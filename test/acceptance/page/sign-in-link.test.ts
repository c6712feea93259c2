import { beforeAll, expect, it } from 'vitest';
import { baseFarmForFile, newBaseFarm } from '../../base-farm.ts';
import { executeStatements, rowsOf, storedContents } from '../../stores/stores.ts';
import { connectOverHttp, mcpUrl } from '../mcp/http/mcp-http-client.ts';
import { bodyOf, connectStdio, firstText, refusalOf } from '../mcp-session.ts';
import { CLOCK } from '../program.ts';
import { type RestService, serveStoreForFile } from '../rest-service.ts';
import { redeemSignInLink, signInTo } from './signed-in.ts';

const LINKS = '/company/sign-in-links';
const HOUR = 3_600_000;

let service: RestService;
beforeAll(async () => {
  const db = await baseFarmForFile();
  for (const role of ['MANAGER', 'VIEWER', 'OWNER'])
    await executeStatements(
      db,
      `insert into users (company_id, email, name, role) values (1, '${role.toLowerCase()}@example.org', '${role}', '${role}')`,
    );
  service = await serveStoreForFile(db, '--clock', CLOCK, '--log-level', 'trace');
});

const assistantOf = async (user: string) =>
  connectOverHttp(mcpUrl(service.base), { 'x-api-key': await service.newKey('--user', user) });

it('an OWNER gets a link from an assistant that signs the named member in, once, within an hour', async () => {
  const { call } = await assistantOf('ana@example.org');
  const answer = await call('create_sign_in_link', { email: 'viewer@example.org' });
  const { url, email, expiresAt } = bodyOf(answer);
  expect(email).toBe('viewer@example.org');
  expect(url).toMatch(
    new RegExp(`^http://127\\.0\\.0\\.1:${service.port}/sign-in#acequia_link_[\\w-]{43}$`),
  );
  expect(Date.parse(expiresAt) - Date.parse(CLOCK)).toBeGreaterThan(HOUR - 1);
  expect(Date.parse(expiresAt) - Date.parse(CLOCK)).toBeLessThan(HOUR + 60_000);
  expect(firstText(answer)).toContain(url);
  const { request } = await signInTo(service, url);
  expect((await request('GET', '/company')).body.name).toBe('Mas Rouge');
  expect((await request('POST', LINKS, { body: {} })).body.code).toBe('insufficient_role');
  expect((await redeemSignInLink(service, url)).status).toBe(401);
  // Whoever asks, if nobody is named.
  expect(bodyOf(await call('create_sign_in_link')).email).toBe('ana@example.org');

  const secret = url.slice(url.indexOf('acequia_link_') + 'acequia_link_'.length);
  expect(service.stderr()).toContain('create_sign_in_link');
  expect(service.stderr() + service.stdout()).not.toContain(secret);
  expect((await storedContents(service.db)).includes(secret)).toBe(false);
});

it('a link is not returned again under the same idempotency key, because its answer is not stored', async () => {
  const key = await service.newKey('--user', 'ana@example.org');
  const ask = () =>
    service.request('POST', LINKS, { key, body: {}, headers: { 'idempotency-key': 'link' } });
  const [first, second] = [await ask(), await ask()];
  expect([first.status, second.status]).toEqual([201, 201]);
  expect(second.headers.get('idempotent-replayed')).toBeNull();
  expect(second.body.url).not.toBe(first.body.url);
  expect(await rowsOf(service.db, 'select * from idempotency')).toEqual([]);
  expect((await service.request('GET', '/changes', { key })).body.data).toEqual([]);
});

it.each(['viewer@example.org', 'manager@example.org', 'none'])('%s gets no link', async (user) => {
  const { call } = await assistantOf(user);
  const before = await rowsOf(service.db, 'select id from sessions');
  for (const email of [undefined, user, 'ana@example.org'])
    expect(refusalOf(await call('create_sign_in_link', { email }))).toMatchObject({ status: 403 });
  expect(await rowsOf(service.db, 'select id from sessions')).toEqual(before);
});

it('a former OWNER gets no link', async () => {
  const key = await service.newKey('--user', 'owner@example.org');
  await executeStatements(
    service.db,
    "update users set role = 'MANAGER' where email = 'owner@example.org'",
  );
  const refused = await service.request('POST', LINKS, { key, body: {} });
  expect([refused.status, refused.body.code]).toEqual([403, 'insufficient_role']);
});

it('on standard input the link is for the first OWNER, and says where it opens', async () => {
  const db = await newBaseFarm();
  const { call } = await connectStdio(db);
  const answer = await call('create_sign_in_link');
  expect(bodyOf(answer)).toMatchObject({
    email: 'ana@example.org',
    url: expect.stringMatching(/^http:.*:8383\/sign-in#/),
    next: expect.stringContaining('ACEQUIA_PUBLIC_URL'),
  });
  expect(firstText(answer)).toContain('only on the computer on which the service runs');
  const unknown = refusalOf(await call('create_sign_in_link', { email: 'eve@example.org' }));
  expect(unknown).toMatchObject({
    code: 'not_found',
    message: expect.stringContaining('"eve@example.org"'),
  });
});
