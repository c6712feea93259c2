import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { CLEAN_EXIT, type CommandResult, type Json, REPOSITORY } from '../../acceptance/program.ts';
import { importFarmFile } from '../../imported-data.ts';
import { runInProcess } from '../../in-process-command.ts';
import { rowsOf } from '../../stores/stores.ts';
import { templateStore } from '../../stores/template-stores.ts';
import { copyOfStore, newFolder, newStorePlace } from '../../temporary-places.ts';
import { iso } from '../../time.ts';

let folder: string;
let db: string;
beforeEach(async () => {
  folder = await newFolder();
  db = await newStorePlace();
});

const acequia = (...args: string[]): Promise<CommandResult> => runInProcess([...args, '--db', db]);
const acequiaImport = (...args: string[]): Promise<CommandResult> => acequia('import', ...args);

async function file(name: string, content: string | object): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

const DEPTHS = [10, 20, 30, 40, 50, 60];

const farm = (name = 'Mas Rouge', timezone = 'Europe/Athens') => ({
  company: { name, timezone },
  users: [{ email: 'ana@example.org', name: 'Ana', role: 'OWNER' }],
  modules: [
    {
      uid: 'A1B2C3',
      name: 'North 1',
      category: 'SOIL_PROBE',
      sensors: DEPTHS.map((depth) => ({ type: 'humidity', depth })),
    },
  ],
});

/** Oldest first; sensor 1 is the one at 10 cm. */
const instants = async (sensorId = 1): Promise<string[]> =>
  (
    await rowsOf<{ at: number }>(
      db,
      `select at from readings where sensor_id = ${sensorId} order by at`,
    )
  ).map(({ at }) => iso(at));

const LONG = 'module,type,depth,time,value\n';
const longRow = (minute: number, value = 5) =>
  `A1B2C3,humidity,10,${new Date(Date.UTC(2024, 0, 1) + minute * 60_000).toISOString()},${value}\n`;

const importedFarm = templateStore((path) => importFarmFile(path, farm()));
const useImportedFarm = async (): Promise<void> => {
  db = await copyOfStore(await importedFarm());
};

