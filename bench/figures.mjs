/** A benchmark prints one line of JSON per figure, which bench/run.mjs puts into a table. */

import { WARM_UP_RUNS } from './sizes.mjs';

export const median = (numbers) => {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
};

/** `before`: measured of the build that ACEQUIA_BENCH_BEFORE names; undefined without one. */
export function figure({ what, against, unit, digits = 1, baseline, before, measured, target }) {
  const format = (value) => `${value.toFixed(digits)} ${unit}`;
  const ratioTo = (value) => Math.round((measured / value) * 100) / 100;
  const row = {
    what,
    against,
    baseline: format(baseline),
    measured: format(measured),
    ratio: ratioTo(baseline),
    target,
  };
  if (before !== undefined) {
    row.before = format(before);
    row.ratioToBefore = ratioTo(before);
  }
  console.log(JSON.stringify(row));
}

/** For a figure with an absolute limit instead of a baseline. */
export function limit({ what, unit, measured, target }) {
  const format = (value) => `${value.toFixed(0)} ${unit}`;
  console.log(
    JSON.stringify({
      what,
      against: '',
      baseline: '',
      measured: format(median(measured)),
      ratio: null,
      target: format(target),
    }),
  );
}

/** The sides alternate, so that other load on the machine affects all; returns medians by side. */
export async function inTurn(rounds, sides) {
  const all = Object.entries(sides).map(([side, run]) => ({ side, run, times: [] }));
  for (let round = -WARM_UP_RUNS; round < rounds; round++)
    for (const { run, times } of all) {
      const time = await run();
      if (round >= 0) times.push(time);
    }
  return Object.fromEntries(all.map(({ side, times }) => [side, median(times)]));
}
