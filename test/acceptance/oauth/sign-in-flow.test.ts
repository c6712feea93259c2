import { type StoredOAuthClientInformation, UnauthorizedError } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { KEY_PRESET_NAMES, presetScope } from '../../../src/service/keys/key-presets.ts';
import { Assistant, itSignsIn, sharedSignIn, textOf } from './sign-in.ts';
import { newRequestWalk } from './sign-in-walk.ts';

const setting = sharedSignIn();

describe('an assistant that signs in by requests (legacy era)', () =>
  itSignsIn(setting, 'legacy', newRequestWalk));

/** Registers a client as an administrator does, with every scope that it may ever ask for. */
async function registerClient(): Promise<StoredOAuthClientInformation> {
  const { issuer, redirectUrl } = setting;
  const scope = ['openid', 'email', ...KEY_PRESET_NAMES.map(presetScope)].join(' ');
  const metadata = {
    redirect_uris: [redirectUrl],
    application_type: 'native',
    token_endpoint_auth_method: 'none',
    scope,
  };
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${issuer.url}/reg`, {
    method: 'POST',
    headers,
    body: JSON.stringify(metadata),
  });
  expect(response.status).toBe(201);
  return { ...((await response.json()) as StoredOAuthClientInformation), issuer: issuer.url };
}

it('lets the person allow more when a call needs it', async () => {
  const assistant = new Assistant(setting, { registration: await registerClient() });
  const walk = await newRequestWalk();
  await assistant.connect(walk, 'ana');
  expect(assistant.authorizations[0]!.searchParams.get('scope')).toBe(
    'openid email acequia:assistant',
  );

  const call = () =>
    assistant.client.callTool({ name: 'set_company', arguments: { city: 'Nîmes' } });
  await expect(call()).rejects.toThrow(UnauthorizedError);
  const asked = assistant.authorizations.at(-1)!.searchParams.get('scope')!.split(' ');
  expect(asked.sort()).toEqual(['acequia:assistant', 'acequia:everything', 'email', 'openid']);
  await assistant.signIn(walk, 'ana');
  const changed = await call();
  expect(changed.isError, textOf(changed)).toBeFalsy();
});
