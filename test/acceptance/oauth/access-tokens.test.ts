import { exportSPKI, importJWK, SignJWT, UnsecuredJWT } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  INITIALIZE_REQUEST,
  postMcp,
  rpcRequest,
  toolCallRequest,
} from '../mcp/http/mcp-http-client.ts';
import { withoutHeldLoop } from '../program.ts';
import { startIssuer, type TestIssuer } from './issuer.ts';
import { type OAuthService, serveWithOAuth } from './oauth-service.ts';
import { newSigningKey, type SigningKey } from './signing-key.ts';

let issuer: TestIssuer;
let service: OAuthService;
let strangerKey: SigningKey;
const ORIGIN = 'https://app.example.org';
beforeAll(async () => {
  issuer = await startIssuer();
  service = await serveWithOAuth(issuer, { options: ['--allowed-origins', ORIGIN] });
  strangerKey = await newSigningKey('key-1');
});

const bearer = (token: string, more: Record<string, string> = {}) => ({
  headers: { authorization: `Bearer ${token}`, ...more },
});
const tokenWith = (claims: Record<string, unknown> = {}, header?: Record<string, unknown>) =>
  issuer.sign(service.claims(claims), header);
const challengeOf = (headers: Headers) => headers.get('www-authenticate') ?? '';
const now = () => Math.floor(Date.now() / 1000);

describe('a request without a credential', () => {
  it('is told where to sign in and for what, at /mcp and over REST', async () => {
    const metadata = `resource_metadata="${service.mcp.origin}/.well-known/oauth-protected-resource/mcp"`;
    const mcp = await postMcp(service.mcp, { body: INITIALIZE_REQUEST });
    expect([mcp.status, mcp.headers['www-authenticate']]).toEqual([
      401,
      `Bearer realm="acequia", ${metadata}, scope="openid email acequia:assistant"`,
    ]);
    const rest = await service.request('GET', '/company');
    expect([rest.status, challengeOf(rest.headers)]).toEqual([
      401,
      `Bearer realm="acequia", ${metadata}, scope="openid email acequia:viewer"`,
    ]);
    expect(rest.body).toMatchObject({
      code: 'unauthenticated',
      status: 401,
      hint: expect.stringContaining(issuer.url),
    });
  });

  it.each(['', '/mcp'])(
    'finds the issuer at /.well-known/oauth-protected-resource%s',
    async (path) => {
      const response = await fetch(
        new URL(`/.well-known/oauth-protected-resource${path}`, service.mcp),
      );
      expect(response.headers.get('content-type')).toBe('application/json');
      expect(await response.json()).toEqual({
        resource: service.mcp.href,
        authorization_servers: [issuer.url],
        scopes_supported: ['openid', 'email', 'acequia:assistant'],
        bearer_methods_supported: ['header'],
        resource_name: 'Acequia',
      });
    },
  );
});

