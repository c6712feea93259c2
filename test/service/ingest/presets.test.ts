import { describe, expect, it } from 'vitest';
import { parseDeviceTable } from '../../../src/service/ingest/payload/payload-map.ts';
import {
  allPresets,
  findPreset,
  mapOfPresets,
} from '../../../src/service/ingest/payload/presets.ts';
import { readPayload } from '../../../src/service/ingest/payload/read-payload.ts';
import { exampleOf, payloadText } from './preset-examples.ts';

const payloadOf = (preset: string): Buffer => Buffer.from(payloadText(exampleOf(preset)));

const EUI = 'A84041FFFF181F0D';
const EUI_AT = '2026-06-22T17:54:52';
/** The first 8 digits of the SHA-256 of the PASSKEY in the payload. */
const GATEWAY = '808e946c';

type Row = readonly [type: string, depth: number, at: string, value: number];

const soil = (at: string, depth: number, moisture: number, temperature: number): Row[] => [
  ['humidity', depth, at, moisture],
  ['temperature', depth, at, temperature],
];

const profile = (at: string): Row[] => [
  ['humidity', 10, at, 0.752],
  ['humidity', 20, at, 1.456],
  ['humidity', 30, at, 4.152],
  ['temperature', 10, at, 27.25],
  ['temperature', 20, at, 27],
  ['temperature', 30, at, 27.25],
];

const ARRIVAL = '2026-07-01T10:00:00.000Z';
const ttnAt = `${EUI_AT}.358Z`;
const chirpstackAt = `${EUI_AT}.775Z`;
const one = { [EUI]: { module: 'North 1', depth: 20 } };
/** Of its eight depths, the fourth to sixth are in the soil. */
const eight = { [EUI]: { module: 'North 1', depths: [101, 102, 103, 10, 20, 30, 104, 105] } };

const MQTT_CASES: [preset: string, topic: string, devices: object, rows: Row[]][] = [
  ['ttn/dragino-lse01', 'v3/mas-rouge@ttn/devices/soil-1/up', one, soil(ttnAt, 20, 19.57, 24.59)],
  [
    'ttn/milesight-em500-smtc',
    'v3/mas-rouge@ttn/devices/soil-1/up',
    one,
    soil(ttnAt, 20, 11.5, 28.1),
  ],
  ['ttn/sensecap-s2105', 'v3/mas-rouge@ttn/devices/soil-1/up', one, soil(ttnAt, 20, 30.9, 17.1)],
  ['ttn/decentlab-dl-smtp', 'v3/mas-rouge@ttn/devices/soil-1/up', eight, profile(ttnAt)],
  [
    'chirpstack/dragino-lse01',
    `application/17c8/device/${EUI}/event/up`,
    one,
    soil(chirpstackAt, 20, 19.57, 24.59),
  ],
  [
    'chirpstack/milesight-em500-smtc',
    `application/17c8/device/${EUI}/event/up`,
    one,
    soil(chirpstackAt, 20, 11.5, 28.1),
  ],
  [
    'chirpstack/sensecap-s2105',
    `application/17c8/device/${EUI}/event/up`,
    one,
    soil(chirpstackAt, 20, 30.9, 17.1),
  ],
  [
    'chirpstack/decentlab-dl-smtp',
    `application/17c8/device/${EUI}/event/up`,
    eight,
    profile(chirpstackAt),
  ],
  [
    'ecowitt/wh51',
    'ecowitt/gw3000',
    {
      ...Object.fromEntries(
        [1, 2, 3].map((n) => [`${GATEWAY}/${n}`, { module: 'North 1', depth: 10 * n }]),
      ),
      [`${GATEWAY}/temp1`]: { module: 'North 1', depth: 10 },
    },
    [
      ['humidity', 10, '2026-06-18T14:10:14.000Z', 33],
      ['humidity', 20, '2026-06-18T14:10:14.000Z', 35],
      ['humidity', 30, '2026-06-18T14:10:14.000Z', 28],
      // 64.4 °F
      ['temperature', 10, '2026-06-18T14:10:14.000Z', 18],
    ],
  ],
  [
    'home-assistant/soil-sensor',
    'homeassistant/sensor/north_soil_moisture/state',
    { north_soil: { module: 'North 1', depth: 10 } },
    [['humidity', 10, ARRIVAL, 23.4]],
  ],
  [
    'zigbee2mqtt/soil-sensor',
    'zigbee2mqtt/north soil',
    { 'north soil': { module: 'North 1', depth: 10 } },
    soil(ARRIVAL, 10, 37, 21.3),
  ],
  [
    'generic/json',
    'acequia/pump',
    { 'pump-house': { module: 'North 1', depth: 30 } },
    [['humidity', 10, `${EUI_AT}.000Z`, 22.5], ...soil(`${EUI_AT}.000Z`, 30, 24.1, 19.4)],
  ],
];

