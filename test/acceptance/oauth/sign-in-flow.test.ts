import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  Client,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { decodeJwt } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { KEY_PRESET_NAMES } from '../../../src/service/keys/key-presets.ts';
import { presetScope } from '../../../src/service/keys/token-scopes.ts';
import { afterFile, afterTest } from '../../cleanup.ts';
import { BROWSER } from '../browser.ts';
import { startIssuer, type TestIssuer } from './issuer.ts';
import { type OAuthService, serveWithOAuth } from './oauth-service.ts';
import { newBrowserWalk, newRequestWalk, type SignInWalk } from './sign-in-walk.ts';

let issuer: TestIssuer;
let redirectUrl: string;
beforeAll(async () => {
  issuer = await startIssuer();
  const server = createServer((_, response) => response.end('You are signed in.')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterFile(() => server.close());
  redirectUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`;
});

interface AssistantOptions {
  /** The earlier age of MCP, or the newer one where the service speaks it. */
  readonly age?: 'legacy' | 'auto';
  readonly registration?: StoredOAuthClientInformation;
}

/** An assistant without a key: all that it knows is the address of /mcp. */
class Assistant {
  readonly client: Client;
  readonly authorizations: URL[] = [];
  readonly #url: URL;
  #registration: StoredOAuthClientInformation | undefined;
  #tokens: StoredOAuthTokens | undefined;
  #discovery: OAuthDiscoveryState | undefined;
  #verifier = '';

  constructor(url: URL, { age = 'auto', registration }: AssistantOptions = {}) {
    this.client = new Client({ name: 'assistant', version: '1' }, { versionNegotiation: { mode: age } });
    this.#url = url;
    this.#registration = registration;
  }

  readonly provider: OAuthClientProvider = {
    redirectUrl,
    clientMetadata: { client_name: 'Assistant', redirect_uris: [redirectUrl], token_endpoint_auth_method: 'none' },
    clientInformation: () => this.#registration,
    saveClientInformation: (information) => {
      this.#registration = information;
    },
    tokens: () => this.#tokens,
    saveTokens: (tokens) => {
      this.#tokens = tokens;
    },
    saveCodeVerifier: (verifier) => {
      this.#verifier = verifier;
    },
    codeVerifier: () => this.#verifier,
    saveDiscoveryState: (state) => {
      this.#discovery = state;
    },
    discoveryState: () => this.#discovery,
    redirectToAuthorization: (url) => {
      this.authorizations.push(url);
    },
  };

  claims(): Record<string, unknown> {
    return decodeJwt(this.#tokens!.access_token);
  }

  newTransport = () => new StreamableHTTPClientTransport(this.#url, { authProvider: this.provider });

  /** Tries, signs in where the service says so, and connects. */
  async connect(walk: SignInWalk, login: string): Promise<void> {
    const refused = this.newTransport();
    await expect(this.client.connect(refused)).rejects.toThrow(UnauthorizedError);
    await refused.finishAuth((await walk(this.authorizations[0]!, login, redirectUrl)).searchParams);
    await this.client.connect(this.newTransport());
    afterTest(() => this.client.close());
  }
}

const textOf = (result: { content: unknown }): string => JSON.stringify(result.content);

const WALKS: [string, 'legacy' | 'auto', boolean, () => Promise<SignInWalk>][] = [
  ['in a browser', 'auto', BROWSER !== undefined, newBrowserWalk],
  ['by requests', 'legacy', true, newRequestWalk],
];

describe.each(WALKS)('an assistant that signs in %s (%s age)', (_, age, isPossible, newWalk) => {
  it.skipIf(!isPossible)('registers, lets the person consent, and calls tools for the member', async () => {
    const service = await serveWithOAuth(issuer, { after: afterTest });
    const assistant = new Assistant(service.mcp, { age });
    await assistant.connect(await newWalk(), 'ana');

    const [authorization] = assistant.authorizations;
    expect(authorization!.origin).toBe(issuer.url);
    const { searchParams } = authorization!;
    expect([searchParams.get('resource'), searchParams.get('code_challenge_method')]).toEqual([
      service.mcp.href,
      'S256',
    ]);
    expect(searchParams.get('scope')).toBe('openid email acequia:assistant');
    expect(assistant.claims()).toMatchObject({ sub: 'ana', aud: service.mcp.href, scope: 'acequia:assistant' });

    const company = await assistant.client.callTool({ name: 'get_company', arguments: {} });
    expect(textOf(company)).toContain('Mas Rouge');
    const watering = { module: 'Mas Rouge probe', startedAt: 'today 0:00', inputMode: 'depth_mm', inputDepthMm: 3 };
    const logged = await assistant.client.callTool({ name: 'log_watering', arguments: watering });
    expect(logged.isError, textOf(logged)).toBeFalsy();
    expect(service.stderr()).toBe('');
  });

  it.skipIf(!isPossible)('is told that somebody who is no member must be added', async () => {
    const service = await serveWithOAuth(issuer, { after: afterTest });
    const assistant = new Assistant(service.mcp, { age });
    const refusal = await assistant.connect(await newWalk(), 'eve').catch((error: Error) => error);
    // The newer age keeps the answer of the service beside the message of the error.
    expect(`${refusal} ${JSON.stringify(refusal)}`).toMatch(/not_a_member.*OWNER adds the person/s);
  });
});

/** As an administrator registers a client, with every scope that it may ever ask for. */
async function registerClient(): Promise<StoredOAuthClientInformation> {
  const scope = ['openid', 'email', ...KEY_PRESET_NAMES.map(presetScope)].join(' ');
  const metadata = {
    redirect_uris: [redirectUrl],
    application_type: 'native',
    token_endpoint_auth_method: 'none',
    scope,
  };
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${issuer.url}/reg`, { method: 'POST', headers, body: JSON.stringify(metadata) });
  expect(response.status).toBe(201);
  return { ...((await response.json()) as StoredOAuthClientInformation), issuer: issuer.url };
}

it('lets the person allow more when a call needs it', async () => {
  const service: OAuthService = await serveWithOAuth(issuer, { after: afterTest });
  const assistant = new Assistant(service.mcp, { registration: await registerClient() });
  const walk = await newRequestWalk();
  await assistant.connect(walk, 'ana');
  expect(assistant.authorizations[0]!.searchParams.get('scope')).toBe('openid email acequia:assistant');

  const call = () => assistant.client.callTool({ name: 'set_company', arguments: { city: 'Nîmes' } });
  await expect(call()).rejects.toThrow(UnauthorizedError);
  const stepUp = assistant.authorizations.at(-1)!;
  const asked = stepUp.searchParams.get('scope')!.split(' ');
  expect(asked.sort()).toEqual(['acequia:assistant', 'acequia:everything', 'email', 'openid']);
  const transport = assistant.newTransport();
  await transport.finishAuth((await walk(stepUp, 'ana', redirectUrl)).searchParams);
  const changed = await call();
  expect(changed.isError, textOf(changed)).toBeFalsy();
});