describe('a token that is not valid', () => {
  const TOKENS: [string, () => Promise<string> | string, RegExp][] = [
    ['of another issuer', () => tokenWith({ iss: 'https://login.example.org' }), /another issuer/],
    [
      'for another service',
      () => tokenWith({ aud: 'https://other.example.org/mcp' }),
      /not for this service/,
    ],
    ['for nobody', () => tokenWith({ aud: undefined }), /not for this service/],
    ['that has expired', () => tokenWith({ exp: now() - 30 }), /expired/],
    ['that never expires', () => tokenWith({ exp: undefined }), /lacks a claim/],
    ['that is not valid yet', () => tokenWith({ nbf: now() + 60 }), /not valid yet/],
    ['without a subject', () => tokenWith({ sub: undefined }), /lacks a claim/],
    ['of another type', () => tokenWith({}, { typ: 'logout+jwt' }), /not an access token/],
    ['without a type', () => tokenWith({}, { typ: undefined }), /not an access token/],
    [
      'that is an ID token',
      () => tokenWith({ nonce: 'n-1', at_hash: 'x' }, { typ: 'JWT' }),
      /an ID token/,
    ],
    [
      'that is an ID token without hashes',
      () => tokenWith({ nonce: 'n-1' }, { typ: 'JWT' }),
      /an ID token/,
    ],
    [
      'that is an ID token of a hybrid flow',
      () => tokenWith({ azp: 'a', c_hash: 'x' }, { typ: 'JWT' }),
      /an ID token/,
    ],
    ['without a signature', () => new UnsecuredJWT(service.claims()).encode(), /algorithm/],
    ['signed with the public key as a secret', signWithPublicKey, /algorithm/],
    ['signed with an unknown key', () => signByStranger('key-9'), /does not publish/],
    [
      'signed with another key of the same name',
      () => signByStranger('key-1'),
      /signature is wrong/,
    ],
    [
      'that was changed',
      async () => (await tokenWith()).replace(/\.[^.]+\./, `.${changedClaims()}.`),
      /signature is wrong/,
    ],
    ['that is opaque', () => 'a-token-of-some-issuer', /not a signed JWT/],
    ['that is only dots', () => '..', /not a signed JWT/],
  ];
  const changedClaims = () =>
    Buffer.from(JSON.stringify(service.claims({ email: 'cleo@example.org' }))).toString(
      'base64url',
    );
  const signByStranger = (kid: string) => issuer.sign(service.claims(), { kid }, strangerKey);
  async function signWithPublicKey(): Promise<string> {
    const key = (await importJWK(issuer.signingKey().publicJwk, 'RS256', {
      extractable: true,
    })) as SigningKey['privateKey'];
    const secret = new TextEncoder().encode(await exportSPKI(key));
    return new SignJWT(service.claims())
      .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', kid: 'key-1' })
      .sign(secret);
  }

  it.each(TOKENS)(
    '%s is refused, says why, and repeats nothing of it',
    async (_, token, reason) => {
      const text = await token();
      const answers = [
        await service.request('GET', '/company', bearer(text)),
        await fetch(service.mcp, { method: 'POST', ...bearer(text), body: '{}' }).then(
          async (response) => ({
            status: response.status,
            headers: response.headers,
            body: await response.json(),
          }),
        ),
      ];
      for (const { status, headers, body } of answers) {
        expect([status, body.code, body.detail]).toEqual([
          401,
          'unauthenticated',
          expect.stringMatching(reason),
        ]);
        expect(challengeOf(headers)).toMatch(
          /error="invalid_token", error_description="[^"\\]+", scope="openid email acequia:/,
        );
        for (const part of text.split('.').filter((each) => each.length > 8))
          expect(JSON.stringify(body) + challengeOf(headers)).not.toContain(part);
      }
      expect(withoutHeldLoop(service.stderr())).toBe('');
    },
  );

  it('in the query is no credential', async () => {
    const token = await tokenWith();
    const rest = await service.request('GET', `/company?access_token=${token}`);
    expect([rest.status, rest.body.code]).toEqual([401, 'unauthenticated']);
    expect(JSON.stringify(rest.body)).not.toContain(token.slice(0, 20));
    const mcp = await postMcp(new URL(`?access_token=${token}`, service.mcp), {
      body: INITIALIZE_REQUEST,
    });
    expect(mcp.status).toBe(401);
  });

  it('in place of a value is not repeated', async () => {
    const token = await tokenWith();
    const answer = await service.request('GET', `/modules/${token}`, bearer(token));
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_id']);
    expect(JSON.stringify(answer.body)).not.toContain(token.slice(0, 20));
  });

  it('as a key is no credential', async () => {
    const answer = await service.request('GET', '/company', { key: await tokenWith() });
    expect([answer.status, answer.body.code]).toEqual([401, 'unauthenticated']);
  });

  it('that is larger than the headers may be is refused before it is read', async () => {
    const token = await tokenWith({ padding: 'x'.repeat(20_000) });
    const answer = await postMcp(service.mcp, { ...bearer(token), body: INITIALIZE_REQUEST });
    expect([answer.status, answer.body.code]).toEqual([431, 'headers_too_large']);
  });
});

