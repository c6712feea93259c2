import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, it } from 'vitest';
import { afterTest } from '../../cleanup.ts';
import { runInProcess } from '../../in-process-command.ts';
import { itInDeepRuns } from '../../property-runs.ts';
import { postMcp, rpcRequest, toolCallRequest } from '../mcp/http/mcp-http-client.ts';
import { startServing } from '../rest-service.ts';
import { startIssuer } from './issuer.ts';
import { serveWithOAuth, storeWithMembers } from './oauth-service.ts';

it.each([
  ['an audience without an issuer', ['--oauth-audience', 'farm'], /need --oauth-issuer/],
  [
    'an issuer on all addresses without a public URL',
    ['--host', '0.0.0.0', '--oauth-issuer', 'https://login.example.org'],
    /needs --public-url/,
  ],
])('%s is wrong usage', async (_, options, message) => {
  const { code, stderr } = await runInProcess([
    'serve',
    '--port',
    '0',
    '--db',
    'none.db',
    ...options,
  ]);
  expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
});

it('takes its settings from the environment too', async () => {
  const env = { ACEQUIA_OAUTH_ISSUER: 'http://a:secret@login.example.org' };
  const { code, stderr } = await runInProcess(['serve', '--port', '0', '--db', 'none.db'], { env });
  expect([code, stderr]).toEqual([2, expect.stringContaining('ACEQUIA_OAUTH_ISSUER')]);
  expect(stderr).not.toContain('secret');
});

const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

it('accepts another audience, and tokens without scopes of ours up to --oauth-preset', async () => {
  const issuer = await startIssuer();
  const options = ['--oauth-audience', 'client-7', '--oauth-preset', 'viewer'];
  const service = await serveWithOAuth(issuer, { options, after: afterTest });
  const plain = await issuer.sign(service.claims({ aud: 'client-7', scope: 'openid email' }));
  expect((await service.request('GET', '/company', bearer(plain))).status).toBe(200);
  const write = await service.request('PUT', '/company', {
    ...bearer(plain),
    body: { city: 'Nîmes' },
  });
  expect([write.status, write.body.code]).toEqual([403, 'insufficient_scope']);
  expect(write.headers.get('www-authenticate')).toBeNull();
  expect(write.body.hint).toMatch(/^Signing in again does not help: --oauth-preset viewer/);
  const call = toolCallRequest('set_company', { city: 'Nîmes' });
  const tool = await postMcp(service.mcp, { ...bearer(plain), body: call });
  expect([tool.status, tool.headers['www-authenticate']]).toEqual([200, undefined]);
  expect(JSON.stringify(tool.body)).toMatch(/insufficient_scope.*--oauth-preset viewer/);
  expect(
    (await service.request('GET', '/company', bearer(await issuer.sign(service.claims())))).status,
  ).toBe(401);
  const { headers } = await service.request('GET', '/company');
  expect(headers.get('www-authenticate')).toMatch(/, scope="openid email"$/);
});

it('is known by its public URL, which clients may call and tokens name', async () => {
  const issuer = await startIssuer();
  const publicUrl = 'https://water.example.org';
  const service = await serveWithOAuth(issuer, {
    options: ['--public-url', publicUrl],
    after: afterTest,
  });
  const headers = { host: 'water.example.org' };
  const path = '/.well-known/oauth-protected-resource/mcp';
  const metadata = await postMcp(new URL(path, service.mcp), { method: 'GET', headers });
  expect(metadata.body.resource).toBe(`${publicUrl}/mcp`);
  const refused = await postMcp(service.mcp, { headers, body: rpcRequest('tools/list') });
  expect(refused.headers['www-authenticate']).toContain(`resource_metadata="${publicUrl}${path}"`);
  const token = await issuer.sign(service.claims({ aud: `${publicUrl}/mcp` }));
  const listed = await postMcp(service.mcp, {
    headers: { ...headers, ...bearer(token).headers },
    body: rpcRequest('tools/list'),
  });
  expect(listed.status).toBe(200);
  expect(
    (await postMcp(service.mcp, { ...bearer(await issuer.sign(service.claims())), body: '{}' }))
      .status,
  ).toBe(401);
});

itInDeepRuns(
  'accepts no bearer tokens over REST without an issuer, and says as before that a key is needed',
  async () => {
    const service = await startServing(await storeWithMembers(afterTest), [], { after: afterTest });
    const key = await service.newKey('--company', 'Mas Rouge');
    const answer = await service.request('GET', '/company', bearer(key));
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, null]);
    expect(answer.body.detail).toBe('No valid API key was given.');
  },
);

itInDeepRuns('ends without waiting for an issuer that does not answer', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  afterTest(() => void silent.close());
  await once(silent, 'listening');
  const asked = once(silent, 'connection');
  const { port } = silent.address() as AddressInfo;

  const service = await serveWithOAuth(
    { url: `http://127.0.0.1:${port}/realms/farm` },
    { after: afterTest },
  );
  await asked;
  const stoppedAt = performance.now();
  expect(await service.stop()).toMatchObject({ code: 0, stderr: '' });
  // The service waits up to five seconds for an answer of the issuer.
  expect(performance.now() - stoppedAt).toBeLessThan(3_000);
});
