import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { CLEAN_EXIT, type CommandOptions } from '../../acceptance/program.ts';
import { newBaseFarm } from '../../base-farm.ts';
import { runInProcess } from '../../in-process-command.ts';
import { rowsOf } from '../../stores/stores.ts';
import { newFolder } from '../../temporary-places.ts';
import { newServiceHome } from '../service/service-manager.ts';

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

const init = (answers: readonly string[], ...args: string[]) =>
  runInProcess(['init', '--db', db, ...args], {
    ...options,
    input: answers.map((answer) => `${answer}\n`).join(''),
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
const FARM = [...COMPANY, ...USER, ...PARCEL, ...PROBES, ''];

describe('acequia init', () => {
  it('writes what is answered with the defaults of the system, saves the farm file, connects, and says what to say', async () => {
    await mkdir(join(home, '.cursor'));
    const { code, stdout, stderr } = await init([...FARM, 'y', 'farm.json', '', 'y']);
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
    expect(stdout).toContain(
      `For mail about alerts:   node ${process.argv[1]} service install --db ${db}`,
    );
    expect(stdout.trimEnd().split('\n').at(-1)).toBe(
      'Say to the assistant: "I watered North 1 for 45 minutes, this morning at six."',
    );

    const { mcpServers } = JSON.parse(await readFile(join(home, '.cursor/mcp.json'), 'utf8'));
    expect(mcpServers.acequia.args).toEqual([process.argv[1], '--db', db]);
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

  it('takes probes without a parcel, and no answer to what is offered afterwards', async () => {
    const { code, stdout } = await init([...COMPANY, '', '', 'Mast', '', '15', '', '', '', 'y']);
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('No assistant was found'),
    });
    expect(await rowsOf(db, 'select name, uid, parcel_id from modules')).toEqual([
      { name: 'Mast', uid: 'Mast', parcel_id: null },
    ]);
    expect(await readdir(home)).not.toContain('farm.json');
  });

  it.each([
    ['the end of the input at the first question', [], 'The answers ended at "Name of the farm"'],
    [
      'the end of the input in the middle',
      FARM.slice(0, 9),
      'The answers ended at "Emitters per m2',
    ],
    ['the end of the input at the last question', FARM, 'Nothing was written.'],
    ['a no', [...FARM, 'n'], 'Nothing was written.'],
    [
      'an answer that cannot be read',
      [...COMPANY, 'ana'],
      '"ana" is not an answer to "Your e-mail',
    ],
    [
      'a name that is taken',
      [...FARM.slice(0, -1), 'north BLOCK'],
      'there is already a parcel "north BLOCK"',
    ],
    ['a needed answer left out', [''], 'it is needed'],
  ])('writes nothing after %s', async (_, answers, message) => {
    const { code, stdout, stderr } = await init(answers);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr).toContain('Nothing was written.');
    expect(await readdir(home)).toEqual([]);
  });

  it.skipIf(process.platform !== 'linux')(
    'offers at its end to keep Acequia on, and says how where that is declined or not possible',
    async () => {
      const service = await newServiceHome();
      const run = (db: string, answers: readonly string[], env = {}) =>
        runInProcess(['init', '--db', join(service.home, db)], {
          env: { ...options.env, ...service.env, ...env },
          input: [...COMPANY, '', '', '', 'y', '', ...answers].map((line) => `${line}\n`).join(''),
        });
      const how = /"node [^ ]+ service install --db [^ ]+[.]db" keeps Acequia on[.]/;

      const declined = await run('declined.db', ['n']);
      expect(declined.stderr).toContain(
        'Keep it on in the background (a systemd user unit)? [Y/n]',
      );
      expect(declined.stdout).toMatch(how);
      // No mail server is set.
      expect(declined.stdout + declined.stderr).not.toMatch(/mail leaves/);
      const withMail = await run('mail.db', ['n'], { ACEQUIA_SMTP_URL: 'smtp://127.0.0.1:1' });
      expect(withMail.stderr).toContain('Alerts are checked and mail is sent only while');
      expect(existsSync(service.envFile)).toBe(false);

      const accepted = await run('farm.db', ['', '', '']);
      expect(accepted.stdout).toContain('Acequia is on.');
      expect(accepted.stdout).toContain('also while you are logged out');
      expect(accepted.stdout).not.toMatch(how);
      expect(accepted.stdout).toMatch(/Say to the assistant: .*\n$/);
      expect(await readFile(service.envFile, 'utf8')).toContain(`${service.home}/farm.db'`);

      await service.fail('show --property', 'No medium found');
      const impossible = await run('other.db', ['y']);
      expect(impossible.stderr).not.toContain('in the background');
      expect(impossible.stdout).toMatch(how);
    },
  );

  it('speaks the language of the system or of --lang, and takes its words', async () => {
    const answers = ['Finca Alta', 'España', '', '', 'Cerro', 'olivo', 'goteo', '1,6', '0,5 x 1 m'];
    const rest = ['1,5 ha', 'franco', '60 cm', 'Cerro 1', 'tensiómetro', '30', '', '15/3/2025'];
    const spanish = [...answers, ...rest, '', '', 's', 'no', 'ninguno'];
    const { code, stdout, stderr } = await init(spanish, '--lang', 'es');
    expect({ code, stderr }).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('Nombre de la finca: Finca Alta'),
    });
    expect(stderr).toContain('"Cerro", olivo, goteo, 3,2 mm/h en 1,5 ha, franco, raíces 60 cm');
    expect(stderr).toContain(`¿Escribir esta finca en ${db}? [S/n] s`);
    expect(stdout).toContain('Dígale al asistente: "He regado Cerro 1 45 minutos');
    expect(await rowsOf(db, 'select type from sensors')).toEqual([{ type: 'tensio' }]);

    options = { ...options, env: { ...options.env, LANG: 'fr_FR.UTF-8' } };
    db = join(home, 'other.db');
    expect((await init(['Mas', '', '', 'ana'])).stderr).toContain('Donnez une adresse de courriel');
  });

  it('goes back with "<", also from the last question', async () => {
    const answers = [...COMPANY, '', 'North block', '<', 'South block', '', '', '', '', ''];
    const { code, stderr } = await init([
      ...answers,
      '',
      '<',
      'Next',
      '',
      '',
      '',
      '',
      '',
      '',
      '',
      'y',
    ]);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(await rowsOf(db, 'select name from parcels order by id')).toEqual([
      { name: 'South block' },
      { name: 'Next' },
    ]);
    db = join(home, 'other.db');
    expect((await init(['<', 'Mas', '<', 'Mas Noir', '', '', '', '', '', 'y'])).stderr).toMatch(
      /first question[\s\S]*"Mas Noir"/,
    );
  });

  it('leaves a store alone that holds a farm, before it asks anything', async () => {
    db = await newBaseFarm();
    const before = await rowsOf(db, 'select * from companies');
    expect(await init(FARM)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/already holds the farm "Mas Rouge"\.\n.*--db\.\n$/),
    });
    expect(await rowsOf(db, 'select * from companies')).toEqual(before);
  });

  it('overwrites no file with the farm file, and asks again', async () => {
    await writeFile(join(home, 'notes.json'), 'mine');
    const { stderr } = await init([
      ...COMPANY,
      '',
      '',
      '',
      'y',
      'notes.json',
      'farm.db',
      'none/farm.json',
      'farm.json',
    ]);
    expect(stderr).toContain('notes.json exists already.');
    expect(stderr).toContain('is a file of a store');
    expect(stderr).toContain('cannot be written (ENOENT)');
    expect(await readFile(join(home, 'notes.json'), 'utf8')).toBe('mine');
    expect(existsSync(join(home, 'farm.json'))).toBe(true);
  });

  it('prints the answers as a farm file if the store cannot be written', async () => {
    await writeFile(join(home, 'file'), '');
    db = join(home, 'file', 'farm.db');
    const { code, stdout, stderr } = await init([...COMPANY, '', '', '', 'y']);
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Your answers, to import'),
    });
    expect(JSON.parse(stdout).company.name).toBe('Mas Rouge');
  });

  it('is named by a tool where the store is there and has no farm, and then fills that store', async () => {
    await writeFile(join(home, 'readings.csv'), 'module,type,depth,time,value\n');
    await runInProcess(['import', 'readings.csv', '--db', db], options);
    expect(existsSync(db)).toBe(true);
    const refused = await runInProcess(['call', 'list_modules', '--db', db], options);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('"acequia init"') });
    expect(await init([...COMPANY, '', '', '', 'y'])).toMatchObject({ code: 0 });
  });

  it.each([
    ['a tool', ['call', 'get_company']],
    ['a key', ['keys', 'create']],
    ['the doctor', ['doctor']],
    ['an import of readings', ['import', 'readings.csv']],
    ['a server', ['serve', '--port', '0']],
  ])('is named by %s where there is no farm', async (_, args) => {
    await writeFile(join(home, 'readings.csv'), 'module,type,depth,time,value\n');
    const { stdout, stderr } = await runInProcess([...args, '--db', db], options);
    expect(stdout + stderr).toContain('acequia init');
  });
});