describe('a valid token', () => {
  it.each([
    ['at+jwt', 'application/at+jwt'],
    ['JWT', 'jwt'],
  ])('of the type %s or %s is accepted', async (...types) => {
    for (const typ of types) {
      const answer = await service.request('GET', '/company', bearer(await tokenWith({}, { typ })));
      expect([answer.status, answer.body.name]).toEqual([200, 'Mas Rouge']);
    }
  });

  it('for several audiences is accepted, and so is one that a slow clock lets expire just now', async () => {
    const several = { aud: [`${issuer.url}/userinfo`, service.mcp.href] };
    expect(
      (await service.request('GET', '/company', bearer(await tokenWith(several)))).status,
    ).toBe(200);
    for (const claims of [{ nbf: now() + 5 }, { exp: now() - 5 }])
      expect(
        (await service.request('GET', '/company', bearer(await tokenWith(claims)))).status,
      ).toBe(200);
  });

  it('finds its member whatever the case of the address', async () => {
    const answer = await service.request(
      'GET',
      '/company',
      bearer(await tokenWith({ email: 'ANA@example.ORG' })),
    );
    expect(answer.status).toBe(200);
  });

  it('does not find a member by a letter that only looks like one of the address', async () => {
    const kelvin = await tokenWith({ email: 'bo\u212a@example.org' });
    const answer = await service.request('GET', '/company', bearer(kelvin));
    expect([answer.status, answer.body.code]).toEqual([403, 'not_a_member']);
  });

  it('of somebody else is refused with what to do', async () => {
    const answer = await service.request(
      'GET',
      '/company',
      bearer(await tokenWith({ email: 'eve@example.org' })),
    );
    expect([answer.status, answer.body.code]).toEqual([403, 'not_a_member']);
    expect(answer.body.hint).toMatch(/OWNER adds the person.*acequia import/);
  });

  it.each([
    ['an unverified address', { email_verified: false }, 'email_unverified'],
    ['an address that is unverified in words', { email_verified: 'false' }, 'email_unverified'],
  ])('with %s is refused', async (_, claims, code) => {
    const answer = await service.request('GET', '/company', bearer(await tokenWith(claims)));
    expect([answer.status, answer.body.code]).toEqual([403, code]);
  });

  it.each([
    ['says none', { sub: 'ana' }, 403, 'email_unknown'],
    ['needs another scope for it', 403, 403, 'email_unknown'],
    ['refuses the token', 401, 401, 'unauthenticated'],
  ])('without an address is refused if the issuer %s', async (what, userinfo, status, code) => {
    const token = await tokenWith({ email: undefined, email_verified: undefined, jti: what });
    issuer.userinfo.set(token, userinfo);
    const answer = await service.request('GET', '/company', bearer(token));
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(answer.body.hint).toMatch(
      /ask the administrator of the identity provider to put email and email_verified into its access tokens\.$/,
    );
  });

  it('without an address gets it from the issuer, once for several requests', async () => {
    const token = await tokenWith({ email: undefined, email_verified: undefined, jti: 'userinfo' });
    issuer.userinfo.set(token, { sub: 'ana', email: 'ana@example.org', email_verified: true });
    const before = issuer.requests.length;
    for (let count = 0; count < 3; count += 1)
      expect((await service.request('GET', '/company', bearer(token))).body.name).toBe('Mas Rouge');
    expect(issuer.requests.slice(before)).toEqual(['/me']);
  });

  it('gets the address from the issuer too if it says only that one is verified', async () => {
    const token = await tokenWith({ email: undefined, jti: 'verified' });
    issuer.userinfo.set(token, { sub: 'ana', email: 'ana@example.org', email_verified: true });
    expect((await service.request('GET', '/company', bearer(token))).status).toBe(200);
  });

  it('may carry a nonce if it also names its client, as those of Authentik do', async () => {
    const token = await tokenWith({ nonce: 'n-1', azp: 'client-7' }, { typ: 'JWT' });
    expect((await service.request('GET', '/company', bearer(token))).status).toBe(200);
  });

  it('counts beside an x-api-key and a company that are empty', async () => {
    const empty = { 'x-api-key': ' ', 'acequia-company': '' };
    const answer = await service.request('GET', '/company', bearer(await tokenWith(), empty));
    expect(answer.status).toBe(200);
  });

  it('is refused if the issuer speaks of another person', async () => {
    const token = await tokenWith({ email: undefined, email_verified: undefined, jti: 'other' });
    issuer.userinfo.set(token, { sub: 'cleo', email: 'ana@example.org', email_verified: true });
    const answer = await service.request('GET', '/company', bearer(token));
    expect([answer.status, answer.body.code]).toEqual([401, 'unauthenticated']);
  });
});

