import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { describe, expect, it, vi } from 'vitest';
import type { ConnectionLimits } from '../../../src/cli/mail/mail-settings.ts';
import { newBaseFarm } from '../../base-farm.ts';
import { afterTest } from '../../cleanup.ts';
import { closedPort } from '../../mail-server.ts';
import { addAlert, doctor, findingWith } from './examined-store.ts';

interface CheckOptions {
  readonly hasAlert?: boolean;
  readonly from?: string;
  readonly limits?: ConnectionLimits;
}

describe('the check of the mail server', () => {
  const commands: string[] = [];
  const record = (command: string, done: () => unknown): void => {
    commands.push(command);
    done();
  };
  async function mailServer(options: SMTPServerOptions = {}): Promise<string> {
    commands.length = 0;
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onMailFrom: ({ address }, _, done) => record(`from ${address}`, done),
      onRcptTo: ({ address }, _, done) => record(`to ${address}`, done),
      onData: (stream, _, done) => record('data', () => stream.resume().on('end', done)),
      ...options,
    });
    server.on('error', () => undefined);
    server.listen(0, '127.0.0.1');
    await once(server.server, 'listening');
    afterTest(() => new Promise<void>((resolve) => server.close(() => resolve())));
    return `127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  }

  async function tcpServer(onConnection: (socket: Socket) => void): Promise<string> {
    const server = createServer(onConnection).listen(0, '127.0.0.1');
    await once(server, 'listening');
    afterTest(() => new Promise((resolve) => server.close(resolve)));
    return `127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  async function check(url: string | null, { hasAlert = false, from, limits }: CheckOptions = {}) {
    const db = await newBaseFarm();
    if (hasAlert) addAlert(db);
    const env = {
      ...(url === null ? {} : { ACEQUIA_SMTP_URL: url }),
      ...(from ? { ACEQUIA_MAIL_FROM: from } : {}),
    };
    const { code, text, on } = await doctor(db, env, limits);
    return { code, text, mail: on('mail') };
  }

  const answer = (text: string, responseCode: number) =>
    Object.assign(new Error(text), { responseCode });

  it('needs no mail server without an alert', async () => {
    expect((await check(null)).mail.level).toBe('good');
  });

  it('is doubtful without a server if there is an alert', async () => {
    const { mail } = await check(null, { hasAlert: true });
    expect(mail).toMatchObject(findingWith('doubtful', '1 alert is active', 'ACEQUIA_SMTP_URL'));
  });

  it('goes as far as the recipient, and sends no message', async () => {
    const { mail } = await check(`smtp://${await mailServer()}`, {
      hasAlert: true,
      from: 'farm@example.org',
    });
    expect(mail).toMatchObject(findingWith('good', 'accepts mail for "ana@example.org"'));
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
    const { mail } = await check(`smtp://ana:p%40ss@${host}`);
    expect(mail).toMatchObject(findingWith('good', '(encrypted, logged in as "ana",'));
  });

  it('names the OWNER as the recipient if no alert has any', async () => {
    await check(`smtp://${await mailServer()}`);
    expect(commands.at(-1)).toBe('to ana@example.org');
  });

  it.each([
    [550, 'bad', 'refuses mail to'],
    [450, 'doubtful', 'postpones mail to'],
  ] as const)('of a recipient that is answered %i is %s', async (status, level, text) => {
    const host = await mailServer({
      onRcptTo: (_, __, done) => done(answer('no such mailbox', status)),
    });
    const { code, mail } = await check(`smtp://${host}`);
    expect(mail).toMatchObject(findingWith(level, `${text} "ana@example.org"`));
    expect(mail.what).toContain('no such mailbox');
    expect(code).toBe(level === 'bad' ? 1 : 0);
  });

  it('with a refused sender is bad, and the advice names ACEQUIA_MAIL_FROM', async () => {
    const host = await mailServer({ onMailFrom: (_, __, done) => done(answer('not yours', 553)) });
    expect((await check(`smtp://${host}`)).mail).toMatchObject(
      findingWith('bad', '', 'ACEQUIA_MAIL_FROM'),
    );
  });

  it('with a wrong password is bad, and does not show the password', async () => {
    const host = await mailServer({
      authOptional: false,
      onAuth: ({ password }, _, done) => done(answer(`${password} is wrong`, 535)),
    });
    const { code, text, mail } = await check(`smtp://ana:hunter2@${host}`);
    expect(code).toBe(1);
    expect(mail).toMatchObject(findingWith('bad', 'does not let us log in'));
    expect(text).not.toContain('hunter2');
  });

  it.each<[string, () => Promise<string>, string]>([
    [
      'encryption from the start, which the server lacks',
      async () => `smtps://${await mailServer()}`,
      'encryption',
    ],
    [
      'a self-signed certificate',
      async () => `smtp://${await mailServer({ disabledCommands: [] })}`,
      'encryption',
    ],
    [
      'a self-signed certificate from the start',
      async () => `smtps://${await mailServer({ secure: true })}`,
      'encryption',
    ],
    [
      'required encryption, which the server lacks',
      async () => `smtp://${await mailServer()}?startTls=required`,
      'encryption',
    ],
    [
      'a server that hangs up',
      async () =>
        `smtp://${await tcpServer((socket) => void socket.once('data', () => socket.destroy()).write('220 hello\r\n'))}`,
      '',
    ],
    [
      'an unreachable server',
      async () => `smtp://127.0.0.1:${await closedPort()}`,
      'cannot be reached',
    ],
  ])('with %s is bad', async (_, url, what) => {
    const { code, mail } = await check(await url());
    expect(code).toBe(1);
    expect(mail).toMatchObject(findingWith('bad', what));
  });

  it('with a silent server is bad', async () => {
    const url = `smtp://${await tcpServer(() => undefined)}`;
    const limits = { connectionMs: 10_000, greetingMs: 200, silenceMs: 10_000 };
    const { code, mail } = await check(url, { limits });
    expect(code).toBe(1);
    expect(mail).toMatchObject(findingWith('bad', 'does not answer'));
  });

  it('with an invalid address is bad, and does not show it', async () => {
    const { code, text, mail } = await check('ana:hunter2@mail');
    expect([code, mail.level]).toEqual([1, 'bad']);
    expect(text).not.toContain('hunter2');
  });
});
