import { expect, it } from 'vitest';
import { newBaseFarm } from '../../base-farm.ts';
import { importFarmFile } from '../../imported-data.ts';
import { runInProcess } from '../../in-process-command.ts';
import { EUI, payloadOf } from '../ingest/ingest-service.ts';
import { CLOCK, type Json } from '../program.ts';
import { serveStoreForTest } from '../rest-service.ts';

const FARM = {
  company: { name: 'Mas Rouge' },
  modules: [
    {
      uid: 'YARD',
      name: 'Yard',
      category: 'WEATHER_STATION',
      sensors: [{ type: 'temperature' }, { type: 'humidity' }],
    },
  ],
};

/** Frames 4A, 4B and 4C of firmware 2.0 as Seeed-Solution/SenseCAP-Decoder gives them. */
function uplink(time: string, mm: number): string {
  const { uplink_message: message, ...rest } = JSON.parse(payloadOf('ttn/sensecap-s2120'));
  const { decoded_payload: decoded } = message;
  const newFrame = [
    { measurementValue: 3.3, measurementId: '4191', type: ' Peak Wind Gust' },
    { measurementValue: mm, measurementId: '4213', type: 'Rain Accumulation' },
  ];
  const [air, rain] = decoded.messages;
  decoded.messages = [air, rain, newFrame];
  return JSON.stringify({ ...rest, received_at: time, uplink_message: message });
}

it('the rain of a station that sends a running total is that between its messages', async () => {
  const db = await newBaseFarm();
  await importFarmFile(db, FARM);
  const { newKey, request } = await serveStoreForTest(db, '--clock', CLOCK);
  const webhook = await newKey('--webhook', 'ttn/sensecap-s2120');
  const key = await newKey('--scopes', 'readings:read');
  const send = async (time: string, mm: number): Promise<Json> =>
    (await request('POST', `/ingest/${webhook}`, { body: uplink(time, mm) })).body;
  const rain = async (): Promise<unknown[]> =>
    (await request('GET', '/rain', { key })).body.data.map((row: Json) => [row.mm, row.endedAt]);

  await send('2026-06-30T08:00:00Z', 123);
  await send('2026-06-30T09:00:00Z', 124.2);
  await runInProcess(['ingest', 'assign', EUI, 'Yard', '--db', db, '--clock', CLOCK]);
  expect(await rain()).toEqual([[1.2, '2026-06-30T09:00:00.000Z']]);

  // The gauge starts again.
  expect(await send('2026-06-30T10:00:00Z', 0.6)).toMatchObject({ rain: { written: 1 } });
  expect(await send('2026-06-30T10:00:00Z', 0.6)).toMatchObject({ rain: { written: 0 } });
  expect(await send('2026-06-30T11:00:00Z', 2.6)).toMatchObject({ rain: { written: 1 } });
  expect(await rain()).toEqual([
    [2, '2026-06-30T11:00:00.000Z'],
    [0.6, '2026-06-30T10:00:00.000Z'],
    [1.2, '2026-06-30T09:00:00.000Z'],
  ]);
});
