import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newBaseFarm } from '../../base-farm.ts';
import { rowsOf } from '../../stores/stores.ts';
import { newFolder } from '../../temporary-places.ts';
import { CLOCK, REPOSITORY, runCommand, runProgram, startCommand, waitWhileRunning } from '../program.ts';
import { startTestBroker } from './mqtt-broker.ts';

/**
 * Shapes as their sources document them, with instants of the test. Decoded payloads and envelopes: TheThingsNetwork/lorawan-devices
 * (vendor/dragino, milesight-iot, sensecap, decentlab), Milesight-IoT/SensorDecoders, chirpstack-docs (integrations/events);
 * Ecowitt: captures of GW3000A and GW1100A; Davis: weatherlink.github.io/v2-api; ZENTRA Cloud: its API v4.
 */
const PAYLOADS = join(REPOSITORY, 'test/acceptance/ingest/payloads');

const payloadFiles = readdirSync(PAYLOADS, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name).slice(PAYLOADS.length + 1));

const fileOf = (preset: string): string =>
  join(PAYLOADS, payloadFiles.find((file) => file.replace(/\.\w+$/, '') === preset)!);

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

const ARRIVAL = 'arrival';
const ttnAt = `${EUI_AT}.358Z`;
const chirpstackAt = `${EUI_AT}.775Z`;
const one = { [EUI]: { module: 'North 1', depth: 20 } };
/** Of its eight depths, the fourth to sixth are in the soil; the farm has no sensors at the others. */
const eight = { [EUI]: { module: 'North 1', depths: [101, 102, 103, 10, 20, 30, 104, 105] } };

