import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { afterEach, describe, expect, it } from 'vitest';
import type { DoctorFinding } from '../../../src/cli/doctor/findings.ts';
import { newBaseFarm } from '../../base-farm.ts';
import { newFolder } from '../../temporary-places.ts';
import { BINARY } from '../program.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const each of cleanups.splice(0).reverse()) await each();
});

interface Report {
  readonly code: number;
  readonly text: string;
  /** The first finding on a subject. */
  on(subject: string): DoctorFinding;
  readonly findings: readonly DoctorFinding[];
}

/** Nothing of the environment of the tests has a say, nor what its user has told assistants. */
const cleanEnv = Object.fromEntries(
  Object.entries({ ...process.env, HOME: '/nowhere', USERPROFILE: '/nowhere' }).filter(
    ([name]) => !/^(ACEQUIA_|XDG_|CLAUDE_|CODEX_|APPDATA$)/.test(name),
  ),
);

const run = (args: readonly string[], env: Record<string, string> = {}): Promise<{ code: number; text: string }> =>
  new Promise((resolve) => {
    execFile(process.execPath, [BINARY, 'doctor', ...args], { env: { ...cleanEnv, ...env } }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), text: stdout + stderr }),
    );
  });

async function doctor(db: string, env: Record<string, string> = {}, ...args: string[]): Promise<Report> {
  const { code, text } = await run(['--db', db, '--json', ...args], env);
  const { findings } = JSON.parse(text) as { findings: DoctorFinding[] };
  const on = (subject: string): DoctorFinding => {
    const found = findings.find((each) => each.subject === subject);
    if (!found) throw new Error(`Nothing on ${subject}: ${text}`);
    return found;
  };
  return { code, text, on, findings };
}

function withDatabase<T>(db: string, body: (database: InstanceType<typeof DatabaseSync>) => T): T {
  const database = new DatabaseSync(db);
  try {
    return body(database);
  } finally {
    database.close();
  }
}

/** Every file of a folder, with what is in it. */
const contents = async (folder: string): Promise<[string, string][]> =>
  Promise.all((await readdir(folder)).sort().map(async (name) => [name, await readFile(join(folder, name), 'base64')]));

const ALERT = '11111111-1111-4111-8111-111111111111';
const CREATED_AT = Date.UTC(2026, 5, 1);

/** An active alert on North 1 whose recipient is Ana. */
const addAlert = (db: string): void =>
  withDatabase(db, (database) => {
    database.exec(`insert into alerts (id, company_id, module_id, threshold, hysteresis, reminder_time, source, is_active,
      created_by, created_at, updated_at) values ('${ALERT}', 1, 1, '20', '5', '08:00:00', 'manual', 1, 1, ${CREATED_AT}, ${CREATED_AT})`);
    database.exec(`insert into alert_recipients (id, company_id, alert_id, user_id) values ('r', 1, '${ALERT}', 1)`);
  });

/** A message of that alert. */
const addMessage = (db: string, state: 'waiting' | 'refused', createdAt: number, answer: string | null): void =>
  withDatabase(db, (database) => {
    database
      .prepare(
        `insert into outbox (id, company_id, alert_id, kind, user_id, to_address, subject, text, html, created_at, state,
        tries, next_try_at, last_answer) values (?, 1, '${ALERT}', 'fired', 1, 'ana@example.org', 's', 't', 'h', ?, ?, 1, 0, ?)`,
      )
      .run(`${state}-${createdAt}`, createdAt, state, answer);
  });

describe('where nothing is there yet', () => {
  it('the doctor says how to begin, finds nothing bad, and makes no store', async () => {
    const folder = await newFolder();
    const report = await doctor(join(folder, 'data', 'farm.db'));
    expect(report.code).toBe(0);
    expect(report.on('store')).toMatchObject({
      level: 'doubtful',
      advice: expect.stringContaining('acequia import farm.json'),
    });
    expect(report.on('disk').level).toBe('good');
    expect(await readdir(folder)).toEqual([]);
  });

  it('says that a folder cannot be one because a file stands there', async () => {
    const file = join(await newFolder(), 'plain.txt');
    await writeFile(file, 'a');
    const report = await doctor(join(file, 'farm.db'));
    expect(report.code).toBe(1);
    expect(report.on('disk')).toMatchObject({ level: 'bad', what: expect.stringContaining('plain.txt') });
  });

  it('takes an empty file for a store that is still to be made, and leaves it empty', async () => {
    const db = join(await newFolder(), 'farm.db');
    await writeFile(db, '');
    const report = await doctor(db);
    expect([report.code, report.on('store').level]).toEqual([0, 'doubtful']);
    expect(await readFile(db, 'utf8')).toBe('');
  });
});

