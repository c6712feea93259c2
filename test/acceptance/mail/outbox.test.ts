import { describe, expect, it } from 'vitest';
import { startMailServer, startSilentServer } from '../../mail-server.ts';
import { itInDeepRuns } from '../../property-runs.ts';
import { bodyOf, startStdioServer } from '../mcp-session.ts';
import {
  CLEAN_EXIT,
  type CommandResult,
  type RunningCommand,
  runCommand,
  startCommand,
  waitUntil,
} from '../program.ts';
import { expirePauses, outboxRows, runTick, storeWithWaitingMail } from './outbox-store.ts';

const lastLine = (stdout: string): string => stdout.trimEnd().split('\n').at(-1)!;

describe('acequia tick with waiting mail', () => {
  it('sends every message once, with its text, page, sender and Message-ID', async () => {
    const db = await storeWithWaitingMail(3);
    const server = await startMailServer();
    const env = {
      ACEQUIA_SMTP_URL: server.url,
      ACEQUIA_MAIL_FROM: 'Mas Rouge <farm@example.net>',
      ACEQUIA_BACKUPS: 'off',
    };
    const { code, stdout, stderr } = await runCommand(['tick', '--db', db], { env });
    expect([code, lastLine(stdout), stderr]).toEqual([0, '3 messages sent, 0 waiting.', '']);
    for (const [n, row] of (await outboxRows(db)).entries()) {
      const { mail, to } = server.received[n]!;
      expect(row).toMatchObject({
        state: 'sent',
        attempts: 1,
        message_id: `<${row.id}@example.net>`,
      });
      expect(to).toBe(row.to_address);
      expect(mail).toMatchObject({
        messageId: row.message_id,
        from: { name: 'Mas Rouge', address: 'farm@example.net' },
        to: [{ address: `ana+${n}@example.org` }],
        subject: `Message ${n}`,
        text: `The text of message ${n}.\n`,
        html: `<p>The text of message ${n}.</p>\n`,
      });
      expect(mail.headers).toContainEqual(
        expect.objectContaining({ key: 'auto-submitted', value: 'auto-generated' }),
      );
    }
    await expirePauses(db);
    expect((await runTick(db, env)).stdout).not.toContain('message');
    expect(server.received).toHaveLength(3);
  });

  it('leaves mail waiting without a mail server, and names the missing setting', async () => {
    const db = await storeWithWaitingMail(1);
    const { code, stdout } = await runTick(db);
    expect([code, lastLine(stdout)]).toEqual([
      0,
      '0 messages sent, 1 waiting: set ACEQUIA_SMTP_URL to send mail.',
    ]);
    expect(await outboxRows(db)).toMatchObject([{ state: 'waiting', attempts: 0 }]);
  });

  it('retries refused messages only with --resend, under the same Message-ID', async () => {
    const db = await storeWithWaitingMail(3);
    let isRepaired = false;
    const server = await startMailServer({
      reaction: (to) =>
        isRepaired || to.includes('+1')
          ? 'accept'
          : { at: 'DATA', code: 554, text: 'Relay denied' },
    });
    const env = { ACEQUIA_SMTP_URL: server.url };
    expect(lastLine((await runTick(db, env)).stdout)).toBe('1 message sent, 2 refused, 0 waiting.');
    const refused = await outboxRows(db);
    expect(refused.map(({ state }) => state)).toEqual(['refused', 'sent', 'refused']);
    isRepaired = true;
    expect((await runTick(db, env)).stdout).not.toContain('sent');
    const { code, stdout } = await runTick(db, env, '--resend');
    expect([code, ...stdout.trimEnd().split('\n').slice(-2)]).toEqual([
      0,
      '2 refused messages due again.',
      '2 messages sent, 0 waiting.',
    ]);
    const sent = await outboxRows(db);
    expect(sent.map(({ state, message_id }) => [state, message_id])).toEqual(
      refused.map(({ message_id }) => ['sent', message_id]),
    );
    const ids = server.received.map(({ mail }) => mail.messageId);
    expect(ids).toEqual([0, 1, 2, 0, 2].map((n) => refused[n]!.message_id));
  });

  it('stops at SIGTERM while a mail server is silent', async () => {
    const db = await storeWithWaitingMail(2);
    const server = await startSilentServer();
    const { child, ended } = startCommand(['tick', '--db', db], {
      env: { ACEQUIA_SMTP_URL: server.url },
    });
    await waitUntil(() => server.connections() > 0);
    child.kill('SIGTERM');
    const { code, stdout } = await ended;
    expect([code, lastLine(stdout), server.connections()]).toEqual([
      1,
      '0 messages sent, 2 waiting.',
      1,
    ]);
    // The server is tried before the first message is sent.
    expect(await outboxRows(db)).toMatchObject([
      { state: 'waiting', attempts: 0 },
      { state: 'waiting', attempts: 0 },
    ]);
  });
});

const start = (command: 'mcp' | 'serve', db: string, smtpUrl: string): RunningCommand =>
  startCommand([command, '--db', db, ...(command === 'serve' ? ['--port', '0'] : [])], {
    env: { ACEQUIA_SMTP_URL: smtpUrl },
  });

function end({ child, ended }: RunningCommand): Promise<CommandResult> {
  if (child.spawnargs.includes('serve')) child.kill('SIGTERM');
  else child.stdin.end();
  return ended;
}

it('acequia mcp sends waiting mail by itself', async () => {
  const db = await storeWithWaitingMail(2);
  const server = await startMailServer();
  const running = start('mcp', db, server.url);
  await waitUntil(() => server.received.length === 2);
  await expect.poll(() => outboxRows(db)).toMatchObject([{ state: 'sent' }, { state: 'sent' }]);
  expect(await end(running)).toMatchObject(CLEAN_EXIT);
});

it.each(['mcp', 'serve'] as const)(
  'acequia %s ends without waiting for a silent mail server',
  async (command) => {
    const db = await storeWithWaitingMail(1);
    const server = await startSilentServer();
    const running = start(command, db, server.url);
    // That of the trial, and that of the message.
    await waitUntil(() => server.connections() > 1);
    expect(await end(running)).toMatchObject(CLEAN_EXIT);
    expect(await outboxRows(db)).toMatchObject([
      { state: 'waiting', attempts: 1, last_response: expect.stringContaining('aborted') },
    ]);
  },
);

it('acequia serve runs with an invalid mail setting, and logs it without the secret', async () => {
  const db = await storeWithWaitingMail(1);
  const running = start('serve', db, 'http://ana:secret@example.org');
  await waitUntil(() =>
    running.stderr().includes('ACEQUIA_SMTP_URL is not the URL of a mail server'),
  );
  const { code, stderr } = await end(running);
  expect(code).toBe(0);
  expect(stderr).not.toContain('secret');
  expect(await outboxRows(db)).toMatchObject([{ state: 'waiting', attempts: 0 }]);
});

itInDeepRuns('calls are answered while a mail server is silent', async () => {
  const db = await storeWithWaitingMail(1);
  const server = await startSilentServer();
  const { call } = await startStdioServer(['--db', db], { ACEQUIA_SMTP_URL: server.url });
  await waitUntil(() => server.connections() > 0);
  expect(bodyOf(await call('get_company')).name).toBe('Mas Rouge');
});
