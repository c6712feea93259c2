import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  mapSubscriptions,
  matchTopic,
  parsePayloadMap,
  toSubscription,
} from '../../../../src/service/ingest/payload/payload-map.ts';
import { findPreset, mapOfPresets } from '../../../../src/service/ingest/payload/presets.ts';
import { readPayload } from '../../../../src/service/ingest/payload/read-payload.ts';

const NOW = Date.UTC(2026, 6, 1, 10);

function parseMessage(map: object, topic: string | null, payload: unknown, isRetained = false) {
  const text = typeof payload === 'string' ? payload : JSON.stringify(payload);
  return readPayload(
    parsePayloadMap(JSON.stringify(map)),
    { topic, payload: Buffer.from(text), isRetained },
    NOW,
  );
}

function parse(rule: object, topic: string, payload: unknown) {
  const parsed = parseMessage({ readings: [rule] }, topic, payload);
  if (parsed.kind === 'ignored') return `ignored: ${parsed.reason.text}`;
  return parsed.kind === 'items' ? parsed.readings : parsed.reason.text;
}

describe('a topic', () => {
  it.each<[string, string, Record<string, string> | null]>([
    ['farm/{module}/soil', 'farm/A1/soil', { module: 'A1' }],
    ['farm/{module}/soil', 'farm/A1/air', null],
    ['farm/{module}/soil', 'farm/A1/soil/10', null],
    ['farm/{module}/soil', 'farm//soil', { module: '' }],
    ['{module}/{type}/{depth}', 'A1/humidity/10', { module: 'A1', type: 'humidity', depth: '10' }],
    ['+/{module}/#', 'x/A1', { module: 'A1' }],
    ['+/{module}/#', 'x/A1/b/c', { module: 'A1' }],
    ['{module}', '$SYS', null],
    ['{module}/#', '$SYS/broker/clients', null],
    ['#', '$SYS/broker/clients', null],
    ['farm/A1/soil', 'farm/+/soil', null],
    ['farm/A1/soil', 'farm/#', null],
    ['farm/{module}/soil', 'farm/A1\0/soil', { module: 'A1\0' }],
    ['farm/{module}/soil', 'farm/{module}/soil', { module: '{module}' }],
    ['$probes/{module}', '$probes/A1', { module: 'A1' }],
    ['home/{device}_moisture/state', 'home/north_moisture/state', { device: 'north' }],
    ['home/{device}_moisture/state', 'home/north_battery/state', null],
    ['home/{device}_soil_{channel}', 'home/gw_soil_12', { device: 'gw', channel: '12' }],
    ['home/{device}_soil_{channel}', 'home/gw_soil_a', null],
    ['home/{device}_soil_{channel}', 'home/gw_soil', null],
    ['home/{device}_soil_{channel}_%', 'home/gw_soil_1_%', { device: 'gw', channel: '1' }],
  ])('pattern %s matches %s by its levels', (pattern, topic, parts) => {
    expect(matchTopic(pattern, topic)).toEqual(parts);
  });

  it('is subscribed to once, with a wildcard for each name', () => {
    expect(toSubscription('farm/{module}/{type}/#')).toBe('farm/+/+/#');
    const rule = { time: 'arrival', values: [{ path: '', type: 'humidity' }] };
    const map = parsePayloadMap(
      JSON.stringify({
        readings: [{ topic: 'a/{module}', ...rule }],
        gateways: [{ topic: 'a/{imei}' }],
      }),
    );
    expect(mapSubscriptions(map)).toEqual(['a/+']);
  });
});

