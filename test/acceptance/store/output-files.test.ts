import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { expect, it } from 'vitest';
import { newBaseFarm } from '../../base-farm.ts';
import { runInProcess } from '../../in-process-command.ts';
import { newFolder } from '../../temporary-places.ts';
import { CLOCK } from '../program.ts';

it('refuses to write any output over a file of the store', async () => {
  const db = await newBaseFarm();
  const folder = await newFolder();
  const readings = join(folder, 'readings.csv');
  const link = join(folder, 'north.png');
  await writeFile(readings, 'module,sensor,time,value\nNowhere,1,2026-07-01T06:00:00Z,1\n');
  await symlink(db, link);
  // Holds the write-ahead log open, as a running service does.
  const otherConnection = new DatabaseSync(db, { timeout: 10_000 });
  otherConnection.prepare('select count(*) from modules').get();
  const commands = [
    ['import', readings, '--rejects', db],
    ['chart', '--module', 'North 1', '--out', link],
    ['call', 'chart_moisture', 'module=North 1', '--out', `${db}-wal`],
    ['copy', '--to', `${db}-wal`],
    ['copy', '--to', `${db}-journal`],
  ];
  for (const command of commands) {
    const { code, stderr } = await runInProcess([...command, '--db', db, '--clock', CLOCK]);
    expect(code, command.join(' ')).not.toBe(0);
    expect(stderr).toMatch(/is a file of the store .*\n?.*Nothing was written/);
  }
  expect(otherConnection.prepare('pragma integrity_check').all()).toEqual([
    { integrity_check: 'ok' },
  ]);
  otherConnection.close();
});