describe('the company of a person', () => {
  const bob = (claims: Record<string, unknown> = {}) =>
    tokenWith({ sub: 'bob', email: 'bob@example.org', ...claims });
  const companyOf = async (token: string, headers: Record<string, string> = {}) =>
    service.request('GET', '/company', bearer(token, headers));

  it('must be named by a member of several', async () => {
    const answer = await companyOf(await bob());
    expect([answer.status, answer.body.code, answer.body.field]).toEqual([
      403,
      'company_needed',
      'Acequia-Company',
    ]);
    expect(answer.body.hint).toMatch(/Mas Rouge.*Mas Bleu/);
  });

  it('is named in a header, by name or id, or in the token', async () => {
    const blue = await companyOf(await bob(), { 'acequia-company': 'mas bleu' });
    expect(blue.body.name).toBe('Mas Bleu');
    expect(
      (await companyOf(await bob(), { 'acequia-company': String(blue.body.id) })).body.name,
    ).toBe('Mas Bleu');
    expect((await companyOf(await bob({ acequia_company: 'Mas Rouge' }))).body.name).toBe(
      'Mas Rouge',
    );
    expect((await companyOf(await bob({ acequia_company: blue.body.id }))).body.name).toBe(
      'Mas Bleu',
    );
  });

  it('is one that the person is a member of, and that the token allows', async () => {
    const foreign = await companyOf(await tokenWith(), { 'acequia-company': 'Mas Bleu' });
    expect([foreign.status, foreign.body.code]).toEqual([403, 'not_a_member']);
    const other = await companyOf(await bob({ acequia_company: 'Mas Rouge' }), {
      'acequia-company': 'Mas Bleu',
    });
    expect([other.status, other.body.code]).toEqual([403, 'not_a_member']);
  });
});

