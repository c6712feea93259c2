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
import { beforeAll, expect, it } from 'vitest';
import { afterFile, afterTest } from '../../cleanup.ts';
import { withoutHeldLoop } from '../program.ts';
import { startIssuer, type TestIssuer } from './issuer.ts';
import { type OAuthService, serveWithOAuth } from './oauth-service.ts';
import type { SignInWalk } from './sign-in-walk.ts';

interface SignInSetting {
  issuer: TestIssuer;
  service: OAuthService;
  redirectUrl: string;
}

/** Starts it for all tests of a file. */
export function sharedSignIn(): Readonly<SignInSetting> {
  const setting = {} as SignInSetting;
  beforeAll(async () => {
    setting.issuer = await startIssuer();
    setting.service = await serveWithOAuth(setting.issuer);
    const server = createServer((_, response) => response.end('You are signed in.')).listen(
      0,
      '127.0.0.1',
    );
    await once(server, 'listening');
    afterFile(() => server.close());
    setting.redirectUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`;
  });
  return setting;
}

interface AssistantOptions {
  /** The earlier era of MCP, or the newer one where the service speaks it. */
  readonly era?: 'legacy' | 'auto';
  readonly registration?: StoredOAuthClientInformation;
}

/** An assistant without a key: all that it knows is the address of /mcp. */
export class Assistant {
  readonly client: Client;
  readonly authorizations: URL[] = [];
  readonly #url: URL;
  readonly #redirectUrl: string;
  readonly #provider: OAuthClientProvider;
  #tokens: StoredOAuthTokens | undefined;

  constructor(
    { service, redirectUrl }: SignInSetting,
    { era = 'auto', registration }: AssistantOptions = {},
  ) {
    this.client = new Client(
      { name: 'assistant', version: '1' },
      { versionNegotiation: { mode: era } },
    );
    this.#url = service.mcp;
    this.#redirectUrl = redirectUrl;
    let known = registration;
    let discovery: OAuthDiscoveryState | undefined;
    let verifier = '';
    this.#provider = {
      redirectUrl,
      clientMetadata: {
        client_name: 'Assistant',
        redirect_uris: [redirectUrl],
        token_endpoint_auth_method: 'none',
      },
      clientInformation: () => known,
      saveClientInformation: (information) => {
        known = information;
      },
      tokens: () => this.#tokens,
      saveTokens: (tokens) => {
        this.#tokens = tokens;
      },
      saveCodeVerifier: (text) => {
        verifier = text;
      },
      codeVerifier: () => verifier,
      saveDiscoveryState: (state) => {
        discovery = state;
      },
      discoveryState: () => discovery,
      redirectToAuthorization: (url) => {
        this.authorizations.push(url);
      },
    };
  }

  claims(): Record<string, unknown> {
    return decodeJwt(this.#tokens!.access_token);
  }

  readonly #newTransport = () =>
    new StreamableHTTPClientTransport(this.#url, { authProvider: this.#provider });

  /** Goes to the newest authorization that was asked for. */
  async signIn(walk: SignInWalk, login: string, transport = this.#newTransport()): Promise<void> {
    await transport.finishAuth(
      (await walk(this.authorizations.at(-1)!, login, this.#redirectUrl)).searchParams,
    );
  }

  /** Tries, signs in where the service says so, and connects. */
  async connect(walk: SignInWalk, login: string): Promise<void> {
    const refused = this.#newTransport();
    await expect(this.client.connect(refused)).rejects.toThrow(UnauthorizedError);
    await this.signIn(walk, login, refused);
    await this.client.connect(this.#newTransport());
    afterTest(() => this.client.close());
  }
}

export const textOf = (result: { content: unknown }): string => JSON.stringify(result.content);

/** Defines the tests of an assistant that signs in by walking through the pages of the issuer. */
export function itSignsIn(
  setting: SignInSetting,
  era: 'legacy' | 'auto',
  newWalk: () => Promise<SignInWalk>,
): void {
  it('registers, lets the person consent, and calls tools for the member', async () => {
    const { issuer, service } = setting;
    const assistant = new Assistant(setting, { era });
    await assistant.connect(await newWalk(), 'ana');

    const [authorization] = assistant.authorizations;
    expect(authorization!.origin).toBe(issuer.url);
    const { searchParams } = authorization!;
    expect([searchParams.get('resource'), searchParams.get('code_challenge_method')]).toEqual([
      service.mcp.href,
      'S256',
    ]);
    expect(searchParams.get('scope')).toBe('openid email acequia:assistant');
    expect(assistant.claims()).toMatchObject({
      sub: 'ana',
      aud: service.mcp.href,
      scope: 'acequia:assistant',
    });

    const company = await assistant.client.callTool({ name: 'get_company', arguments: {} });
    expect(textOf(company)).toContain('Mas Rouge');
    const watering = {
      module: 'Mas Rouge probe',
      startedAt: 'today 0:00',
      inputMode: 'depth_mm',
      inputDepthMm: 3,
    };
    const logged = await assistant.client.callTool({ name: 'log_watering', arguments: watering });
    expect(logged.isError, textOf(logged)).toBeFalsy();
    expect(withoutHeldLoop(service.stderr())).toBe('');
  });

  it('is told that somebody who is no member must be added', async () => {
    const assistant = new Assistant(setting, { era });
    const refusal = await assistant.connect(await newWalk(), 'eve').catch((error: Error) => error);
    // The newer era keeps the answer of the service beside the message of the error.
    expect(`${refusal} ${JSON.stringify(refusal)}`).toMatch(/not_a_member.*OWNER adds the person/s);
  });
}
