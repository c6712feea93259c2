import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { isFieldType } from '../../../../src/domain/ingest/field-choices.ts';
import type { MeasurementType } from '../../../../src/domain/moisture/measurement.ts';
import { findPreset, mapOfPresets } from '../../../../src/service/ingest/payload/presets.ts';
import { readPayload } from '../../../../src/service/ingest/payload/read-payload.ts';
import { unreadItems } from '../../../../src/service/ingest/payload/unread-message.ts';
import {
  measurementRange,
  rejectionOfValue,
} from '../../../../src/service/ingest/reading-values.ts';

const NOW = Date.parse('2026-07-01T10:00:00Z');
const EUI = 'A84041FFFF181F0D';
const TIME = '2026-07-01T09:59:58Z';

const fixture = (file: string): string =>
  readFileSync(new URL(`../payloads/${file}`, import.meta.url), 'utf8');

const ttn = (decoded?: object, fields: object = {}) => ({
  end_device_ids: { dev_eui: EUI },
  received_at: '2026-07-01T09:59:58Z',
  uplink_message: { f_port: 2, decoded_payload: decoded },
  ...fields,
});

const chirpstack = (object?: object, time = '2026-07-01T09:59:58Z') => ({
  deviceInfo: { devEui: EUI.toLowerCase() },
  time,
  data: 'Dh4A',
  fPort: 2,
  object,
});

const messages = (...values: [id: number | string, value: number][]) => ({
  messages: values.map(([measurementId, measurementValue]) => ({
    measurementId,
    measurementValue,
    type: 'report_telemetry',
  })),
});

const ecowitt = (fields: string) => `PASSKEY=1&dateutc=2026-07-01+09:59:50&${fields}`;

const zentra = (measure: string, units: string | undefined, value: number, offset: string) => ({
  data: {
    [measure]: [
      {
        metadata: { device_sn: 'z6-1', port_number: 1, units },
        readings: [{ datetime: `2026-07-01 09:00:00${offset}`, value, error_flag: false }],
      },
    ],
  },
});

const historyAt = Date.parse('2026-06-30T08:00:00Z') / 1000;
const davis = (sensor_type: number, data: object) => ({
  station_id: 1,
  sensors: [{ lsid: 7, sensor_type, data: [{ ts: NOW / 1000 - 60, ...data }] }],
});

interface Payload {
  readonly preset: string;
  readonly payload: object | string;
  readonly topic?: string;
  /** What was published under other topics. */
  readonly units?: ReadonlyMap<string, string>;
}

/** Values that are stored, as "humidity 19.57"; of rain, wind and radiation alike. */
interface Outcome {
  readonly stored?: readonly string[];
  /** Why a message or value is listed as unread, with the refusal of the batch. */
  readonly named?: string;
  readonly failed?: number;
  readonly battery?: number;
  /** Of the readings, each once. */
  readonly times?: readonly string[];
  readonly devices?: readonly string[];
  readonly kind?: 'ignored' | 'unreadable';
}

/**
 * Payloads of devices that people own, and what must come of each. [R] is a capture or the output of
 * the decoder of the maker, [D] an example of its documents, [S] built after the named source.
 */
