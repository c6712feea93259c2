import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { runInProcess } from '../../in-process-command.ts';
import { newFolder } from '../../temporary-places.ts';
import {
  BINARY,
  CLEAN_EXIT,
  type CommandOptions,
  runCommand,
  startCommand,
  waitWhileRunning,
} from '../program.ts';

let home: string;
let db: string;
let options: CommandOptions;
beforeEach(async () => {
  home = await newFolder();
  db = join(home, 'farm.db');
  const env = {
    HOME: home,
    USERPROFILE: home,
    APPDATA: home,
    LANG: 'en_FR.UTF-8',
    LC_ALL: '',
    TZ: 'Europe/Paris',
  };
  options = { env, cwd: home };
});

const COMPANY = ['Mas Rouge', '', ''];
const USER = ['ana@example.org', 'Ana'];
const PARCEL = ['North block', 'olive', 'drip', '1,6', '0.5 x 1 m', '1.5', 'loam', '60'];
const PROBES = [
  'North 1',
  '',
  '',
  'A1B2C3',
  '2026-03-01',
  'North 2',
  'tension',
  '20 40',
  '',
  '',
  '',
];
const ANSWERS = [...COMPANY, ...USER, ...PARCEL, ...PROBES, '', 'y', 'farm.json', '', 'y'];

it('acequia init writes what is answered with the defaults of the system, saves the farm file, connects, and says what to say', async () => {
  await mkdir(join(home, '.cursor'));
  const { code, stdout, stderr } = await runCommand(['init', '--db', db], {
    ...options,
    input: ANSWERS.map((answer) => `${answer}\n`).join(''),
  });
  expect({ code, stderr }).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('Time zone [Europe/Paris]: \n'),
  });
  // 1.6 L/h x 1 / (0.5 m x 1 m) = 3.2 mm/h.
  expect(stderr).toContain(
    '"North block", olive, drip, 3.2 mm/h on 1.5 ha, loam, roots 60 cm\n    "North 1": % at 10, 30 cm, number "A1B2C3"',
  );
  expect(stdout).toContain(`"Mas Rouge" is written to ${db}: 1 parcel, 2 probes.`);
  expect(stdout).toContain('Cursor now starts Acequia');
  expect(stdout).toContain(`For mail about alerts:   node ${BINARY} service install --db ${db}`);
  expect(stdout.trimEnd().split('\n').at(-1)).toBe(
    'Say to the assistant: "I watered North 1 for 45 minutes, this morning at six."',
  );

  const { mcpServers } = JSON.parse(await readFile(join(home, '.cursor/mcp.json'), 'utf8'));
  expect(mcpServers.acequia.args).toEqual([BINARY, '--db', db]);
  const farm = JSON.parse(await readFile(join(home, 'farm.json'), 'utf8'));
  expect(farm).toEqual({
    company: { name: 'Mas Rouge', countryCode: 'FR', timezone: 'Europe/Paris' },
    users: [{ email: 'ana@example.org', name: 'Ana', role: 'OWNER' }],
    parcels: [
      {
        name: 'North block',
        type: 'olive',
        installation: {
          system: 'drip',
          emitterFlowLph: 1.6,
          emittersPerM2: 2,
          emitterSpacingM: 0.5,
          lineSpacingM: 1,
          irrigatedAreaM2: 15_000,
        },
        soilProfile: [{ usdaClass: 'Loam', depthTopCm: 0, depthBottomCm: 100 }],
        settings: { rootDepthCm: 60 },
      },
    ],
    modules: [
      {
        uid: 'A1B2C3',
        name: 'North 1',
        category: 'SOIL_PROBE',
        parcel: 'North block',
        commissionedAt: '2026-03-01',
        sensors: [10, 30].map((depth) => ({ type: 'humidity', depth })),
      },
      {
        uid: 'North 2',
        name: 'North 2',
        category: 'TENSIOMETER',
        parcel: 'North block',
        sensors: [20, 40].map((depth) => ({ type: 'tensio', depth })),
      },
    ],
  });
  const again = await runInProcess(['import', 'farm.json', '--db', db], options);
  expect(again).toMatchObject({
    ...CLEAN_EXIT,
    stdout: expect.not.stringMatching(/created| changed/),
  });
  const watering = [
    'module=North 1',
    'startedAt=today 0:10',
    'inputMode=duration',
    'durationMin=45',
  ];
  const logged = await runInProcess(['call', 'log_watering', ...watering, '--db', db], options);
  expect(logged).toMatchObject({ code: 0, stdout: expect.stringContaining('2.4 mm') });
});

it('acequia init writes nothing when it is interrupted', async () => {
  const running = startCommand(['init', '--db', db], options);
  running.child.stdin.write('Mas Rouge\n');
  await waitWhileRunning(running, () => running.stderr().includes('Country'));
  running.child.kill('SIGINT');
  await running.ended;
  expect(await readdir(home)).toEqual([]);
});
