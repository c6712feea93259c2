import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { TimeSlice } from '../../../../src/domain/event-loop.ts';
import {
  allNetworks,
  type Network,
} from '../../../../src/service/ingest/payload/lorawan/networks.ts';
import { findPreset, mapOfPresets } from '../../../../src/service/ingest/payload/presets.ts';
import { readInSlices } from '../../../../src/service/ingest/payload/unread-message.ts';

const NOW = Date.UTC(2026, 6, 1, 10);
const RECEIVED_AT = NOW - 60_000;

/** Reads a message whose every slice is over at once, and counts the slices. */
async function readLong(preset: string, payload: unknown) {
  const map = mapOfPresets([findPreset(preset)], undefined);
  const text = typeof payload === 'string' ? payload : JSON.stringify(payload);
  const message = { topic: null, payload: Buffer.from(text) };
  let sliceCount = 0;
  const slice: TimeSlice = { isOver: () => true, renew: async () => void sliceCount++ };
  const read = await readInSlices({ map, message, via: preset, now: NOW }, slice);
  return { ...read, sliceCount };
}

const repeat = <T>(count: number, itemOf: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => itemOf(index));

/** {"decoded": {"payload": value}} for "decoded.payload". */
const atPath = (path: string, value: unknown): object =>
  path
    .split('.')
    .reverse()
    .reduce<unknown>((inner, name) => ({ [name]: inner }), value) as object;

function merged(...objects: readonly object[]): Record<string, unknown> {
  const all: Record<string, unknown> = {};
  for (const object of objects)
    for (const [name, value] of Object.entries(object)) {
      const isNested = typeof value === 'object' && typeof all[name] === 'object';
      all[name] = isNested ? merged(all[name] as object, value) : value;
    }
  return all;
}

/** The least of an uplink of the network, as its envelope has it. */
function uplinkOf({ rule, decoded, uplink }: Network, device: string, fields: object): object {
  const time = rule.time === 'arrival' ? null : rule.time;
  const instant = time?.unit === 'ms' ? RECEIVED_AT : new Date(RECEIVED_AT).toISOString();
  return merged(
    ...(rule.requires ?? []).map((path) => atPath(path, 1)),
    ...(rule.ignore ?? []).flatMap((condition) =>
      'otherThan' in condition ? atPath(condition.path, condition.otherThan[0]) : [],
    ),
    uplink.includes('.') ? atPath(uplink, 1) : {},
    atPath((rule.device as { path: string }).path, device),
    time === null || time.path.includes('.0.') ? {} : atPath(time.path, instant),
    atPath(decoded, fields),
  );
}

describe('a message of many parts is read in at least as many slices', () => {
  it.each(allNetworks())('uplinks of $name', async (network) => {
    const uplinks = repeat(60, (n) => uplinkOf(network, `d${n}`, { water_SOIL: 20 + (n % 9) }));
    const { parsed, sliceCount } = await readLong(`${network.name}/any`, uplinks);
    expect(parsed).toMatchObject({ kind: 'items', readings: { length: 60 } });
    expect(sliceCount).toBeGreaterThanOrEqual(60);
  });

  it('of which nothing is read', async () => {
    const [network] = allNetworks();
    const uplinks = repeat(60, (n) => uplinkOf(network!, `d${n}`, {}));
    const { parsed, sliceCount } = await readLong('ttn/any', uplinks);
    expect(parsed.kind).toBe('empty');
    expect(sliceCount).toBeGreaterThanOrEqual(60);
  });

  it('samples of one uplink', async () => {
    const [network] = allNetworks();
    const uplink = uplinkOf(network!, 'd', { history: repeat(60, () => ({})) });
    expect((await readLong('ttn/any', uplink)).sliceCount).toBeGreaterThanOrEqual(120);
  });

  it('measurements of a logger', async () => {
    const datetime = new Date(RECEIVED_AT).toISOString();
    const readings = repeat(60, () => ({ datetime, value: 20 }));
    const metadata = { device_sn: 'z6', port_number: 1, units: '%' };
    const payload = { data: { 'Water Content': [{ metadata, readings }] } };
    expect((await readLong('zentra/logger', payload)).sliceCount).toBeGreaterThanOrEqual(60);
  });
});

it('gives each input of a device the link of its last uplink, in linear time', async () => {
  const helium = allNetworks().find(({ name }) => name === 'helium')!;
  const uplinks = (count: number) =>
    repeat(count, (n) => ({
      ...uplinkOf(helium, 'd', { [`temperature_${n}`]: 20 }),
      hotspots: [{ name: `gateway ${n}` }],
    }));
  const comparisons = vi.spyOn(String.prototype, 'startsWith');
  onTestFinished(() => void comparisons.mockRestore());
  const countOf = async (count: number): Promise<number> => {
    comparisons.mockClear();
    const { parsed } = await readLong('helium/any', uplinks(count));
    const devices = parsed.kind === 'items' ? parsed.devices : [];
    expect(devices.map(({ gateway }) => gateway)).toEqual(
      Array(count).fill(`gateway ${count - 1}`),
    );
    return comparisons.mock.calls.length;
  };

  const count = await countOf(20);
  expect(await countOf(80)).toBeLessThan(5 * count);
});

