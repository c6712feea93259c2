import { expect, it } from 'vitest';
import { newBaseFarm } from '../../base-farm.ts';
import { CLOCK } from '../program.ts';
import { serveStoreForTest } from '../rest-service.ts';
import { payloadOf } from './ingest-service.ts';

it('a console that sends by GET has its key in the path, whatever its firmware puts after it', async () => {
  const { base, newKey } = await serveStoreForTest(await newBaseFarm(), '--clock', CLOCK);
  const key = await newKey('--webhook', 'ambient/console');
  const send = async (path: string) => {
    const response = await fetch(`${base}/ingest/${path}`);
    return { status: response.status, body: await response.json() };
  };

  const form = payloadOf('ambient/console.txt').trim();
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
