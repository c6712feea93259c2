/** What a benchmark prints: one line of JSON a figure, which bench/run.mjs makes a table of. */

export const median = (numbers) => {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
};

/** Prints a figure: both sides as numbers of `unit`, and the most that their ratio may be. */
export function figure({ what, against, unit, digits = 1, baseline, measured, reach }) {
  const said = (value) => `${value.toFixed(digits)} ${unit}`;
  const ratio = Math.round((measured / baseline) * 100) / 100;
  const row = { what, against, baseline: said(baseline), measured: said(measured), ratio, reach };
  console.log(JSON.stringify(row));
}

/** Prints a figure that stands against a limit, `reach`, and not against another program. */
export function limit({ what, unit, measured, reach }) {
  const said = (value) => `${value.toFixed(0)} ${unit}`;
  console.log(
    JSON.stringify({
      what,
      against: '',
      baseline: '',
      measured: said(median(measured)),
      ratio: null,
      reach: said(reach),
    }),
  );
}

/** How many rounds a benchmark makes, unless ACEQUIA_BENCH_ROUNDS says otherwise. */
export const rounds = (usual) => Number(process.env.ACEQUIA_BENCH_ROUNDS ?? usual);

/** Runs the two sides in turn, so that what the machine does meanwhile meets both, and gives the medians. */
export async function inTurn(rounds, { baseline, measured }) {
  const taken = { baseline: [], measured: [] };
  // One of each to fill the disk's cache.
  await baseline();
  await measured();
  for (let round = 0; round < rounds; round++) {
    taken.baseline.push(await baseline());
    taken.measured.push(await measured());
  }
  return { baseline: median(taken.baseline), measured: median(taken.measured) };
}
