import { describe, expect, it } from 'vitest';
import { readMailSettings } from '../../../src/cli/mail/mail-settings.ts';
import { openMailer } from '../../../src/cli/mail/mailer.ts';
import type { Delivery } from '../../../src/service/mail/transport.ts';
import {
  closedPort,
  type MailServerOptions,
  startMailServer,
  startSilentServer,
} from '../../mail-server.ts';

const MAIL = {
  messageId: '<1@example.net>',
  createdAt: Date.parse('2026-07-01T06:00:00Z'),
  to: 'ana@example.org',
  subject: 'Sol sec : Chênes à 18,4 %',
  text: 'Rien.',
  alertId: 'a',
  sessionId: null,
  html: '<p>Rien.</p>',
};

const send = (
  url: string,
  mail: Partial<typeof MAIL> = {},
  signal = new AbortController().signal,
): Promise<Delivery> =>
  openMailer(readMailSettings({ ACEQUIA_SMTP_URL: url })!).send({ ...MAIL, ...mail }, signal);

async function sentTo(options: MailServerOptions, mail: Partial<typeof MAIL> = {}) {
  const server = await startMailServer(options);
  return { server, delivery: await send(server.url, mail) };
}

describe('a message that the mail server accepts', () => {
  it('is sent, and the server’s reply is returned', async () => {
    const { server, delivery } = await sentTo({});
    expect(delivery).toEqual({ outcome: 'sent', answer: expect.stringMatching(/^250 /) });
    expect(server.received[0]!.mail).toMatchObject({
      messageId: MAIL.messageId,
      subject: MAIL.subject,
      date: '2026-07-01T06:00:00.000Z',
    });
  });

  it('goes to its one recipient, whatever characters the address and the subject contain', async () => {
    const { server } = await sentTo({}, { subject: 'a\r\nBcc: all@example.org' });
    expect(server.received.map(({ to, mail }) => [to, mail.bcc])).toEqual([[MAIL.to, undefined]]);
  });
});

describe('a message that the mail server does not accept', () => {
  it.each([421, 450, 451, 452])('is retried after the code %i', async (code) => {
    for (const at of ['RCPT', 'DATA'] as const) {
      const { delivery } = await sentTo({ reaction: () => ({ at, code, text: 'Later' }) });
      expect(delivery).toEqual({ outcome: 'deferred', answer: `${code} Later` });
    }
    const { delivery } = await sentTo({ senderRefusal: { code, text: 'Later' } });
    expect(delivery).toEqual({ outcome: 'deferred', answer: `${code} Later` });
  });

  it.each([550, 552, 553, 554])('is refused after the code %i', async (code) => {
    for (const at of ['RCPT', 'DATA'] as const) {
      const { delivery } = await sentTo({ reaction: () => ({ at, code, text: 'Never' }) });
      expect(delivery).toEqual({ outcome: 'refused', answer: `${code} Never` });
    }
  });

  it.each([550, 552, 553, 554])(
    'is retried after the code %i about its sender, which is a wrong setting',
    async (code) => {
      const { delivery } = await sentTo({ senderRefusal: { code, text: 'Never' } });
      expect(delivery).toEqual({ outcome: 'unreachable', answer: `${code} Never` });
    },
  );

  it.each([530, 534, 535, 538])(
    'is not refused by the code %i, which concerns the sender',
    async (code) => {
      const { delivery } = await sentTo({ senderRefusal: { code, text: 'Log in first' } });
      expect(delivery).toEqual({ outcome: 'unreachable', answer: `${code} Log in first` });
    },
  );

  it('is refused when its address is invalid', async () => {
    const { server, delivery } = await sentTo({}, { to: 'nobody' });
    expect(delivery.outcome).toBe('refused');
    expect(server.received).toEqual([]);
  });

  it('waits when the connection is dropped at its end', async () => {
    const { server, delivery } = await sentTo({ reaction: () => 'drop' });
    expect(delivery.outcome).toBe('unreachable');
    expect(server.received).toHaveLength(1);
  });

  it('waits when the server is down', async () => {
    expect(await send(`smtp://127.0.0.1:${await closedPort()}`)).toEqual({
      outcome: 'unreachable',
      answer: expect.stringContaining('ECONNREFUSED'),
    });
  });

  it.each([
    ['never greets', async () => (await startSilentServer()).url],
    [
      'never answers at its end',
      async () => (await startMailServer({ reaction: () => 'hang' })).url,
    ],
  ])('ends when it is cancelled while the server %s', async (_, start) => {
    const giveUp = new AbortController();
    const sending = send(await start(), {}, giveUp.signal);
    setTimeout(() => giveUp.abort(), 100);
    expect((await sending).outcome).toBe('unreachable');
  });

  it('keeps a reply of many lines on one line, cut to a limit', async () => {
    const { delivery } = await sentTo({
      reaction: () => ({ at: 'RCPT', code: 550, text: `a\nb ${'c'.repeat(2000)}` }),
    });
    expect(delivery.answer).not.toMatch(/\p{Cc}/u);
    expect(delivery.answer).toHaveLength(500);
  });
});

describe('a password', () => {
  const login = { user: 'ana', password: 'secret' };
  const at = (port: number, more = '') => `smtp://ana:secret@127.0.0.1:${port}${more}`;

  it('is not sent where encryption is required and the server offers none', async () => {
    const server = await startMailServer({ login });
    expect((await send(at(server.port, '?startTls=required'))).outcome).toBe('unreachable');
    expect(server.received).toEqual([]);
    expect((await send(at(server.port))).outcome).toBe('sent');
  });

  it('is not sent to a server with an untrusted certificate', async () => {
    const server = await startMailServer({ login, offersTls: true });
    const delivery = await send(at(server.port));
    expect(delivery).toEqual({
      outcome: 'unreachable',
      answer: expect.stringMatching(/certificate/),
    });
    expect((await send(at(server.port, '?startTls=never'))).outcome).toBe('sent');
  });
});
