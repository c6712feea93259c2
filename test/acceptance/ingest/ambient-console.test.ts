import { expect, it } from 'vitest';
import { newBaseFarm } from '../../base-farm.ts';
import { CLOCK } from '../program.ts';
import { openKeepAlive, openRawConnection } from '../rest/raw-requests.ts';
import { serveStoreForTest } from '../rest-service.ts';
import { payloadOf } from './ingest-service.ts';

it('a console that sends by GET has its key in the path, whatever its firmware puts after it', async () => {
  const { base, newKey } = await serveStoreForTest(await newBaseFarm(), '--clock', CLOCK);
  const key = await newKey('--webhook', 'ambient/console');
  const send = async (path: string) => {
    const response = await fetch(`${base}/ingest/${path}`);
    return { status: response.status, body: await response.json() };
  };

  const form = payloadOf('ambient/console').trim();
  const stored = { status: 202, body: { readings: { storedUnassigned: 7 } } };
  expect(await send(`${key}?${form}`)).toMatchObject(stored);
  const unchanged = { status: 202, body: { readings: { unchanged: 7 } } };
  expect(await send(`${key}&${form}`)).toMatchObject(unchanged);
  expect(await send(`${key}${form}`)).toMatchObject(unchanged);
  expect(await send(`${key}${encodeURIComponent(`&${form}`)}`)).toMatchObject(unchanged);

  expect(await send(`ambient/console?${form}`)).toMatchObject({ status: 405 });
  expect(await send(`pump?${form}`)).toMatchObject({ status: 401 });
  expect(await send(`${key.slice(0, -1)}x?${form}`)).toMatchObject({ status: 401 });
});

it('a console whose firmware drops the first slash of the path is read, and one where two were typed', async () => {
  const { base, newKey } = await serveStoreForTest(await newBaseFarm(), '--clock', CLOCK);
  const key = await newKey('--webhook', 'ambient/console');
  const form = payloadOf('ambient/console').trim();
  const end = ' HTTP/1.1\r\nHost: farm\r\n\r\n';
  const port = Number(new URL(base).port);
  const ask = async (request: string) => (await openKeepAlive(port)).ask(`${request}${end}`);

  const stored = { status: 202, body: { readings: { storedUnassigned: 7 } } };
  const unchanged = { status: 202, body: { readings: { unchanged: 7 } } };
  expect(await ask(`GET v1/ingest/${key}&${form}`)).toMatchObject(stored);
  expect(await ask(`GET //v1/ingest/${key}?${form}`)).toMatchObject(unchanged);

  const inTwoPackets = await openRawConnection(port);
  inTwoPackets.socket.write(`GET v1/ingest/${key}?${form.slice(0, 80)}`);
  setTimeout(() => inTwoPackets.socket.write(`${form.slice(80)}${end}`), 50);
  expect(await inTwoPackets.closed).toContain('"unchanged":7');

  const notValid = { status: 400, body: { hint: expect.stringContaining('begins with "/"') } };
  expect(await ask(`GET data/report/?${form}`)).toMatchObject(notValid);
  expect(await ask(`POST v1/ingest/${key}`)).toMatchObject(notValid);
  const otherKey = `${key.slice(0, -1)}x`;
  expect(await ask(`GET v1/ingest/${otherKey}?${form}`)).toMatchObject({ status: 401 });

  const endless = await openRawConnection(port);
  endless.socket.write(`GET v1/ingest/${key}?`);
  endless.socket.write('x'.repeat(200_000));
  expect(await endless.closed).not.toContain('202');
});
