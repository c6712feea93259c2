import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type ProgressReporter, type ProgressUpdate, startProgressReporter } from '../../src/mcp/progress.ts';

let updates: ProgressUpdate[];
let beat: ProgressReporter;

beforeEach(() => {
  vi.useFakeTimers();
  updates = [];
  beat = startProgressReporter((each) => updates.push(each));
});
afterEach(() => {
  beat.end();
  vi.useRealTimers();
});

const passOneSecond = () => vi.advanceTimersByTime(1_000);
const figures = () => updates.map(({ progress, total }) => [progress, total]);

it('reports nothing for a call of less than a second', () => {
  beat.onStep(3, 4);
  vi.advanceTimersByTime(999);
  beat.end();
  vi.advanceTimersByTime(10_000);
  expect(updates).toEqual([]);
});

it('counts seconds if there are no steps', () => {
  for (let n = 0; n < 3; n++) passOneSecond();
  expect(figures()).toEqual([
    [1, undefined],
    [2, undefined],
    [3, undefined],
  ]);
});

it('reports steps once a second', () => {
  for (let n = 1; n <= 120; n++) beat.onStep(n, 300);
  passOneSecond();
  beat.onStep(250, 300);
  passOneSecond();
  expect(figures()).toEqual([
    [120, 300],
    [250, 300],
  ]);
});

it('never decreases: steps that start late, take long or end early are offset', () => {
  passOneSecond();
  passOneSecond();
  beat.onStep(1, 3);
  passOneSecond();
  passOneSecond();
  beat.onStep(2, 3);
  passOneSecond();
  beat.onStep(3, 3);
  passOneSecond();
  passOneSecond();
  const said = updates.map(({ progress }) => progress);
  expect(said).toHaveLength(7);
  for (const [place, each] of said.entries()) expect(each).toBeGreaterThan(said[place - 1] ?? 0);
  for (const { progress, total } of updates) expect(progress).toBeLessThanOrEqual(total ?? progress);
});
