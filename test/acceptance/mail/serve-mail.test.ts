import { describe, expect, it } from 'vitest';
import { startMailServer, startSilentServer } from '../../mail-server.ts';
import { importReadingsCsv } from '../imported-data.ts';
import { bodyOf, connectStdio, newBaseFarm } from '../program.ts';
import { waitUntil } from '../schedule-farm.ts';
import { outboxRows, startCommand, storeWithWaitingMail } from './outbox-store.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** 06:00 in Paris. */
const START = Date.UTC(2026, 6, 1, 4);
const iso = (at: number): string => new Date(at).toISOString();

/** A service on a store at a free port, and its address once it serves. */
async function startServeWithMail(db: string, smtpUrl: string, ...options: readonly string[]) {
  const running = startCommand('serve', db, { ACEQUIA_SMTP_URL: smtpUrl }, '--port', '0', ...options);
  await waitUntil(() => running.stdout().includes('\n'));
  return { ...running, home: new URL('/', /http\S+/.exec(running.stdout())![0]) };
}

/** Brings in a value of "North 1" for each depth, a minute after it was sent. */
async function importReading(db: string, at: number, value: number, depths: readonly number[]): Promise<void> {
  const rows = depths.map((depth) => `North 1,humidity,${depth},${iso(at)},${value}`);
  await importReadingsCsv(db, ['module,type,depth,time,value', ...rows].join('\n'), { clock: iso(at + MINUTE) });
}

describe('acequia serve', () => {
  it('looks at the alerts, and mails the one that fires', async () => {
    const db = await newBaseFarm();
    await importReading(db, START, 26, [10, 20, 30]);
    const { call, client } = await connectStdio(db, { clock: iso(START + 2 * MINUTE) });
    await call('create_alert', { module: 'North 1', threshold: 20 });
    // Two of three sensors keep silent: this counts half an hour later, when nothing else comes in.
    await importReading(db, START + HOUR, 18.4, [10]);
    const [before] = bodyOf(await call('list_alerts')).data;
    expect([before.state.firing, await outboxRows(db)]).toEqual([false, []]);
    await client.close();

    const server = await startMailServer();
    const { child, ended } = await startServeWithMail(db, server.url, '--clock', iso(START + HOUR + 31 * MINUTE));
    await waitUntil(async () => (await outboxRows(db))[0]?.state === 'sent');
    expect(server.received).toMatchObject([
      { to: 'ana@example.org', mail: { subject: 'Sol sec : North 1 à 18,4 %, seuil 20 %' } },
    ]);
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ code: 0, stderr: '' });
    expect(server.received).toHaveLength(1);
  });

  it('answers while a mail server lets it wait, and ends soon when it is told to', async () => {
    const db = await storeWithWaitingMail(1);
    const server = await startSilentServer();
    const { child, ended, home } = await startServeWithMail(db, server.url);
    await waitUntil(() => server.connections() > 0);
    expect((await fetch(new URL('/ready', home))).status).toBe(200);
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ code: 0, signal: null, stderr: '' });
    // It was given up, long before the silence would have ended the attempt.
    const answer = expect.stringContaining('aborted');
    expect(await outboxRows(db)).toMatchObject([{ state: 'waiting', tries: 1, last_answer: answer }]);
  });

  it('serves all the same where the mail server’s address is malformed, and logs it without the secret', async () => {
    const db = await storeWithWaitingMail(1);
    const { child, ended, home } = await startServeWithMail(db, 'http://ana:secret@example.org');
    expect((await fetch(new URL('/ready', home))).status).toBe(200);
    child.kill('SIGTERM');
    const { code, stderr } = await ended;
    expect(code).toBe(0);
    expect(stderr).toContain('ACEQUIA_SMTP_URL is not the URL of a mail server');
    expect(stderr).not.toContain('secret');
  });
});
