import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { closedPort, startMailServer, startSilentServer } from '../../mail-server.ts';
import { COMPOSED_AT } from '../../outbox-farm.ts';
import { waitUntil } from '../schedule-farm.ts';
import { expirePauses, outboxRows, runTickCommand, startCommand, storeWithWaitingMail } from './outbox-store.ts';

const lastLine = (stdout: string): string => stdout.trimEnd().split('\n').at(-1)!;

describe('acequia tick with mail that waits', () => {
  it('hands every message over with its text, its page, its sender and its Message-ID, once', async () => {
    const db = await storeWithWaitingMail(3);
    const server = await startMailServer();
    const said = { ACEQUIA_SMTP_URL: server.url, ACEQUIA_MAIL_FROM: 'Mas Rouge <farm@example.net>' };
    const { code, stdout, stderr } = await runTickCommand(db, said);
    expect([code, lastLine(stdout), stderr]).toEqual([0, '3 messages sent, 0 waiting.', '']);
    expect(server.received.map(({ mail }) => mail.subject)).toEqual(['Message 0', 'Message 1', 'Message 2']);
    for (const [n, row] of (await outboxRows(db)).entries()) {
      const { mail, to } = server.received[n]!;
      expect(row).toMatchObject({ state: 'sent', tries: 1, message_id: `<${row.id}@example.net>` });
      expect(to).toBe(row.to_address);
      expect(mail).toMatchObject({
        messageId: row.message_id,
        from: { name: 'Mas Rouge', address: 'farm@example.net' },
        to: [{ address: `ana+${n}@example.org` }],
        text: `The text of message ${n}.\n`,
        html: `<p>The text of message ${n}.</p>\n`,
      });
      expect(mail.headers).toContainEqual(expect.objectContaining({ key: 'auto-submitted', value: 'auto-generated' }));
    }

    // Once the answer is recorded, never again.
    await expirePauses(db);
    expect((await runTickCommand(db, said)).stdout).not.toContain('message');
    expect(server.received).toHaveLength(3);
  });

  it('dates a message by when it was composed, at whatever try and however late it goes out', async () => {
    const db = await storeWithWaitingMail(1);
    const server = await startMailServer({ reaction: (_, times) => (times === 0 ? 'drop' : 'accept') });
    const said = { ACEQUIA_SMTP_URL: server.url };
    await runTickCommand(db, said);
    await expirePauses(db);
    await runTickCommand(db, said, '--clock', new Date(COMPOSED_AT + 7 * 86_400_000).toISOString());
    expect(server.received.map(({ mail }) => Date.parse(mail.date!))).toEqual([COMPOSED_AT, COMPOSED_AT]);
  });

  it('keeps what waits where no mail server is set, and says which setting is missing', async () => {
    const db = await storeWithWaitingMail(1);
    const { code, stdout } = await runTickCommand(db);
    expect([code, lastLine(stdout)]).toEqual([0, '0 messages sent, 1 waiting: set ACEQUIA_SMTP_URL to send mail.']);
    expect(await outboxRows(db)).toMatchObject([{ state: 'waiting', tries: 0 }]);
  });

  it('says nothing of mail where there is none', async () => {
    const { stdout } = await runTickCommand(await storeWithWaitingMail(0));
    expect(stdout).not.toContain('message');
  });

  it('logs in where the address of the server says who', async () => {
    const db = await storeWithWaitingMail(1);
    const login = { user: 'ana@example.org', password: 'p:a/s s' };
    const server = await startMailServer({ login });
    const url = (password: string) =>
      `smtp://${encodeURIComponent(login.user)}:${encodeURIComponent(password)}@127.0.0.1:${server.port}`;

    expect(lastLine((await runTickCommand(db, { ACEQUIA_SMTP_URL: url('wrong') })).stdout)).toBe(
      '0 messages sent, 1 waiting.',
    );
    // A wrong password is ours to mend: the message waits.
    const [row] = await outboxRows(db);
    expect(row).toMatchObject({ state: 'waiting', last_answer: '535 Wrong name or password' });

    await expirePauses(db);
    expect(lastLine((await runTickCommand(db, { ACEQUIA_SMTP_URL: url(login.password) })).stdout)).toBe(
      '1 message sent, 0 waiting.',
    );
    // The sender is the user where that is an address.
    expect(server.received[0]!.mail.from).toMatchObject({ address: login.user });
    // Neither the answer of the server nor anything said holds the password.
    expect(JSON.stringify(await outboxRows(db))).not.toContain('wrong');
  });

  it('tries again, after a pause, when the server asks for patience', async () => {
    const db = await storeWithWaitingMail(1);
    const server = await startMailServer({
      reaction: (_, times) => (times === 0 ? { at: 'RCPT', code: 450, text: 'Not now' } : 'accept'),
    });
    const said = { ACEQUIA_SMTP_URL: server.url };
    expect(lastLine((await runTickCommand(db, said)).stdout)).toBe('0 messages sent, 1 waiting.');
    const [row] = await outboxRows(db);
    expect(row).toMatchObject({ state: 'waiting', last_answer: '450 Not now', tries: 1 });
    expect(row!.next_try_at).toBeGreaterThan(Date.now());
    // Before its pause is over it is left alone.
    await runTickCommand(db, said);
    expect((await outboxRows(db))[0]!.tries).toBe(1);

    await expirePauses(db);
    expect(lastLine((await runTickCommand(db, said)).stdout)).toBe('1 message sent, 0 waiting.');
    expect(server.received.at(-1)!.mail.messageId).toBe(row!.message_id);
    expect(await outboxRows(db)).toMatchObject([{ state: 'sent', tries: 2, message_id: row!.message_id }]);
  });

  it('records what the server refuses for good, and goes on with the others', async () => {
    const db = await storeWithWaitingMail(3);
    const server = await startMailServer({
      reaction: (to) => (to.includes('+1') ? { at: 'RCPT', code: 550, text: 'No such user' } : 'accept'),
    });
    const said = { ACEQUIA_SMTP_URL: server.url };
    expect(lastLine((await runTickCommand(db, said)).stdout)).toBe('2 messages sent, 1 refused, 0 waiting.');
    expect((await outboxRows(db)).map(({ state, last_answer }) => [state, last_answer])).toEqual([
      ['sent', expect.stringMatching(/^250 /)],
      ['refused', '550 No such user'],
      ['sent', expect.stringMatching(/^250 /)],
    ]);
    await expirePauses(db);
    await runTickCommand(db, said);
    expect(server.connections).toBe(3);
  });

  it('tries what was refused once more with --resend, under the same Message-ID', async () => {
    const db = await storeWithWaitingMail(3);
    let isMended = false;
    const server = await startMailServer({
      reaction: (to) => (isMended || to.includes('+1') ? 'accept' : { at: 'DATA', code: 554, text: 'Relay denied' }),
    });
    const said = { ACEQUIA_SMTP_URL: server.url };
    expect(lastLine((await runTickCommand(db, said)).stdout)).toBe('1 message sent, 2 refused, 0 waiting.');
    const refused = await outboxRows(db);

    isMended = true;
    // Not of itself.
    expect((await runTickCommand(db, said)).stdout).not.toContain('sent');
    const { code, stdout } = await runTickCommand(db, said, '--resend');
    expect([code, ...stdout.trimEnd().split('\n').slice(-2)]).toEqual([
      0,
      '2 refused messages due again.',
      '2 messages sent, 0 waiting.',
    ]);
    expect((await outboxRows(db)).map(({ state, message_id }) => [state, message_id])).toEqual(
      refused.map(({ message_id }) => ['sent', message_id]),
    );
    const ids = server.received.filter(({ to }) => !to.includes('+1')).map(({ mail }) => mail.messageId);
    expect(ids).toEqual([0, 2, 0, 2].map((n) => refused[n]!.message_id));
    expect(server.received.filter(({ to }) => to.includes('+1'))).toHaveLength(1);

    expect((await runTickCommand(db, said, '--resend')).stdout).toContain('0 refused messages due again.');
    expect(server.received).toHaveLength(5);
  });

  it('repeats a message whose connection was dropped after its end, under the same Message-ID', async () => {
    const db = await storeWithWaitingMail(2);
    const server = await startMailServer({
      reaction: (to, times) => (to.includes('+0') && times < 2 ? 'drop' : 'accept'),
    });
    const said = { ACEQUIA_SMTP_URL: server.url };
    for (const left of [1, 1, 0]) {
      expect(lastLine((await runTickCommand(db, said)).stdout)).toMatch(new RegExp(`, ${left} waiting`));
      await expirePauses(db);
    }
    const ids = server.received.filter(({ to }) => to.includes('+0')).map(({ mail }) => mail.messageId);
    expect(ids).toEqual(Array(3).fill((await outboxRows(db))[0]!.message_id));
    expect(server.received.filter(({ to }) => to.includes('+1'))).toHaveLength(1);
  });

  it('tries again a server that is not there', async () => {
    const db = await storeWithWaitingMail(5);
    const said = { ACEQUIA_SMTP_URL: `smtp://127.0.0.1:${await closedPort()}` };
    const { code, stdout } = await runTickCommand(db, said);
    expect([code, lastLine(stdout)]).toEqual([0, '0 messages sent, 5 waiting.']);
    const tried = (await outboxRows(db)).filter(({ tries }) => tries > 0);
    // Three in a row are enough to know.
    expect(tried).toHaveLength(3);
    for (const row of tried) expect(row.last_answer).toContain('ECONNREFUSED');
  });

  it('does not wait for ever for a server that never says a word, and can be stopped meanwhile', async () => {
    const db = await storeWithWaitingMail(2);
    const server = await startSilentServer();
    const { child, ended } = startCommand('tick', db, { ACEQUIA_SMTP_URL: server.url });
    await waitUntil(() => server.connections() > 0);
    child.kill('SIGTERM');
    const { code, stdout } = await ended;
    expect([code, lastLine(stdout)]).toEqual([1, '0 messages sent, 2 waiting.']);
    expect(server.connections()).toBe(1);
    expect(await outboxRows(db)).toMatchObject([{ state: 'waiting', tries: 1 }, { tries: 0 }]);
  });

  it.each([
    ['ACEQUIA_SMTP_URL', { ACEQUIA_SMTP_URL: 'http://ana:secret@example.org' }],
    ['ACEQUIA_MAIL_FROM', { ACEQUIA_SMTP_URL: 'smtp://example.org', ACEQUIA_MAIL_FROM: 'Mas Rouge' }],
  ])('refuses a malformed %s at once, and does not quote it', async (name, said) => {
    const { code, stdout, stderr } = await runTickCommand(await storeWithWaitingMail(0), said);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(name);
    expect(stderr).not.toContain('secret');
  });

  it('sends no message twice when two are at it at once', async () => {
    const db = await storeWithWaitingMail(30);
    const server = await startMailServer({ acceptDelayMs: 3 });
    const said = { ACEQUIA_SMTP_URL: server.url };
    await Promise.all([runTickCommand(db, said), runTickCommand(db, said)]);
    await runTickCommand(db, said);
    expect(server.received.map(({ mail }) => mail.subject)).toEqual(
      Array.from({ length: 30 }, (_, n) => `Message ${n}`),
    );
  });
});

