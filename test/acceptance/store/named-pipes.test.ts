import { execFileSync } from 'node:child_process';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { manifestPathOf, storedBackups } from '../../../src/store/backups/backup-folder.ts';
import { newBaseFarm } from '../../base-farm.ts';
import { newFolder } from '../../temporary-places.ts';
import { CLOCK, runCommand, runProgram } from '../program.ts';

const newPipe = async (name: string): Promise<string> => {
  const path = join(await newFolder(), name);
  execFileSync('mkfifo', [path]);
  return path;
};

/** Nobody writes to these pipes: a command that reads one never ends. */
it.skipIf(process.platform === 'win32')('refuses a pipe where a file is to be', async () => {
  const db = await newBaseFarm();
  const folder = join(await newFolder(), 'copies');
  await runProgram('backup', folder, '--db', db);
  const [copy] = await storedBackups(folder);
  const copyPipe = await newPipe('copy.db');
  await copyFile(copy!.manifestPath, manifestPathOf(copyPipe));

  const commands: readonly (readonly [words: readonly string[], message: RegExp])[] = [
    [
      ['import', await newPipe('readings.csv'), '--db', db],
      /it is a pipe or a device; feed it to standard input, with - as the file/,
    ],
    [['import', await newPipe('farm.json'), '--db', db], /it is a pipe or a device/],
    [['keys', 'list', '--db', await newPipe('store.db')], /is a pipe or a device, not a file/],
    [['copy', '--from', db, '--to', await newPipe('store.db')], /is a pipe or a device/],
    [['copy', '--from', await newPipe('store.db'), '--to', `${db}.copy`], /is a pipe or a device/],
    [['backup', await newPipe('copies'), '--db', db], /is not a folder/],
    [['restore', copyPipe, '--to', `${db}.restored`], /There is no copy/],
    [['export', await newPipe('folder'), '--db', db], /is not a folder/],
  ];
  await Promise.all(
    commands.map(async ([words, message]) => {
      const { code, stdout, stderr } = await runCommand([...words, '--clock', CLOCK]);
      expect({ code: code !== 0, stdout }, words.join(' ')).toEqual({ code: true, stdout: '' });
      expect(stderr).toMatch(message);
    }),
  );
});
