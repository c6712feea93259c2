import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { presetPayloads } from '../../../service/ingest/preset-payloads.ts';
import { HOUR } from '../../../time.ts';
import { excessStretch } from './event-loop.ts';
import { FEW_SHAPES, type HostileShape, hostileShapes } from './hostile-shapes.ts';
import { serveWatched, type WatchedService } from './watched-service.ts';

const MAX_PAYLOAD = 262_144;
/** Each character of a form may take three bytes. */
const MAX_FORM_TEXT = 80_000;
const MAX_ROW = 65_536;

let service: WatchedService;
beforeAll(async () => {
  service = await serveWatched();
});

async function expectShort(
  send: (text: string) => Promise<unknown>,
  shapes: readonly HostileShape[],
  length: number,
): Promise<void> {
  for (const shape of shapes)
    expect(await excessStretch(service.watch, send, shape.textOf(length)), shape.name).toBe(0);
}

const LONG = 'module,type,depth,time,value';
const LONG_ROW = ['North 1', 'humidity', '10', '2026-07-01T06:00', '20'];

/** A row one of whose cells is the text. */
const rowWith = (text: string, index: number): string => LONG_ROW.with(index, text).join(',');

describe('a hostile text holds the event loop no longer than a harmless one', {
  timeout: HOUR,
}, () => {
  const sendCsv = (csv: string) => service.post('/v1/ingest', 'text/csv', csv);

  it.each([1, 10, 31, 200])('in %i first lines of a CSV', async (count) => {
    const lines = (line: string) => Array(count).fill(line).join('\n');
    for (const length of [200, 2_000, 16_384, MAX_ROW])
      await expectShort((line) => sendCsv(lines(line)), hostileShapes(LONG), length);
  });

  it('in each cell of a row of a CSV', async () => {
    for (const index of LONG_ROW.keys())
      for (const length of [250, 60_000])
        await expectShort(
          (cell) => sendCsv([LONG, ...Array(100).fill(rowWith(cell, index))].join('\n')),
          hostileShapes(LONG_ROW[index]!),
          length,
        );
  });

  it('in a column name of a CSV, in its map and its zone', async () => {
    for (const length of [100, 250, 16_000])
      await expectShort(
        (name) => sendCsv(`time,humidity_10,${name}\n2026-07-01T06:00,20,1\n`),
        hostileShapes('Soil moisture 10cm'),
        length,
      );
    for (const name of ['map', 'timezone', 'module'])
      await expectShort(
        (text) =>
          service.post(
            '/v1/ingest',
            'application/json',
            JSON.stringify({ csv: `${LONG}\n${LONG_ROW.join()}`, [name]: text }),
          ),
        hostileShapes(null),
        name === 'map' ? 10_000 : 200,
      );
  });

  it('in a compressed CSV', async () => {
    const send = async (text: string): Promise<string> => {
      const response = await fetch(new URL('/v1/ingest', service.base), {
        method: 'POST',
        headers: {
          'x-api-key': service.key,
          'content-type': 'text/csv',
          'content-encoding': 'gzip',
        },
        body: gzipSync(Array(50).fill(text).join('\n')),
      });
      return response.text();
    };
    await expectShort(send, hostileShapes(null), 20_000);
  });

  it('in each field of each item of a batch', async () => {
    const reading = {
      module: 'A1',
      type: 'humidity',
      depth: 10,
      time: '2026-07-01T06:00',
      value: 20,
    };
    const device = { device: 'A84041FFFF181F0D', source: 'ttn/any', payload: '{}', model: 'm' };
    const unread = { sender: 's', via: 'v', reason: 'r', payload: 'p' };
    for (const [list, item] of Object.entries({ readings: reading, devices: device, unread }))
      for (const name of Object.keys(item))
        for (const length of [200, 4_000])
          await expectShort(
            (text) =>
              service.post(
                '/v1/ingest',
                'application/json',
                JSON.stringify({ [list]: Array(100).fill({ ...item, [name]: text }) }),
              ),
            FEW_SHAPES,
            length,
          );
  });

  it.each(presetPayloads())('in long lists in a payload of $preset', async (sent) => {
    for (const { place, payloadOf } of sent.lists) {
      const payload = payloadOf(MAX_PAYLOAD);
      const send = (text: string) => service.post(`/v1/ingest/${sent.preset}`, sent.type, text);
      expect(await excessStretch(service.watch, send, payload), place).toBe(0);
    }
  });

  it.each(presetPayloads())('in each value and name of a payload of $preset', async (sent) => {
    const isForm = sent.type === 'application/x-www-form-urlencoded';
    const length = isForm ? MAX_FORM_TEXT : MAX_PAYLOAD - sent.payload.length - 20_000;
    for (const { payloadWith } of sent.places)
      await expectShort(
        (text) => service.post(`/v1/ingest/${sent.preset}`, sent.type, payloadWith(text)),
        FEW_SHAPES,
        length,
      );
  });
});
