import { describe, expect, it } from 'vitest';
import { normalizeDeviceId } from '../../../../src/domain/ingest/payload-values.ts';
import { allNetworks } from '../../../../src/service/ingest/payload/lorawan/networks.ts';
import { findPreset, mapOfPresets } from '../../../../src/service/ingest/payload/presets.ts';
import { readPayload } from '../../../../src/service/ingest/payload/read-payload.ts';
import { unreadItems } from '../../../../src/service/ingest/payload/unread-message.ts';
import { exampleOf } from '../preset-examples.ts';

type Json = Record<string, unknown>;

/** The message that is sent for a Milesight EM500-SMTC. */
const messageOf = (network: string): Json =>
  Object(exampleOf(`${network}/milesight-em500-smtc`).payload);

/** Adds an object at a path, such as "decoded.data". */
function withValue(object: Json, path: string, value: unknown): Json {
  const [name = '', ...rest] = path.split('.');
  const inner = rest.length === 0 ? value : withValue(Object(object[name]), rest.join('.'), value);
  return { ...object, [name]: inner };
}

const decodedPath = (network: string): string =>
  allNetworks().find(({ name }) => name === network)!.decoded;

/** JSON has no undefined value. */
const withoutDecoder = (network: string): Json =>
  withValue(messageOf(network), decodedPath(network), undefined);

/** The fields of a Milesight EM500-SMTC. Source: Milesight-IoT/SensorDecoders. */
const DECODED = { battery: 92, temperature: 30.8, moisture: 28.1 };

const INSTANTS = {
  'chirpstack-v3': '2019-11-08T13:59:25.048Z',
  loriot: '2023-08-01T14:47:40.493Z',
  thingpark: '2024-11-28T21:08:22.138Z',
  aws: '2020-12-07T14:41:48.000Z',
  helium: '2020-04-14T12:49:06.123Z',
};

function read(preset: string, payload: Json) {
  const map = mapOfPresets([findPreset(preset)], undefined);
  const message = { topic: null, payload: Buffer.from(JSON.stringify(payload)), isAnswer: true };
  const now = Date.parse('2026-07-01T10:00:00Z');
  const parsed = readPayload(map, message, now);
  return { parsed, unread: unreadItems({ map, message, via: preset, parsed, now }) };
}

describe('an uplink', () => {
  it.each([
    ['chirpstack-v3', '0202020202020202', '0303030303030303', -48, 9],
    ['loriot', '0102030405060708', '1020304080706050', -38, 8.5],
    ['thingpark', '70B3D57BA000156B', '100019D4', -114, 4.75],
    ['aws', 'A84041D55182720B', 'DCA632FFFE45B3C0', -76, 9.75],
    ['helium', '1C29FBD1D2084E21', 'cool-chiffon-hornet', -51, 9],
  ] as const)('of %s gives readings, battery and signal', (network, device, gateway, rssi, snr) => {
    const { parsed } = read(`${network}/milesight-em500-smtc`, messageOf(network));
    if (parsed.kind !== 'items') throw new Error(JSON.stringify(parsed));
    const time = expect.stringMatching(INSTANTS[network].slice(0, 19));
    expect(parsed.readings).toEqual([
      { device, time, type: 'humidity', value: 28.1 },
      { device, time, type: 'temperature', value: 30.8 },
    ]);
    expect(parsed.devices).toMatchObject([{ device, batteryPercent: 92, rssi, snr }]);
    expect(normalizeDeviceId(parsed.devices[0]!.gateway!)).toBe(gateway);
  });

  it.each(Object.keys(INSTANTS))('of %s without a decoder says where to add it', (network) => {
    const { unread } = read(`${network}/milesight-em500-smtc`, withoutDecoder(network));
    expect(unread).toMatchObject([
      {
        reason: {
          code: 'not_decoded',
          text: expect.stringContaining(`no ${decodedPath(network)}:`),
        },
      },
    ]);
  });

  it('of ChirpStack v3 is read where its decoded object is a text, and its gateway has no clock', () => {
    const envelope = { ...withoutDecoder('chirpstack-v3'), objectJSON: JSON.stringify(DECODED) };
    const { parsed } = read('chirpstack-v3/milesight-em500-smtc', { ...envelope, rxInfo: [] });
    expect(parsed).toMatchObject({
      readings: [{ value: 28.1, time: '2026-07-01T10:00:00.000Z' }, { value: 30.8 }],
    });
  });
});

