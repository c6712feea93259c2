import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { allNetworks } from '../../../src/service/ingest/payload/lorawan/networks.ts';
import { allPresets } from '../../../src/service/ingest/payload/presets.ts';
import { runInProcess } from '../../in-process-command.ts';
import { newFolder } from '../../temporary-places.ts';
import { runProgram } from '../program.ts';
import { payloadFile, UPLINK } from './ingest-service.ts';

it('acequia ingest presets lists what each preset reads, once for all networks', async () => {
  const { stdout } = await runProgram('ingest', 'presets');
  const [presets = '', networks = ''] = stdout.split('\nNETWORK is one of:\n');
  const namesIn = (text: string) =>
    [...text.matchAll(/^(\S+) {2,}\S.{3,}$/gm)].map(([, name]) => name);
  const names = namesIn(networks);
  expect(names).toEqual(allNetworks().map(({ name }) => name));
  expect(
    namesIn(presets).flatMap((preset) =>
      preset?.startsWith('NETWORK/')
        ? names.map((network) => preset.replace('NETWORK', `${network}`))
        : preset,
    ),
  ).toEqual(expect.arrayContaining(allPresets().map(({ name }) => name)));
});

it('acequia ingest try reads a payload by the map that presets prints, and the devices of a file', async () => {
  const { stdout: map } = await runProgram('ingest', 'presets', '--print', 'ttn/dragino-lse01');
  const folder = await newFolder();
  const [mapFile, devices] = ['map.json', 'devices.json'].map((name) => join(folder, name)) as [
    string,
    string,
  ];
  await writeFile(mapFile, map);
  await writeFile(devices, '{ "A84041FFFF181F0D": { "module": "North 1", "depth": 20 } }');
  const args = ['--map', mapFile, '--devices', devices, await payloadFile('ttn/dragino-lse01')];
  const { stdout } = await runProgram('ingest', 'try', ...args);
  const rows = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(rows).toMatchObject([
    { module: 'North 1', depth: 20, value: 19.57 },
    { value: 24.59 },
    { batteryV: 3.625 },
  ]);
});

it('acequia ingest try reads what the storage of The Things Stack answers', async () => {
  const file = join(await newFolder(), 'answer.json');
  const uplink = JSON.parse(UPLINK);
  const earlier = { ...uplink, received_at: '2026-06-21T08:00:00Z' };
  await writeFile(file, [earlier, uplink].map((result) => JSON.stringify({ result })).join('\n'));
  const { stdout } = await runProgram('ingest', 'try', '--preset', 'ttn/dragino-lse01', file);
  const times = stdout
    .split('\n')
    .flatMap((line) => /"time":"([^"]+)","value"/.exec(line)?.[1] ?? []);
  const [first, second] = [earlier.received_at, uplink.received_at];
  expect(times).toEqual([first, first, second, second]);
});

it.each([
  [
    'ecowitt/wh51',
    'PASSKEY=1234&dateutc=2026-06-20+10:00:00&tempf=45.1&dailyrainin=0.1',
    '/station MODULE\n',
  ],
  [
    'generic/json',
    '{"device":"a","time":"2026-06-20T10:00:00Z","moisture_10":20,"moisture_30":21}',
    'assign a MODULE\n',
  ],
  [
    'generic/json',
    '{"device":"a","time":"2026-06-20T10:00:00Z","moisture":20}',
    'assign a MODULE DEPTH\n',
  ],
  // Its messages have no time: they are of when they arrive.
  ['zigbee2mqtt/soil-sensor', '{"soil_moisture":20}', 'assign bed MODULE DEPTH\n'],
])(
  'acequia ingest try asks for a depth only where it is needed: %s %s',
  async (preset, payload, ending) => {
    const path = join(await newFolder(), 'payload');
    await writeFile(path, payload);
    const clock = '2026-06-20T10:00:00Z';
    const { stdout } = await runInProcess([
      'ingest',
      'try',
      '--preset',
      preset,
      ...(preset.startsWith('zigbee2mqtt') ? ['--topic', 'zigbee2mqtt/bed'] : []),
      '--clock',
      clock,
      path,
    ]);
    expect(stdout.slice(-ending.length)).toBe(ending);
    expect(stdout).toContain('"time":"2026-06-20T10:00:00');
  },
);

it('acequia ingest try names a device that is not assigned, and never its secret', async () => {
  const { stdout } = await runProgram(
    'ingest',
    'try',
    '--preset',
    'ecowitt/wh51',
    await payloadFile('ecowitt/wh51'),
  );
  // The first 8 digits of the SHA-256 of the PASSKEY.
  expect(stdout).toContain('Assign it, once: acequia ingest assign 808e946c/1 MODULE DEPTH');
  expect(stdout).not.toContain('2E665D6A');
});
