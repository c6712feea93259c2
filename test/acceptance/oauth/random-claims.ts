import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { INITIALIZE_REQUEST, postMcp } from '../mcp/http/mcp-http-client.ts';
import { withoutHeldLoop } from '../program.ts';
import { startIssuer, type TestIssuer } from './issuer.ts';
import { type OAuthService, serveWithOAuth } from './oauth-service.ts';

const CLAIMS = [
  // They become parameters of queries.
  ...['acequia_company', 'sub', 'email'],
  // They decide whether a token is valid, for whom, and for what.
  ...['scope', 'scp', 'email_verified', 'aud', 'iss', 'exp', 'nbf', 'iat'],
  // They are not read.
  ...['nonce', 'azp', 'jti', 'at_hash', 'c_hash', 'roles', 'groups', 'realm_access'],
  ...['toString', '__proto__'],
];

/** Values whose conversion to a text, a number or a list does something else than one expects. */
const PECULIAR: readonly unknown[] = [
  { toString: 1 },
  { toString: null, valueOf: {} },
  { length: 3 },
  [{ toString: 1 }],
  [[['Mas Rouge']]],
  ['Mas Rouge', 'Mas Bleu'],
  [],
  {},
  null,
  true,
  '',
  ' ',
  'a\u0000b@example.org',
  'ana@example.org\u0000',
  '\ud800',
  '__proto__',
  'x'.repeat(8_000),
  '1'.repeat(4_000),
  -0,
  1e308,
  Number.MAX_SAFE_INTEGER + 2,
  -1,
  0.5,
];

/** A longer one does not fit into the headers of a request. */
const MAX_TOKEN_LENGTH = 15_000;

const value = fc.oneof(fc.constantFrom(...PECULIAR), fc.jsonValue({ maxDepth: 3 }));
const changedClaims = fc
  .array(fc.tuple(fc.constantFrom(...CLAIMS), value), { minLength: 1, maxLength: 3 })
  .map((entries): Record<string, unknown> => Object.fromEntries(entries));
const type = fc.oneof(
  { weight: 9, arbitrary: fc.constant('at+jwt') },
  { weight: 1, arbitrary: value },
);

/**
 * For the store of the run: a text that one store takes as a parameter of a query, another may
 * refuse. Each claim has every peculiar value alone.
 */
export function describeRandomClaims(): void {
  let issuer: TestIssuer;
  let service: OAuthService;
  beforeAll(async () => {
    issuer = await startIssuer();
    service = await serveWithOAuth(issuer, { options: ['--rate-limit', '0'] });
  });

  const statusesOf = async (token: string): Promise<number[]> => {
    const headers = { authorization: `Bearer ${token}` };
    const answers = await Promise.all([
      service.request('GET', '/company', { headers }),
      postMcp(service.mcp, { headers, body: INITIALIZE_REQUEST }),
    ]);
    return answers.map(({ status }) => status);
  };

  describe('a token of the issuer with claims of any form', () => {
    it.each(PECULIAR.map((each) => [JSON.stringify(each).slice(0, 40), each] as const))(
      'is answered with 200, 401 or 403 where each claim is %s',
      async (_, each) => {
        for (const claim of CLAIMS) {
          const token = await issuer.sign(service.claims({ [claim]: each }));
          for (const status of await statusesOf(token))
            expect([200, 401, 403], claim).toContain(status);
        }
        expect(withoutHeldLoop(service.stderr())).toBe('');
      },
    );

    it('is answered with 200, 401 or 403 where several claims are at random', async () => {
      const property = fc.asyncProperty(changedClaims, type, async (changed, typ) => {
        const token = await issuer.sign(service.claims(changed), { typ });
        fc.pre(token.length < MAX_TOKEN_LENGTH);
        for (const status of await statusesOf(token)) expect([200, 401, 403]).toContain(status);
      });
      await fc.assert(property);
      expect(withoutHeldLoop(service.stderr())).toBe('');
    });
  });
}