const PAYLOADS: readonly [what: string, sent: Payload, outcome: Outcome][] = [
  // dragino/dragino-end-node-decoder [R]
  [
    'Dragino LSE01 1.2.1',
    { preset: 'ttn/dragino-lse01', payload: fixture('ttn/dragino-lse01.json') },
    { stored: ['humidity 19.57', 'temperature 24.59'], battery: 3.625 },
  ],
  [
    'Dragino LSE01 on ChirpStack',
    { preset: 'chirpstack/dragino-lse01', payload: fixture('chirpstack/dragino-lse01.json') },
    { stored: ['humidity 19.57', 'temperature 24.59'] },
  ],
  [
    'Dragino SE01-LB',
    {
      preset: 'chirpstack/dragino-lse01',
      payload: chirpstack({
        BatV: 3.6,
        temp_DS18B20: '0.00',
        temp_SOIL: '24.59',
        water_SOIL: '19.57',
        conduct_SOIL: 28,
        s_flag: 1,
        i_flag: 0,
        Mod: 0,
        Node_type: 'SE01-LB',
      }),
    },
    { stored: ['humidity 19.57', 'temperature 24.59'], battery: 3.6 },
  ],
  [
    'Dragino LSE01, oldest decoder',
    {
      preset: 'ttn/dragino-lse01',
      payload: ttn({
        Bat: '3.625 V',
        TempC_DS18B20: '0.00 °C',
        water_SOIL: '19.57 %',
        temp_SOIL: '24.59 °C',
        conduct_SOIL: '28 uS/cm',
      }),
    },
    { stored: ['humidity 19.57', 'temperature 24.59'] },
  ],
  [
    'Dragino LSE01, raw mode',
    {
      preset: 'ttn/dragino-lse01',
      payload: ttn({
        BatV: 3.6,
        Soil_dielectric_constant: '7.9',
        Raw_water_SOIL: 3000,
        Raw_conduct_SOIL: 12,
        Mod: 1,
      }),
    },
    {
      stored: [],
      named: 'these are there: Soil_dielectric_constant, Raw_water_SOIL 3000',
      battery: 3.6,
    },
  ],
  [
    'Dragino without its sensor',
    {
      preset: 'ttn/dragino-lse01',
      payload: ttn({ BatV: 3.6, water_SOIL: '0.00', temp_SOIL: '0.00', s_flag: 0 }),
    },
    { stored: [], failed: 2, battery: 3.6, named: 'reports a failed measurement (s_flag 0)' },
  ],
  // The decoder names no value of a datalog; by the manual they are moisture, temperature and
  // conductivity: Biomine-Sustainable-Mining/decoders.AI, vendor/dragino/SE01-LB.be, port 3.
  [
    'Dragino SE01-LB, datalog',
    {
      preset: 'ttn/dragino-lse01',
      payload: ttn({
        Node_type: 'SE01-LB',
        DATALOG: '[19.57,24.59,2.8,2026-06-30 08:00:00],[19.61,24.4,2.8,2026-06-30 08:20:00],',
        PNACKMD: 'True',
      }),
    },
    {
      stored: ['humidity 19.57', 'humidity 19.61', 'temperature 24.4', 'temperature 24.59'],
      times: ['2026-06-30T08:00:00Z', '2026-06-30T08:20:00Z'],
    },
  ],
  [
    'Dragino SE01-LB on ChirpStack, datalog',
    {
      preset: 'chirpstack/any',
      payload: chirpstack({
        Node_type: 'SE01-LB',
        DATALOG: '[19.57,-0.4,2.8,2026-06-30 08:00:00],',
        PNACKMD: 'False',
      }),
    },
    { stored: ['humidity 19.57', 'temperature -0.4'], times: ['2026-06-30T08:00:00Z'] },
  ],
  // No public source says what the six values of a SE02 are.
  [
    'Dragino SE02-LB, datalog',
    {
      preset: 'ttn/any',
      payload: ttn({
        Node_type: 'SE02-LB',
        DATALOG: '[19.57,24.59,28,20.66,24.64,30,2026-06-30 08:00:00],',
      }),
    },
    { named: 'these are there: Node_type, DATALOG' },
  ],
  [
    'Dragino SE02-LB',
    {
      preset: 'ttn/dragino-se0x-lb',
      payload: ttn({
        BatV: 3.6,
        temp_SOIL: '24.59',
        water_SOIL: '19.57',
        temp_SOIL2: '24.64',
        water_SOIL2: '20.66',
        s_flag: 1,
        Mod: 0,
        Node_type: 'SE02-LB',
      }),
    },
    {
      stored: ['humidity 19.57', 'humidity 20.66', 'temperature 24.59', 'temperature 24.64'],
      devices: [`${EUI}/1`, `${EUI}/2`],
    },
  ],
  [
    'Dragino SE01-LB, status',
    {
      preset: 'ttn/dragino-lse01',
      payload: ttn({ SENSOR_MODEL: 'SE01-LB', FIRMWARE_VERSION: '1.0.0', BAT: 3.61 }),
    },
    { stored: [], battery: 3.61 },
  ],
  [
    'Dragino SE0X-LB',
    { preset: 'ttn/dragino-se0x-lb', payload: fixture('ttn/dragino-se0x-lb.json') },
    {
      stored: [
        'humidity 19.57',
        'humidity 20.66',
        'humidity 23.05',
        'humidity 25.62',
        'temperature 24.59',
        'temperature 24.64',
        'temperature 24.8',
        'temperature 24.96',
      ],
    },
  ],
  [
    'GroPoint Air',
    { preset: 'ttn/dragino-lse01', payload: ttn({ Soil_Moisture1: 21.5, Soil_Moisture2: 24.5 }) },
    { named: 'these are there: Soil_Moisture1 21.5, Soil_Moisture2 24.5' },
  ],
  // Milesight-IoT/SensorDecoders, em-series [R]
  [
    'Milesight EM500-SMTC',
    {
      preset: 'ttn/milesight-em500-smtc',
      payload: ttn({ battery: 92, moisture: 28.1, temperature: 30.8, ec: 120 }),
    },
    { stored: ['humidity 28.1', 'temperature 30.8'], battery: 92 },
  ],
  [
    'Milesight EM500-SMTC, old',
    {
      preset: 'ttn/milesight-em500-smtc',
      payload: ttn({ battery: 92, temperature: 28.1, moisture: 57.5, conductivity: 240 }),
    },
    { stored: ['humidity 57.5', 'temperature 28.1'] },
  ],
  [
    'Milesight EM500-SMTC, failed',
    {
      preset: 'ttn/milesight-em500-smtc',
      payload: ttn({ battery: 100, temperature: -0.3, moisture_error: 'out of range' }),
    },
    { stored: [], failed: 2, battery: 100, named: '(moisture_error "out of range")' },
  ],
  [
    'Milesight EM500-SMTC, not read',
    {
      preset: 'ttn/any',
      payload: ttn({ moisture_error: 'read failed', temperature_error: 'read failed' }),
    },
    { stored: [], failed: 2, named: '(moisture_error "read failed")' },
  ],
  [
    'Milesight history',
    {
      preset: 'ttn/milesight-em500-smtc',
      payload: ttn({ history: [{ timestamp: historyAt, temperature: 28, moisture: 27.8 }] }),
    },
    { stored: ['humidity 27.8', 'temperature 28'] },
  ],
  [
    'Milesight EM300-TH',
    {
      preset: 'ttn/milesight-em500-smtc',
      payload: ttn({ battery: 98, temperature: 21.4, humidity: 55 }),
    },
    { named: 'of ttn/milesight-wts506: name that one' },
  ],
  // Seeed-Solution/SenseCAP-Decoder [R]
  [
    'SenseCAP S2105',
    { preset: 'ttn/sensecap-s2105', payload: fixture('ttn/sensecap-s2105.json') },
    { stored: ['humidity 30.9', 'temperature 17.1'] },
  ],
  [
    'SenseCAP S2105, failed',
    { preset: 'ttn/sensecap-s2105', payload: ttn(messages([4102, 17.1], [4103, -299_006.8])) },
    { stored: ['temperature 17.1'], named: 'humidity_out_of_range' },
  ],
  [
    'SenseCAP S2105, battery',
    {
      preset: 'ttn/sensecap-s2105',
      payload: ttn({ messages: [{ type: 'upload_battery', battery: 87 }] }),
    },
    { stored: [], battery: 87 },
  ],
  [
    'SenseCAP S2120',
    { preset: 'ttn/sensecap-s2120', payload: fixture('ttn/sensecap-s2120.json') },
    { stored: ['humidity 47', 'temperature 22.2', 'wind 1.7'], battery: 100 },
  ],
  [
    'SenseCAP S2120 on ChirpStack',
    { preset: 'chirpstack/sensecap-s2120', payload: fixture('chirpstack/sensecap-s2120.json') },
    { stored: ['humidity 47', 'temperature 22.2', 'wind 1.7'] },
  ],
  // What the decoder gives for the frames 4A00DE2F00000F3A1E0011 and 4C00210001E078.
  [
    'SenseCAP S2120, firmware 2.0',
    {
      preset: 'ttn/sensecap-s2120',
      payload: ttn({
        messages: [
          [
            { measurementValue: 22.2, measurementId: '4097', type: 'Air Temperature' },
            { measurementValue: 47, measurementId: '4098', type: 'Air Humidity' },
            { measurementValue: 1.7, measurementId: '4105', type: 'Wind Speed' },
          ],
          [
            { measurementValue: 3.3, measurementId: '4191', type: ' Peak Wind Gust' },
            { measurementValue: 123, measurementId: '4213', type: 'Rain Accumulation' },
          ],
        ],
      }),
    },
    { stored: ['humidity 47', 'rain up to 123', 'temperature 22.2', 'wind 1.7'] },
  ],
  // What the decoder gives for the frame 0602.
  [
    'SenseCAP S2120 without its sensor',
    {
      preset: 'ttn/sensecap-s2120',
      payload: ttn({
        messages: [
          [
            {
              measurementId: '4101',
              type: 'sensor_error_event',
              errCode: '02',
              descZh: 'CCL_SENSOR_WAKEUP_ERROR',
            },
          ],
        ],
      }),
    },
    { stored: [], failed: 1, named: '(descZh "CCL_SENSOR_WAKEUP_ERROR")' },
  ],
  // Milesight-IoT/SensorDecoders, wts506 [R]; by the manual of the maker it is cleared at times.
  [
    'Milesight WTS506',
    {
      preset: 'chirpstack/milesight-wts506',
      payload: chirpstack({
        temperature: 25.5,
        humidity: 60.5,
        wind_speed: 0.1,
        rainfall_total: 1.23,
        rainfall_counter: 1,
      }),
    },
    { stored: ['humidity 60.5', 'rain up to 1.23', 'temperature 25.5', 'wind 0.1'] },
  ],
  // decentlab/decentlab-decoders [R]
  [
    'Decentlab DL-SMTP in the air',
    {
      preset: 'ttn/decentlab-dl-smtp',
      payload: ttn({
        soil_moisture_at_depth_0: { value: -0.39 },
        soil_temperature_at_depth_0: { value: 27 },
        soil_moisture_at_depth_1: { value: -5 },
        soil_temperature_at_depth_1: { value: -327.68 },
        battery_voltage: { value: 2.875 },
      }),
    },
    { stored: ['temperature 27'], named: 'humidity_out_of_range', failed: 2, battery: 2.875 },
  ],
  [
    'Decentlab DL-TRS12',
    {
      preset: 'ttn/decentlab-dl-smtp',
      payload: ttn({
        dielectric_permittivity: { value: 1.2 },
        soil_temperature: { value: 31.7 },
        battery_voltage: { value: 3 },
      }),
    },
    { stored: [], named: 'dielectric_permittivity', battery: 3 },
  ],
  // TheThingsNetwork/lorawan-devices, vendor/tektelic [R]
  [
    'Tektelic, Watermark',
    {
      preset: 'ttn/dragino-lse01',
      payload: ttn({ Input5_frequency: 1390, Input6_frequency: 1380 }),
    },
    { named: 'these are there: Input5_frequency' },
  ],
  [
    'Cayenne LPP',
    { preset: 'ttn/any', payload: ttn({ relative_humidity_1: 24.1, temperature_2: 18 }) },
    { stored: ['humidity 24.1', 'temperature 18'] },
  ],
  [
    'Cayenne LPP of a named preset',
    { preset: 'ttn/dragino-lse01', payload: ttn({ temperature_2: 18 }) },
    { named: 'but of ttn/any: name that one' },
  ],
  [
    'TTN normalized payload',
    { preset: 'ttn/any', payload: fixture('ttn/any.json') },
    {
      stored: [
        ...[
          'humidity 21.5',
          'humidity 26.5',
          'humidity 55',
          'temperature 18.2',
          'temperature 24.1',
        ],
        'wind 1.5',
      ],
    },
  ],
  [
    'TTN without formatter',
    { preset: 'ttn/dragino-lse01', payload: ttn() },
    { named: 'add a decoder in the console of The Things Stack' },
  ],
  [
    'ChirpStack without codec',
    { preset: 'chirpstack/dragino-lse01', payload: chirpstack() },
    { named: 'add a decoder in ChirpStack' },
  ],
  [
    'TTN simulated',
    { preset: 'ttn/dragino-lse01', payload: ttn({ water_SOIL: 20 }, { simulated: true }) },
    { kind: 'ignored' },
  ],
  [
    'ChirpStack status',
    {
      preset: 'chirpstack/dragino-lse01',
      payload: {
        deviceInfo: { devEui: EUI },
        time: '2026-07-01T09:59:58Z',
        margin: 10,
        batteryLevel: 88.35,
      },
    },
    { stored: [], battery: 88.35 },
  ],
  // thingsboard/data-converters [R]; networks.test.ts reads their envelopes
  [
    'ChirpStack v3',
    {
      preset: 'chirpstack/dragino-lse01',
      payload: { devEUI: 'qEBB//8YHw0=', fPort: 2, data: 'Dh4A', objectJSON: '{}' },
    },
    { kind: 'unreadable', named: 'in the form of ChirpStack v3: use a preset of chirpstack-v3' },
  ],
  [
    'LORIOT',
    { preset: 'ttn/dragino-lse01', payload: { cmd: 'rx', EUI, data: '0e1e', decoded: {} } },
    { kind: 'unreadable', named: 'in the form of LORIOT' },
  ],
  [
    'ThingPark',
    { preset: 'ttn/dragino-lse01', payload: { DevEUI_uplink: { DevEUI: EUI, payload_hex: '0e' } } },
    { kind: 'unreadable', named: 'in the form of ThingPark' },
  ],
  // aws-samples and docs.helium.com [D]; networks.test.ts reads their envelopes.
  [
    'AWS IoT Core',
    { preset: 'ttn/dragino-lse01', payload: fixture('../envelopes/aws.json') },
    { kind: 'unreadable', named: 'in the form of AWS IoT Core' },
  ],
  [
    'Helium',
    { preset: 'ttn/dragino-lse01', payload: fixture('../envelopes/helium.json') },
    { kind: 'unreadable', named: 'in the form of Helium' },
  ],
  // The forms of The Things Stack, "Data formats", and chirpstack-docs, "Event types" [D].
  ...['join_accept', 'downlink_ack', 'downlink_sent'].map((event): [string, Payload, Outcome] => [
    `TTN ${event}`,
    {
      preset: 'ttn/dragino-lse01',
      payload: { end_device_ids: { dev_eui: EUI }, received_at: TIME, [event]: {} },
    },
    {},
  ]),
  ...[
    ['join', { devAddr: '00189440' }],
    ['ack', { queueItemId: '1', acknowledged: true, fCntDown: 3 }],
    ['txack', { downlinkId: 1, gatewayId: '0016c001f153a14c' }],
    ['log', { level: 'INFO', code: 'UPLINK_F_CNT_RESET', description: '' }],
  ].map(([event, fields]): [string, Payload, Outcome] => [
    `ChirpStack ${event}`,
    {
      preset: 'chirpstack/dragino-lse01',
      payload: { deviceInfo: { devEui: EUI }, time: TIME, ...Object(fields) },
    },
    {},
  ]),
  [
    'ChirpStack with a clock in 1970',
    {
      preset: 'chirpstack/dragino-lse01',
      payload: chirpstack({ water_SOIL: '19.57' }, '1970-01-01T00:00:12Z'),
    },
    { stored: [], named: 'set the clock of the device or its gateway' },
  ],
  [
    'an answer of the storage of TTN',
    { preset: 'ttn/dragino-lse01', payload: { result: ttn({ water_SOIL: '19.57' }) } },
    { stored: ['humidity 19.57'] },
  ],
  // bachya/ecowitt2mqtt, home-assistant-libs/aioecowitt [R]
  [
    'Ecowitt WH51, WN34',
    { preset: 'ecowitt/wh51', payload: ecowitt('soilmoisture1=40&soilmoisture2=56&tf_ch1=64.4') },
    { stored: ['humidity 40', 'humidity 56', 'temperature 18'] },
  ],
  [
    'Ecowitt station',
    {
      preset: 'ecowitt/wh51',
      payload: ecowitt('tempf=64.4&humidity=40&windspeedmph=2.01&dailyrainin=0.567'),
    },
    { stored: ['humidity 40', 'rain 14.4018', 'temperature 18', 'wind 0.8985504'] },
  ],
  [
    'Ecowitt GW3000',
    { preset: 'ecowitt/wh51', payload: fixture('ecowitt/wh51.txt') },
    { stored: ['humidity 28', 'humidity 33', 'humidity 35', 'humidity 45', 'temperature 18'] },
  ],
  [
    'Ecowitt WH52',
    {
      preset: 'ecowitt/wh51',
      payload: ecowitt('soil_ec_hum1=42&soil_ec_temp1=82.40&soil_ec_batt1=1.4'),
    },
    { stored: ['humidity 42', 'temperature 28'], battery: 1.4 },
  ],
  // djjudas21/ecowitt-exporter, issue 16: the protocol of Ambient Weather, posted as that of Ecowitt.
  [
    'AMBWeather posted to the preset of Ecowitt',
    {
      preset: 'ecowitt/wh51',
      payload: ecowitt('stationtype=AMBWeatherPro_V5.1.1&tempf=64.4&soilmoisture1=31'),
    },
    { stored: ['humidity 31', 'temperature 18'] },
  ],
  // bachya/ecowitt2mqtt, issue 435 [R]; the soil sensors are those of ambient-weather/api-docs.
  [
    'Ambient Weather console',
    {
      preset: 'ambient/console',
      payload: ecowitt('tempf=64.4&dailyrainin=0.236&soilhum1=31&soiltemp1f=64.4'),
    },
    { stored: ['humidity 31', 'rain 5.9944', 'temperature 18', 'temperature 18'] },
  ],
  // The text of a sensor that the gateway does not hear, in its own files.
  [
    'Ecowitt WH51 without its battery',
    { preset: 'ecowitt/wh51', payload: ecowitt('soilmoisture1=--&soilmoisture2=56') },
    { stored: ['humidity 56'], failed: 1 },
  ],
  // The dashed value of a soil moisture in Davis’ Serial Communication Reference for Vantage.
  [
    'Davis soil station without a sensor',
    {
      preset: 'davis/soil-station',
      payload: davis(56, { moist_soil_1: 255, temp_1: null, moist_soil_2: 31, temp_2: 64.4 }),
    },
    { stored: ['temperature 18', 'tensio 31'], failed: 1 },
  ],
  // weatherlink/v2-api [D]
  [
    'Davis ISS, current',
    {
      preset: 'davis/soil-station',
      payload: davis(43, { temp: 64.4, hum: 48, wind_speed_avg_last_10_min: 2.01 }),
    },
    { stored: ['humidity 48', 'temperature 18', 'wind 0.8985504'] },
  ],
  [
    'Davis ISS, historic',
    {
      preset: 'davis/soil-station',
      payload: davis(24, {
        temp_out: 64.4,
        hum_out: 48,
        wind_speed_avg: 2.01,
        rainfall_mm: 1.2,
        arch_int: 900,
      }),
    },
    { stored: ['humidity 48', 'rain 1.2', 'temperature 18', 'wind 0.8985504'] },
  ],
  [
    'Davis 6440',
    { preset: 'davis/soil-station', payload: davis(108, { moist_soil_last: 3.3 }) },
    { stored: ['tensio 3.3'] },
  ],
  // PADAS/gundi-integration-zentracloud [S]
  [
    'ZENTRA, UTC',
    { preset: 'zentra/logger', payload: zentra('Water Content', 'm³/m³', 0.215, '+0000') },
    { stored: ['humidity 21.5'] },
  ],
  [
    'ZENTRA, m^3/m^3',
    { preset: 'zentra/logger', payload: zentra('Water Content', 'm^3/m^3', 0.215, '+01:00') },
    { stored: ['humidity 21.5'] },
  ],
  [
    'ZENTRA, no unit',
    { preset: 'zentra/logger', payload: zentra('Water Content', undefined, 0.215, '+0000') },
    { stored: [], named: 'the unit of moisture is missing' },
  ],
  [
    'ZENTRA, with the flag of an error',
    {
      preset: 'zentra/logger',
      payload: {
        data: {
          'Water Content': [
            {
              metadata: { device_sn: 'z6-1', port_number: 1, units: 'm³/m³' },
              readings: [
                { datetime: '2026-07-01 09:00:00+0000', value: null, error_flag: true },
                { datetime: '2026-07-01 09:15:00+0000', value: 0.215, error_flag: false },
              ],
            },
          ],
        },
      },
    },
    { stored: ['humidity 21.5'], failed: 1 },
  ],
  // Koenkk/zigbee-herdsman-converters, tuya.ts [S]
  [
    'Zigbee2MQTT TS0601_soil',
    {
      preset: 'zigbee2mqtt/soil-sensor',
      topic: 'zigbee2mqtt/bed',
      payload: { soil_moisture: 37, temperature: 21.3, battery: 100 },
    },
    { stored: ['humidity 37', 'temperature 21.3'], battery: 100 },
  ],
  [
    'Zigbee2MQTT with an air head',
    {
      preset: 'zigbee2mqtt/soil-sensor',
      topic: 'zigbee2mqtt/bed',
      payload: { soil_moisture: 37, temperature: 31.2, humidity: 44 },
    },
    { stored: ['air humidity 44', 'air temperature 31.2', 'humidity 37'] },
  ],
  [
    'Zigbee2MQTT in °F',
    {
      preset: 'zigbee2mqtt/soil-sensor',
      topic: 'zigbee2mqtt/bed',
      payload: { soil_moisture: 37, temperature: 70.34, temperature_unit: 'fahrenheit' },
    },
    { stored: ['humidity 37', 'temperature 21.3'] },
  ],
  [
    'Home Assistant',
    {
      preset: 'home-assistant/soil-sensor',
      topic: 'homeassistant/sensor/bed_moisture/state',
      payload: '23.4',
    },
    { stored: ['humidity 23.4'] },
  ],
  [
    'Home Assistant, unavailable',
    {
      preset: 'home-assistant/soil-sensor',
      topic: 'homeassistant/sensor/bed_moisture/state',
      payload: 'unavailable',
    },
    { stored: [], failed: 1, named: 'reports a failed measurement ("unavailable")' },
  ],
  [
    'Home Assistant, in m³/m³',
    {
      preset: 'home-assistant/soil-sensor',
      topic: 'homeassistant/sensor/bed_moisture/state',
      payload: '0.234',
      units: new Map([['homeassistant/sensor/bed_moisture/unit_of_measurement', 'm³/m³']]),
    },
    { stored: ['humidity 23.4'] },
  ],
  [
    'Home Assistant, a moisture in another unit',
    {
      preset: 'home-assistant/soil-sensor',
      topic: 'homeassistant/sensor/bed_moisture_2/state',
      payload: '412',
      units: new Map([['homeassistant/sensor/bed_moisture_2/unit_of_measurement', 'mV']]),
    },
    { stored: [], named: 'the unit "mV" of moisture is unknown' },
  ],
  [
    'Home Assistant, a fraction without a unit',
    {
      preset: 'home-assistant/soil-sensor',
      topic: 'homeassistant/sensor/bed_moisture/state',
      payload: '0.234',
    },
    { stored: [], named: 'may be a fraction' },
  ],
  [
    'Home Assistant in °F',
    {
      preset: 'home-assistant/soil-sensor',
      topic: 'homeassistant/sensor/bed_temperature/state',
      payload: '68.9',
      units: new Map([['homeassistant/sensor/bed_temperature/unit_of_measurement', '°F']]),
    },
    { stored: ['temperature 20.5'] },
  ],
  [
    'Home Assistant, a Watermark',
    {
      preset: 'home-assistant/soil-sensor',
      topic: 'homeassistant/sensor/north_watermark_2/state',
      payload: '41',
      units: new Map([['homeassistant/sensor/north_watermark_2/unit_of_measurement', 'cb']]),
    },
    { stored: ['tensio 41'] },
  ],
  // The entities of home-assistant/core, integration ecowitt: "Soil moisture 1".
  [
    'Home Assistant, a numbered entity',
    {
      preset: 'home-assistant/soil-sensor',
      topic: 'homeassistant/sensor/gw2000_soil_moisture_1/state',
      payload: '40',
    },
    { stored: ['humidity 40'] },
  ],
  [
    'Home Assistant, a tension',
    {
      preset: 'home-assistant/soil-sensor',
      topic: 'homeassistant/sensor/bed_soil_tension/state',
      payload: '41.2',
    },
    { stored: ['tensio 41.2'] },
  ],
  [
    'one’s own, to 85 cm',
    {
      preset: 'generic/json',
      payload: {
        device: 'pump',
        time: '2026-07-01T09:00:00Z',
        ...Object.fromEntries([5, 35, 55, 65, 85].map((depth) => [`moisture_${depth}`, depth])),
      },
    },
    { stored: ['humidity 35', 'humidity 5', 'humidity 55', 'humidity 65', 'humidity 85'] },
  ],
  [
    'one’s own, by the words of columns',
    {
      preset: 'generic/json',
      payload: {
        device: 'pump',
        time: '2026-07-01T09:00:00Z',
        watermark_30: 41,
        soil_water_tension_60: 38,
        swp: -52,
        'Saugspannung 90 cm': 37,
        'humedad suelo 20 cm': 24.1,
        kPa: 12,
        humidity: 55,
        pressure_kPa: 101.3,
      },
    },
    {
      stored: ['humidity 24.1', 'tensio 12', 'tensio 37', 'tensio 38', 'tensio 41', 'tensio 52'],
    },
  ],
  // Named in the review of intake, built by the pages of their makers: in no public capture.
  [
    'FieldClimate',
    {
      preset: 'generic/json',
      payload: {
        dates: ['2026-07-01 09:00:00'],
        data: [{ name: 'EAG Soil moisture', values: {} }],
      },
    },
    { kind: 'unreadable', named: 'names no device' },
  ],
  [
    'HOBOlink',
    {
      preset: 'generic/json',
      payload: { observation_list: [{ logger_sn: '1', timestamp: '2026-07-01', si_value: 0.21 }] },
    },
    { kind: 'unreadable', named: 'names no device' },
  ],
  [
    'Sensoterra',
    { preset: 'generic/json', payload: { serial: '1', depth: 20, unit: 'SI', value: 0.24 } },
    { kind: 'unreadable', named: 'names no device' },
  ],
  [
    'ESPHome, by Home Assistant',
    {
      preset: 'home-assistant/soil-sensor',
      topic: 'homeassistant/sensor/greenhouse_soil_moisture/state',
      payload: '31.5',
      units: new Map([['homeassistant/sensor/greenhouse_soil_moisture/unit_of_measurement', '%']]),
    },
    { stored: ['humidity 31.5'] },
  ],
  [
    'Tasmota',
    {
      preset: 'generic/json',
      payload: { Time: '2026-07-01T09:00:00', MOISTURE: { Moisture: 24 } },
    },
    { kind: 'unreadable', named: 'names no device' },
  ],
  [
    'ThingsBoard',
    { preset: 'generic/json', payload: { ts: 1_782_892_800_000, values: { moisture: 24 } } },
    { kind: 'unreadable', named: 'names no device' },
  ],
];

