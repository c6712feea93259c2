import { isDeepRun } from '../../property-runs.ts';
import type { HostileShape } from './hostile-shapes.ts';

/** In characters: four times 5,000 already take a quadratic reader far longer than the noise. */
const LONGEST_START = isDeepRun ? 20_000 : 5_000;
/** In ms. */
const LONG = 5;
/** In ms: less is as much noise as work. */
const NOISE = 1;
const GROWTH = 4;
/** A reader in proportion to its text takes four times as long, one that is quadratic sixteen. */
const MAX_RATIO = 6;
/** No garbage that is collected meanwhile makes a linear reader look like this twice. */
const CERTAIN_RATIO = 12;
const RUNS = 5;
const ATTEMPTS = 9;

/** The time of the processor, which the load of the machine does not change, in ms. */
function timeOf(run: () => unknown): number {
  const before = process.cpuUsage();
  try {
    run();
  } catch {
    // A text that is refused takes its time too.
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

interface Times {
  readonly fastest: number;
  readonly median: number;
  readonly mean: number;
}

function timesOf(runs: number, run: () => unknown): Times {
  const times = Array.from({ length: runs }, () => timeOf(run)).sort((one, other) => one - other);
  const [fastest, median] = [times[0]!, times[Math.floor(runs / 2)]!];
  const mean = times.reduce((sum, time) => sum + time, 0) / runs;
  return {
    fastest: Math.max(NOISE, fastest),
    median: Math.max(NOISE, median),
    mean: Math.max(NOISE, mean),
  };
}

/** How many times longer four times the text takes than the text; null if it is not too long. */
export function excessiveGrowth(
  read: (text: string) => unknown,
  shape: HostileShape,
): number | null {
  let length = 625;
  // What a reader does once, whatever the length, would hide how the rest grows.
  const long = LONG + Math.min(...[1, 2].map(() => timeOf(() => read(shape.text(length)))));
  while (length < LONGEST_START && timeOf(() => read(shape.text(length))) < long) length *= 2;
  length = Math.min(length, LONGEST_START);

  const [text, longer] = [shape.text(length), shape.text(GROWTH * length)];
  const before = Math.max(
    NOISE,
    Math.min(
      timeOf(() => read(text)),
      timeOf(() => read(text)),
    ),
  );
  if (timeOf(() => read(longer)) <= MAX_RATIO * before) return null;

  for (let attempt = 1; ; attempt++) {
    const longerTimes = timesOf(RUNS, () => read(longer));
    // As many characters in all, so that as much garbage is collected during the short runs: a
    // collection that falls between most of them, but into each long one, is no growth.
    const times = timesOf(GROWTH * RUNS, () => read(text));
    // Garbage of other tests only adds to a time, so any of the three may clear a reader.
    const ratio = Math.min(
      longerTimes.fastest / times.fastest,
      longerTimes.median / times.median,
      longerTimes.mean / times.mean,
    );
    if (ratio <= MAX_RATIO) return null;
    const isCertain = attempt > 1 && ratio > CERTAIN_RATIO;
    if (attempt === ATTEMPTS || isCertain) return ratio;
  }
}

export const growthFaults = (
  read: (text: string) => unknown,
  shapes: readonly HostileShape[],
): string[] =>
  shapes.flatMap((shape) => {
    const ratio = excessiveGrowth(read, shape);
    return ratio === null ? [] : [`${shape.name}: ${ratio.toFixed(1)} times`];
  });
