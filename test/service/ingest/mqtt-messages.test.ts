import { describe, expect, it } from 'vitest';
import {
  mapSubscriptions,
  matchTopic,
  parseMqttMap,
  toSubscription,
} from '../../../src/service/ingest/mqtt/mqtt-map.ts';
import { parseMqttMessage } from '../../../src/service/ingest/mqtt/mqtt-messages.ts';

const NOW = Date.UTC(2026, 6, 1, 10);

function parse(rule: object, topic: string, payload: unknown) {
  const map = parseMqttMap(JSON.stringify({ readings: [rule] }));
  const text = typeof payload === 'string' ? payload : JSON.stringify(payload);
  const parsed = parseMqttMessage(map, topic, Buffer.from(text), NOW);
  return 'refused' in parsed ? parsed.refused : parsed.readings;
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
  ])('pattern %s matches %s by its levels', (pattern, topic, parts) => {
    expect(matchTopic(pattern, topic)).toEqual(parts);
  });

  it('is subscribed to once, with a wildcard for each name', () => {
    expect(toSubscription('farm/{module}/{type}/#')).toBe('farm/+/+/#');
    const rule = { time: 'arrival', values: [{ path: '', type: 'humidity' }] };
    const map = parseMqttMap(
      JSON.stringify({ readings: [{ topic: 'a/{module}', ...rule }], gateways: [{ topic: 'a/{imei}' }] }),
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
    expect(parse(rule, 'p/A1/humidity/deep', '23.4')).toBe('the depth in the topic is not a number of cm');
  });

  it('can have samples with a time each, and name the module in the payload', () => {
    const rule = {
      ...{ topic: 'up/#', module: { path: 'device.id' }, each: 'samples', time: { path: 't', unit: 'ms' } },
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
      { module: '7', type: 'temperature', depth: 10, time: '2026-07-01T09:59:00.000Z', value: 21.23 },
      { module: '7', type: 'humidity', depth: 10, time: '2026-07-01T10:00:00.000Z', value: 21 },
    ]);
    expect(parse(rule, 'up/x', { samples })).toBe('the message names no module');
    expect(parse(rule, 'up/x', { device: { id: 7 } })).toBe('the path of the samples does not hold a list');
  });

  it.each<[string, unknown, string]>([
    ['s', 1782900000, '2026-07-01T10:00:00.000Z'],
    ['s', 1782900000.25, '2026-07-01T10:00:00.250Z'],
    ['ms', 1782900000000, '2026-07-01T10:00:00.000Z'],
    ['iso', '2026-07-01T12:00', '2026-07-01T12:00'],
    ['s', 1e300, 'the time is not a number of s'],
    ['s', true, 'the time is not a number of s'],
    ['s', '', 'the time is not a number of s'],
    ['iso', 1782900000, 'the time is not an ISO 8601 text'],
    ['s', null, 'the message has no time'],
  ])('has its time in %s: %j', (unit, t, expected) => {
    const rule = { topic: '{module}', time: { path: 't', unit }, values: [{ path: 'v', type: 'humidity' }] };
    const parsed = parse(rule, 'A1', { t, v: 1 });
    expect(typeof parsed === 'string' ? parsed : parsed.map((row) => (row as { time: string }).time)[0]).toBe(expected);
  });

  it('passes on a value that is not a number for its row to be refused, and reads none from a prototype', () => {
    const rule = (path: string) => ({ topic: '{module}', time: 'arrival', values: [{ path, type: 'humidity' }] });
    expect(parse(rule('v'), 'A1', { v: 'wet' })).toMatchObject([{ value: '"wet"' }]);
    expect(parse(rule('constructor.name'), 'A1', {})).toBe('no path of the map has a value');
  });

  it('passes on nothing that a batch cannot have', () => {
    const rule = { topic: '{module}', time: { path: 't', unit: 'iso' }, values: [{ path: 'v', type: 'humidity' }] };
    const long = 'x'.repeat(100_000);
    expect(parse(rule, 'A1', { t: '2026-07-01T06:00', v: 'a\0' })).toBe('the payload has the character U+0000');
    expect(parse(rule, long, { t: '2026-07-01T06:00', v: 1 })).toBe('the message names no module');
    expect(parse(rule, 'A1', { t: long, v: 1 })).toBe('the time is not an ISO 8601 text');
    const shortened = parse(rule, 'A1', { t: '2026-07-01T06:00', v: { long } });
    expect(JSON.stringify(shortened).length).toBeLessThan(400);
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    expect(parse(rule, 'A1', `{"t":"2026-07-01T06:00","v":${deep}}`)).toBe('the payload is nested too deeply');
  });

  it('is limited to 262144 bytes and five thousand readings', () => {
    const rule = { topic: '{module}', each: '', time: 'arrival', values: [{ path: '', type: 'humidity' }] };
    expect(parse(rule, 'A1', JSON.stringify(Array(5_000).fill(1)))).toHaveLength(5_000);
    expect(parse(rule, 'A1', JSON.stringify(Array(5_001).fill(1)))).toBe('the message has more than 5000 readings');
    expect(parse(rule, 'A1', `[${' '.repeat(262_144)}]`)).toBe('the payload is larger than 262144 bytes');
  });
});

describe('a map', () => {
  it.each<[string, object, string]>([
    ['no topic', {}, 'The map names no topic.'],
    ['a topic without the level it needs', { gateways: [{ topic: 'a/+/b' }] }, 'gateways[0].imei needs a level {imei}'],
    [
      'a wildcard in the middle of a level',
      { gateways: [{ topic: 'a/b+/{imei}' }] },
      'gateways[0].topic is not valid: expected a topic with named levels',
    ],
    [
      'an unknown type',
      { readings: [{ topic: '{module}', time: 'arrival', values: [{ path: 'v', type: 'rain' }] }] },
      'readings[0].values[0].type is not valid: expected one of humidity, temperature, tensio',
    ],
    ['a reading without its time', { readings: [{ topic: '{module}', values: [] }] }, 'readings[0].time is'],
  ])('is refused with %s', (_, map, message) => {
    expect(() => parseMqttMap(JSON.stringify(map))).toThrow(message);
  });
});
