import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { afterTest } from '../../cleanup.ts';
import { startIssuer } from './issuer.ts';
import { serveWithOAuth } from './oauth-service.ts';

it('serves without its issuer, says that tokens cannot be checked, and accepts them once it is back', async () => {
  const issuer = await startIssuer();
  await issuer.stop();
  const service = await serveWithOAuth(issuer, { after: afterTest });
  const companyWith = (token: string) =>
    service.request('GET', '/company', { headers: { authorization: `Bearer ${token}` } });
  const token = await issuer.sign(service.claims());
  const refused = await companyWith(token);
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
  expect((await companyWith('acequia_wrong')).status).toBe(401);

  await issuer.start();
  await expect.poll(async () => (await companyWith(token)).status).toBe(200);
});

it('ends properly while it waits for an answer of its issuer', async () => {
  const server = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterTest(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const service = await serveWithOAuth({ url }, { after: afterTest });
  expect(await service.stop()).toMatchObject({ code: 0 });
});
