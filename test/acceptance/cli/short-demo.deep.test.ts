import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { newFolder } from '../../temporary-places.ts';
import { runCommand, runProgram } from '../program.ts';

it('acequia demo prints a story of two screens, with its arithmetic and a picture', async () => {
  const folder = await newFolder();
  const db = join(folder, 'a.db');
  const { stdout } = await runProgram('demo', '--db', db);
  expect(stdout.split('\n').length).toBeLessThan(100);
  const calls = [...stdout.matchAll(/calls {4}(\w+) \{/g)].map(([, tool]) => tool);
  expect(calls).toEqual([
    'morning_brief',
    'advise_watering',
    'list_waterings',
    'correct_watering',
    'log_watering',
    'correct_watering',
    'backtest_alert',
    'create_alert',
    'chart_moisture',
  ]);
  const text = stdout.replace(/\s+/g, ' ');
  expect(text).toMatch(/North 1 needs water now: .* To refill it, give 5 h 15 min, /);
  expect(text).toMatch(
    /on North 2, 2[.]1 mm over the [^;]* [(]assumed: too early for its probe[)]/,
  );
  expect(text).toContain('today 06:00 to 06:40 (Europe/Paris): confirmed.');
  expect(stdout).toContain('3.2 mm/h x 315 min / 60 = 16.8 mm over the whole area');
  expect((await readFile(join(folder, 'a-chart.png'))).subarray(1, 4).toString()).toBe('PNG');

  // Neither by the demo nor by a later program on its file.
  await runProgram('tick', '--db', db);
  expect(await readdir(folder)).not.toContain('backups');

  const [, connect] = /acequia[.]js (connect claude-code .*)\n/.exec(stdout)!;
  const entry = await runProgram(...connect!.split(' '), '--print');
  expect(entry.stdout).toContain('2026-07-14T10:30:00.000Z');
});

it('acequia demo has days of its own, and refuses others', async () => {
  const { code, stderr } = await runCommand(['demo', '--clock', '2026-12-30T23:05:00Z']);
  expect(code).not.toBe(0);
  expect(stderr).toContain('leave --clock out');
});
