import { expect, it } from 'vitest';
import { newBaseFarm } from '../../base-farm.ts';
import { importReadingsCsv } from '../../imported-data.ts';
import { runInProcess } from '../../in-process-command.ts';
import { type MailServer, startMailServer } from '../../mail-server.ts';
import { HOUR, iso, MINUTE } from '../../time.ts';
import { startCommand, waitUntil } from '../program.ts';
import { outboxRows, runTick } from './outbox-store.ts';

/** 06:00 in Paris. */
const START = Date.UTC(2026, 6, 1, 4);
const HEADER = 'module,type,depth,time,value';

const rowsAt = (at: number, value: number, depths: readonly number[]): string[] =>
  depths.map((depth) => `North 1,humidity,${depth},${iso(at)},${value}`);

const subjects = ({ received }: MailServer): (string | undefined)[] =>
  received.map(({ mail }) => mail.subject);

async function createAlert(db: string, at: number): Promise<void> {
  const words = [
    'call',
    'create_alert',
    'module=North 1',
    'threshold=20',
    '--db',
    db,
    '--clock',
    iso(at),
  ];
  expect((await runInProcess(words)).code).toBe(0);
}

it('mails when the soil dries out, once a day until it recovers, and then once more', async () => {
  const db = await newBaseFarm();
  const server = await startMailServer();
  const env = { ACEQUIA_SMTP_URL: server.url };
  const tickAt = (at: number) => runTick(db, env, '--clock', iso(at), '--lang', 'en');
  /** Records one value for all depths each hour from `at` on, then runs a tick. */
  const importHours = async (at: number, ...values: readonly number[]): Promise<void> => {
    const rows = values.flatMap((value, n) => rowsAt(at + n * HOUR, value, [10, 20, 30]));
    const end = at + (values.length - 1) * HOUR + MINUTE;
    const args = ['import', '-', '--db', db, '--clock', iso(end)];
    expect((await runInProcess(args, { env, input: [HEADER, ...rows, ''].join('\n') })).code).toBe(
      0,
    );
    await tickAt(end);
  };
  await importHours(START, 26, 21);
  await createAlert(db, START + 2 * HOUR);

  await importHours(START + 2 * HOUR, 19.9, 18.4);
  expect(subjects(server)).toEqual(['Sol sec : North 1 à 18,4 %, seuil 20 %']);
  const [{ to, mail }] = server.received as [(typeof server.received)[0]];
  expect(to).toBe('ana@example.org');
  expect(mail.text).toContain('Humidité : 18,4 % le 1er juillet à 09:00, il y a 1 min');
  expect(mail.text).toContain('Seuil : sous 20 % ; se termine à 25 % ou plus');
  expect(mail.text).toContain('Humidité basse depuis : le 1er juillet à 08:00');
  expect(mail.html).toContain('<html lang="fr">');

  await tickAt(START + 26 * HOUR - MINUTE);
  expect(server.received).toHaveLength(1);
  await tickAt(START + 26 * HOUR);
  await tickAt(START + 27 * HOUR);
  expect(subjects(server).slice(1)).toEqual([
    'Toujours sec, jour 2 : North 1 à 18,4 %, seuil 20 %',
  ]);

  await tickAt(START + 29 * HOUR);
  await tickAt(START + 30 * HOUR);
  expect(subjects(server).slice(2)).toEqual([
    'Pas de données de North 1 depuis 26 h : l’alerte ne surveille plus',
  ]);

  await importHours(START + 32 * HOUR, 24.9, 25.3);
  expect(subjects(server).slice(3)).toEqual(['Alerte terminée : North 1 à 25,3 %']);
  expect(server.received[3]!.mail.text).toContain('avec 18,4 % au plus bas.');
  await tickAt(START + 60 * HOUR);
  const ids = server.received.map(({ mail: { messageId } }) => messageId);
  expect([ids.length, new Set(ids).size]).toEqual([5, 5]);
});

it('acequia serve evaluates alerts by itself, and mails the one that fires', async () => {
  const db = await newBaseFarm();
  const importRows = (rows: readonly string[], at: number) =>
    importReadingsCsv(db, [HEADER, ...rows].join('\n'), { clock: iso(at) });
  await importRows(rowsAt(START, 26, [10, 20, 30]), START + MINUTE);
  await createAlert(db, START + 2 * MINUTE);
  // Two of three sensors are silent, so this value counts half an hour later.
  await importRows(rowsAt(START + HOUR, 18.4, [10]), START + HOUR + MINUTE);
  expect(await outboxRows(db)).toEqual([]);

  const server = await startMailServer();
  const clock = ['--clock', iso(START + HOUR + 31 * MINUTE)];
  const env = { ACEQUIA_SMTP_URL: server.url };
  const { child, ended } = startCommand(['serve', '--db', db, '--port', '0', ...clock], { env });
  await waitUntil(() => server.received.length > 0);
  await expect.poll(() => outboxRows(db)).toMatchObject([{ state: 'sent' }]);
  expect(subjects(server)).toEqual(['Sol sec : North 1 à 18,4 %, seuil 20 %']);
  child.kill('SIGTERM');
  expect(await ended).toMatchObject({ code: 0, stderr: '' });
});
