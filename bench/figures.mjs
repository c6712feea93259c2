/** A benchmark prints one line of JSON per figure, which bench/run.mjs puts into a table. */

export const median = (numbers) => {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
};

export function figure({ what, against, unit, digits = 1, baseline, measured, target }) {
  const format = (value) => `${value.toFixed(digits)} ${unit}`;
  const ratio = Math.round((measured / baseline) * 100) / 100;
  const row = { what, against, baseline: format(baseline), measured: format(measured), ratio, target };
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

export const rounds = (usual) => Number(process.env.ACEQUIA_BENCH_ROUNDS ?? usual);

/** The two sides alternate, so that other load on the machine affects both; returns the medians. */
export async function inTurn(rounds, { baseline, measured }) {
  const times = { baseline: [], measured: [] };
  // One run of each fills the disk cache.
  await baseline();
  await measured();
  for (let round = 0; round < rounds; round++) {
    times.baseline.push(await baseline());
    times.measured.push(await measured());
  }
  return { baseline: median(times.baseline), measured: median(times.measured) };
}