const MQTT_CASES: [preset: string, topic: string, devices: object, readings: Row[]][] = [
  ['ttn/dragino-lse01', 'v3/mas-rouge@ttn/devices/soil-1/up', one, soil(ttnAt, 20, 19.57, 24.59)],
  ['ttn/milesight-em500-smtc', 'v3/mas-rouge@ttn/devices/soil-1/up', one, soil(ttnAt, 20, 11.5, 28.1)],
  ['ttn/sensecap-s2105', 'v3/mas-rouge@ttn/devices/soil-1/up', one, soil(ttnAt, 20, 30.9, 17.1)],
  ['ttn/decentlab-dl-smtp', 'v3/mas-rouge@ttn/devices/soil-1/up', eight, profile(ttnAt)],
  ['chirpstack/dragino-lse01', `application/17c8/device/${EUI}/event/up`, one, soil(chirpstackAt, 20, 19.57, 24.59)],
  [
    'chirpstack/milesight-em500-smtc',
    `application/17c8/device/${EUI}/event/up`,
    one,
    soil(chirpstackAt, 20, 11.5, 28.1),
  ],
  ['chirpstack/sensecap-s2105', `application/17c8/device/${EUI}/event/up`, one, soil(chirpstackAt, 20, 30.9, 17.1)],
  ['chirpstack/decentlab-dl-smtp', `application/17c8/device/${EUI}/event/up`, eight, profile(chirpstackAt)],
  [
    'ecowitt/wh51',
    'ecowitt/gw3000',
    {
      ...Object.fromEntries([1, 2, 3].map((n) => [`${GATEWAY}/${n}`, { module: 'North 1', depth: 10 * n }])),
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

async function writeDevices(devices: object): Promise<string> {
  const file = join(await newFolder(), 'devices.json');
  await writeFile(file, JSON.stringify(devices));
  return file;
}

const readingsOf = async (db: string): Promise<Row[]> => {
  const query = `select s.type, s.depth, r.at, r.value from readings r join sensors s on s.id = r.sensor_id
    order by s.type, s.depth, r.at`;
  const rows = await rowsOf<{ type: string; depth: number; at: number; value: number }>(db, query);
  return rows.map(({ type, depth, at, value }) => [type, depth, new Date(at).toISOString(), value]);
};

const sorted = (rows: readonly Row[]): Row[] =>
  [...rows].sort((a, b) => a[0].localeCompare(b[0]) || a[1] - b[1] || a[2].localeCompare(b[2]));

const tryPayload = (preset: string, devices: string, ...args: string[]) =>
  runCommand(['ingest', 'try', '--preset', preset, '--devices', devices, '--clock', CLOCK, ...args, fileOf(preset)]);

const rowsTried = (stdout: string): object[] =>
  stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))
    .filter((row) => 'type' in row || 'mm' in row);

describe('a preset', () => {
  it.each(MQTT_CASES)('%s turns a message into readings', async (preset, topic, devices, readings) => {
    const [broker, db] = [await startTestBroker(), await newBaseFarm()];
    const args = ['--preset', preset, '--devices', await writeDevices(devices), '--broker', broker.url];
    const running = startCommand(['ingest', 'mqtt', ...args, '--db', db, '--clock', CLOCK]);
    await waitWhileRunning(running, () => running.stdout().includes('Listening'));
    // Twice, as a network that delivers again; a time of arrival cannot tell that.
    const hasArrivalTime = readings.some(([, , at]) => at === ARRIVAL);
    const deliveries = hasArrivalTime ? 1 : 2;
    for (let time = 0; time < deliveries; time++) await broker.publish(topic, readFileSync(fileOf(preset), 'utf8'));
    await waitWhileRunning(running, async () => (await readingsOf(db)).length >= readings.length);
    const { code, stdout } = await running.stop();
    const written = (await readingsOf(db)).map(
      ([type, depth, at, value]): Row => [
        type,
        depth,
        hasArrivalTime ? at.replace(/^2026-07-01T10:0.*/, ARRIVAL) : at,
        value,
      ],
    );
    expect(written).toEqual(sorted(readings));
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`${deliveries} messages: ${readings.length} readings written, 0 changed`),
    });
  });

  it('davis/soil-station gives tensions and temperatures by input of the station', async () => {
    const devices = await writeDevices({
      '420911/1': { module: 'North 1', depth: 20 },
      '420911/2': { module: 'North 1', depth: 40 },
    });
    const { code, stdout } = await tryPayload('davis/soil-station', devices);
    expect(code).toBe(0);
    // 1782115200 s since 1970; 64.4 °F is 18 °C.
    const time = '2026-06-22T08:00:00.000Z';
    expect(rowsTried(stdout).slice(0, 3)).toEqual([
      { module: 'North 1', depth: 20, type: 'tensio', time, value: 12 },
      { module: 'North 1', depth: 20, type: 'temperature', time, value: 18 },
      { module: 'North 1', depth: 40, type: 'tensio', time, value: 35 },
    ]);
    expect(rowsTried(stdout)).toHaveLength(8);
    expect(rowsTried(stdout)).toContainEqual({ device: '420910', depth: null, type: 'humidity', time, value: 48 });
  });

  it('davis/drill-and-drop gives a profile', async () => {
    const depths = [10, 20, 30, 40, 50, 60];
    const { code, stdout } = await tryPayload(
      'davis/drill-and-drop',
      await writeDevices({ 420920: { module: 'A1', depths } }),
    );
    expect(code).toBe(0);
    const moisture = rowsTried(stdout).filter((row) => (row as { type: string }).type === 'humidity');
    expect(moisture.map((row) => (row as { depth: number }).depth)).toEqual(depths);
    expect(moisture.map((row) => (row as { value: number }).value)).toEqual([21.5, 22.5, 23.5, 24.5, 25.5, 26.5]);
  });

  it('zentra/logger gives moisture in %, and tension as a positive figure, without failed measurements', async () => {
    const devices = await writeDevices({ 'z6-30302/1': { module: 'North 1', depth: 15 } });
    const { code, stdout } = await tryPayload('zentra/logger', devices);
    expect(code).toBe(0);
    const row = { module: 'North 1', depth: 15, time: '2026-06-20T10:00:00+00:00' };
    expect(rowsTried(stdout)).toEqual([
      { ...row, type: 'humidity', value: 29.5 },
      { ...row, type: 'temperature', value: 18.4 },
      { ...row, type: 'tensio', value: 21.5 },
      { device: 'z6-30302/station', depth: null, time: row.time, type: 'temperature', value: 21.5 },
    ]);
  });

  it.each([
    ['ttn/milesight-wts506', 25.5, 60.5, 0.1, 100],
    ['chirpstack/milesight-wts506', 25.5, 60.5, 0.1, 100],
    ['ttn/sensecap-s2120', 24.6, 58, 1.7, 95],
    ['chirpstack/sensecap-s2120', 24.6, 58, 1.7, 95],
  ])('%s gives temperature, humidity and wind of the air', async (preset, temperature, humidity, wind, battery) => {
    const { stdout } = await tryPayload(preset, await writeDevices({}));
    expect(rowsTried(stdout)).toMatchObject([
      { device: EUI, depth: null, type: 'temperature', value: temperature },
      { device: EUI, depth: null, type: 'humidity', value: humidity },
      { device: EUI, type: 'wind', value: wind },
    ]);
    expect(stdout).toContain(`"batteryPercent":${battery}`);
  });

  it('drops and counts the codes of sensors that are not there', async () => {
    const { stdout } = await tryPayload('ttn/decentlab-dl-smtp', await writeDevices(eight));
    expect(stdout).toContain('Failed measurements dropped: 4.');
  });

  it('ignores simulated uplinks, and reads several kinds of device on one network', async () => {
    const uplink = JSON.parse(readFileSync(fileOf('ttn/sensecap-s2105'), 'utf8'));
    const presets = ['--preset', 'ttn/dragino-lse01', '--preset', 'ttn/sensecap-s2105'];
    const args = ['ingest', 'try', ...presets, '--devices', await writeDevices(one), '-'];
    const both = await runCommand(args, { input: JSON.stringify(uplink) });
    expect(rowsTried(both.stdout)).toHaveLength(2);
    const simulated = await runCommand(args, { input: JSON.stringify({ ...uplink, simulated: true }) });
    expect(simulated.stdout).toBe('Ignored: the map says so.\n');
  });

  it('names the device that is not in the file, and never its secret', async () => {
    const { code, stdout } = await tryPayload('ecowitt/wh51', await writeDevices({}));
    expect(code).toBe(0);
    expect(stdout).toContain(`Assign it, once: acequia ingest assign ${GATEWAY}/1 MODULE DEPTH`);
    expect(stdout).not.toContain('2E665D6A');
  });

  it('is named with its nearest when it is misspelt, and needs one network', async () => {
    const misspelt = await runCommand(['ingest', 'try', '--preset', 'ttn/dragino-lse1', fileOf('ttn/dragino-lse01')]);
    expect(misspelt).toMatchObject({ code: 2, stderr: expect.stringContaining('Did you mean ttn/dragino-lse01?') });
    const mixed = ['--preset', 'ttn/dragino-lse01', '--preset', 'chirpstack/dragino-lse01'];
    const refused = await runCommand(['ingest', 'mqtt', ...mixed, '--db', await newBaseFarm()]);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('are not on one network') });
    const none = await runCommand(['ingest', 'mqtt', '--db', await newBaseFarm()]);
    expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining('Nothing says what the payloads mean.') });
    const http = await runCommand([
      'ingest',
      'mqtt',
      '--preset',
      'zentra/logger',
      '--broker',
      'mqtt://127.0.0.1:1',
      '--db',
      await newBaseFarm(),
    ]);
    expect(http).toMatchObject({ code: 2, stderr: expect.stringContaining('do not come over MQTT') });
  });
});

describe('acequia ingest presets', () => {
  it('lists one preset a line with what it reads; each has a payload here', async () => {
    const { code, stdout } = await runProgram('ingest', 'presets');
    expect(code).toBe(0);
    const names = stdout
      .trim()
      .split('\n')
      .map((line) => /^(\S+) {2,}\S.{20,}/.exec(line)?.[1]);
    expect([...names].sort()).toEqual(payloadFiles.map((file) => file.replace(/\.\w+$/, '')).sort());
  });

  it('prints the map of a preset, which means the same as a file', async () => {
    const { stdout } = await runProgram('ingest', 'presets', '--print', 'ttn/dragino-lse01');
    const file = join(await newFolder(), 'map.json');
    await writeFile(file, stdout);
    const args = ['--devices', await writeDevices(one), fileOf('ttn/dragino-lse01')];
    const tried = await runProgram('ingest', 'try', '--map', file, ...args);
    expect(rowsTried(tried.stdout)).toMatchObject([{ value: 19.57 }, { value: 24.59 }]);
  });
});
