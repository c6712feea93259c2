import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { portForRestarts } from '../program.ts';
import { startIssuer } from './issuer.ts';
import { type OAuthService, serveWithOAuth } from './oauth-service.ts';

const companyWith = (service: OAuthService, token: string) =>
  service.request('GET', '/company', { headers: { authorization: `Bearer ${token}` } });

async function waitForStatus(service: OAuthService, token: string, status: number): Promise<void> {
  while ((await companyWith(service, token)).status !== status) await pause(200);
}

it('serves without its issuer, says that tokens cannot be checked, and accepts them once it is back', async () => {
  const issuer = await startIssuer();
  await issuer.stop();
  const service = await serveWithOAuth(issuer);
  const token = await issuer.sign(service.claims());
  const refused = await companyWith(service, token);
  expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([
    503,
    'issuer_unavailable',
    '5',
  ]);
  expect(refused.headers.get('www-authenticate')).toBeNull();
  expect(service.stderr()).toMatch(/the identity provider cannot be used: GET .*: ECONNREFUSED/);
  expect(service.stderr()).not.toContain(token.slice(0, 20));
  const key = await service.newKey('--company', 'Mas Rouge');
  expect((await service.request('GET', '/company', { key })).status).toBe(200);
  expect((await companyWith(service, 'acequia_wrong')).status).toBe(401);

  await issuer.start();
  await waitForStatus(service, token, 200);
});

it('asks an issuer that is down at most once in five seconds', async () => {
  const issuer = await startIssuer();
  await issuer.stop();
  const service = await serveWithOAuth(issuer);
  const token = await issuer.sign(service.claims());
  for (let count = 0; count < 20; count += 1) expect((await companyWith(service, token)).status).toBe(503);
  expect(service.stderr().match(/cannot be used/g)!.length).toBeLessThanOrEqual(2);
});

it('accepts tokens for a while after its issuer went down', async () => {
  const issuer = await startIssuer();
  const service = await serveWithOAuth(issuer);
  const token = await issuer.sign(service.claims());
  expect((await companyWith(service, token)).status).toBe(200);
  await issuer.stop();
  expect((await companyWith(service, token)).status).toBe(200);
});

it('accepts a new key of the issuer soon after it is published, and the old one no longer', async () => {
  const issuer = await startIssuer();
  const service = await serveWithOAuth(issuer);
  const old = await issuer.sign(service.claims());
  expect((await companyWith(service, old)).status).toBe(200);
  await issuer.rotateKey();
  const token = await issuer.sign(service.claims());
  await waitForStatus(service, token, 200);
  const refused = await companyWith(service, old);
  expect([refused.status, refused.body.detail]).toEqual([401, expect.stringContaining('does not publish')]);
});

it.each([500, 429])(
  'cannot check a token while the userinfo endpoint has status %i, and can right after',
  async (status) => {
    const issuer = await startIssuer();
    const service = await serveWithOAuth(issuer);
    const token = await issuer.sign(service.claims({ email: undefined, email_verified: undefined }));
    issuer.userinfo.set(token, status);
    const refused = await companyWith(service, token);
    expect([refused.status, refused.body.code]).toEqual([503, 'issuer_unavailable']);
    expect(service.stderr()).toContain(`GET ${issuer.url}/me: status ${status}.`);
    issuer.userinfo.set(token, { sub: 'ana', email: 'ana@example.org', email_verified: true });
    expect((await companyWith(service, token)).status).toBe(200);
  },
);

it('fetches the keys once for many unknown ones', async () => {
  const issuer = await startIssuer();
  const service = await serveWithOAuth(issuer);
  const tokens = await Promise.all(
    Array.from({ length: 20 }, (_, index) => issuer.sign(service.claims(), { kid: `unknown-${index}` })),
  );
  const answers = await Promise.all(tokens.map((token) => companyWith(service, token)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
  expect(issuer.requests.filter((path) => path === '/jwks')).toHaveLength(1);
});

it('refuses every token while the address of the issuer is that of another one', async () => {
  const issuer = await startIssuer();
  const service = await serveWithOAuth({ url: `${issuer.url}/realms/farm` });
  const answer = await companyWith(service, await issuer.sign(service.claims()));
  expect([answer.status, answer.body.code]).toEqual([503, 'issuer_unavailable']);
  expect(service.stderr()).toMatch(/has no metadata: status 404 and 404/);
});

it('ends at once, whatever the issuer does', async () => {
  const port = await portForRestarts();
  const service = await serveWithOAuth({ url: `http://127.0.0.1:${port}` });
  expect(await service.stop()).toMatchObject({ code: 0 });
});