function read(
  payload: Buffer | object,
  presets: readonly string[],
  { topic = null, devices = {} }: Reading = {},
) {
  const map = mapOfPresets(
    presets.map((name) => findPreset(name)),
    undefined,
  );
  const bytes = Buffer.isBuffer(payload) ? payload : Buffer.from(JSON.stringify(payload));
  const table = parseDeviceTable(JSON.stringify(devices));
  return readPayload({ ...map, devices: table }, { topic, payload: bytes }, Date.parse(ARRIVAL));
}

interface Reading {
  readonly topic?: string | null;
  readonly devices?: object;
}

function readFile(preset: string, reading?: Reading) {
  const parsed = read(payloadOf(preset), [preset], reading);
  if (parsed.kind !== 'items') throw new Error(JSON.stringify(parsed));
  return parsed;
}

interface ReadRow {
  readonly type: string;
  readonly depth: number;
  readonly time: string;
  readonly value: number;
}

const rowsOf = (readings: readonly unknown[]): Row[] =>
  (readings as readonly ReadRow[]).map(({ type, depth, time, value }) => [
    type,
    depth,
    new Date(time).toISOString(),
    value,
  ]);

const sorted = (rows: readonly Row[]): Row[] =>
  rows.toSorted((a, b) => a[0].localeCompare(b[0]) || a[1] - b[1] || a[2].localeCompare(b[2]));

