import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { type MailServer, startMailServer } from '../../mail-server.ts';
import { BINARY, connectStdio, newBaseFarm, newFolder } from '../program.ts';

const HOUR = 3_600_000;
/** 06:00 in Paris. */
const START = Date.UTC(2026, 6, 1, 4);
const iso = (at: number): string => new Date(at).toISOString();

/** A farm in France whose probe "North 1" sends each hour at 10, 20 and 30 cm, and a mailbox. */
async function watchedFarm() {
  const db = await newBaseFarm();
  const server = await startMailServer();
  const run = (at: number, ...args: string[]) =>
    promisify(execFile)(process.execPath, [BINARY, ...args, '--db', db, '--clock', iso(at)], {
      env: { ...process.env, ACEQUIA_SMTP_URL: server.url },
    });
  const folder = await newFolder();
  let files = 0;
  return {
    db,
    server,
    /** Brings in one value of every depth for each hour from `at` on, and does the housekeeping then. */
    async sends(at: number, ...values: readonly number[]): Promise<void> {
      const file = join(folder, `readings-${files++}.csv`);
      const rows = values.flatMap((value, n) =>
        [10, 20, 30].map((depth) => `North 1,humidity,${depth},${iso(at + n * HOUR)},${value}`),
      );
      await writeFile(file, ['module,type,depth,time,value', ...rows].join('\n'));
      const end = at + (values.length - 1) * HOUR + 60_000;
      await run(end, 'import', file);
      await run(end, 'tick');
    },
    tick: (at: number) => run(at, 'tick'),
  };
}

const subjects = ({ received }: MailServer): (string | undefined)[] => received.map(({ mail }) => mail.subject);

it('reaches a mailbox when the soil dries out, each day until it recovers, and then, once each', async () => {
  const farm = await watchedFarm();
  await farm.sends(START, 26, 21);
  const { call, client } = await connectStdio(farm.db, { clock: iso(START + 2 * HOUR) });
  await call('create_alert', { module: 'North 1', threshold: 20 });
  await client.close();

  // 08:00 and 09:00 in Paris.
  await farm.sends(START + 2 * HOUR, 19.9, 18.4);
  expect(subjects(farm.server)).toEqual(['Sol sec : North 1 à 18,4 %, seuil 20 %']);
  const [{ to, mail }] = farm.server.received as [(typeof farm.server.received)[0]];
  expect(to).toBe('ana@example.org');
  expect(mail.text).toContain('Humidité : 18,4 % le 1er juillet à 09:00, il y a 1 min');
  expect(mail.text).toContain('Seuil : sous 20 % ; se termine à 25 % ou plus');
  expect(mail.text).toContain('Déclenchée depuis : le 1er juillet à 08:00');
  expect(mail.html).toContain('<html lang="fr">');

  // The next local day at 08:00, once.
  await farm.tick(START + 25 * HOUR + 59 * 60_000);
  expect(farm.server.received).toHaveLength(1);
  await farm.tick(START + 26 * HOUR);
  await farm.tick(START + 27 * HOUR);
  expect(subjects(farm.server).slice(1)).toEqual(['Toujours sec, jour 2 : North 1 à 18,4 %, seuil 20 %']);

  // 26 hours after the last value: told once.
  await farm.tick(START + 29 * HOUR);
  await farm.tick(START + 30 * HOUR);
  expect(subjects(farm.server).slice(2)).toEqual([
    'Pas de données de North 1 depuis 26 h : l’alerte ne surveille plus',
  ]);

  await farm.sends(START + 32 * HOUR, 24.9, 25.3);
  expect(subjects(farm.server).slice(3)).toEqual(['Alerte terminée : North 1 à 25,3 %']);
  expect(farm.server.received[3]!.mail.text).toContain('avec 18,4 % au plus bas.');
  await farm.tick(START + 60 * HOUR);
  const ids = farm.server.received.map(({ mail: { messageId } }) => messageId);
  expect(new Set(ids).size).toBe(ids.length);
});
