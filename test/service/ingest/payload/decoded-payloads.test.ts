import { describe, expect, it } from 'vitest';
import { findPreset, mapOfPresets } from '../../../../src/service/ingest/payload/presets.ts';
import { readPayload } from '../../../../src/service/ingest/payload/read-payload.ts';

const ARRIVAL = Date.parse('2026-07-01T10:00:00Z');
const EUI = 'A84041FFFF181F0D';

type Decoded = Readonly<Record<string, unknown>>;

const uplink = (decoded: Decoded | undefined) => ({
  end_device_ids: { dev_eui: EUI },
  received_at: '2026-07-01T09:59:58Z',
  uplink_message: { f_port: 2, decoded_payload: decoded },
});

function read(preset: string, payload: object | string, topic: string | null = null) {
  const bytes = Buffer.from(typeof payload === 'string' ? payload : JSON.stringify(payload));
  const map = mapOfPresets([findPreset(preset)], undefined);
  const parsed = readPayload(map, { topic, payload: bytes }, ARRIVAL);
  if (parsed.kind !== 'items') return parsed;
  const { readings, failedMeasurements, devices } = parsed;
  return {
    rows: readings.map(({ device, type, value }) => [device, type, value]),
    failedMeasurements,
    devices,
    times: readings.map(({ time }) => time),
  };
}

const toJson = (value: object): string => JSON.stringify(value);

const readUplink = (preset: string, decoded: Decoded) => read(preset, uplink(decoded));

function readOwn(payload: object) {
  const message = { topic: null, payload: Buffer.from(JSON.stringify(payload)) };
  const parsed = readPayload(
    mapOfPresets([findPreset('generic/json')], undefined),
    message,
    ARRIVAL,
  );
  if (parsed.kind !== 'items') throw new Error(JSON.stringify(parsed));
  return parsed;
}

