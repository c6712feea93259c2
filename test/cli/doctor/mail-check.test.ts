import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { describe, expect, it, vi } from 'vitest';
import { newBaseFarm } from '../../base-farm.ts';
import { afterTest } from '../../cleanup.ts';
import { closedPort } from '../../mail-server.ts';
import { addAlert, doctor } from './examined-store.ts';

describe('the check of the mail server', () => {
  const commands: string[] = [];
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
    afterTest(() => new Promise<void>((resolve) => server.close(() => resolve())));
    return `127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  }

  const answer = (text: string, responseCode: number) => Object.assign(new Error(text), { responseCode });

  it('needs none without an alert', async () => {
    expect((await doctor(await newBaseFarm())).on('mail').level).toBe('good');
  });

  it('is doubtful without a server if there is an alert', async () => {
    const db = await newBaseFarm();
    addAlert(db);
    expect((await doctor(db)).on('mail')).toMatchObject({
      level: 'doubtful',
      what: expect.stringContaining('1 alert is active'),
      advice: expect.stringContaining('ACEQUIA_SMTP_URL'),
    });
  });

  it('goes as far as the recipient, and sends no message', async () => {
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

  it('logs in over an encrypted connection, and says so', async () => {
    const host = await mailServer({
      authOptional: false,
      disabledCommands: [],
      onAuth: ({ username, password }, _, done) =>
        done(null, username === 'ana' && password === 'p@ss' ? { user: 1 } : {}),
    });
    // The test server signs its own certificate.
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    afterTest(() => vi.unstubAllEnvs());
    const { on } = await doctor(await newBaseFarm(), { ACEQUIA_SMTP_URL: `smtp://ana:p%40ss@${host}` });
    expect(on('mail')).toMatchObject({
      level: 'good',
      what: expect.stringContaining('(encrypted, logged in as "ana",'),
    });
  });

  it('asks for the OWNER if no alert has recipients', async () => {
    await doctor(await newBaseFarm(), { ACEQUIA_SMTP_URL: `smtp://${await mailServer()}` });
    expect(commands.at(-1)).toBe('to ana@example.org');
  });

  it.each([
    [550, 'bad', 'refuses mail to'],
    [450, 'doubtful', 'postpones mail to'],
  ])('of a recipient that is answered %i is %s', async (code, level, said) => {
    const host = await mailServer({ onRcptTo: (_, __, done) => done(answer('no such mailbox', code)) });
    const report = await doctor(await newBaseFarm(), { ACEQUIA_SMTP_URL: `smtp://${host}` });
    expect(report.on('mail')).toMatchObject({ level, what: expect.stringContaining(`${said} "ana@example.org"`) });
    expect(report.on('mail').what).toContain('no such mailbox');
    expect(report.code).toBe(level === 'bad' ? 1 : 0);
  });

  it('with a refused sender is bad, and the advice names ACEQUIA_MAIL_FROM', async () => {
    const host = await mailServer({ onMailFrom: (_, __, done) => done(answer('not yours', 553)) });
    const { on } = await doctor(await newBaseFarm(), { ACEQUIA_SMTP_URL: `smtp://${host}` });
    expect(on('mail')).toMatchObject({ level: 'bad', advice: expect.stringContaining('ACEQUIA_MAIL_FROM') });
  });

  it('with a wrong password is bad, and does not show the password', async () => {
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
    ['that the server does not speak from the start', 'smtps', {}],
    ['by a self-signed certificate', 'smtp', { disabledCommands: [] }],
    ['from the start by such a certificate', 'smtps', { secure: true }],
    ['that is required and not offered', 'smtp', {}, '?startTls=required'],
  ])('with encryption %s is bad', async (_, protocol, options, query = '') => {
    const url = `${protocol}://${await mailServer(options)}${query}`;
    const report = await doctor(await newBaseFarm(), { ACEQUIA_SMTP_URL: url });
    expect(report.code).toBe(1);
    expect(report.on('mail')).toMatchObject({ level: 'bad', what: expect.stringContaining('encryption') });
  });

  it('with a silent server is bad, and ends', async () => {
    const silent: Server = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    afterTest(() => new Promise((resolve) => silent.close(resolve)));
    const { port } = silent.address() as AddressInfo;
    const report = await doctor(await newBaseFarm(), { ACEQUIA_SMTP_URL: `smtp://127.0.0.1:${port}` });
    expect(report.on('mail')).toMatchObject({ level: 'bad', what: expect.stringContaining('does not answer') });
  });

  it('with a server that hangs up is bad', async () => {
    const rude: Server = createServer((socket) => {
      socket.write('220 hello\r\n');
      socket.once('data', () => socket.destroy());
    }).listen(0, '127.0.0.1');
    await once(rude, 'listening');
    afterTest(() => new Promise((resolve) => rude.close(resolve)));
    const { port } = rude.address() as AddressInfo;
    const report = await doctor(await newBaseFarm(), { ACEQUIA_SMTP_URL: `smtp://127.0.0.1:${port}` });
    expect([report.code, report.on('mail').level]).toEqual([1, 'bad']);
  });

  it('with an unreachable server is bad', async () => {
    const report = await doctor(await newBaseFarm(), { ACEQUIA_SMTP_URL: `smtp://127.0.0.1:${await closedPort()}` });
    expect(report.on('mail')).toMatchObject({ level: 'bad', what: expect.stringContaining('cannot be reached') });
  });

  it('with an invalid address is bad, and does not show it', async () => {
    const report = await doctor(await newBaseFarm(), { ACEQUIA_SMTP_URL: 'ana:hunter2@mail' });
    expect([report.code, report.on('mail').level]).toEqual([1, 'bad']);
    expect(report.text).not.toContain('hunter2');
  });
});
