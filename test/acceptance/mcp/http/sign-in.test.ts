import { auth, type OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { newMcpClient } from '../../mcp-session.ts';
import { sharedRestService } from '../../rest-service.ts';
import { mcpUrl, postMcp } from './mcp-http-client.ts';

const KEY_NEEDED =
  /An API key is needed: ['"]acequia keys create --preset assistant['"] makes one .*header x-api-key.*Authorization: Bearer/;
const NO_OAUTH = new RegExp(`^There is no OAuth sign-in here\\. ${KEY_NEEDED.source}`);

const shared = sharedRestService();
let url: URL;

beforeAll(() => {
  url = mcpUrl(shared().base);
});

/** The provider of an assistant that opens a browser to sign in, which must not happen. */
const provider = (
  stored: Pick<OAuthClientProvider, 'clientInformation' | 'tokens'>,
): OAuthClientProvider => ({
  redirectUrl: 'http://127.0.0.1:1/callback',
  clientMetadata: { client_name: 'Assistant', redirect_uris: ['http://127.0.0.1:1/callback'] },
  saveClientInformation: () => undefined,
  saveTokens: () => undefined,
  saveCodeVerifier: () => undefined,
  codeVerifier: () => '',
  redirectToAuthorization: () => {
    throw new Error('A browser would be opened');
  },
  ...stored,
});

const NEW_CLIENT = provider({ clientInformation: () => undefined, tokens: () => undefined });
const SIGNED_IN_CLIENT = provider({
  clientInformation: () => ({ client_id: 'old' }),
  tokens: () => ({
    access_token: 'old',
    token_type: 'Bearer',
    refresh_token: 'old',
    issuer: url.origin,
  }),
});

const connect = (options: object): Promise<void> =>
  newMcpClient().connect(new StreamableHTTPClientTransport(url, options));

describe('a client without a valid key', () => {
  it.each([
    ['without a key', {}, KEY_NEEDED],
    [
      'with a wrong key',
      { requestInit: { headers: { 'x-api-key': 'acequia_wrong' } } },
      KEY_NEEDED,
    ],
    ['that registers for OAuth', { authProvider: NEW_CLIENT }, NO_OAUTH],
    ['that was registered for OAuth elsewhere', { authProvider: SIGNED_IN_CLIENT }, NO_OAUTH],
  ])('%s reads that a key is needed and how to get one', async (_, options, expected) => {
    const refusal = await connect(options).catch((error: Error) =>
      error.message.replaceAll('\\"', '"'),
    );
    expect(refusal).toMatch(expected);
  });

  it('that returns from a browser reads it too', async () => {
    const options = { serverUrl: url, authorizationCode: 'code' };
    await expect(auth(SIGNED_IN_CLIENT, options)).rejects.toThrow(NO_OAUTH);
  });
});

describe('an address of OAuth', () => {
  it.each([
    ['GET', '/.well-known/oauth-protected-resource', 404],
    ['GET', '/.well-known/oauth-protected-resource/mcp', 404],
    ['GET', '/.well-known/oauth-authorization-server', 404],
    ['GET', '/.well-known/oauth-authorization-server/mcp', 404],
    ['GET', '/.well-known/openid-configuration', 404],
    ['GET', '/.well-known/openid-configuration/mcp', 404],
    ['GET', '/mcp/.well-known/openid-configuration', 404],
    ['POST', '/register', 400],
    ['GET', '/authorize?response_type=code&client_id=a', 400],
    ['POST', '/token', 400],
  ])('%s %s has status %i and says what to do in place of OAuth', async (method, path, status) => {
    const body = method === 'POST' ? '{not JSON' : undefined;
    const answer = await postMcp(new URL(path, url), { method, body });
    expect([answer.status, answer.headers['content-type']]).toEqual([status, 'application/json']);
    const { error, error_description: description, message } = answer.body;
    expect([error, message]).toEqual([
      'access_denied',
      'An API key is needed: "acequia keys create --preset assistant" makes one.',
    ]);
    // RFC 6749, section 5.2.
    expect(description).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
    expect(description).toMatch(NO_OAUTH);
  });

  it('has nothing for other hosts', async () => {
    const answer = await postMcp(new URL('/register', url), {
      headers: { host: 'evil.example.com' },
      body: '{}',
    });
    expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden_host' } });
  });
});
