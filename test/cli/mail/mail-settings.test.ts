import { describe, expect, it } from 'vitest';
import { readMailSettings } from '../../../src/cli/mail/mail-settings.ts';
import { AcequiaError } from '../../../src/schema/error.ts';

const settings = (url: string, from?: string) =>
  readMailSettings({ ACEQUIA_SMTP_URL: url, ACEQUIA_MAIL_FROM: from })!;

function refusal(url: string, from?: string): AcequiaError {
  try {
    settings(url, from);
  } catch (error) {
    if (error instanceof AcequiaError) return error;
  }
  throw new Error(`Not refused: ${url} ${from}`);
}

describe('ACEQUIA_SMTP_URL', () => {
  it('may be left out: then no mail is sent', () => {
    expect(readMailSettings({})).toBeNull();
    expect(readMailSettings({ ACEQUIA_SMTP_URL: '' })).toBeNull();
  });

  it.each([
    ['smtp://mail.example.org', 'mail.example.org', 587, false],
    ['smtp://mail.example.org:2525/', 'mail.example.org', 2525, false],
    ['smtps://mail.example.org', 'mail.example.org', 465, true],
    ['smtp://[::1]:25', '::1', 25, false],
  ])('%s names host, port and whether TLS comes first', (url, host, port, isSecure) =>
    expect(settings(url)).toMatchObject({ host, port, isSecure, auth: null, startTls: 'offered' }),
  );

  it('carries user and password, percent-encoded', () =>
    expect(settings('smtp://ana%40example.org:p%3Aa%2Fs%25@mail.example.org').auth).toEqual({
      user: 'ana@example.org',
      password: 'p:a/s%',
    }));

  it('sends no password unencrypted to another machine unless the URL says so', () => {
    expect(settings('smtp://ana:secret@mail.example.org').startTls).toBe('required');
    expect(settings('smtp://ana:secret@127.0.0.1').startTls).toBe('offered');
    expect(settings('smtp://ana:secret@localhost').startTls).toBe('offered');
    expect(settings('smtp://ana:secret@mail.example.org?startTls=never').startTls).toBe('never');
    expect(settings('smtp://mail.example.org?startTls=required').startTls).toBe('required');
  });

  it.each([
    'mail.example.org',
    'http://mail.example.org',
    'smtp://',
    'smtp://mail.example.org:99999',
    'smtp://ana:secret%@mail.example.org',
    'smtp://mail.example.org/inbox',
    'smtp://ana:secret@mail.example.org?logger=true',
    'smtp://mail.example.org?startTls=perhaps',
    'not a url with secret in it',
  ])('%s is refused with how to write it, and not quoted', (url) => {
    const { code, message, hint, field } = refusal(url);
    expect([code, field]).toEqual(['invalid_parameter', 'ACEQUIA_SMTP_URL']);
    expect(hint).toContain('smtp://user:password@host:587');
    expect(message + hint).not.toContain('secret');
  });
});

describe('the sender', () => {
  it.each([
    ['smtp://mail.example.org', undefined, 'Acequia', 'acequia@mail.example.org'],
    ['smtp://10.0.0.7', undefined, 'Acequia', 'acequia@[10.0.0.7]'],
    ['smtp://[::1]', undefined, 'Acequia', 'acequia@[IPv6:::1]'],
    ['smtp://ana%40example.org:s@mail.example.org', undefined, 'Acequia', 'ana@example.org'],
    ['smtp://ana:s@mail.example.org', undefined, 'Acequia', 'acequia@mail.example.org'],
    ['smtp://mail.example.org', 'farm@example.org', '', 'farm@example.org'],
    ['smtp://mail.example.org', 'Mas Rouge <farm@example.org>', 'Mas Rouge', 'farm@example.org'],
    [
      'smtp://mail.example.org',
      '"Mas, Rouge" <farm@example.org>',
      'Mas, Rouge',
      'farm@example.org',
    ],
  ])('of %s with ACEQUIA_MAIL_FROM %s is %s <%s>', (url, from, name, address) =>
    expect(settings(url, from).from).toEqual({ name, address }),
  );

  it('gives the domain of the Message-IDs', () => {
    expect(settings('smtp://mail.example.org', 'farm@example.net').domain).toBe('example.net');
    expect(settings('smtp://mail.example.org').domain).toBe('mail.example.org');
  });

  it.each([
    'Mas Rouge',
    'a@b@c',
    'Mas <a@b> <c@d>',
    'Mas\r\nBcc: all@example.org <a@example.org>',
    '<>',
    'a@b, c@d',
  ])('%j is refused', (from) =>
    expect(refusal('smtp://mail.example.org', from)).toMatchObject({ field: 'ACEQUIA_MAIL_FROM' }),
  );
});