describe('the scopes of a token', () => {
  const setCompany = async (scope: string, claims: Record<string, unknown> = {}) =>
    service.request('PUT', '/company', {
      ...bearer(await tokenWith({ scope, ...claims })),
      body: { city: 'Nîmes' },
    });

  it('grant what they name', async () => {
    for (const scope of ['acequia:everything', 'openid company:write', ['company:write']])
      expect((await setCompany(scope as string)).status).toBe(200);
  });

  it.each([
    ['none', undefined, 'openid email'],
    ['foreign ones', 'openid email offline_access', 'openid email offline_access'],
    [
      'those of an assistant',
      'acequia:assistant acequia:ingest',
      'openid email acequia:assistant acequia:ingest',
    ],
    ['one that is none', 'acequia:viewer "\\\r\n\u00e9', 'openid email acequia:viewer'],
  ])('do not grant more, and stay in what to ask for: %s', async (_, scope, kept) => {
    const answer = await setCompany(scope as string);
    expect([answer.status, answer.body.code]).toEqual([403, 'insufficient_scope']);
    const metadata = `resource_metadata="${service.mcp.origin}/.well-known/oauth-protected-resource/mcp"`;
    expect(challengeOf(answer.headers)).toBe(
      `Bearer realm="acequia", ${metadata}, error="insufficient_scope", scope="${kept} acequia:everything"`,
    );
    expect(answer.body.detail).toMatch(
      /does not permit that \(PUT \/company needs the scope company:write\)/,
    );
    expect(answer.body.hint).toContain('acequia:everything');
  });

  it.each(['acequia:everything', 'acequia:viewer', ''])(
    'do not go beyond the role: %s',
    async (scope) => {
      const answer = await setCompany(scope, { sub: 'vera', email: 'vera@example.org' });
      expect([answer.status, answer.body.code]).toEqual([403, 'insufficient_role']);
      expect(challengeOf(answer.headers)).toBe('');
    },
  );

  it.each([INITIALIZE_REQUEST, rpcRequest('tools/list'), rpcRequest('server/discover')])(
    'must be at least one of ours: otherwise %j is refused with what to ask for',
    async (body) => {
      const answer = await postMcp(service.mcp, {
        ...bearer(await tokenWith({ scope: 'openid email' })),
        body,
      });
      expect([answer.status, answer.body.code]).toEqual([403, 'insufficient_scope']);
      expect(answer.body.detail).toBe('This access token permits nothing in Acequia.');
      expect(answer.body.hint).toBe('Sign in again and allow acequia:assistant.');
      expect(answer.headers['www-authenticate']).toMatch(
        /error="insufficient_scope", scope="openid email acequia:assistant"$/,
      );
    },
  );

  it.each([
    ['resources/read', { uri: 'acequia://alerts/firing' }],
    [
      'subscriptions/listen',
      { notifications: { resourceSubscriptions: ['acequia://alerts/firing'] } },
    ],
  ])('say what to ask for at %s too', async (method, params) => {
    const token = await tokenWith({ scope: 'acequia:ingest' });
    const answer = await postMcp(service.mcp, {
      ...bearer(token),
      body: rpcRequest(method, params),
    });
    expect([answer.status, answer.body.code]).toEqual([403, 'insufficient_scope']);
    expect(answer.body.hint).toBe('Sign in again and allow acequia:viewer.');
    expect(answer.headers['www-authenticate']).toMatch(
      /scope="openid email acequia:ingest acequia:viewer"$/,
    );
  });

  it('say what to ask for where payloads arrive', async () => {
    const token = await tokenWith({ scope: 'acequia:assistant' });
    const answer = await service.request('POST', '/ingest/ecowitt/wh51', {
      ...bearer(token),
      body: {},
    });
    expect([answer.status, answer.body.code]).toEqual([403, 'insufficient_scope']);
    expect(challengeOf(answer.headers)).toMatch(
      /scope="openid email acequia:assistant acequia:ingest"$/,
    );
  });

  it('decide which tools /mcp lists, and a call of another is a 403 that says which scope to ask for', async () => {
    const viewer = await tokenWith({ scope: 'acequia:viewer' });
    const listed = await postMcp(service.mcp, {
      ...bearer(viewer),
      body: rpcRequest('tools/list'),
    });
    const names = listed.body.result.tools.map((tool: { name: string }) => tool.name);
    expect(names).toContain('list_modules');
    expect(names).not.toContain('log_watering');
    const call = toolCallRequest('log_watering', { module: 'Mas Rouge probe' });
    const refused = await postMcp(service.mcp, { ...bearer(viewer), body: call });
    expect([refused.status, refused.body.code]).toEqual([403, 'insufficient_scope']);
    expect(refused.headers['www-authenticate']).toMatch(
      /error="insufficient_scope", scope="openid email acequia:viewer acequia:assistant"$/,
    );
    const vera = await tokenWith({
      scope: 'acequia:viewer',
      sub: 'vera',
      email: 'vera@example.org',
    });
    const role = await postMcp(service.mcp, { ...bearer(vera), body: call });
    expect([role.status, role.headers['www-authenticate']]).toEqual([200, undefined]);
    expect(JSON.stringify(role.body)).toContain('insufficient_role');
  });
});