describe('acequia import', () => {
  it('imports a farm and its readings, and prints a summary', async () => {
    const readings = await file(
      'readings.csv',
      `${LONG}North 1,humidity,10,2024-01-10T06:00,5\nNorth 1,humidity,20,2024-01-10T07:00,6\n`,
    );
    const run = await acequiaImport(await file('farm.json', farm()), readings);
    expect(run).toEqual({
      ...CLEAN_EXIT,
      stdout:
        'farm.json: company "Mas Rouge" (#1) created.\n  1 user: 1 created\n  1 module: 1 created\n  6 sensors: 6 created\n' +
        '  module #1 "North 1" ("A1B2C3") created\n' +
        'readings.csv: 2 rows read, 2 readings stored of 2 sensors, 2024-01-10 06:00 to 2024-01-10 07:00 (Europe/Athens).\n',
    });
    expect(await instants()).toEqual(['2024-01-10T04:00:00.000Z']);
  });

  it('prints the command that goes on where the clock of a file does not follow the zone', async () => {
    const rows = ['02:00,21', '03:00,22', '04:00,23'].map((row) => `2026-03-29 ${row}\n`);
    const path = await file('it is winter.csv', `time,humidity_10\n${rows.join('')}`);
    await acequiaImport(await file('farm.json', farm()));
    const stopped = await acequiaImport('--module', 'North 1', '--lang', 'en', path);
    expect(stopped).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('line 3: local time'),
    });

    const [, command] = /if it stays at \+02:00: acequia (import.*)/.exec(stopped.stdout)!;
    const words = command!.match(/'[^']*'|\S+/g)!.map((word) => word.replaceAll("'", ''));
    expect(words).toEqual(expect.arrayContaining(['--db', db, '--timezone', '--from-line', path]));
    expect(await runInProcess(words)).toMatchObject({ code: 0, stderr: '' });
    const hours = ['00', '01', '02'].map((hour) => `2026-03-29T${hour}:00:00.000Z`);
    expect(await instants()).toEqual(hours);

    const bothFiles = await acequiaImport('--from-line', '3', path, await file('a.json', farm()));
    expect(bothFiles).toMatchObject({ code: 2, stderr: expect.stringContaining('--from-line') });
  });

  it('imports the sample farm of its page, with which a watering gets its dose', async () => {
    const page = await readFile(join(REPOSITORY, 'docs', 'import.md'), 'utf8');
    const [, sample] = /```json\n([\s\S]*?)```/.exec(page)!;
    expect(await acequiaImport(await file('farm.json', sample!))).toMatchObject(CLEAN_EXIT);
    const watering = [
      'module=North 1',
      'startedAt=today 0:10',
      'inputMode=duration',
      'durationMin=45',
    ];
    const { stdout } = await acequia('call', 'log_watering', ...watering);
    // 1.6 L/h / (0.5 m x 1 m) = 3.2 mm/h.
    expect(stdout).toMatch(/^Logged 45 min of drip on North 1, .* 2\.4 mm over the whole area/);
  });

  it('takes a date without a time where a day is meant: its local midnight', async () => {
    const [module] = farm().modules;
    const dated = { ...farm(), modules: [{ ...module, commissionedAt: '2024-01-10' }] };
    expect(await acequiaImport(await file('farm.json', dated))).toMatchObject(CLEAN_EXIT);
    const [row] = await rowsOf<{ commissioned_at: number }>(
      db,
      'select commissioned_at from modules',
    );
    // Europe/Athens is two hours ahead of UTC in winter.
    expect(iso(row!.commissioned_at)).toBe('2024-01-09T22:00:00.000Z');
  });

  it('puts a module without a date into service, so that tools and the brief show it', async () => {
    await useImportedFarm();
    const clock = ['--clock', '2024-01-10T06:00:00Z'];
    const call = async (...args: string[]) => (await acequia('call', ...args, ...clock)).stdout;
    expect(await call('get_moisture_series', 'module=North 1')).toContain(
      'North 1 has never sent any moisture.',
    );
    expect(await call('morning_brief')).toContain('North 1, no contact');
  });

  it('reads standard input, in another zone', async () => {
    await useImportedFarm();
    const args = [
      'import',
      '--db',
      db,
      '-',
      '--module',
      'north 1',
      '--timezone',
      'America/New_York',
    ];
    expect(
      await runInProcess(args, { input: 'time,humidity_10\n2024-01-10T06:00,5\n' }),
    ).toMatchObject(CLEAN_EXIT);
    expect(await instants()).toEqual(['2024-01-10T11:00:00.000Z']);
  });

  it.each([
    [
      'fr',
      'ligne 2 : le module n’a pas ce capteur ; la valeur n’est pas un nombre : "',
      '2 lignes lues, 1 mesure enregistrée de 1 capteur',
      '  1 ligne refusée, en tout ou en partie :\n    1 x le module n’a pas ce capteur\n    1 x la valeur n’est pas un nombre\n',
    ],
    [
      'es',
      'línea 2: el módulo no tiene ese sensor; el valor no es un número: "',
      '2 filas leídas, 1 lectura guardada de 1 sensor',
      '  1 fila rechazada, en todo o en parte:\n    1 x el módulo no tiene ese sensor\n    1 x el valor no es un número\n',
    ],
  ])(
    'of readings reports in %s, in the rejects file too',
    async (lang, firstReject, stored, rejected) => {
      await useImportedFarm();
      const rejects = join(folder, 'rejects.csv');
      const readings = await file(
        'readings.csv',
        `${LONG}North 1,humidity,15,2024-01-10T06:00,wet\n${longRow(0)}`,
      );
      const { code, stdout, stderr } = await acequiaImport(
        readings,
        '--rejects',
        rejects,
        '--lang',
        lang,
      );
      expect(code).toBe(0);
      expect(stderr).toContain(firstReject);
      expect(stdout).toContain(stored);
      expect(stdout).toContain(rejected);
      const [, reasons] = / ?: (.*?) ?: "$/.exec(firstReject)!;
      expect(await readFile(rejects, 'utf8')).toContain(`,2,${reasons}\n`);
    },
  );

  it('says why it reads no file in the language of --lang, or of the company', async () => {
    await useImportedFarm();
    const north = ['--module', 'North 1'];
    const sheet = await file('sheet.csv', 'Fecha;Canal 1\n2024-01-10 06:00;21,5\n');
    expect(await acequiaImport(sheet, ...north, '--lang', 'es')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(
        'sheet.csv: Ninguna columna designa un sensor: "Canal 1" (la más parecida: ',
      ),
    });
    expect(await acequiaImport(join(folder, 'none.csv'), '--lang', 'es')).toMatchObject({
      stderr: expect.stringMatching(/^No se puede leer ".*": ese archivo no existe\.\n/),
    });

    const french = { ...farm(), company: { name: 'Mas Rouge', countryCode: 'FR' } };
    await acequiaImport(await file('farm.json', french));
    expect(await acequiaImport(sheet, ...north)).toMatchObject({
      stderr: expect.stringContaining('sheet.csv: Aucune colonne ne désigne un capteur'),
    });
  });

  it('imports the valid rows, and writes the others to a file', async () => {
    await useImportedFarm();
    const rejects = join(folder, 'rejects.csv');
    const row = 'South 9,humidity,10,2024-01-10T06:00,5\u001b[2J\n';
    const { code, stdout, stderr } = await acequiaImport(
      await file('readings.csv', LONG + longRow(0) + row),
      ...['--rejects', rejects],
    );
    expect(code).toBe(0);
    expect(stderr).toBe(
      'line 3: unknown module; value is not a number: "South 9,humidity,10,2024-01-10T06:00,5"\n',
    );
    expect(stdout).toContain('1 row rejected, in whole or in part:\n    1 x unknown module\n');
    expect(await readFile(rejects, 'utf8')).toContain('South 9,humidity,10,2024-01-10T06:00,');
    expect(await instants()).toHaveLength(1);
  });

  it('reads what a spreadsheet exports, says how, and takes what it could not know', async () => {
    await useImportedFarm();
    const sheet =
      'Date;Soil moisture 10cm (%);Probe A;Rain\n03/04/2024 6:00;21,5;0,234;0\n04/04/2024 6:00;21,5;0,29;0\n';
    const spreadsheet = await file('sheet.csv', sheet);
    const north = ['--module', 'North 1'];
    const ambiguous = await acequiaImport(spreadsheet, ...north);
    expect(ambiguous).toMatchObject({ code: 2, stdout: '' });
    expect(ambiguous.stderr).toContain('can be read in two ways');
    expect(await acequiaImport(spreadsheet, ...north, '--dates', 'dm')).toMatchObject({ code: 2 });
    const unmapped = await acequiaImport(spreadsheet, ...north, '--dates', 'dmy');
    expect(unmapped.stdout).toContain(
      'skipped 2 columns (names no sensor): "Probe A" (nearest: humidity_',
    );
    const mapped = ['--map', 'Probe A=humidity_20 (m3/m3)', '--map', 'Rain=ignore', spreadsheet];
    expect(await acequiaImport(...north, '--dates', 'dmy', ...mapped)).toEqual({
      ...CLEAN_EXIT,
      stdout:
        'sheet.csv: 2 rows read, 4 readings stored of 2 sensors, 2024-04-03 06:00 to 2024-04-04 06:00 (Europe/Athens).\n' +
        '  columns read: "Date" as time; "Soil moisture 10cm (%)" as humidity_10; "Probe A" as humidity_20, converted from m3/m3\n' +
        '  dates read as day/month/year\n',
    });
    expect(await rowsOf(db, 'select value from readings where sensor_id = 2 order by at')).toEqual([
      { value: 23.4 },
      { value: 29 },
    ]);
  });

  it('does not store fractions as percent, and says how to say the unit', async () => {
    await useImportedFarm();
    const fractions = await file(
      'fractions.csv',
      'Date Time,Soil moisture 10cm\n2024-01-10 06:00,0.21\n',
    );
    expect(await acequiaImport('--module', 'North 1', fractions)).toEqual({
      ...CLEAN_EXIT,
      code: 2,
      stdout: '',
      stderr:
        'fractions.csv: No value of "Soil moisture 10cm" is above 1: this may be m3/m3 and not %, so nothing was stored.\n' +
        'Say the unit with --map "Soil moisture 10cm=humidity_10 (m3/m3)", or with (%) in place of (m3/m3) if the values are percent.\n',
    });
    expect(await instants()).toEqual([]);
    const map = 'Soil moisture 10cm=humidity_10 (m3/m3)';
    expect(await acequiaImport('--module', 'North 1', '--map', map, fractions)).toMatchObject(
      CLEAN_EXIT,
    );
    expect(await rowsOf(db, 'select value from readings')).toEqual([{ value: 21 }]);
  });

  it.each([
    [
      'Date,Heure,humidity_10\n2024-01-10,06:00,5\n',
      '"Date" as date; "Heure" as time of day; "humidity_10" as humidity_10',
    ],
    ['Date,humidity_10\n2024-01-10,5\n', '"Date" as time, at 12:00; "humidity_10" as humidity_10'],
  ])('shows every column that it read if one has another name', async (text, columns) => {
    await useImportedFarm();
    const { stdout } = await acequiaImport('--module', 'North 1', await file('days.csv', text));
    expect(stdout).toContain(`  columns read: ${columns}\n`);
  });

  it('ends with 1 if no row of a file can be imported, and with 2 for a wide file without --module', async () => {
    await useImportedFarm();
    const unknown = await file('readings.csv', `${LONG}South 9,humidity,10,2024-01-10T06:00,5\n`);
    expect(await acequiaImport(unknown)).toMatchObject({ code: 1 });
    const wide = await file('wide.csv', 'time,humidity_10\n2024-01-10T06:00,5\n');
    expect(await acequiaImport(wide)).toMatchObject({ code: 2 });
  });

  it('needs --company if the store has several, by name or id', async () => {
    await acequiaImport(await file('farm.json', farm()));
    await acequiaImport(
      await file('other.json', farm('Mas Bleu', 'Europe/Paris')),
      '--new-company',
    );
    const readings = await file('readings.csv', LONG + longRow(0));
    expect(await acequiaImport(readings)).toMatchObject({
      code: 2,
      stderr:
        'readings.csv: The store holds several companies.\nSay which with --company: "Mas Rouge" (#1), "Mas Bleu" (#2).\n',
    });
    for (const [company, code] of Object.entries({ 'mas rouge': 0, '#1': 0, 'Mas Vert': 1 }))
      expect(await acequiaImport(readings, '--company', company), company).toMatchObject({ code });
    expect(await instants()).toHaveLength(1);
  });

  it('adds a company beside another one only with --new-company, and doctor tells that keys are needed then', async () => {
    const other = await file('other.json', farm('Mas Bleu', 'Europe/Paris'));
    await acequiaImport(await file('farm.json', farm()));
    const refused = await acequiaImport(other);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain(
      'company.name is "Mas Bleu", but the store holds "Mas Rouge".',
    );
    expect(refused.stderr).toMatch(
      /--new-company.*a key of its company \("acequia keys create --preset assistant --company NAME"\)/s,
    );
    expect(await rowsOf(db, 'select name from companies')).toEqual([{ name: 'Mas Rouge' }]);
    const doctor = async () => (await acequia('doctor')).stdout.replace(/\s+/g, ' ');
    expect(await doctor()).toContain('All is well.');

    const similar = await file('similar.json', farm('MAS ROUGE', 'Europe/Paris'));
    expect(await acequiaImport(similar, '--new-company')).toMatchObject({ code: 1 });
    expect(await acequiaImport(other, '--new-company')).toMatchObject({ code: 0, stderr: '' });
    expect(await acequiaImport(other)).toMatchObject({ code: 0 });
    expect(await doctor()).toMatch(
      /doubtful companies .*"Mas Rouge", "Mas Bleu"; without a key every tool refuses/,
    );
    const { stderr } = await acequia('call', 'get_company');
    expect(stderr).toContain('"acequia keys create --preset assistant --company NAME"');
  });

  it('refuses an invalid farm file with the place of the error, and then readings without a company', async () => {
    const invalid = {
      ...farm(),
      modules: [{ uid: 'A1B2C3', sensors: [{ type: 'humidity', depth: 'ten' }] }],
    };
    const result = await acequiaImport(await file('farm.json', invalid));
    expect(result).toMatchObject({ code: 1, stdout: '' });
    expect(result.stderr).toMatch(
      /^farm\.json: modules\[0\]\.sensors\[0\]\.depth is not valid: expected a depth in cm/,
    );
    expect(await acequiaImport(await file('readings.csv', LONG + longRow(0)))).toMatchObject({
      code: 1,
      stdout: '',
      stderr:
        'readings.csv: The store has no company yet.\nRun "acequia init", or import a farm file: it declares the company, its modules and their sensors.\n',
    });
  });

  it.each([
    ['no file', []],
    ['standard input twice', ['-', '-']],
    ['an unknown zone', ['-', '--timezone', 'Europe/Pari']],
    ['one rejects file for two readings files', ['-', 'other.csv', '--rejects', 'rejects.csv']],
    ['an unknown option', ['-', '--modul', 'x']],
  ])('ends with 2 for %s', async (_, args) => {
    const result = await acequiaImport(...args);
    expect(result).toMatchObject({ code: 2, stdout: '' });
    expect(result.stderr).not.toMatch(/\n\s+at /);
  });

  it('never writes rejects over a file to import', async () => {
    const readings = await file('readings.csv', LONG + longRow(0));
    expect(await acequiaImport(readings, '--rejects', readings)).toMatchObject({ code: 2 });
    expect(await readFile(readings, 'utf8')).toBe(LONG + longRow(0));
  });

  it.each([
    ['a missing file', 'missing.csv', 'there is no such file'],
    ['a folder', '', 'has no export.json'],
  ])('ends with 1 for %s', async (_, name, message) => {
    const stderr = expect.stringContaining(message);
    expect(await acequiaImport(join(folder, name))).toMatchObject({ code: 1, stdout: '', stderr });
  });
});

