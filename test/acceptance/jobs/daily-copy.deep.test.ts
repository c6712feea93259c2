import { copyFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { storedBackups } from '../../../src/store/backups/backup-folder.ts';
import { newBaseFarm } from '../../base-farm.ts';
import { newFolder } from '../../temporary-places.ts';
import { startTestBroker } from '../ingest/mqtt-broker.ts';
import { startCommand, waitWhileRunning } from '../program.ts';

const LOOK_EVERY_MS = 3_000;

/** After their first minute, in their first round of jobs then; the trial follows in the next one. */
async function expectCopyOfDay(words: readonly string[]): Promise<void> {
  const folder = await newFolder();
  const db = join(folder, 'farm.db');
  await copyFile(await newBaseFarm(), db);
  const running = startCommand([...words, '--db', db]);
  await waitWhileRunning(running, async () => {
    await pause(LOOK_EVERY_MS);
    const [copy] = await storedBackups(join(folder, 'backups'));
    return copy?.isGood === true && copy.manifest.drilledAt !== null;
  });

  expect(await running.stop()).toMatchObject({ code: 0 });
  expect(await readdir(join(folder, 'backups'))).toHaveLength(3);
}

it('an assistant’s server, acequia serve and acequia ingest mqtt make the copy of the day and try it', async () => {
  const { url } = await startTestBroker();
  await Promise.all(
    [[], ['serve', '--port', '0'], ['ingest', 'mqtt', '--preset', 'ttn/any', '--broker', url]].map(
      expectCopyOfDay,
    ),
  );
});