it.each(PAYLOADS)('%s', (_, { preset, payload, topic = null, units = new Map() }, outcome) => {
  const bytes = Buffer.from(typeof payload === 'string' ? payload : JSON.stringify(payload));
  const map = mapOfPresets([findPreset(preset)], undefined);
  const message = { topic, payload: bytes, units };
  const parsed = readPayload(map, message, NOW);
  const unread = unreadItems({ map, message, via: preset, parsed, now: NOW });
  const named = unread.map(({ reason }) => reason.text);

  if (outcome.kind !== undefined) expect(parsed.kind).toBe(outcome.kind);
  if (parsed.kind === 'items') {
    const stored: string[] = [];
    for (const { type, value, depth } of parsed.readings) {
      if (isFieldType(type ?? '')) continue;
      const reason =
        typeof value === 'number'
          ? rejectionOfValue(value, measurementRange(type as MeasurementType))
          : 'not_a_number';
      if (reason === null)
        stored.push(`${depth === null && topic !== null ? 'air ' : ''}${type} ${value}`);
      else named.push(reason);
    }
    stored.push(
      ...parsed.rain.map(({ mm, isRunningTotal }) => `rain ${isRunningTotal ? 'up to ' : ''}${mm}`),
    );
    stored.push(...parsed.weather.map(({ type, value }) => `${type} ${value}`));

    expect(stored.sort()).toEqual(outcome.stored ?? []);
    expect(parsed.failedMeasurements).toBe(outcome.failed ?? 0);
    const distinct = (key: 'time' | 'device') => [...new Set(parsed.readings.map((r) => r[key]))];
    if (outcome.times !== undefined) expect(distinct('time').sort()).toEqual(outcome.times);
    if (outcome.devices !== undefined) expect(distinct('device').sort()).toEqual(outcome.devices);
    if (outcome.battery !== undefined) {
      const batteries = parsed.devices.map(
        ({ batteryV, batteryPercent }) => batteryV ?? batteryPercent,
      );
      expect(batteries).toContain(outcome.battery);
    }
  } else expect(outcome.stored ?? []).toEqual([]);

  if (outcome.named === undefined) expect(named).toEqual([]);
  else expect(named.join('; ')).toContain(outcome.named);
});