describe('a preset', () => {
  it.each(MQTT_CASES)(
    '%s turns a message into readings of the module',
    (preset, topic, devices, rows) => {
      const { readings } = readFile(preset, { topic, devices });
      const assigned = readings.filter((row) => 'module' in row);
      expect(sorted(rowsOf(assigned)).filter(([, depth]) => depth <= 100)).toEqual(sorted(rows));
    },
  );

  it('davis/soil-station gives tensions and temperatures by input of the station', () => {
    const devices = {
      '420911/1': { module: 'North 1', depth: 20 },
      '420911/2': { module: 'North 1', depth: 40 },
    };
    const { readings } = readFile('davis/soil-station', { devices });
    // 1782115200 s since 1970; 64.4 °F is 18 °C.
    const time = '2026-06-22T08:00:00.000Z';
    expect(rowsOf(readings.slice(0, 3))).toEqual([
      ['tensio', 20, time, 12],
      ['tensio', 40, time, 35],
      ['temperature', 20, time, 18],
    ]);
    expect(readings).toHaveLength(8);
    expect(readings).toContainEqual({
      device: '420910',
      depth: null,
      type: 'humidity',
      time,
      value: 48,
    });
  });

  it('davis/drill-and-drop gives a profile', () => {
    const depths = [10, 20, 30, 40, 50, 60];
    const { readings } = readFile('davis/drill-and-drop', {
      devices: { 420920: { module: 'A1', depths } },
    });
    const moisture = rowsOf(readings).filter(([type]) => type === 'humidity');
    expect(moisture.map(([, depth, , value]) => [depth, value])).toEqual([
      [10, 21.5],
      [20, 22.5],
      [30, 23.5],
      [40, 24.5],
      [50, 25.5],
      [60, 26.5],
    ]);
  });

  it('zentra/logger gives moisture in %, and tension as a positive figure, without failed measurements', () => {
    const { readings } = readFile('zentra/logger', {
      devices: { 'z6-30302/1': { module: 'North 1', depth: 15 } },
    });
    const row = { module: 'North 1', depth: 15, time: '2026-06-20T10:00:00+00:00' };
    expect(readings).toEqual([
      { ...row, type: 'humidity', value: 29.5 },
      { ...row, type: 'temperature', value: 18.4 },
      { ...row, type: 'tensio', value: 21.5 },
      { device: 'z6-30302/station', depth: null, time: row.time, type: 'temperature', value: 21.5 },
    ]);
  });

  it.each([
    ['ttn/milesight-wts506', 25.5, 60.5, 0.1, 100],
    ['chirpstack/milesight-wts506', 25.5, 60.5, 0.1, 100],
    ['ttn/sensecap-s2120', 22.2, 47, 1.7, 100],
    ['chirpstack/sensecap-s2120', 22.2, 47, 1.7, 100],
  ])(
    '%s gives temperature, humidity and wind of the air',
    (preset, temperature, humidity, wind, batteryPercent) => {
      const { readings, weather, devices } = readFile(preset);
      expect([...readings, ...weather]).toMatchObject([
        { device: EUI, depth: null, type: 'temperature', value: temperature },
        { device: EUI, depth: null, type: 'humidity', value: humidity },
        { device: EUI, type: 'wind', value: wind },
      ]);
      expect(devices).toMatchObject([{ device: EUI, batteryPercent }]);
    },
  );

  // bachya/ecowitt2mqtt, issue 435, and home-assistant/core, issue 93308, with an instant and secret of the test;
  // the fields of soil sensors as in Ambient's list of parameters, question 1857.
  it('ambient/console gives its soil sensors by channel, and its station', () => {
    const station = { device: `${GATEWAY}/station`, time: '2026-06-22T20:19:34Z' };
    const bed = { ...station, device: `${GATEWAY}/1` };
    // 64.4 °F are 18 °C, 0.236 inches 5.9944 mm, 2.01 mph 0.8985504 m/s; 73.2 °F are 22.8888… °C.
    expect(readFile('ambient/console')).toMatchObject({
      readings: [
        { ...bed, type: 'humidity', value: 40 },
        { ...bed, type: 'temperature', value: 18 },
        { ...station, type: 'temperature', depth: null, value: 22.8888888889 },
        { ...station, type: 'humidity', depth: null, value: 31 },
      ],
      rain: [{ ...station, mm: 5.9944, isDayTotal: true }],
      weather: [
        { ...station, type: 'wind', value: 0.8985504 },
        { ...station, type: 'radiation', value: 15.6 },
      ],
    });
  });

  it('ecowitt/wh51 gives rain and weather of a station, and the air of it alone', () => {
    // Of a WS90 on a GW2000: 95.18 °F are 35.1 °C, 2.01 mph 0.8985504 m/s; 0.236 inches are 5.9944
    // mm.
    const form =
      'PASSKEY=2E665D6A7F08EF77F224C3E4DC46A0BC&stationtype=GW2000A_V3.3.2&dateutc=2026-06-30+10:45:26&tempinf=91.40&humidityin=23&tempf=95.18&humidity=19&windspeedmph=2.01&windgustmph=3.13&solarradiation=861.33&rrain_piezo=0.000&drain_piezo=0.236&yrain_piezo=9.024&wh90batt=3.02&model=GW2000A';
    const row = { device: `${GATEWAY}/station`, time: '2026-06-30T10:45:26Z' };
    expect(read(Buffer.from(form), ['ecowitt/wh51'])).toMatchObject({
      readings: [
        { ...row, type: 'temperature', value: 35.1 },
        { ...row, type: 'humidity', value: 19 },
      ],
      rain: [{ ...row, mm: 5.9944, isDayTotal: true }],
      weather: [
        { ...row, type: 'wind', value: 0.8985504 },
        { ...row, type: 'radiation', value: 861.33 },
      ],
    });
  });

  it.each(['ttn/dragino-se0x-lb', 'chirpstack/dragino-se0x-lb'])(
    '%s gives the moisture and temperature of each of its probes',
    (preset) => {
      const { readings } = readFile(preset);
      expect(readings.map(({ device, type, value }) => [device, type, value] as const)).toEqual([
        ...[19.57, 20.66, 23.05, 25.62].map((value, at) => [`${EUI}/${at + 1}`, 'humidity', value]),
        ...[24.59, 24.64, 24.8, 24.96].map((value, at) => [
          `${EUI}/${at + 1}`,
          'temperature',
          value,
        ]),
      ]);
    },
  );

  it('drops and counts the codes of sensors that are not there', () => {
    expect(readFile('ttn/decentlab-dl-smtp', { devices: eight })).toMatchObject({
      failedMeasurements: 4,
    });
  });

  it('ignores simulated uplinks, and reads several kinds of device on one network', () => {
    const uplink = JSON.parse(payloadOf('ttn/sensecap-s2105').toString());
    const presets = ['ttn/dragino-lse01', 'ttn/sensecap-s2105'];
    expect(read(uplink, presets)).toMatchObject({ readings: [{}, {}] });
    expect(read({ ...uplink, simulated: true }, presets)).toMatchObject({
      kind: 'ignored',
      reason: { text: 'the map says so' },
    });
  });

  it('never shows the secret of a device', () => {
    expect(JSON.stringify(readFile('ecowitt/wh51'))).not.toContain('2E665D6A');
  });

  it('is named with its nearest when it is misspelt', () => {
    expect(() => findPreset('ttn/dragino-lse1')).toThrow(
      expect.objectContaining({ hint: expect.stringContaining('Did you mean ttn/dragino-lse01?') }),
    );
  });

  it('says what it reads', () => {
    for (const { reads } of allPresets()) expect(reads.length).toBeGreaterThan(20);
  });
});