describe('a message', () => {
  it('can be the value alone if the topic names type and depth', () => {
    const rule = {
      topic: 'p/{module}/{type}/{depth}',
      time: 'arrival',
      values: [{ path: '', type: '{type}', depth: '{depth}' }],
    };
    expect(parse(rule, 'p/A1/humidity/10', '23.4')).toEqual([
      { module: 'A1', type: 'humidity', depth: 10, time: '2026-07-01T10:00:00.000Z', value: 23.4 },
    ]);
    expect(parse(rule, 'p/A1/humidity/deep', '23.4')).toBe(
      'the depth in the topic is not a number of cm (readings[0])',
    );
  });

  it('has times at the offset of a clock that stays the same all year', () => {
    const rule = (time: object) => ({
      topic: 'a/{module}',
      time: { path: 't', ...time },
      values: [{ path: 'v', type: 'humidity', depth: 10 }],
    });
    const timeOf = (time: object, t: string) => parse(rule(time), 'a/A1', { t, v: 21 });
    const winter = { unit: 'iso', utcOffset: '+01:00' };
    const local = '2026-03-29 02:30';
    expect(timeOf(winter, local)).toMatchObject([{ time: '2026-03-29T02:30+01:00' }]);
    expect(timeOf(winter, `${local}Z`)).toMatchObject([{ time: '2026-03-29T02:30Z' }]);
    expect(timeOf({ unit: 'iso' }, local)).toMatchObject([{ time: '2026-03-29T02:30' }]);
    for (const time of [winter, { unit: 'utc' }])
      expect(timeOf(time, '29/03/2026 02:30')).toContain('not an ISO 8601 text');
    expect(() => timeOf({ unit: 's', utcOffset: '+01:00' }, local)).toThrow('utcOffset');
  });

  it('can have samples with a time each, and name the module in the payload', () => {
    const rule = {
      topic: 'up/#',
      module: { path: 'device.id' },
      each: 'samples',
      time: { path: 't', unit: 'ms' },
      values: [
        { path: 'v.0', type: 'humidity', depth: 10 },
        { path: 'v.1', type: 'temperature', depth: 10, scale: 0.01, offset: -40 },
      ],
    };
    const samples = [
      { t: NOW - 60_000, v: [20, 6123] },
      { t: String(NOW), v: ['21'] },
      { t: NOW, v: [null, null] },
    ];
    expect(parse(rule, 'up/x', { device: { id: 7 }, samples })).toEqual([
      { module: '7', type: 'humidity', depth: 10, time: '2026-07-01T09:59:00.000Z', value: 20 },
      {
        module: '7',
        type: 'temperature',
        depth: 10,
        time: '2026-07-01T09:59:00.000Z',
        value: 21.23,
      },
      { module: '7', type: 'humidity', depth: 10, time: '2026-07-01T10:00:00.000Z', value: 21 },
    ]);
    expect(parse(rule, 'up/x', { samples })).toBe(
      'the message names no module (readings[0].module)',
    );
    expect(parse(rule, 'up/x', { device: { id: 7 } })).toBe(
      'no path of the map has a value; readings[0].each, "samples", is the first',
    );
  });

  it.each<[string, unknown, string]>([
    ['s', 1782900000, '2026-07-01T10:00:00.000Z'],
    ['s', 1782900000.25, '2026-07-01T10:00:00.250Z'],
    ['ms', 1782900000000, '2026-07-01T10:00:00.000Z'],
    ['iso', '2026-07-01T12:00', '2026-07-01T12:00'],
    ['s', 1e300, 'the time is not a number of s (readings[0].time)'],
    ['s', true, 'the time is not a number of s (readings[0].time)'],
    ['s', '', 'the time is not a number of s (readings[0].time)'],
    ['iso', 1782900000, 'the time is not an ISO 8601 text (readings[0].time)'],
    ['s', null, 'the message has no time (readings[0].time)'],
  ])('has its time in %s: %j', (unit, t, expected) => {
    const rule = {
      topic: '{module}',
      time: { path: 't', unit },
      values: [{ path: 'v', type: 'humidity' }],
    };
    const parsed = parse(rule, 'A1', { t, v: 1 });
    expect(
      typeof parsed === 'string' ? parsed : parsed.map((row) => (row as { time: string }).time)[0],
    ).toBe(expected);
  });

  it('passes on a value that is not a number for its row to be rejected, and reads none from a prototype', () => {
    const rule = (path: string) => ({
      topic: '{module}',
      time: 'arrival',
      values: [{ path, type: 'humidity' }],
    });
    expect(parse(rule('v'), 'A1', { v: 'wet' })).toMatchObject([{ value: '"wet"' }]);
    expect(parse(rule('constructor.name'), 'A1', {})).toBe(
      'no path of the map has a value; readings[0].values[0].path, "constructor.name", is the first',
    );
  });

  it('passes on nothing that a batch cannot have', () => {
    const rule = {
      topic: '{module}',
      time: { path: 't', unit: 'iso' },
      values: [{ path: 'v', type: 'humidity' }],
    };
    const long = 'x'.repeat(100_000);
    expect(parse(rule, 'A1', { t: '2026-07-01T06:00', v: 'a\0' })).toBe(
      'the payload has the character U+0000',
    );
    expect(parse(rule, 'x'.repeat(201), { t: '2026-07-01T06:00', v: 1 })).toBe(
      'the message names no module (readings[0].module)',
    );
    expect(parse(rule, 'x'.repeat(1_001), { t: '2026-07-01T06:00', v: 1 })).toBe(
      'ignored: its topic has more than 1000 characters',
    );
    expect(
      JSON.stringify(parse(rule, 'A1', { t: '2026-07-01T06:00', v: '1'.repeat(201) })),
    ).toContain('"value":"\\"111');
    expect(parse(rule, 'A1', { t: long, v: 1 })).toBe(
      'the time is not an ISO 8601 text (readings[0].time)',
    );
    const shortened = parse(rule, 'A1', { t: '2026-07-01T06:00', v: { long } });
    expect(JSON.stringify(shortened).length).toBeLessThan(400);
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    expect(parse(rule, 'A1', `{"t":"2026-07-01T06:00","v":${deep}}`)).toBe(
      'the payload is nested too deeply',
    );
  });

  it('is limited to two thousand fields in an object', () => {
    const rule = {
      topic: '{module}',
      time: 'arrival',
      values: [{ path: 'deep.a1', type: 'humidity' }],
    };
    const payloadOf = (count: number) => ({
      deep: Object.fromEntries(Array.from({ length: count }, (_, n) => [`a${n}`, n])),
    });
    expect(parse(rule, 'A1', payloadOf(2_000))).toHaveLength(1);
    expect(parse(rule, 'A1', payloadOf(2_001))).toBe(
      'an object in the payload has more than 2000 fields',
    );
  });

  it('is written once for all of its devices', () => {
    const temperatures = Object.fromEntries(
      Array.from({ length: 200 }, (_, n) => [`temperature_${n}`, 20 + (n % 9)]),
    );
    const payload = {
      end_device_ids: { dev_eui: 'A84041FFFF181001' },
      received_at: new Date(NOW).toISOString(),
      uplink_message: { decoded_payload: temperatures },
    };
    const bytes = Buffer.from(JSON.stringify(payload));
    const map = mapOfPresets([findPreset('ttn/any')], undefined);
    const written = vi.spyOn(JSON, 'stringify');
    onTestFinished(() => void written.mockRestore());
    const message = readPayload(map, { topic: null, payload: bytes }, NOW);
    expect(message.kind === 'items' && message.devices.length).toBeGreaterThan(100);
    expect(written.mock.calls.filter(([value]) => value?.uplink_message).length).toBe(1);
  });

  it('is limited to 262144 bytes and five thousand readings', () => {
    const rule = {
      topic: '{module}',
      each: '',
      time: 'arrival',
      values: [{ path: '', type: 'humidity' }],
    };
    expect(parse(rule, 'A1', JSON.stringify(Array(5_000).fill(1)))).toHaveLength(5_000);
    expect(parse(rule, 'A1', JSON.stringify(Array(5_001).fill(1)))).toBe(
      'the message has more than 5000 readings',
    );
    expect(parse(rule, 'A1', `[${' '.repeat(262_144)}]`)).toBe(
      'the payload is larger than 262144 bytes',
    );
  });
});

