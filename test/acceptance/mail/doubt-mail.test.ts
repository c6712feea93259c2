import { expect, it } from 'vitest';
import { newBaseFarm } from '../../base-farm.ts';
import { importReadingsCsv } from '../../imported-data.ts';
import { startMailServer } from '../../mail-server.ts';
import { DAY, HOUR, iso } from '../../time.ts';
import { runCommand } from '../program.ts';

const START = Date.UTC(2026, 6, 1, 4);

/** Hourly, drying by half a point a day; the sensor at 30 cm is stuck. */
const readings = (from: number, to: number): string =>
  [
    'module,type,depth,time,value',
    ...Array.from({ length: (to - from) / HOUR }, (_, hour) => from + hour * HOUR).flatMap((at) =>
      [10, 20, 30].map((depth) => {
        const value = depth === 30 ? 20 : 22 - ((at - START) / DAY) * 0.5;
        return `North 1,humidity,${depth},${iso(at)},${value.toFixed(1)}`;
      }),
    ),
  ].join('\n');

it('mails once what has been in doubt for two days', async () => {
  const db = await newBaseFarm();
  const server = await startMailServer();
  const tick = (...options: readonly string[]) =>
    runCommand(['tick', '--db', db, ...options], { env: { ACEQUIA_SMTP_URL: server.url } });

  await importReadingsCsv(db, readings(START - 16 * DAY, START), { clock: iso(START) });
  await tick('--clock', iso(START));
  const soon = START + 2 * DAY;
  await importReadingsCsv(db, readings(START, soon), { clock: iso(soon - HOUR) });

  const { code, stdout } = await tick(
    ...['--clock', iso(soon - 6 * HOUR), '--until', iso(soon + 18 * HOUR), '--every', '6h'],
  );
  expect([code, stdout]).toEqual([0, expect.stringContaining('1 message sent')]);
  expect(server.received.map(({ to, mail }) => [to, mail.subject])).toEqual([
    ['ana@example.org', 'À vérifier, North 1 : un capteur figé'],
  ]);
  const { text } = server.received[0]!.mail;
  expect(text).toMatch(/Les mesures de North 1( \(.*\))? sont douteuses depuis le 1er juillet/);
  expect(text).toContain('vérifiez le capteur et son câble');
});
