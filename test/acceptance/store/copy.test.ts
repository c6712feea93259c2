import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { expect, it } from 'vitest';
import { importBaseFarm, newBaseFarm } from '../../base-farm.ts';
import { importReadingsCsv } from '../../imported-data.ts';
import { runInProcess } from '../../in-process-command.ts';
import { newFolder } from '../../temporary-places.ts';
import { iso } from '../../time.ts';
import { type CommandResult, runCommand } from '../program.ts';

const copy = (from: string, to: string, ...options: string[]): Promise<CommandResult> =>
  runInProcess(['copy', ...options], { env: { ACEQUIA_COPY_FROM: from, ACEQUIA_COPY_TO: to } });

it('copies a file, lists every table with its rows, and finds a row that differs', async () => {
  const source = await newBaseFarm();
  const rows = Array.from(
    { length: 500 },
    (_, n) => `A1,humidity,10,${iso(Date.UTC(2023, 0, 1) + n * 900_000)},20`,
  );
  await importReadingsCsv(source, `module,type,depth,time,value\n${rows.join('\n')}\n`);
  const target = join(await newFolder(), 'copy.db');
  const { code, stdout, stderr } = await copy(source, target);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^ {2}modules +4 rows, [0-9a-f]{16}$/m);
  expect(stdout).toMatch(/^ {2}readings +500 rows, [0-9a-f]{16}$/m);
  expect(await copy(source, target, '--check')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('are equal'),
  });

  const database = new DatabaseSync(target);
  database.exec(
    'update readings set value = value + 1e-9 where at = (select max(at) from readings)',
  );
  database.close();
  const check = await copy(source, target, '--check');
  expect(check).toMatchObject({ code: 1, stdout: '' });
  expect(check.stderr).toMatch(/readings: 500 rows, [0-9a-f]{16} against 500 rows, [0-9a-f]{16}\n/);
  expect(check.stderr).not.toContain('modules');
});

it('refuses a place that holds a store', async () => {
  const target = join(await newFolder(), 'other.db');
  await importBaseFarm(target);
  const stderr = expect.stringContaining('already holds a store');
  expect(await copy(await newBaseFarm(), target)).toMatchObject({ code: 1, stderr });
});

it('copies the store of --db by default, and works with neither a service nor another kind of database', async () => {
  const [source, folder] = [await newBaseFarm(), await newFolder()];
  const env = { ACEQUIA_DB: source };
  expect(await runCommand(['copy', '--to', join(folder, 'a.db')], { env })).toMatchObject({
    code: 0,
    stderr: '',
  });
  expect((await runInProcess(['copy'], { env })).code).toBe(2);
  const remote = ['copy', '--to', join(folder, 'b.db'), '--remote', 'https://water.example.org/v1'];
  expect((await runInProcess(remote)).code).toBe(2);
  const { code, stderr } = await copy(source, 'mysql://ana:hunter2@db/farm');
  expect([code, stderr]).toEqual([2, expect.stringContaining('postgres://')]);
  expect(stderr).not.toContain('hunter2');
});
