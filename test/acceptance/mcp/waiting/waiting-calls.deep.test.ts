import { expect, it } from 'vitest';
import { WATERING } from '../../../base-farm.ts';
import { bodyOf, serverArguments } from '../../mcp-session.ts';
import { isAnswered, startRawServer } from '../../raw-server.ts';
import { connectOverHttp, postMcp, rpcRequest, toolCallRequest } from '../http/mcp-http-client.ts';
import {
  firstEvent,
  logCall,
  NEWER_HEADERS,
  NEWER_META,
  progressOf,
  serviceOfTwoCompanies,
} from './held-store.ts';

const { service, headers, url, holdWrites, countNewWaterings } = serviceOfTwoCompanies();

const PLACEMENT = { module: 'North 1', emitterDistanceCm: 10 };

it('a call of revision 2026-07-28 over standard input writes nothing once it is cancelled', async () => {
  const newWaterings = await countNewWaterings();
  const raw = startRawServer(serverArguments(service().db, {}), {
    env: { ACEQUIA_API_KEY: headers()['x-api-key']! },
  });
  const send = (name: string, args: object) =>
    raw.send('tools/call', {
      name,
      arguments: args,
      _meta: { ...NEWER_META, progressToken: name },
    });
  await raw.answer(send('get_company', {}));
  const { release } = holdWrites();
  const id = send('log_watering', WATERING);
  await expect.poll(() => progressOf(raw.messages).length).toBeGreaterThan(0);
  raw.notify('notifications/cancelled', { requestId: id, _meta: NEWER_META });
  await raw.answer(send('get_company', {}));
  release();
  bodyOf((await raw.answer(send('set_module_placement', PLACEMENT))).result);
  expect([await newWaterings(), isAnswered(raw, id)]).toEqual([0, false]);
  raw.child.stdin.end();
  expect(await raw.ended).toMatchObject({ code: 0, stderr: '' });
});

it('a call of revision 2026-07-28 over HTTP writes nothing once its client has disconnected', async () => {
  const newWaterings = await countNewWaterings();
  const { release } = holdWrites();
  const sent = { ...headers(), ...NEWER_HEADERS };
  const { request, text } = await firstEvent(url(), sent, logCall(1, {}, NEWER_META));
  expect(text).toContain('notifications/progress');
  request.destroy();
  // Once these are answered, the service has noticed the closed connection.
  for (let count = 0; count < 3; count++)
    await postMcp(url(), { headers: headers(), body: rpcRequest('ping') });
  release();
  const placement = toolCallRequest('set_module_placement', PLACEMENT);
  const placed = await postMcp(url(), { headers: headers(), body: placement });
  expect(placed.body.result.isError).toBeUndefined();
  expect(await newWaterings()).toBe(0);
  expect(service().stderr()).not.toContain('unexpected failure');
});

it('a call over HTTP is cancelled by a client of the SDK, whose other calls go on', async () => {
  const newWaterings = await countNewWaterings();
  const { client, call } = await connectOverHttp(url(), { 'x-api-key': headers()['x-api-key']! });
  const { release } = holdWrites();
  const abort = new AbortController();
  const params = { name: 'log_watering', arguments: WATERING };
  const onprogress = () => abort.abort('No longer needed');
  const cancelled = client.callTool(params, undefined, { signal: abort.signal, onprogress });
  await expect(cancelled).rejects.toThrow('No longer needed');
  bodyOf(await call('list_waterings'));
  expect(await newWaterings()).toBe(0);
  release();
  expect(
    bodyOf(await call('log_watering', { ...WATERING, durationMin: 50 })).event.durationMin,
  ).toBe(50);
  expect(await newWaterings()).toBe(1);
});