describe('acequia export', () => {
  it('writes a farm file that gives another store the same farm', async () => {
    await useImportedFarm();
    const call = (store: string, ...words: string[]) =>
      runInProcess(['call', ...words, '--json', '--db', store, '--clock', '2026-07-01T12:00:00Z']);
    const settings = ['module=North 1', 'restFrom=15 November', 'restUntil=15 March'];
    expect((await call(db, 'set_probe_settings', ...settings)).code).toBe(0);
    const spacing = ['emitterFlowLph=2', 'emitterSpacingM=0.5', 'lineSpacingM=2'];
    const equipment = ['module=North 1', 'system=drip', ...spacing];
    expect((await call(db, 'set_module_installation', ...equipment)).code).toBe(0);

    const exported = join(folder, 'exported.json');
    const other = await newStorePlace();
    expect(await acequia('export', '--out', exported)).toEqual({
      ...CLEAN_EXIT,
      stdout: `${exported}\n`,
    });
    expect((await runInProcess(['import', '--db', other, exported])).code).toBe(0);
    expect((await runInProcess(['export', '--db', other])).stdout).toBe(
      await readFile(exported, 'utf8'),
    );
    const setupIn = async (store: string) => {
      const { stdout } = await call(store, 'get_irrigation_setup', 'module=North 1');
      const { versions, ...setup } = JSON.parse(stdout);
      return { setup, versions: versions.map(({ setAt: _, ...version }: Json) => version) };
    };
    const copied = await setupIn(other);
    expect(copied).toEqual(await setupIn(db));
    expect(copied.setup.settings).toMatchObject({ restFrom: '11-15', restUntil: '03-15' });
    expect(copied.versions).toMatchObject([{ emitterSpacingM: 0.5, lineSpacingM: 2 }]);
  });

  it('does not write over its store, nor without one', async () => {
    await useImportedFarm();
    expect(await acequia('export', '--out', db)).toMatchObject({ code: 2 });
    db = join(folder, 'missing.db');
    expect(await acequia('export')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('There is no store'),
    });
  });
});
