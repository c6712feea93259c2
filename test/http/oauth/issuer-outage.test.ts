import { afterEach, describe, expect, it, vi } from 'vitest';
import { createApp } from '../../../src/http/app.ts';
import { httpLimits } from '../../../src/http/http-limits.ts';
import { verifyAccessToken } from '../../../src/http/oauth/access-token.ts';
import { EmailLookup } from '../../../src/http/oauth/email-lookup.ts';
import { OAuthResource } from '../../../src/http/oauth/oauth-resource.ts';
import { createKey } from '../../../src/service/keys/key-administration.ts';
import { companyByName } from '../../../src/store/company/companies.ts';
import { operationsByName } from '../../../tools/index.ts';
import { withFarm } from '../../farm.ts';
import { AUDIENCE, metadata, NEVER_CLOSED, OPENID, openTestIssuer } from './issuer-pages.ts';

afterEach(() => vi.useRealTimers());

describe('an issuer', () => {
  it('that is down is tried again only after five seconds', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const { log, requests, sign, statusOf } = await openTestIssuer(() => ({}));
    const token = await sign();
    for (let count = 0; count < 20; count++) expect(await statusOf(token)).toBe(503);
    vi.advanceTimersByTime(4_999);
    expect(await statusOf(token)).toBe(503);
    // Each attempt requests both addresses at which metadata may be.
    expect([requests.length, log.length]).toEqual([2, 1]);
    vi.advanceTimersByTime(1);
    expect(await statusOf(token)).toBe(503);
    expect([requests.length, log.length]).toEqual([4, 2]);
  });

  it('that comes back is used again', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const { origin, url, published, sign, statusOf } = await openTestIssuer(() => ({}));
    const token = await sign();
    expect(await statusOf(token)).toBe(503);
    published[OPENID] = metadata({ origin, url });
    vi.advanceTimersByTime(5_000);
    expect(await statusOf(token)).toBe(200);
  });

  it('that is down is named to requests with tokens, which need not sign in again, and not needed by those with keys', () =>
    withFarm(async ({ store, now }) => {
      const { url, log, sign, report } = await openTestIssuer(() => ({}));
      const publicUrl = () => new URL(new URL(AUDIENCE).origin);
      const settings = { issuer: new URL(url), audience: AUDIENCE, preset: null, publicUrl };
      const app = createApp({
        store,
        operations: operationsByName,
        clock: () => now,
        lang: 'en',
        limits: httpLimits((setting) => setting.default),
        openApiDocument: '{}',
        report: async (error) => String(error),
        oauth: new OAuthResource(settings, report),
      });
      const companyWith = (headers: Readonly<Record<string, string>>) => {
        const incoming = { url: '/v1/company', method: 'GET', headers, socket: {} };
        return app.request('/v1/company', {}, { incoming });
      };

      const token = await sign();
      const refused = await companyWith({ authorization: `Bearer ${token}` });
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
      expect(await refused.json()).toMatchObject({ code: 'issuer_unavailable' });
      expect(refused.headers.get('www-authenticate')).toBeNull();
      expect(log.join()).not.toContain(token.slice(0, 20));

      const company = (await store.readAll((all) => companyByName(all, 'Mas Rouge')))!;
      const options = { company, preset: 'everything', surface: 'api', expiresAt: null } as const;
      const { key } = await createKey(store, options, now);
      expect((await companyWith({ 'x-api-key': key })).status).toBe(200);
    }));

  it('that goes down is not needed while its keys are cached', async () => {
    const { sign, statusOf, stop } = await openTestIssuer();
    const token = await sign();
    expect(await statusOf(token)).toBe(200);
    stop();
    expect(await statusOf(token)).toBe(200);
  });

  it('may publish a new key, which is accepted soon, and the old one no longer', async () => {
    const { issuer, published, sign, statusOf } = await openTestIssuer();
    const [old, token] = [await sign(), await sign({}, 'key-2')];
    expect([await statusOf(old), await statusOf(token)]).toEqual([200, 401]);
    const { keys } = published['/keys']!.body as { keys: object[] };
    published['/keys'] = { body: { keys: keys.map((key) => ({ ...key, kid: 'key-2' })) } };
    vi.useFakeTimers({ toFake: ['Date', 'performance'] });
    vi.advanceTimersByTime(11_000);
    expect(await statusOf(token)).toBe(200);
    await expect(verifyAccessToken(old, { issuer, audience: AUDIENCE })).rejects.toThrow(
      'does not publish',
    );
  });

  it('is asked for its keys once for many unknown ones', async () => {
    const { requests, sign, statusOf } = await openTestIssuer();
    const tokens = await Promise.all(
      Array.from({ length: 20 }, (_, index) => sign({}, `unknown-${index}`)),
    );
    expect(new Set(await Promise.all(tokens.map(statusOf)))).toEqual(new Set([401]));
    expect(requests.filter((path) => path === '/keys')).toHaveLength(1);
  });

  it.each([500, 429])(
    'cannot check an address while userinfo has status %i, and can right after',
    async (status) => {
      const { issuer, log, origin, published, report } = await openTestIssuer((place) => ({
        [OPENID]: metadata(place, { userinfo_endpoint: `${place.origin}/me` }),
        '/me': { status },
      }));
      const emails = new EmailLookup(issuer, report, NEVER_CLOSED);
      const claims = { sub: 'ana', exp: 0 };
      await expect(emails.verifiedEmailOf('a.b.c', claims)).rejects.toMatchObject({
        status: 503,
        code: 'issuer_unavailable',
      });
      expect(log).toEqual([`GET ${origin}/me: status ${status}.`]);
      published['/me'] = { body: { sub: 'ana', email: 'ana@example.org', email_verified: true } };
      expect(await emails.verifiedEmailOf('a.b.c', claims)).toBe('ana@example.org');
    },
  );

  it('may say that an address is verified in a text, as AWS Cognito does', async () => {
    const { issuer, report } = await openTestIssuer();
    const emails = new EmailLookup(issuer, report, NEVER_CLOSED);
    const claims = { sub: 'ana', exp: 0, email: 'ana@example.org' };
    expect(await emails.verifiedEmailOf('a.b.c', { ...claims, email_verified: 'true' })).toBe(
      'ana@example.org',
    );
    for (const verified of ['false', '', 'TRUE', 1, null])
      await expect(
        emails.verifiedEmailOf('a.b.c', { ...claims, email_verified: verified }),
      ).rejects.toMatchObject({
        code: 'email_unverified',
      });
  });
});
