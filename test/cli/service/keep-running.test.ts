import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { StopSignals } from '../../../src/cli/process/stop-signals.ts';
import { keepRunning } from '../../../src/cli/service/keeper/keep-running.ts';
import { LogFile, readLogLines } from '../../../src/cli/service/keeper/log-file.ts';
import { afterTest } from '../../cleanup.ts';
import { newFolder } from '../../temporary-places.ts';

/** A program that counts its starts in a file, and ends with the next of these codes. */
async function keep(codes: readonly number[]) {
  const [folder, stopping] = [await newFolder(), new StopSignals([])];
  afterTest(() => stopping.removeListeners());
  const starts = join(folder, 'starts');
  const script = `const fs = require('fs'); fs.appendFileSync(${JSON.stringify(starts)}, '.');
    const at = fs.readFileSync(${JSON.stringify(starts)}).length - 1;
    process.stdout.write('start ' + at + '\\n');
    process.exitCode = ${JSON.stringify(codes)}[at];`;
  const log = new LogFile(join(folder, 'log', 'acequia.log'));
  const command = [process.execPath, '-e', script] as const;
  const code = await keepRunning({ command, log, stopping, pauseMs: 10 });
  return {
    code,
    starts: (await readFile(starts, 'utf8')).length,
    lines: await readLogLines(join(folder, 'log', 'acequia.log'), 20),
  };
}

describe('the keeper', () => {
  it('starts a command again after every end but that of wrong usage', async () => {
    expect(await keep([1, 0, 9, 2, 0])).toEqual({
      code: 0,
      starts: 4,
      lines: [
        'start 0',
        'It ended with code 1, and starts again in 0.01 s.',
        'start 1',
        'It ended with code 0, and starts again in 0.01 s.',
        'start 2',
        'It ended with code 9, and starts again in 0.01 s.',
        'start 3',
        'It ended with code 2, and is not started again: its settings are wrong.',
      ],
    });
  });
});

describe('the log of a service', () => {
  it('is for its owner alone, and keeps one earlier file of the greatest size', async () => {
    const path = join(await newFolder(), 'new', 'acequia.log');
    const log = new LogFile(path, 10);
    for (const line of ['one', 'two', 'three', 'four', 'five', 'six']) log.write(`${line}\n`);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readFile(path, 'utf8')).toBe('six\n');
    expect(await readLogLines(path, 3)).toEqual(['four', 'five', 'six']);
    expect(await readLogLines(path, 10)).not.toContain('one');
  });

  it('is empty where nothing was written', async () => {
    expect(await readLogLines(join(await newFolder(), 'none.log'), 5)).toEqual([]);
  });
});
