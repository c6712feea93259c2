import { describe, expect, it } from 'vitest';
import { findPreset, mapOfPresets } from '../../../../src/service/ingest/payload/presets.ts';
import { readPayload } from '../../../../src/service/ingest/payload/read-payload.ts';
import { unreadItems } from '../../../../src/service/ingest/payload/unread-message.ts';

const NOW = Date.UTC(2026, 6, 1, 10);
const EUI = 'A84041FFFF181F0D';

function unread(preset: string, payload: object | string) {
  const map = mapOfPresets([findPreset(preset)], undefined);
  const text = typeof payload === 'string' ? payload : JSON.stringify(payload);
  const message = { topic: null, payload: Buffer.from(text) };
  return (
    unreadItems({
      map,
      message,
      via: preset,
      parsed: readPayload(map, message, NOW),
      now: NOW,
    })[0] ?? null
  );
}

const uplink = (decoded?: object) => ({
  end_device_ids: { dev_eui: EUI },
  received_at: '2026-07-01T09:59:00Z',
  uplink_message: { f_port: 2, frm_payload: 'Dh4AAA==', decoded_payload: decoded },
});

describe('a message that gives nothing', () => {
  it('names the device and says where to add the decoder of the network', () => {
    expect(unread('ttn/dragino-lse01', uplink())).toMatchObject({
      sender: EUI,
      via: 'ttn/dragino-lse01',
      reason: { code: 'not_decoded', text: expect.stringContaining('The Things Stack') },
      payload: JSON.stringify(uplink()),
    });
    const chirpstack = { deviceInfo: { devEui: EUI }, time: '2026-07-01T09:59:00Z', data: 'Dh4A' };
    expect(unread('chirpstack/dragino-lse01', { ...chirpstack, fPort: 2 })).toMatchObject({
      sender: EUI,
      reason: { code: 'not_decoded', text: expect.stringContaining('ChirpStack') },
    });
  });

  it('says which preset knows its fields', () => {
    const milesight = uplink({ battery: 92, moisture: 24.5, temperature: 18.2, ec: 120 });
    expect(unread('ttn/dragino-lse01', milesight)?.reason).toEqual({
      code: 'other_preset',
      text: expect.stringContaining('ttn/milesight-em500-smtc'),
    });
  });

  it('lists the fields that are there where no preset knows them, also beside a battery', () => {
    for (const battery of [{}, { BatV: 3.6 }]) {
      const renamed = uplink({ soil_wetness: 24.5, soil: { degrees: 18 }, ...battery });
      expect(unread('ttn/dragino-lse01', renamed)).toMatchObject({
        sender: EUI,
        reason: {
          code: 'no_known_field',
          text: expect.stringContaining('soil_wetness 24.5, soil.degrees 18'),
        },
      });
    }
  });

  it('names no preset for a field that no preset knows, nor what is no value', () => {
    for (const preset of ['generic/json', 'zigbee2mqtt/soil-sensor']) {
      const message = { device: 'node-1', time: '2026-07-01T09:59:00Z', feuchte: 24.5 };
      expect(unread(preset, message)?.reason.code).not.toBe('other_preset');
      if (preset === 'generic/json')
        expect(unread(preset, message)).toMatchObject({
          sender: 'node-1',
          reason: { code: 'no_known_field', text: expect.stringMatching(/: feuchte 24.5$/) },
        });
    }
  });

  it('is one that was not read in full where it has other values', () => {
    const time = '2026-07-01T09:59:00Z';
    const codeOf = (values: object) =>
      unread('generic/json', { device: 'node-1', time, ...values })?.reason.code;
    expect(codeOf({ temperature: 18, moisture_30: 0.22 })).toBe('value_refused');
    expect(codeOf({ moisture_30: 0.22 })).toBe('fraction');
  });

  it('is of its preset where it names no device, without what may hold a secret', () => {
    expect(unread('ttn/dragino-lse01', 'not JSON')).toEqual({
      sender: 'ttn/dragino-lse01',
      via: 'ttn/dragino-lse01',
      reason: { code: 'unreadable', text: 'the payload is not JSON' },
      payload: 'not JSON',
    });
    expect(unread('ecowitt/wh51', 'PASSKEY:1234')).toEqual({
      sender: 'ecowitt/wh51',
      via: 'ecowitt/wh51',
      reason: { code: 'unreadable', text: 'the payload is not a form (name=value&…)' },
    });
    expect(unread('ecowitt/wh51', 'PASSKEY=1234&dateutc=now&x=1')?.payload).not.toContain('1234');
  });
});

it.each([
  ['a reading', 'ttn/dragino-lse01', uplink({ water_SOIL: 24, temp_SOIL: 18 })],
  ['a status', 'ttn/dragino-lse01', uplink({ BatV: 3.6, TDC: 1200 })],
  ['a simulated uplink', 'ttn/dragino-lse01', { ...uplink(), simulated: true }],
  ['a join', 'ttn/dragino-lse01', { end_device_ids: { dev_eui: EUI }, join_accept: {} }],
])('%s is not such a message', (_, preset, payload) => {
  expect(unread(preset, payload)).toBeNull();
});
