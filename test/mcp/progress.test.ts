import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import {
  type ProgressReporter,
  type ProgressUpdate,
  startProgressReporter,
} from '../../src/mcp/progress.ts';

let updates: ProgressUpdate[];
let reporter: ProgressReporter;

beforeEach(() => {
  vi.useFakeTimers();
  updates = [];
  reporter = startProgressReporter((each) => updates.push(each));
});
afterEach(() => {
  reporter.end();
  vi.useRealTimers();
});

const passOneSecond = () => vi.advanceTimersByTime(1_000);

it('reports nothing for a call of less than a second', () => {
  reporter.onProgress(3, 4);
  vi.advanceTimersByTime(999);
  reporter.end();
  vi.advanceTimersByTime(10_000);
  expect(updates).toEqual([]);
});

it('counts seconds if there are no steps', () => {
  for (let n = 0; n < 3; n++) passOneSecond();
  expect(updates.map(({ progress, total }) => [progress, total])).toEqual(
    [1, 2, 3].map((n) => [n, undefined]),
  );
});

it('reports steps once a second', () => {
  for (let n = 1; n <= 120; n++) reporter.onProgress(n, 300);
  passOneSecond();
  reporter.onProgress(250, 300);
  passOneSecond();
  expect(updates).toMatchObject([120, 250].map((progress) => ({ progress, total: 300 })));
});

it('never decreases: steps that start late, take long or end early are offset', () => {
  passOneSecond();
  passOneSecond();
  reporter.onProgress(1, 3);
  passOneSecond();
  passOneSecond();
  reporter.onProgress(2, 3);
  passOneSecond();
  reporter.onProgress(3, 3);
  passOneSecond();
  passOneSecond();
  const progresses = updates.map(({ progress }) => progress);
  expect(progresses).toHaveLength(7);
  for (const [index, each] of progresses.entries())
    expect(each).toBeGreaterThan(progresses[index - 1] ?? 0);
  for (const { progress, total } of updates)
    expect(progress).toBeLessThanOrEqual(total ?? progress);
});