describe('a healthy store', () => {
  it('gets a line on everything, all of it good', async () => {
    const report = await doctor(await newBaseFarm());
    expect(report.findings.map(({ level, subject }) => [level, subject])).toEqual(
      [
        'configuration',
        'store',
        'integrity',
        'disk',
        'clock',
        'zone data',
        'zones',
        'mail',
        'outbox',
        'lease',
        'assistants',
      ].map((subject) => ['good', subject]),
    );
    expect(report.on('zones').what).toContain('Europe/Paris');
    expect(report.code).toBe(0);
  });

  it('is told in aligned lines that need no colour', async () => {
    const { text, code } = await run(['--db', await newBaseFarm()]);
    const lines = text.trimEnd().split('\n');
    expect(lines.at(-1)).toBe('11 good, 0 doubtful, 0 bad. All is well.');
    for (const line of lines.slice(0, -2)) expect(line).toMatch(/^(good {6}[a-z]+ |good {6}zone data | {25}\S)/);
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(140);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is looked for
    expect(text).not.toMatch(/\u001b/);
    expect(code).toBe(0);
  });

  it('is left as it is, with nothing beside it', async () => {
    const folder = await newFolder();
    await copyFile(await newBaseFarm(), join(folder, 'farm.db'));
    const before = await contents(folder);
    await doctor(join(folder, 'farm.db'));
    expect(await contents(folder)).toEqual(before);
  });

  it('that a crash left with a log beside it is read with the log, which stays', async () => {
    const folder = await newFolder();
    const db = await newBaseFarm();
    const writer = new DatabaseSync(db);
    writer.exec("update companies set timezone = 'America/New_York'");
    for (const end of ['', '-wal']) await copyFile(`${db}${end}`, join(folder, `farm.db${end}`));
    writer.close();
    const before = await contents(folder);
    const report = await doctor(join(folder, 'farm.db'));
    expect(report.on('zones').what).toContain('America/New_York');
    expect((await contents(folder)).filter(([name]) => !name.endsWith('-shm'))).toEqual(before);
  });
});

describe('a file that is no store of ours', () => {
  it.each([
    ['text', 'We watered the north block today.\n'.repeat(200), /is not an Acequia store/],
    ['a database of another program', null, /database of another program/],
  ])('as %s is bad, and the checks that need no store are made all the same', async (_, content, why) => {
    const db = join(await newFolder(), 'farm.db');
    if (content === null) withDatabase(db, (database) => database.exec('create table songs (name text)'));
    else await writeFile(db, content);
    const before = await readFile(db);
    const report = await doctor(db);
    expect(report.code).toBe(1);
    expect(report.on('store')).toMatchObject({ level: 'bad', what: expect.stringMatching(why) });
    expect(report.on('zone data').level).toBe('good');
    expect(await readFile(db)).toEqual(before);
  });

  it('because a newer Acequia wrote it is bad, and the advice is to update', async () => {
    const db = await newBaseFarm();
    withDatabase(db, (database) =>
      database.exec("insert into kysely_migration (name, timestamp) values ('9999-from-the-future', '2030-01-01')"),
    );
    const report = await doctor(db);
    expect(report.code).toBe(1);
    expect(report.on('store')).toMatchObject({ level: 'bad', advice: expect.stringContaining('Update Acequia') });
  });

  it('because it is damaged is bad, and the advice is a backup', async () => {
    const db = await newBaseFarm();
    const bytes = await readFile(db);
    bytes.fill(0xa5, 40_960, 81_920);
    await writeFile(db, bytes);
    const report = await doctor(db);
    expect(report.code).toBe(1);
    expect(report.on('integrity')).toMatchObject({ level: 'bad', advice: expect.stringContaining('backup') });
  });

  it('because its end is missing is bad', async () => {
    const db = await newBaseFarm();
    await truncate(db, 40_960);
    const report = await doctor(db);
    expect(report.code).toBe(1);
    expect(report.findings.find(({ level }) => level === 'bad')?.advice).toContain('backup');
  });

  it('because a row hangs in the air is bad', async () => {
    const db = await newBaseFarm();
    withDatabase(db, (database) =>
      database.exec('pragma foreign_keys = off; update modules set parcel_id = 99 where id = 1'),
    );
    const { on, code } = await doctor(db);
    expect([code, on('integrity').what]).toEqual([
      1,
      expect.stringContaining('a row of modules whose parcels is missing'),
    ]);
  });
});

