import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { expect, it } from 'vitest';
import { newBaseFarm } from '../../base-farm.ts';
import { importReadingsCsv } from '../../imported-data.ts';
import { isDeepRun } from '../../property-runs.ts';
import { differences } from '../../recorded/differences.ts';
import { newFolder, newStorePlace } from '../../temporary-places.ts';
import { iso } from '../../time.ts';
import { askFarm } from '../advice/recorded/farm-questions.ts';
import { fillStore } from '../advice/recorded/farm-store.ts';
import { RANDOM_FARMS } from '../advice/recorded/farms/random-farm.ts';
import { runCommand, runProgram, startCommand, waitWhileRunning } from '../program.ts';

/** It has alerts, a schedule and a forecast. */
const QUICK_FARM = 4;

it.each(RANDOM_FARMS.filter((_, index) => isDeepRun || index === QUICK_FARM))(
  'a farm that was exported and imported gives the same answers: $name',
  async (farm) => {
    const [source, target] = [await newStorePlace(), await newStorePlace()];
    const folder = join(await newFolder(), 'farm');
    await fillStore(source, farm);
    forgetMessages(source);
    await runProgram('export', folder, '--db', source);
    await runProgram('import', folder, '--db', target);

    const before = await askFarm(farm, ['--db', source]);
    expect(differences(farm.name, before, await askFarm(farm, ['--db', target]))).toEqual([]);
  },
);

/** Messages that wait stay behind, and answers tell of them. */
function forgetMessages(db: string): void {
  const store = new DatabaseSync(db);
  store.exec('DELETE FROM outbox');
  store.close();
}

it('says what stayed behind, and refuses what does not go with a folder', async () => {
  const db = await newBaseFarm();
  const parent = await newFolder();
  const [folder, target] = [join(parent, 'farm'), join(parent, 'again.db')];
  const notIn = /not in (it|the folder): API keys, sign-in sessions/i;

  const exported = await runCommand(['export', folder, '--db', db]);
  expect(exported).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(notIn) });
  expect(exported.stdout).toContain(`Mas Rouge was exported to ${folder}: `);
  expect(await readFile(join(folder, 'README.txt'), 'utf8')).toContain('Everything of Mas Rouge');
  expect((await stat(join(folder, 'readings.csv'))).mode & 0o777).toBe(0o600);

  const again = await runCommand(['export', folder, '--db', db]);
  expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('is not empty') });
  const withOut = await runCommand(['export', join(parent, 'b'), '--out', 'c.json', '--db', db]);
  expect(withOut).toMatchObject({ code: 2, stderr: expect.stringContaining('exclude each other') });
  const dryRun = await runCommand(['import', folder, '--dry-run', '--db', target]);
  expect(dryRun).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--dry-run is not for'),
  });

  // A variable for the store is no option of the import.
  const imported = await runCommand(['import', folder, '--db', target], {
    env: { ACEQUIA_DB: db },
  });
  expect(imported).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(notIn) });
  const inUse = await runCommand(['import', folder, '--db', target]);
  expect(inUse).toMatchObject({ code: 1, stderr: expect.stringContaining('already holds a farm') });

  await writeFile(join(folder, 'rain.csv'), 'id\n');
  const spoiled = await runCommand(['import', folder, '--db', join(parent, 'none.db')]);
  expect(spoiled).toMatchObject({ code: 1, stderr: expect.stringContaining('rain.csv') });
  expect((await readdir(parent)).sort()).toEqual(['again.db', 'farm']);
});

/** Some batches. */
const READINGS = 60_000;

it('a kill in the middle leaves no folder, and no store that anything is served from', async () => {
  const db = await newBaseFarm();
  const rows = Array.from(
    { length: READINGS },
    (_, n) => `A1,humidity,10,${iso(Date.UTC(2023, 0, 1) + n * 900_000)},${20 + (n % 40) / 7}`,
  );
  await importReadingsCsv(db, `module,type,depth,time,value\n${rows.join('\n')}\n`);
  const parent = await newFolder();
  const [folder, target] = [join(parent, 'farm'), join(parent, 'again.db')];

  const exporting = startCommand(['export', folder, '--db', db]);
  await waitWhileRunning(exporting, async () =>
    (await readdir(parent)).some((name) => name.startsWith('farm.unfinished-')),
  );
  exporting.child.kill('SIGKILL');
  await exporting.ended;
  expect(await readdir(parent)).toEqual([`farm.unfinished-${exporting.child.pid}`]);
  await runProgram('export', folder, '--db', db);
  expect(await readdir(parent)).toEqual(['farm']);

  const importing = startCommand(['import', folder, '--db', target]);
  await waitWhileRunning(importing, async () =>
    stat(`${target}-wal`).then(
      ({ size }) => size > 2_000_000,
      () => false,
    ),
  );
  importing.child.kill('SIGKILL');
  await importing.ended;
  const call = await runCommand(['call', 'list_modules', '--db', target]);
  expect(call).toMatchObject({ code: 1, stderr: expect.stringContaining('unfinished import') });
  await runProgram('import', folder, '--db', target);
  const back = join(parent, 'back');
  await runProgram('export', back, '--db', target);
  for (const name of await readdir(folder))
    if (name.endsWith('.csv'))
      expect(await readFile(join(back, name), 'utf8'), name).toBe(
        await readFile(join(folder, name), 'utf8'),
      );
});
