import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { newFolder } from '../../temporary-places.ts';
import { runProgram } from '../program.ts';

it('acequia demo prints a story of two screens, with its arithmetic and a picture', async () => {
  const folder = await newFolder();
  const { stdout } = await runProgram(
    'demo',
    '--db',
    join(folder, 'a.db'),
    '--clock',
    '2026-07-14T09:20:00Z',
  );
  expect(stdout.split('\n').length).toBeLessThan(85);
  for (const tool of [
    'morning_brief',
    'log_watering',
    'correct_watering',
    'backtest_alert',
    'create_alert',
    'log_rain',
  ])
    expect(stdout).toContain(`calls    ${tool} {`);
  expect(stdout).toContain('3.2 mm/h x 50 min / 60 = 2.667 mm over the whole area');
  expect(stdout.replace(/\s+/g, ' ')).toMatch(
    /Recorded rain explains 1 rise; the newest [^.]*, [\d.]+ mm of rain[.]/,
  );
  expect(stdout).toMatch(/connect claude-code --db .*a\.db/);
  expect((await readFile(join(folder, 'a-chart.png'))).subarray(1, 4).toString()).toBe('PNG');
});
