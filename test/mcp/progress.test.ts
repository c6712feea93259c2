import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Beat, startBeat, type Told } from '../../src/mcp/progress.ts';

let told: Told[];
let beat: Beat;

beforeEach(() => {
  vi.useFakeTimers();
  told = [];
  beat = startBeat((each) => told.push(each));
});
afterEach(() => {
  beat.end();
  vi.useRealTimers();
});

const second = () => vi.advanceTimersByTime(1_000);
const figures = () => told.map(({ progress, total }) => [progress, total]);

it('says nothing of what ends within a second', () => {
  beat.onStep(3, 4);
  vi.advanceTimersByTime(999);
  beat.end();
  vi.advanceTimersByTime(10_000);
  expect(told).toEqual([]);
});

it('counts the seconds where there are no steps', () => {
  for (let n = 0; n < 3; n++) second();
  expect(figures()).toEqual([
    [1, undefined],
    [2, undefined],
    [3, undefined],
  ]);
});

it('tells steps as they are, once a second', () => {
  for (let n = 1; n <= 120; n++) beat.onStep(n, 300);
  second();
  beat.onStep(250, 300);
  second();
  expect(figures()).toEqual([
    [120, 300],
    [250, 300],
  ]);
});

it('never goes back: steps that begin late, last long or end early are moved', () => {
  second();
  second();
  beat.onStep(1, 3);
  second();
  second();
  beat.onStep(2, 3);
  second();
  beat.onStep(3, 3);
  second();
  second();
  const said = told.map(({ progress }) => progress);
  expect(said).toHaveLength(7);
  for (const [place, each] of said.entries()) expect(each).toBeGreaterThan(said[place - 1] ?? 0);
  for (const { progress, total } of told) expect(progress).toBeLessThanOrEqual(total ?? progress);
});