describe('a payload', () => {
  const VALUE = { type: 'humidity', depth: 10 };
  const valuesOf = (rule: object, payload: unknown) => {
    const parsed = parse({ topic: '{module}', time: 'arrival', ...rule }, 'A1', payload);
    return typeof parsed === 'string'
      ? parsed
      : parsed.map((row) => (row as { value: unknown }).value);
  };

  it('can be a form or plain text', () => {
    expect(
      valuesOf({ format: 'form', values: [{ path: 'soil 1', ...VALUE }] }, 'soil+1=23.5&b=%32'),
    ).toEqual([23.5]);
    expect(valuesOf({ format: 'text', values: [{ path: '', ...VALUE }] }, ' 23.4\n')).toEqual([
      23.4,
    ]);
    expect(valuesOf({ format: 'form', values: [{ path: 'a', ...VALUE }] }, '{}')).toBe(
      'the payload is not a form (name=value&…)',
    );
  });

  it('is read by the value of an item of a list, wherever it stands', () => {
    const rule = { values: [{ path: 'messages[id=4103].value', ...VALUE }] };
    const messages = [{ id: 4108, value: 0.5 }, null, { id: 4103, value: 30.9 }];
    expect(valuesOf(rule, { messages })).toEqual([30.9]);
    expect(valuesOf(rule, { messages: messages.toReversed() })).toEqual([30.9]);
    expect(valuesOf(rule, { messages: { id: 4103, value: 1 } })).toContain(
      'no path of the map has a value',
    );
  });

  it('has samples in lists of lists, which name what encloses them', () => {
    const rule = {
      topic: 'up',
      device: { path: '../id' },
      each: 'sensors[].data',
      time: { path: 'ts', unit: 's' },
      values: [{ path: 'v', ...VALUE }],
    };
    const sensors = [
      {
        id: 'A1',
        data: [
          { ts: 1782115200, v: 1 },
          { ts: 1782115260, v: 2 },
        ],
      },
      { id: 'A2' },
      { id: 'A3', data: [{ ts: 1782115200, v: 3 }] },
    ];
    const devices = { A1: { module: 'A1' }, A3: { module: 'A3' } };
    const parsed = parseMessage({ devices, readings: [rule] }, 'up', { sensors });
    expect(parsed).toMatchObject({
      readings: [
        { module: 'A1', value: 1 },
        { module: 'A1', value: 2, time: '2026-06-22T08:01:00.000Z' },
        { module: 'A3', value: 3 },
      ],
    });
  });

  it.each<[string, string, unknown, string]>([
    ['iso', 'a space', '2026-06-20 10:00:00', '2026-06-20T10:00:00'],
    ['iso', 'slashes', '2026/06/20 10:00', '2026-06-20T10:00'],
    ['iso', 'an offset without a colon', '2026-06-20 10:00:00+0000', '2026-06-20T10:00:00+00:00'],
    ['iso', 'hours alone as its offset', '2026-06-20T10:00:00-07', '2026-06-20T10:00:00-07:00'],
    ['utc', 'UTC without an offset', '2026-04-18 14:10:14', '2026-04-18T14:10:14Z'],
    [
      'utc',
      'another offset all the same',
      '2026-04-18 14:10:14+02:00',
      '2026-04-18T14:10:14+02:00',
    ],
  ])('may have a time in %s with %s', (unit, _, sent, time) => {
    const rule = {
      topic: '{module}',
      time: { path: 't', unit },
      values: [{ path: 'v', ...VALUE }],
    };
    expect(parse(rule, 'A1', { t: sent, v: 1 })).toMatchObject([{ time }]);
  });

  it('converts degrees Fahrenheit and parts of the volume', () => {
    // 32 °F and 212 °F are the ice and steam points, 0 and 100 °C.
    const rule = {
      values: [
        { path: 'f', unit: '°F', type: 'temperature' },
        { path: 'm', unit: 'm3/m3', ...VALUE },
      ],
    };
    expect(valuesOf(rule, { f: 32, m: '0.295' })).toEqual([0, 29.5]);
    expect(valuesOf(rule, { f: 212 })).toEqual([100]);
    expect(valuesOf(rule, { f: 91.22 })).toEqual([32.9]);
  });

  it('drops and counts the codes of a failed measurement, of the rule or of the value alone', () => {
    const map = {
      readings: [
        {
          topic: '{module}',
          time: 'arrival',
          missing: ['unavailable', -1],
          values: [
            { path: 'a', ...VALUE },
            { path: 'b', type: 'temperature', missing: [-327.68] },
          ],
        },
      ],
    };
    expect(parseMessage(map, 'A1', { a: '-1.000', b: -1 })).toMatchObject({
      failedMeasurements: 1,
      readings: [{ value: -1 }],
    });
    expect(parseMessage(map, 'A1', { a: 'unavailable', b: -327.68 })).toMatchObject({
      failedMeasurements: 2,
      readings: [],
    });
  });

  it('is ignored when it is simulated, retained, of other sensors, or without what the rule requires', () => {
    const rule = {
      topic: '{module}',
      time: 'arrival',
      values: [{ path: 'v', ...VALUE }],
      requires: ['v'],
      ignore: [
        { path: 'simulated', value: true },
        { path: 'kind', otherThan: [1, 2] },
      ],
    };
    expect(parse(rule, 'A1', { v: 1, kind: 2 })).toHaveLength(1);
    for (const payload of [
      { v: 1, kind: 1, simulated: true },
      { v: 1, kind: 3 },
      { v: 1 },
      { kind: 1 },
    ])
      expect(parse(rule, 'A1', payload)).toBe('ignored: the map says so');
    expect(parseMessage({ readings: [rule] }, 'A1', { v: 1, kind: 1 }, true)).toEqual({
      kind: 'ignored',
      reason: { code: 'ignored', text: 'it was retained' },
    });
    expect(parse({ ...rule, topic: 'b/{module}' }, 'A1', {})).toBe(
      'ignored: the map has no rule for the topic',
    );
  });

  it('comes from devices that are assigned to modules and depths, however their EUI is written', () => {
    const rule = {
      topic: 'up',
      device: { path: 'eui' },
      time: 'arrival',
      values: [
        { path: 'a', type: 'humidity' },
        { path: 'b', type: 'humidity', position: 1 },
        { path: 'c', type: 'humidity', channel: '3' },
      ],
    };
    const devices = {
      '70b3d57ed0000001': { module: 'North 1', depth: 30 },
      '70-B3-D5-7E-D0-00-00-02': { module: 'North 1', depths: [10, 20] },
      '70B3D57ED0000002/3': { module: 'North 2' },
    };
    const parsed = (payload: object) => parseMessage({ devices, readings: [rule] }, 'up', payload);
    const rows = (payload: object) =>
      (parsed(payload) as Extract<ReturnType<typeof parsed>, { readings: unknown }>).readings;
    expect(rows({ eui: '70B3D57ED0000001', a: 1 })).toMatchObject([
      { module: 'North 1', depth: 30, value: 1 },
    ]);
    expect(rows({ eui: '70b3d57ed0000002', a: 1, b: 2, c: 3 })).toMatchObject([
      { module: 'North 1', depth: 10 },
      { module: 'North 1', depth: 20 },
      { module: 'North 2', depth: null },
    ]);
    expect(parsed({ eui: '70B3D57ED0000001', a: 1, c: 3 })).toMatchObject({
      readings: [
        { module: 'North 1' },
        { device: '70B3D57ED0000001/3', type: 'humidity', value: 3 },
      ],
      devices: [
        { device: '70B3D57ED0000001', module: 'North 1', depths: [30] },
        { device: '70B3D57ED0000001/3', payload: '{"eui":"70B3D57ED0000001","a":1,"c":3}' },
      ],
    });
    expect(parsed({ eui: '70B3D57ED0000001', b: 1 })).toEqual({
      kind: 'unreadable',
      reason: {
        code: 'unreadable',
        text: 'the device "70B3D57ED0000001" needs 2 depths or more',
      },
    });
  });

  it('shows a short hash of a secret instead of it', () => {
    const rule = {
      topic: 'up',
      format: 'form',
      secrets: ['KEY'],
      device: { path: 'KEY' },
      time: 'arrival',
    };
    const parsed = parseMessage(
      { readings: [{ ...rule, values: [{ path: 'a', ...VALUE }] }] },
      'up',
      'KEY=abc&a=1',
    );
    // printf abc | sha256sum
    expect(parsed).toMatchObject({
      readings: [{ device: 'ba7816bf', depth: 10 }],
      devices: [{ device: 'ba7816bf', payload: '{"KEY":"ba7816bf","a":"1"}' }],
    });
  });
});