describe('the server that an assistant speaks with', () => {
  /** Starts it, and shakes hands. */
  function serving(db: string, said: Record<string, string>) {
    const server = startCommand('mcp', db, said);
    let last = 0;
    const send = (method: string, params: object): number => {
      const id = ++last;
      server.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
      return id;
    };
    const hasAnswered = (id: number): boolean =>
      server.stdout().includes(`"id":${id}`) && server.stdout().endsWith('\n');
    send('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'mail', version: '1' } });
    return { ...server, ask: () => send('tools/call', { name: 'get_company', arguments: {} }), hasAnswered };
  }

  it('sends what waits by itself', async () => {
    const db = await storeWithWaitingMail(2);
    const server = await startMailServer();
    const { child, ended } = serving(db, { ACEQUIA_SMTP_URL: server.url });
    await waitUntil(async () => (await outboxRows(db)).every(({ state }) => state === 'sent'));
    child.stdin.end();
    expect(await ended).toMatchObject({ code: 0, stderr: '' });
    expect(server.received).toHaveLength(2);
  });

  it('answers calls while a mail server lets it wait, and ends without waiting for it long', async () => {
    const db = await storeWithWaitingMail(1);
    const server = await startSilentServer();
    const { child, ended, ask, hasAnswered } = serving(db, { ACEQUIA_SMTP_URL: server.url });
    await waitUntil(() => server.connections() > 0);
    const asked = ask();
    await waitUntil(() => hasAnswered(asked));
    child.stdin.end();
    expect(await ended).toMatchObject({ code: 0, stderr: '' });
    expect(await outboxRows(db)).toMatchObject([{ state: 'waiting', tries: 1 }]);
  });

  it('serves all the same where the mail server’s address is malformed, and logs it without the secret', async () => {
    const db = await storeWithWaitingMail(1);
    const { child, ended, ask, hasAnswered } = serving(db, { ACEQUIA_SMTP_URL: 'http://ana:secret@example.org' });
    const asked = ask();
    await waitUntil(() => hasAnswered(asked));
    // Past the first housekeeping.
    await pause(2_500);
    child.stdin.end();
    const { code, stderr } = await ended;
    expect(code).toBe(0);
    expect(stderr).toContain('ACEQUIA_SMTP_URL is not the URL of a mail server');
    expect(stderr).not.toContain('secret');
    expect(await outboxRows(db)).toMatchObject([{ state: 'waiting', tries: 0 }]);
  });
});