const uplinkOf = (network: string): Json => Object(exampleOf(`${network}/any`).payload);

function readingsOf(preset: string, payload: Json) {
  const { parsed } = read(preset, payload);
  if (parsed.kind !== 'items') throw new Error(JSON.stringify(parsed));
  const { readings, weather, source } = parsed;
  const rows = [...readings, ...weather].map(
    ({ device, depth, type, value }) => [device, depth, type, value] as const,
  );
  return { rows, source };
}

describe('the preset for any device of a network', () => {
  const eui = 'A84041FFFF181F0D';

  // TheThingsNetwork/lorawan-devices, lib/payload.json: % and °C, depths in cm, wind in m/s.
  it('reads the normalized payload of The Things Stack, with its depths', () => {
    expect(readingsOf('ttn/any', uplinkOf('ttn'))).toEqual({
      source: 'ttn/any',
      rows: [
        [eui, 20, 'humidity', 21.5],
        [eui, 20, 'temperature', 18.2],
        [eui, 40, 'humidity', 26.5],
        [`${eui}/air`, null, 'temperature', 24.1],
        [`${eui}/air`, null, 'humidity', 55],
        [`${eui}/air`, undefined, 'wind', 1.5],
      ],
    });
  });

  it('leaves the depth of a soil to its assignment where the payload has none', () => {
    const payload = withValue(uplinkOf('ttn'), 'uplink_message.normalized_payload', [
      { soil: { moisture: 21.5 } },
    ]);
    expect(readingsOf('ttn/any', payload).rows).toEqual([[eui, undefined, 'humidity', 21.5]]);
  });

  // The names of The Things Stack are those of its documentation of that formatter. Of what ChirpStack
  // makes of Cayenne LPP no capture was found: its message is built from what is known of its codec.
  it.each([
    ['chirpstack', uplinkOf('chirpstack')],
    [
      'ttn',
      withValue(uplinkOf('ttn'), 'uplink_message', {
        f_port: 1,
        decoded_payload: { relative_humidity_3: 27.5, temperature_1: 18.2, analog_in_2: 3.3 },
      }),
    ],
  ])('reads Cayenne LPP on %s by channel', (network, payload) => {
    expect(readingsOf(`${network}/any`, payload).rows).toEqual([
      [`${eui}/3`, undefined, 'humidity', 27.5],
      [`${eui}/1`, undefined, 'temperature', 18.2],
    ]);
  });

  it('reads what another preset of the network reads, by that one', () => {
    const payload = withValue(withoutDecoder('loriot'), 'decoded.data', DECODED);
    expect(readingsOf('loriot/any', payload)).toMatchObject({
      source: 'loriot/milesight-em500-smtc',
      rows: [{}, {}],
    });
  });

  it('names the fields of a device that none of them reads', () => {
    const payload = withValue(withoutDecoder('loriot'), 'decoded.data', { soil_wetness: 24.5 });
    expect(read('loriot/any', payload).unread).toMatchObject([
      { reason: { code: 'no_known_field', text: expect.stringContaining('soil_wetness 24.5') } },
    ]);
  });
});

describe('a message of another network', () => {
  it.each(allNetworks().filter(({ name }) => name !== 'ttn'))(
    'is refused with the name of that network: $title',
    ({ name, title }) => {
      const { parsed } = read('ttn/dragino-lse01', messageOf(name));
      expect(parsed).toMatchObject({
        kind: 'unreadable',
        reason: { code: 'other_network', text: expect.stringContaining(title) },
      });
    },
  );

  it('is refused with the names of those that are known, if it is of none', () => {
    const { parsed } = read('ttn/dragino-lse01', { deviceId: 'A84041FFFF181F0D', data: '0D2A' });
    expect(parsed).toMatchObject({ kind: 'unreadable', reason: { code: 'unknown_envelope' } });
    for (const { name, title } of allNetworks())
      expect(parsed).toHaveProperty('reason.text', expect.stringContaining(`${title} (${name})`));
  });
});