describe('the identity of a person', () => {
  const watering = { startedAt: '2026-06-01T06:00:00Z', inputMode: 'depth_mm', inputDepthMm: 3 };

  it('is the same for every token of theirs, in idempotency and in the list of changes', async () => {
    const tokens = [
      await tokenWith({ jti: 'one' }),
      await tokenWith({ jti: 'two', azp: 'another-client' }),
    ];
    const { body: modules } = await service.request('GET', '/modules', bearer(tokens[0]!));
    const path = `/modules/${modules.data[0].id}/irrigation/events`;
    const answers = [];
    for (const token of tokens)
      answers.push(
        await service.request('POST', path, {
          ...bearer(token, { 'idempotency-key': 'k1' }),
          body: watering,
        }),
      );
    expect(
      answers.map(({ status, headers }) => [status, headers.get('idempotent-replayed')]),
    ).toEqual([
      [201, null],
      [201, 'true'],
    ]);
    expect(answers[1]!.body).toEqual(answers[0]!.body);
    const change = answers[0]!.headers.get('acequia-change-id');
    const { body: changes } = await service.request('GET', '/changes', bearer(tokens[1]!));
    expect(changes.data[0]).toMatchObject({ id: Number(change), userName: 'ana' });
    const undone = await service.request('POST', '/changes/latest/undo', bearer(tokens[1]!));
    expect(undone.status).toBe(200);
  });
});

describe('an API key', () => {
  it('goes on working beside tokens, in both headers', async () => {
    const key = await service.newKey('--company', 'Mas Rouge');
    expect((await service.request('GET', '/company', { key })).body.name).toBe('Mas Rouge');
    for (const headers of [{ 'x-api-key': key }, { authorization: `Bearer ${key}` }] as Record<
      string,
      string
    >[])
      expect((await postMcp(service.mcp, { headers, body: rpcRequest('tools/list') })).status).toBe(
        200,
      );
  });

  it('that is wrong gets the challenge to sign in', async () => {
    const answer = await postMcp(service.mcp, {
      headers: { authorization: 'Bearer acequia_wrong' },
      body: INITIALIZE_REQUEST,
    });
    expect(answer.status).toBe(401);
    expect(answer.headers['www-authenticate']).toMatch(
      /resource_metadata="[^"]+", error="invalid_token", scope=/,
    );
  });
});

it('lets pages of --allowed-origins read the challenge and the metadata', async () => {
  const headers = { origin: ORIGIN };
  const refused = await postMcp(service.mcp, { headers, body: INITIALIZE_REQUEST });
  expect(refused).toMatchObject({
    status: 401,
    headers: { 'access-control-allow-origin': ORIGIN, 'access-control-expose-headers': '*' },
  });
  const metadata = await postMcp(
    new URL('/.well-known/oauth-protected-resource/mcp', service.mcp),
    {
      method: 'GET',
      headers,
    },
  );
  expect(metadata).toMatchObject({
    status: 200,
    headers: { 'access-control-allow-origin': ORIGIN },
  });
});

it('counts the requests of a member together, and refused tokens by address', async () => {
  const limited = await serveWithOAuth(issuer, {
    options: ['--rate-limit', '1', '--rate-burst', '2'],
  });
  const statusOf = async (claims: Record<string, unknown>) =>
    (await limited.request('GET', '/company', bearer(await issuer.sign(limited.claims(claims)))))
      .status;
  expect([
    await statusOf({ jti: 'a' }),
    await statusOf({ jti: 'b' }),
    await statusOf({ jti: 'c' }),
  ]).toEqual([200, 200, 429]);
  const vera = { sub: 'vera', email: 'vera@example.org' };
  expect(await statusOf(vera)).toBe(200);
  const eve = { sub: 'eve', email: 'eve@example.org' };
  expect([await statusOf({ aud: 'other' }), await statusOf(eve), await statusOf(eve)]).toEqual([
    401, 403, 429,
  ]);
  expect(await statusOf(vera)).toBe(200);
});
