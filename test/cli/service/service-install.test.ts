import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newBaseFarm } from '../../base-farm.ts';
import { runInProcess } from '../../in-process-command.ts';
import { startMailServer } from '../../mail-server.ts';
import { commandOfUnit } from './definition-commands.ts';
import { newServiceHome } from './service-manager.ts';

type Home = Awaited<ReturnType<typeof newServiceHome>>;
type Variables = Record<string, string>;

const service = (home: Home, words: readonly string[], env: Variables = {}) =>
  runInProcess(['service', ...words], { cwd: home.home, env: { ...home.env, ...env } });

const install = (home: Home, words: readonly string[], env?: Variables) =>
  service(home, ['install', '--yes', ...words], env);

const BROKER = ['--broker', 'mqtt://broker.example.org', '--preset', 'ttn/any'];

describe.skipIf(process.platform !== 'linux')('acequia service install', () => {
  it('shows what it would write and do without a terminal and --yes, and writes nothing', async () => {
    const [home, db] = [await newServiceHome(), await newBaseFarm()];
    const { code, stdout, stderr } = await service(home, ['install', '--db', db]);
    expect([code, stderr]).toEqual([
      1,
      'Nothing was changed. Use --yes to install without being asked.\n',
    ]);
    expect(stdout).toContain(`${home.envFile} (new, for its owner alone)\n+ # What Acequia`);
    expect(stdout).toContain(`+ ACEQUIA_DB='${db}'`);
    expect(stdout).toContain(`${home.unitFile('acequia')} (new)\n+ [Unit]\n`);
    expect(stdout).toContain(' serve --env-file ');
    expect(stdout).toContain(
      'Then: systemctl --user daemon-reload; systemctl --user enable acequia.service; systemctl --user restart acequia.service\n',
    );
    await expect(stat(home.envFile)).rejects.toThrow('ENOENT');
    expect(await home.calls()).toEqual([]);
  });

  it('writes the unit and, for this user alone, its settings, and turns it on; again it changes nothing', async () => {
    const [home, db] = [await newServiceHome(), await newBaseFarm()];
    const login = { user: 'ana', password: 's3cret' };
    const { port } = await startMailServer({ login });
    const mail = { ACEQUIA_SMTP_URL: `smtp://ana:s3cret@127.0.0.1:${port}`, LANG: 'C' };
    const first = await install(home, ['--db', db, '--public-url', 'https://a.example.org'], mail);
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toContain('Acequia is on.');
    expect(first.stdout).toContain(`Mail: 127.0.0.1:${port} accepts the login`);
    expect(first.stdout).not.toContain('s3cret');
    expect(first.stdout).toContain('It is on while you are logged in.');
    expect(await home.calls()).toEqual([
      'systemctl --user show --property=Version',
      'systemctl --user daemon-reload',
      'systemctl --user enable acequia.service',
      'systemctl --user restart acequia.service',
      expect.stringMatching(/^loginctl show-user \S+ --property=Linger$/),
    ]);

    expect((await stat(home.envFile)).mode & 0o777).toBe(0o600);
    expect((await readFile(home.envFile, 'utf8')).split('\n').slice(2).sort()).toEqual([
      '',
      "ACEQUIA_BACKUPS='off'",
      `ACEQUIA_DB='${db}'`,
      "ACEQUIA_PORT='0'",
      "ACEQUIA_PUBLIC_URL='https://a.example.org/'",
      `ACEQUIA_SMTP_URL='${mail.ACEQUIA_SMTP_URL}'`,
    ]);
    expect(commandOfUnit(await readFile(home.unitFile('acequia'), 'utf8'))).toEqual([
      process.execPath,
      process.argv[1],
      'serve',
      '--env-file',
      home.envFile,
    ]);

    const before = await stat(home.envFile);
    expect((await install(home, [])).stdout).toBe(
      `Nothing to change: Acequia is on, as a systemd user unit, with ${home.envFile}.\n`,
    );
    expect((await stat(home.envFile)).mtimeMs).toBe(before.mtimeMs);
    expect(await home.calls()).toEqual(['systemctl --user is-active acequia.service']);
  });

  it('says that the mail server does not take the password, and that the service is off', async () => {
    const [home, db] = [await newServiceHome(), await newBaseFarm()];
    const { port } = await startMailServer({ login: { user: 'ana', password: 's3cret' } });
    const mail = { ACEQUIA_SMTP_URL: `smtp://ana:wrong@127.0.0.1:${port}` };
    expect((await install(home, ['--db', db], mail)).stderr).toContain(
      `Mail: 127.0.0.1:${port} does not let us log in`,
    );

    const doctor = async () =>
      (await runInProcess(['doctor', '--db', db, '--json'], { env: home.env })).stdout;
    expect(await doctor()).toContain('acequia is on, as a systemd user unit');
    await rm(join(home.home, 'on'));
    expect(await doctor()).toMatch(/but off \(inactive\)",\s+"advice": "Turn it on/);
  });

  it('turns on what is written but off', async () => {
    const [home, db] = [await newServiceHome(), await newBaseFarm()];
    await install(home, ['--db', db]);
    await service(home, ['remove', '--yes']);
    await home.fail('restart', 'Job failed.');
    const failed = await install(home, ['--db', db]);
    expect(failed).toMatchObject({
      code: 1,
      stderr:
        '"systemctl --user restart acequia.service" failed: Job failed.\nThe files are written. Put this right, then run "acequia service install" again.\n',
    });
    await home.fail('nothing', '');
    expect((await service(home, ['install'])).stderr).toContain('Nothing was changed.');
    expect((await install(home, [])).stdout).toMatch(/^Acequia is on\./);
  });

  it('shows the difference, keeps settings that are not given anew, and comments where nothing changes', async () => {
    const [home, db] = [await newServiceHome(), await newBaseFarm()];
    await install(home, ['--db', db], { ACEQUIA_MAIL_FROM: 'farm@example.org' });
    await writeFile(home.envFile, `# mine\n${await readFile(home.envFile, 'utf8')}`);
    expect((await install(home, [])).stdout).toContain('Nothing to change');

    const { stdout } = await install(home, ['--lang', 'fr', ...BROKER]);
    expect(stdout).toContain(`${home.envFile} (changed, for its owner alone)`);
    expect(stdout).toContain("+ ACEQUIA_LANG='fr'");
    expect(stdout).not.toMatch(/^- ACEQUIA/m);
    expect(stdout).toContain(`${home.unitFile('acequia-mqtt')} (new)`);
    expect(stdout).not.toContain(home.unitFile('acequia '));
    expect(await readFile(home.envFile, 'utf8')).toMatch(/^# What.*\n(.*\n)*ACEQUIA_MAIL_FROM/);
  });

  it('runs ingest mqtt beside serve where a broker is set, and removes it once it is not', async () => {
    const [home, db] = [await newServiceHome(), await newBaseFarm()];
    expect(await install(home, ['--db', db, ...BROKER])).toMatchObject({ code: 0 });
    const mqtt = home.unitFile('acequia-mqtt');
    expect(commandOfUnit(await readFile(mqtt, 'utf8')).slice(2)).toEqual([
      ...['ingest', 'mqtt', '--env-file', home.envFile],
    ]);
    expect(await home.calls()).toContain(
      'systemctl --user restart acequia.service acequia-mqtt.service',
    );

    const lines = (await readFile(home.envFile, 'utf8')).split('\n');
    await writeFile(home.envFile, lines.filter((line) => !/MQTT/.test(line)).join('\n'));
    const { stdout } = await install(home, []);
    expect(stdout).toContain(`${mqtt} (deleted)`);
    await expect(stat(mqtt)).rejects.toThrow('ENOENT');
    expect(await home.calls()).toContain('systemctl --user disable --now acequia-mqtt.service');
  });

  it('makes paths absolute, which the service reads from another folder', async () => {
    const [home, db] = [await newServiceHome(), await newBaseFarm()];
    await writeFile(join(home.home, 'devices.json'), '{}');
    await install(home, ['--db', db, ...BROKER, '--devices', 'devices.json'], {
      ACEQUIA_INGEST_MAPS: 'maps',
    });
    const text = await readFile(home.envFile, 'utf8');
    expect(text).toContain(`ACEQUIA_MQTT_DEVICES='${home.home}/devices.json'`);
    expect(text).toContain(`ACEQUIA_INGEST_MAPS='${home.home}/maps'`);
  });

  it.each([
    ['a missing store', [], {}, 1, 'There is no store'],
    [
      'a broker without a preset',
      ['--broker', 'mqtt://b'],
      {},
      2,
      'Nothing says what the payloads mean',
    ],
    [
      'a malformed mail server',
      [],
      { ACEQUIA_SMTP_URL: 'mail' },
      2,
      'ACEQUIA_SMTP_URL is not the URL',
    ],
    ['a clock', ['--clock', '2026-07-01'], {}, 2, 'leave --clock out'],
  ] as const)('refuses %s, and writes nothing', async (what, words, env, code, message) => {
    const home = await newServiceHome();
    const db = what === 'a missing store' ? join(home.home, 'none.db') : await newBaseFarm();
    const result = await install(home, ['--db', db, ...words], env);
    expect(result).toMatchObject({ code, stderr: expect.stringContaining(message) });
    await expect(stat(home.envFile)).rejects.toThrow('ENOENT');
  });

  it('says what systemd says where it cannot be reached, and writes nothing', async () => {
    const [home, db] = [await newServiceHome(), await newBaseFarm()];
    await home.fail('show --property', 'Failed to connect to bus: No medium found');
    expect(await install(home, ['--db', db])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^"systemctl --user show --property=Version" failed: Failed to connect to bus: No medium found\nsystemd answers in a session/,
      ),
    });
    await expect(stat(home.envFile)).rejects.toThrow('ENOENT');
  });

  it('belongs to the owner of the store as a service of the system', async () => {
    const [home, db] = [await newServiceHome(), await newBaseFarm()];
    const { stdout } = await service(home, ['install', '--system', '--db', db]);
    const owner = (await readFile('/etc/passwd', 'utf8'))
      .split('\n')
      .find((line) => line.split(':')[2] === String(process.getuid?.()));
    expect(stdout).toContain('/etc/systemd/system/acequia.service (');
    expect(stdout).toContain(`+ User=${owner?.split(':')[0] ?? process.getuid?.()}\n`);
    expect(stdout).toContain('Then: systemctl daemon-reload;');
  });

  it('is refused from the folder of npx, with what to do', async () => {
    const [home, db] = [await newServiceHome(), await newBaseFarm()];
    const program = join(home.home, '_npx', '0f1e', 'acequia.js');
    const before = process.argv[1]!;
    process.argv[1] = program;
    try {
      expect(await install(home, ['--db', db])).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(
          /_npx.*, which may delete it at any time\.\nPut Acequia into/,
        ),
      });
    } finally {
      process.argv[1] = before;
    }
  });
});