describe('a map', () => {
  it.each<[string, object, string]>([
    ['no topic', {}, 'The map names no topic.'],
    [
      'a topic without the level it needs',
      { gateways: [{ topic: 'a/+/b' }] },
      'gateways[0].imei needs a level {imei}',
    ],
    [
      'a wildcard in the middle of a level',
      { gateways: [{ topic: 'a/b+/{imei}' }] },
      'gateways[0].topic is not valid: expected a topic with named levels',
    ],
    [
      'an unknown type',
      {
        readings: [{ topic: '{module}', time: 'arrival', values: [{ path: 'v', type: 'colour' }] }],
      },
      'readings[0].values[0].type is not valid: expected one of humidity, temperature, tensio',
    ],
    [
      'no value',
      { readings: [{ topic: '{module}', time: 'arrival', values: [] }] },
      'readings[0].values names no value',
    ],
    [
      'a reading without its time',
      { readings: [{ topic: '{module}', values: [] }] },
      'readings[0].time is',
    ],
  ])('is refused with %s', (_, map, message) => {
    expect(() => parsePayloadMap(JSON.stringify(map))).toThrow(message);
  });
});

function readPreset(name: string, payload: string) {
  const map = mapOfPresets([findPreset(name)], undefined);
  const parsed = readPayload(map, { topic: null, payload: Buffer.from(payload) }, NOW);
  if (parsed.kind !== 'items') throw new Error(JSON.stringify(parsed));
  return parsed;
}