it('a store of an earlier Acequia is doubtful, and not brought up to date by looking', async () => {
  const db = await newBaseFarm();
  withDatabase(db, (database) => database.exec("delete from kysely_migration where name > '0003z'"));
  const report = await doctor(db);
  expect([report.code, report.on('store').level]).toEqual([0, 'doubtful']);
  expect(report.on('store').advice).toContain('acequia tick');
  expect(withDatabase(db, (database) => database.prepare('select count(*) as n from kysely_migration').get())).toEqual(
    expect.objectContaining({ n: 3 }),
  );
});

describe('the configuration', () => {
  it('says for each setting where it was said', async () => {
    const db = await newBaseFarm();
    const { text } = await run(['--json', '--lang', 'fr'], { ACEQUIA_DB: db, ACEQUIA_LOG_LEVEL: 'error' });
    const { findings } = JSON.parse(text) as { findings: DoctorFinding[] };
    expect(findings[0]!.what).toBe(
      `store ${db} (from ACEQUIA_DB), language fr (from the command line), log level error (from ACEQUIA_LOG_LEVEL)`,
    );
  });

  it('knows every variable that the documentation names', async () => {
    const named: string[] = [];
    const root = new URL('../../../', import.meta.url);
    const docs = (await readdir(new URL('docs/', root))).filter((name) => name.endsWith('.md'));
    for (const page of ['README.md', ...docs.map((name) => `docs/${name}`)]) {
      const text = await readFile(new URL(page, root), 'utf8');
      named.push(...(text.match(/(?<=`)ACEQUIA_[A-Z_]+/g) ?? []));
    }
    const ours = named.filter((name) => !/^ACEQUIA_(TEST|BENCH|BROWSER)/.test(name));
    expect(ours).toContain('ACEQUIA_MQTT_PASSWORD');
    const { findings } = await doctor(await newBaseFarm(), Object.fromEntries(ours.map((name) => [name, ''])));
    expect(findings.filter(({ subject }) => subject === 'configuration')).toHaveLength(1);
  });

  it('names a variable that means nothing, with the one that was meant, and never its value', async () => {
    const db = await newBaseFarm();
    const report = await doctor(db, {
      ACEQUIA_SMTP_URI: 'smtp://ana:hunter2@mail.example.org',
      ACEQUIA_XYZZY: 'hunter2',
    });
    const unknown = report.findings.filter(({ subject, level }) => subject === 'configuration' && level === 'doubtful');
    expect(unknown.map(({ what }) => what)).toEqual([
      expect.stringContaining('ACEQUIA_SMTP_URI'),
      expect.stringContaining('ACEQUIA_XYZZY'),
    ]);
    expect(unknown[0]!.advice).toContain('ACEQUIA_SMTP_URL');
    expect(report.text).not.toContain('hunter2');
    expect(report.code).toBe(0);
  });
});

describe('the clock', () => {
  it('is doubtful when something has set it', async () => {
    const db = await newBaseFarm();
    const line = await doctor(db, {}, '--clock', '2030-01-01T00:00:00Z');
    expect(line.on('clock')).toMatchObject({ level: 'doubtful', what: expect.stringContaining('--clock') });
    const environment = await doctor(db, { ACEQUIA_CLOCK: '2030-01-01T00:00:00Z' });
    expect(environment.on('clock')).toMatchObject({
      level: 'doubtful',
      what: expect.stringContaining('ACEQUIA_CLOCK'),
    });
  });

  it('is doubtful when the store holds what it has not come to', async () => {
    const db = await newBaseFarm();
    const later = Date.now() + 3 * 86_400_000;
    withDatabase(db, (database) =>
      database.exec(`insert into readings (company_id, sensor_id, at, value) values (1, 1, ${later}, 30)`),
    );
    expect((await doctor(db)).on('clock')).toMatchObject({
      level: 'doubtful',
      what: expect.stringContaining('3 days later'),
    });
  });
});

describe('a time zone', () => {
  it.each(['Mars/Olympus', 'Etc/GMT+2'])('that gives no local time is bad: %s', async (zone) => {
    const db = await newBaseFarm();
    withDatabase(db, (database) => database.prepare('update companies set timezone = ?').run(zone));
    const report = await doctor(db);
    expect(report.code).toBe(1);
    expect(report.on('zones')).toMatchObject({ level: 'bad', what: expect.stringMatching(/"Mas Rouge".*"(Mars|Etc)/) });
  });
});

describe('mail', () => {
  const commands: string[] = [];
  /** A mail server that takes everything, but where it is told otherwise; its URL. */
  async function mailServer(options: SMTPServerOptions = {}): Promise<string> {
    commands.length = 0;
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onMailFrom: ({ address }, _, done) => {
        commands.push(`from ${address}`);
        done();
      },
      onRcptTo: ({ address }, _, done) => {
        commands.push(`to ${address}`);
        done();
      },
      onData: (stream, _, done) => {
        commands.push('data');
        stream.resume().on('end', done);
      },
      ...options,
    });
    server.on('error', () => undefined);
    server.listen(0, '127.0.0.1');
    await once(server.server, 'listening');
    cleanups.push(() => new Promise<void>((resolve) => server.close(() => resolve())));
    return `127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  }

  const answer = (text: string, responseCode: number) => Object.assign(new Error(text), { responseCode });

  it('is not needed where no alert is', async () => {
    expect((await doctor(await newBaseFarm())).on('mail').level).toBe('good');
  });

  it('without a server is doubtful where an alert has something to tell', async () => {
    const db = await newBaseFarm();
    addAlert(db);
    expect((await doctor(db)).on('mail')).toMatchObject({
      level: 'doubtful',
      what: expect.stringContaining('1 alert is active'),
      advice: expect.stringContaining('ACEQUIA_SMTP_URL'),
    });
  });

  it('is tried up to the recipient, and no message is sent', async () => {
    const db = await newBaseFarm();
    addAlert(db);
    const { on } = await doctor(db, {
      ACEQUIA_SMTP_URL: `smtp://${await mailServer()}`,
      ACEQUIA_MAIL_FROM: 'farm@example.org',
    });
    expect(on('mail')).toMatchObject({
      level: 'good',
      what: expect.stringContaining('accepts mail for "ana@example.org"'),
    });
    expect(commands).toEqual(['from farm@example.org', 'to ana@example.org']);
  });

  it('logs in once the connection is encrypted, and says so', async () => {
    const host = await mailServer({
      authOptional: false,
      disabledCommands: [],
      onAuth: ({ username, password }, _, done) =>
        done(null, username === 'ana' && password === 'p@ss' ? { user: 1 } : {}),
    });
    // The certificate that the test's server has by itself is nobody's.
    const trusting = { NODE_TLS_REJECT_UNAUTHORIZED: '0', NODE_NO_WARNINGS: '1' };
    const { on } = await doctor(await newBaseFarm(), { ...trusting, ACEQUIA_SMTP_URL: `smtp://ana:p%40ss@${host}` });
    expect(on('mail')).toMatchObject({
      level: 'good',
      what: expect.stringContaining('(encrypted, logged in as "ana",'),
    });
  });

  it('goes to the OWNER where no alert names anybody', async () => {
    await doctor(await newBaseFarm(), { ACEQUIA_SMTP_URL: `smtp://${await mailServer()}` });
    expect(commands.at(-1)).toBe('to ana@example.org');
  });

  it.each([
    [550, 'bad', 'refuses mail to'],
    [450, 'doubtful', 'postpones mail to'],
  ])('to a recipient that is answered %i is %s', async (code, level, said) => {
    const host = await mailServer({ onRcptTo: (_, __, done) => done(answer('no such mailbox', code)) });
    const report = await doctor(await newBaseFarm(), { ACEQUIA_SMTP_URL: `smtp://${host}` });
    expect(report.on('mail')).toMatchObject({ level, what: expect.stringContaining(`${said} "ana@example.org"`) });
    expect(report.on('mail').what).toContain('no such mailbox');
    expect(report.code).toBe(level === 'bad' ? 1 : 0);
  });

  it('from an address that is refused is bad, and the advice names ACEQUIA_MAIL_FROM', async () => {
    const host = await mailServer({ onMailFrom: (_, __, done) => done(answer('not yours', 553)) });
    const { on } = await doctor(await newBaseFarm(), { ACEQUIA_SMTP_URL: `smtp://${host}` });
    expect(on('mail')).toMatchObject({ level: 'bad', advice: expect.stringContaining('ACEQUIA_MAIL_FROM') });
  });

  it('with a password that is wrong is bad, and the password is nowhere to be read', async () => {
    const host = await mailServer({
      authOptional: false,
      onAuth: ({ password }, _, done) => done(answer(`${password} is wrong`, 535)),
    });
    const report = await doctor(await newBaseFarm(), { ACEQUIA_SMTP_URL: `smtp://ana:hunter2@${host}` });
    expect(report.code).toBe(1);
    expect(report.on('mail')).toMatchObject({ level: 'bad', what: expect.stringContaining('does not let us log in') });
    expect(report.text).not.toContain('hunter2');
  });

  it.each([
    ['that is asked for from the start but not spoken', 'smtps', {}],
    ['by a certificate that nobody vouches for', 'smtp', { disabledCommands: [] }],
    ['from the start by such a certificate', 'smtps', { secure: true }],
    ['that is demanded but not offered', 'smtp', {}, '?startTls=required'],
  ])('with encryption %s is bad', async (_, protocol, options, query = '') => {
    const url = `${protocol}://${await mailServer(options)}${query}`;
    const report = await doctor(await newBaseFarm(), { ACEQUIA_SMTP_URL: url });
    expect(report.code).toBe(1);
    expect(report.on('mail')).toMatchObject({ level: 'bad', what: expect.stringContaining('encryption') });
  });

  it('with a server that says nothing is bad, and not waited for without end', async () => {
    const silent: Server = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    cleanups.push(() => new Promise((resolve) => silent.close(resolve)));
    const { port } = silent.address() as AddressInfo;
    const started = performance.now();
    const report = await doctor(await newBaseFarm(), { ACEQUIA_SMTP_URL: `smtp://127.0.0.1:${port}` });
    expect(report.on('mail')).toMatchObject({ level: 'bad', what: expect.stringContaining('does not answer') });
    expect(performance.now() - started).toBeLessThan(30_000);
  });

  it('with a server that hangs up in the middle is bad', async () => {
    const rude: Server = createServer((socket) => {
      socket.write('220 hello\r\n');
      socket.once('data', () => socket.destroy());
    }).listen(0, '127.0.0.1');
    await once(rude, 'listening');
    cleanups.push(() => new Promise((resolve) => rude.close(resolve)));
    const { port } = rude.address() as AddressInfo;
    const report = await doctor(await newBaseFarm(), { ACEQUIA_SMTP_URL: `smtp://127.0.0.1:${port}` });
    expect([report.code, report.on('mail').level]).toEqual([1, 'bad']);
  });

  it('with a server that is not there is bad', async () => {
    const gone = createServer().listen(0, '127.0.0.1');
    await once(gone, 'listening');
    const { port } = gone.address() as AddressInfo;
    await new Promise((resolve) => gone.close(resolve));
    const report = await doctor(await newBaseFarm(), { ACEQUIA_SMTP_URL: `smtp://127.0.0.1:${port}` });
    expect(report.on('mail')).toMatchObject({ level: 'bad', what: expect.stringContaining('cannot be reached') });
  });

  it('with an address of a server that is none is bad, and what was written is not shown', async () => {
    const report = await doctor(await newBaseFarm(), { ACEQUIA_SMTP_URL: 'ana:hunter2@mail' });
    expect([report.code, report.on('mail').level]).toEqual([1, 'bad']);
    expect(report.text).not.toContain('hunter2');
  });
});

describe('the outbox', () => {
  it('with a message that was refused is doubtful, in the words of the mail server', async () => {
    const db = await newBaseFarm();
    addAlert(db);
    addMessage(db, 'refused', CREATED_AT, '550 no such\r\nmailbox');
    expect((await doctor(db)).on('outbox')).toMatchObject({
      level: 'doubtful',
      what: '1 message permanently refused by the mail server; the last reply of the mail server: 550 no such mailbox',
      advice: expect.stringContaining('list_alerts'),
    });
  });

  it('with a message that was written just now is good, with one that waits long doubtful', async () => {
    const db = await newBaseFarm();
    addAlert(db);
    addMessage(db, 'waiting', Date.now() - 60_000, null);
    expect((await doctor(db)).on('outbox').level).toBe('good');
    addMessage(db, 'waiting', Date.now() - 3 * 3_600_000, '451 try later');
    expect((await doctor(db)).on('outbox')).toMatchObject({
      level: 'doubtful',
      what: '2 messages waiting, the oldest for 3 hours; the last reply of the mail server: 451 try later',
    });
  });
});

describe('the lease', () => {
  const hold = (db: string, until: number): void =>
    withDatabase(db, (database) => {
      database.prepare('insert into leases values (?, ?, ?)').run('housekeeping', 'another', until);
    });

  it.each([
    ['that runs', 15_000, 'good', /is held by another/],
    ['that has run out', -3_600_000, 'good', /without being released by another/],
    ['that lasts longer than any is taken for', 3_600_000, 'bad', /clock was set back/],
  ])('%s is told', async (_, from, level, what) => {
    const db = await newBaseFarm();
    hold(db, Date.now() + from);
    expect((await doctor(db)).on('lease')).toMatchObject({ level, what: expect.stringMatching(what) });
  });
});