/** The decoded payloads are what the named decoders put out. */
describe('a decoded payload', () => {
  // Milesight-IoT/SensorDecoders, em-series/em500-smtc: the decoder gives 0xFFFD as -0.3 °C.
  it('of an EM500-SMTC whose sensor failed gives no temperature', () => {
    const decoded = { battery: 100, temperature: -0.3, moisture_error: 'out of range' };
    expect(readUplink('ttn/milesight-em500-smtc', decoded)).toMatchObject({
      rows: [],
      failedMeasurements: 2,
      devices: [{ device: EUI, batteryPercent: 100 }],
    });
  });

  it('of an EM500-SMTC gives what it kept while it had no connection, at the times of that', () => {
    const history = [
      { timestamp: 1_782_897_968, electricity: 240, temperature: 28.1, moisture: 27.9 },
      { timestamp: 1_782_898_864, electricity: 240, temperature: 28, moisture: 27.8 },
    ];
    const answer = readUplink('ttn/milesight-em500-smtc', { history });
    expect(answer).toMatchObject({
      rows: [
        [EUI, 'humidity', 27.9],
        [EUI, 'temperature', 28.1],
        [EUI, 'humidity', 27.8],
        [EUI, 'temperature', 28],
      ],
    });
    expect(answer).toHaveProperty('times', [
      ...Array(2).fill('2026-07-01T09:26:08.000Z'),
      ...Array(2).fill('2026-07-01T09:41:04.000Z'),
    ]);
  });

  // TheThingsNetwork/lorawan-devices, vendor/milesight-iot/em500-smtc.js, and em300-th.js.
  it('of the oldest EM500-SMTC decoder is soil, of an EM300-TH it is air', () => {
    const preset = 'ttn/milesight-em500-smtc';
    const soil = { battery: 98, temperature: 21.4, humidity: 31.5, conductivity: 240 };
    expect(readUplink(preset, soil)).toMatchObject({
      rows: [
        [EUI, 'humidity', 31.5],
        [EUI, 'temperature', 21.4],
      ],
    });
    const air = { battery: 98, temperature: 21.4, humidity: 55 };
    expect(readUplink(preset, air)).toMatchObject({
      kind: 'empty',
      reason: { code: 'other_preset', text: expect.stringContaining('ttn/milesight-wts506') },
    });
  });

  // dragino/dragino-end-node-decoder, SE01-LB: s_flag is 0 where it finds no sensor.
  it('of a Dragino without its sensor gives nothing but the battery', () => {
    const decoded = { BatV: 3.6, water_SOIL: '0.00', temp_SOIL: '0.00', s_flag: 0, Mod: 0 };
    expect(readUplink('ttn/dragino-lse01', decoded)).toMatchObject({
      rows: [],
      failedMeasurements: 2,
      devices: [{ batteryV: 3.6 }],
    });
  });

  it('of a Dragino with its sensor gives both', () => {
    const decoded = { BatV: 3.6, water_SOIL: '19.57', temp_SOIL: '24.59', s_flag: 1, Mod: 0 };
    expect(readUplink('ttn/dragino-lse01', decoded)).toMatchObject({
      rows: [
        [EUI, 'humidity', 19.57],
        [EUI, 'temperature', 24.59],
      ],
    });
  });

  it('of the status message of a Dragino gives its battery', () => {
    const decoded = { SENSOR_MODEL: 'SE01-LB', FIRMWARE_VERSION: '1.0.0', BAT: 3.61 };
    expect(readUplink('ttn/dragino-lse01', decoded)).toMatchObject({
      rows: [],
      devices: [{ device: EUI, batteryV: 3.61 }],
    });
  });

  // Koenkk/zigbee-herdsman-converters, tuya.ts: CS-201Z and others have an air head.
  it('of Zigbee2MQTT with an air head gives the temperature of the air', () => {
    const decoded = { soil_moisture: 37, temperature: 31.2, humidity: 44, battery: 90 };
    expect(read('zigbee2mqtt/soil-sensor', decoded, 'zigbee2mqtt/bed')).toMatchObject({
      rows: [
        ['bed', 'humidity', 37],
        ['bed/air', 'temperature', 31.2],
        ['bed/air', 'humidity', 44],
      ],
    });
  });

  // The Things Stack, storage integration: {"result": uplink}, one a line.
  it.each<[string, (uplinks: readonly object[]) => string]>([
    ['a list', (uplinks) => JSON.stringify(uplinks)],
    ['a list with null', (uplinks) => JSON.stringify([null, ...uplinks])],
    ['lines, one of null', (uplinks) => ['null', ...uplinks.map(toJson)].join('\n')],
    [
      'an answer of the storage of The Things Stack',
      (uplinks) => uplinks.map((result) => `${toJson({ result })}\n\n`).join(''),
    ],
  ])('may be one of several in %s, each with its own time', (_, textOf) => {
    const dry = {
      ...uplink({ water_SOIL: '18.20', s_flag: 1 }),
      received_at: '2026-06-30T08:00:00Z',
    };
    const wet = uplink({ water_SOIL: '24.10', s_flag: 1 });
    const air = uplink({ temperature: 21, humidity: 55, wind_speed: 1 });
    expect(read('ttn/dragino-lse01', textOf([dry, air, wet]))).toMatchObject({
      rows: [
        [EUI, 'humidity', 18.2],
        [EUI, 'humidity', 24.1],
      ],
      times: ['2026-06-30T08:00:00Z', '2026-07-01T09:59:58Z'],
    });
    expect(read('ttn/dragino-lse01', textOf([wet]))).toMatchObject({
      rows: [[EUI, 'humidity', 24.1]],
    });
    expect(read('ttn/dragino-lse01', textOf([air]))).toMatchObject({ kind: 'empty' });
  });

  it.each(['[]', 'null'])('is not in %s, which is of no network', (payload) => {
    expect(read('ttn/dragino-lse01', payload)).toMatchObject({
      kind: 'unreadable',
      reason: { code: 'unknown_envelope' },
    });
  });

  // weatherlink/v2-api, _pages/api-use-cases.md: the unit of moist_soil_last is centibars.
  it('of a Davis 6440 on EnviroMonitor gives its tension', () => {
    const sensor = (sensor_type: number) => ({
      lsid: 5307568,
      sensor_type,
      data_structure_type: 9,
      data: [{ ts: 1_782_115_200, moist_soil_last: 3.3 }],
    });
    const answer = { station_id: 379012, sensors: [sensor(108)] };
    expect(read('davis/soil-station', answer)).toMatchObject({
      rows: [['5307568', 'tensio', 3.3]],
    });
    expect(read('davis/soil-station', { ...answer, sensors: [sensor(999)] })).toMatchObject({
      kind: 'ignored',
    });
  });

  it.each([
    ['celsius', 21.3, 21.3],
    ['fahrenheit', 70.34, 21.3],
  ])('of Zigbee2MQTT obeys the unit %s', (temperature_unit, temperature, celsius) => {
    const decoded = { soil_moisture: 37, temperature, temperature_unit };
    expect(read('zigbee2mqtt/soil-sensor', decoded, 'zigbee2mqtt/bed')).toMatchObject({
      rows: [
        ['bed', 'humidity', 37],
        ['bed', 'temperature', celsius],
      ],
    });
  });

  // home-assistant-libs/aioecowitt, sensor.py; °F as in the other temperatures of the gateway.
  it('of an Ecowitt WH52 gives moisture and temperature of the soil', () => {
    const form =
      'PASSKEY=2E665D6A7F08EF77F224C3E4DC46A0BC&dateutc=2026-06-26+20:59:50&soil_ec_hum1=42&soil_ec_temp1=82.40&soil_ec_batt1=1.4';
    expect(read('ecowitt/wh51', form)).toMatchObject({
      rows: [
        ['808e946c/ec1', 'humidity', 42],
        ['808e946c/ec1', 'temperature', 28],
      ],
      devices: [{ device: '808e946c/ec1', batteryV: 1.4 }],
    });
  });

  it.each([
    ['1970-01-01T00:00:12Z', 0],
    ['2000-01-01T00:00:00Z', 0],
    ['2025-06-01T10:00:00Z', 0],
    ['2025-07-20T10:00:00Z', 1],
    ['2026-05-01T10:00:00Z', 1],
  ])(
    'of %s is held back if that is more than a year ago, with how to set the clock',
    (time, rows) => {
      const payload = { device: 'pump', time, moisture: 24.1 };
      const answer = readOwn(payload);
      expect(answer.readings).toHaveLength(rows);
      expect(answer.rejectedValues).toEqual(
        rows > 0
          ? []
          : [
              {
                sender: 'pump',
                count: 1,
                reason: expect.objectContaining({ code: 'unset_clock' }),
              },
            ],
      );
    },
  );

  it('of moisture as a fraction is rejected, unless another depth shows that it is %', () => {
    const time = '2026-07-01T09:00:00Z';
    expect(readOwn({ device: 'pump', time, moisture: 0.24, temperature: 18 })).toMatchObject({
      readings: [{ type: 'temperature' }],
      rejectedValues: [
        {
          sender: 'pump',
          count: 1,
          reason: { code: 'fraction', text: expect.stringContaining('send 24,') },
        },
      ],
    });
    const dry = { device: 'pump', time, moisture_10: 0.7, moisture_20: 21.4, air_humidity: 0.4 };
    expect(readOwn(dry)).toMatchObject({ readings: [{}, {}, {}], rejectedValues: [] });
    expect(readOwn({ device: 'pump', time, moisture: 0 })).toMatchObject({ readings: [{}] });
  });

  it('of one’s own may have any depth', () => {
    const depths = [5, 15, 25, 35, 45, 55, 65, 75, 85, 7.5];
    const payload = {
      device: 'pump',
      time: '2026-07-01T09:00:00Z',
      ...Object.fromEntries(depths.map((depth) => [`moisture_${depth}`, 20 + depth / 10])),
    };
    expect(
      readOwn(payload)
        .readings.map(({ depth }) => depth)
        .toSorted((a, b) => a! - b!),
    ).toEqual(depths.toSorted((a, b) => a - b));
  });
});