describe('the preset of ZENTRA', () => {
  const readMeasure = (measure: string, units: string | undefined, value: number) => {
    const metadata = { device_sn: 'z6-1', port_number: 2, units };
    const readings = [{ datetime: '2026-06-20 10:00:00+0000', value, error_flag: false }];
    const other = [{ metadata: { ...metadata, units: ' °C' }, readings }];
    const data = { 'Air Temperature': other, [measure]: [{ metadata, readings }] };
    return readPreset('zentra/logger', JSON.stringify({ data }));
  };

  it.each([
    ['Water Content', ' m³/m³', 0.245, 'humidity', 24.5],
    ['Water Content', 'm^3/m^3', 0.245, 'humidity', 24.5],
    ['Water Content', ' %', 24.5, 'humidity', 24.5],
    ['Soil Temperature', ' °C', 20, 'temperature', 20],
    ['Soil Temperature', ' °F', 68, 'temperature', 20],
    ['Soil Temperature', 'deg C', 20, 'temperature', 20],
    ['Matric Potential', ' kPa', -33, 'tensio', 33],
    ['Matric Potential', ' bar', -0.33, 'tensio', 33],
  ])('reads %s in %s', (measure, units, value, type, stored) => {
    const { readings, rejectedValues } = readMeasure(measure, units, value);
    const expected = { device: 'z6-1/2', type, time: '2026-06-20T10:00:00+00:00', value: stored };
    expect(readings.filter(({ device }) => device === 'z6-1/2')).toEqual([expected]);
    expect(rejectedValues).toEqual([]);
  });

  it.each([
    ['Water Content', ' in/ft', 'the unit "in/ft" of moisture is unknown'],
    ['Soil Temperature', ' K', 'the unit "K" of temperature is unknown'],
    ['Matric Potential', ' pF', 'the unit "pF" of tension is unknown'],
    ['Water Content', undefined, 'the unit of moisture is missing'],
  ])('counts and names values of %s in the unknown unit %s', (measure, units, reason) => {
    const { readings, rejectedValues } = readMeasure(measure, units, 2.9);
    expect(readings.filter(({ device }) => device === 'z6-1/2')).toEqual([]);
    expect(rejectedValues).toEqual([
      { sender: 'z6-1/2', reason: { code: 'unknown_unit', text: reason }, count: 1 },
    ]);
  });
});

