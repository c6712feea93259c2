/** A row whose local time clocks show twice when summer time ends: only the order of rows says which pass it belongs to. */
export interface AmbiguousRow {
  readonly earlierAt: number;
  readonly laterAt: number;
  /** The whole line of the file: two identical lines are one row, repeated. */
  readonly text: string;
}

/**
 * The instant of each row of a run: consecutive rows of one stream that all lie in the same repeated hour. `beforeAt` and
 * `afterAt` are the instants of the rows around the run, null where the file starts or ends with it.
 *
 * In a file in time order, either direction, a step against the direction or a repeated local time starts the other
 * pass. A run of one pass takes the earlier instants.
 */
export function resolveRepeatedHour(
  run: readonly AmbiguousRow[],
  beforeAt: number | null,
  afterAt: number | null,
): number[] {
  const direction = timeDirection(run, beforeAt, afterAt);
  const second = startOfSecondPass(run, direction);
  if (second === run.length) return run.map((row) => row.earlierAt);
  return run.map((row, index) => (index < second === direction > 0 ? row.earlierAt : row.laterAt));
}

/**
 * 1 for oldest first, -1 for newest first: by the rows around the run; where they disagree (two files joined end to end),
 * by the nearer one; without any, by the run's own steps.
 */
function timeDirection(run: readonly AmbiguousRow[], beforeAt: number | null, afterAt: number | null): 1 | -1 {
  const first = run.reduce((least, row) => Math.min(least, row.earlierAt), Number.POSITIVE_INFINITY);
  const last = run.reduce((most, row) => Math.max(most, row.laterAt), Number.NEGATIVE_INFINITY);
  const distance = (at: number | null): number =>
    at === null ? 0 : at < first ? at - first : at > last ? at - last : 0;
  const before = distance(beforeAt);
  const after = distance(afterAt);
  if (before !== 0 && (after === 0 || Math.abs(before) <= Math.abs(after))) return before < 0 ? 1 : -1;
  if (after !== 0) return after > 0 ? 1 : -1;
  const steps = run.slice(1).reduce((sum, row, index) => sum + Math.sign(row.earlierAt - run[index]!.earlierAt), 0);
  return steps < 0 ? -1 : 1;
}

/** Index of the row that starts the second pass, or the length of the run. */
function startOfSecondPass(run: readonly AmbiguousRow[], direction: number): number {
  const texts = new Set<string>();
  let furthest = run[0]!.earlierAt;
  for (const [index, row] of run.entries()) {
    const step = direction * (row.earlierAt - furthest);
    const isRepeatedRow = texts.has(row.text);
    if (step === 0 && index > 0 && !isRepeatedRow) return index;
    if (step < 0 && !(isRepeatedRow && resumesPass(run, index, furthest, direction))) return index;
    if (step > 0) furthest = row.earlierAt;
    texts.add(row.text);
  }
  return run.length;
}

/** Whether the rows after a repeated one continue the pass: then it was a stray, not a new pass. */
function resumesPass(run: readonly AmbiguousRow[], index: number, furthest: number, direction: number): boolean {
  const next = run.slice(index + 1).find((row) => row.text !== run[index]!.text);
  return next === undefined || direction * (next.earlierAt - furthest) > 0;
}