it.each([
  ['one list', 1],
  ['several lists', 5],
])('a payload holds at most twenty thousand items in %s', async (_, lists) => {
  const payloadOf = (count: number) =>
    uplinkOf(allNetworks()[0]!, 'd', {
      ...Object.fromEntries(repeat(lists, (n) => [`history${n}`, Array(count / lists).fill(0)])),
      soil_moisture: 20,
    });
  expect((await readLong('ttn/any', payloadOf(20_000))).parsed.kind).toBe('items');
  expect((await readLong('ttn/any', payloadOf(20_005))).parsed).toMatchObject({
    kind: 'unreadable',
    reason: { text: 'the lists in the payload have more than 20000 items' },
  });
});

describe('the JSON in a text of a payload', () => {
  const withJson = (objectJSON: string) => ({ devEUI: 'd', data: 1, fPort: 1, objectJSON });

  it('has at most two thousand fields, as any other', async () => {
    const fields = Object.fromEntries(repeat(2_001, (n) => [`temperature_${n}`, 20]));
    const { parsed } = await readLong('chirpstack-v3/any', withJson(JSON.stringify(fields)));
    const text = 'an object in the payload has more than 2000 fields';
    expect(parsed).toMatchObject({ kind: 'unreadable', reason: { text } });
  });

  it('is refused if it is nested too deeply', async () => {
    const json = '['.repeat(100_000) + ']'.repeat(100_000);
    const { parsed, unread } = await readLong('chirpstack-v3/any', withJson(json));
    const text = 'the payload is nested too deeply';
    expect(parsed).toMatchObject({ kind: 'unreadable', reason: { text } });
    expect(unread).toHaveLength(1);
  });

  it('is refused with U+0000, also in one of several lines', async () => {
    const reason = { text: 'the payload has the character U+0000' };
    const { parsed } = await readLong('chirpstack-v3/any', withJson('{"soil":"\\u0000"}'));
    expect(parsed).toMatchObject({ kind: 'unreadable', reason });
    const line = '{"result":{"end_device_ids":{"dev_eui":"\\u0000"}}}';
    expect((await readLong('ttn/any', `${line}\n${line}`)).parsed).toMatchObject({
      kind: 'unreadable',
      reason,
    });
  });

  it('is parsed once for all presets', async () => {
    const parse = vi.spyOn(JSON, 'parse');
    onTestFinished(() => void parse.mockRestore());
    await readLong('chirpstack-v3/any', withJson('{"wetness":20}'));
    expect(parse.mock.calls.filter(([text]) => text === '{"wetness":20}').length).toBeLessThan(4);
  });
});

it('tries once to decode a payload that is not JSON, whatever the number of rules', async () => {
  const parse = vi.spyOn(JSON, 'parse');
  onTestFinished(() => void parse.mockRestore());
  await readLong('zentra/logger', 'not JSON');
  expect(parse.mock.calls.filter(([text]) => text === 'not JSON').length).toBeLessThan(3);
});

describe('an object that has no text', () => {
  const WITHOUT_TEXT = { toString: 1, valueOf: 1 };

  it('is not that of a wanted item', async () => {
    const [network] = allNetworks();
    const uplink = uplinkOf(network!, 'd', { messages: [{ measurementId: WITHOUT_TEXT }] });
    expect((await readLong('ttn/any', uplink)).parsed.kind).toBe('empty');
  });

  it('is no unit', async () => {
    const readings = [{ datetime: new Date(RECEIVED_AT).toISOString(), value: 20 }];
    const metadata = { device_sn: 'z6', port_number: 1, units: WITHOUT_TEXT };
    const payload = { data: { 'Water Content': [{ metadata, readings }] } };
    const text = 'the unit of moisture is missing';
    const rejectedValues = [{ sender: 'z6/1', reason: { code: 'unknown_unit', text }, count: 1 }];
    expect((await readLong('zentra/logger', payload)).parsed).toMatchObject({ rejectedValues });
  });
});

it('lists at most a hundred senders whose values were rejected', async () => {
  const [network] = allNetworks();
  const uplinks = repeat(120, (n) => uplinkOf(network!, `d${n}`, { moisture: 0.2 }));
  const { parsed, unread } = await readLong('ttn/any', uplinks);
  expect(parsed).toMatchObject({ rejectedValues: { length: 120 } });
  expect(unread).toHaveLength(100);
});

it('has at most five thousand devices in a message', async () => {
  const uplinks = (count: number) =>
    repeat(count, (devEUI) => ({ devEUI, data: 1, object: { BAT: 3 } }));
  expect((await readLong('chirpstack-v3/dragino-se0x-lb', uplinks(9))).parsed).toMatchObject({
    devices: { length: 9 },
  });
  expect((await readLong('chirpstack-v3/dragino-se0x-lb', uplinks(5_001))).parsed).toMatchObject({
    kind: 'unreadable',
    reason: { text: 'the message has more than 5000 devices' },
  });
});

it('names the first fields of a long list', async () => {
  const [network] = allNetworks();
  const { unread } = await readLong(
    'ttn/any',
    uplinkOf(network!, 'd', { x: Array(9_000).fill(1) }),
  );
  expect(unread[0]?.reason).toEqual({
    code: 'no_known_field',
    text: expect.stringMatching(/x\.11 1 and many others$/),
  });
});
