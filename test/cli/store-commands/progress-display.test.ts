import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { showProgress } from '../../../src/cli/store-commands/progress-display.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

const formatShare = (completed: number, size: number): string => `${completed} of ${size} kB`;

it.each([
  [200, 'year.csv: 150 of 200 kB, 3 rows read\n'],
  [100, 'year.csv: 100 of 100 kB, 3 rows read\n'],
  [null, 'year.csv: 3 rows read\n'],
])('prints every ten seconds how much of %s kB is read', async (size, line) => {
  const out = new PassThrough();
  const progress = await showProgress(out, { name: 'year.csv', size, formatShare });
  progress.advance(100);
  progress.update('2 rows read');
  expect(out.read()).toBeNull();
  vi.advanceTimersByTime(10_000);
  progress.advance(50);
  progress.update('3 rows read');
  progress.update('3 rows read');
  expect(String(out.read())).toBe(line);
});

it('shows the share and the note in the progress bar of a terminal', async () => {
  const out = Object.assign(new PassThrough(), {
    isTTY: true,
    cursorTo: () => true,
    clearLine: () => true,
  });
  const progress = await showProgress(out, { name: 'year.csv', size: 200, formatShare });
  progress.advance(50);
  progress.update('1 row read');
  progress.end();
  expect(String(out.read())).toContain('25 % | 50 of 200 kB, 1 row read');
});