describe('the preset of Ecowitt', () => {
  const read = (fields: string) =>
    readPreset('ecowitt/wh51', `PASSKEY=1&dateutc=2026-06-20+10:00:00&soilmoisture1=20&${fields}`);

  it.each([
    ['drain_piezo=0.500&dailyrainin=0.000', [12.7]],
    ['drain_piezo=0.000&dailyrainin=0.500', [12.7]],
    ['drain_piezo=0.100&dailyrainin=0.500', [12.7]],
    ['drain_piezo=0.500', [12.7]],
    ['dailyrainin=0.500&drain_piezo=x', ['"x"', 12.7]],
  ])('takes the larger total of two gauges: %s', (fields, mm) => {
    const { rain } = read(fields);
    expect(rain.map((row) => 'mm' in row && row.mm)).toEqual(mm);
  });

  it('counts values that stand for a failed measurement', () => {
    const { readings, rain, weather, failedMeasurements } = read(
      'soilmoisture2=--&tf_ch1=-9999&tempf=-9999&humidity=--&windspeedmph=-9999&solarradiation=--.-&dailyrainin=-9999',
    );
    expect(readings).toHaveLength(1);
    expect([...rain, ...weather]).toEqual([]);
    expect(failedMeasurements).toBe(7);
  });
});

it('has the time of its newest sample as the last contact of a device', () => {
  const map = {
    readings: [
      {
        device: '{device}',
        topic: 'farm/{device}',
        each: 'samples',
        time: { path: 't', unit: 'iso' },
        values: [{ path: 'v', type: 'humidity' }],
      },
    ],
  };
  const times = ['2026-06-30T10:00:00Z', '2026-07-01T09:00:00Z', '2026-06-28T10:00:00Z'];
  const payload = { samples: times.map((t) => ({ t, v: 20 })) };
  expect(parseMessage(map, 'farm/soil-1', payload)).toMatchObject({
    devices: [{ device: 'soil-1', time: times[1] }],
  });
});
