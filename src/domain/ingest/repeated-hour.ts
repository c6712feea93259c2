import { firstOf, itemAt } from '../items.ts';

/**
 * A row at a local time that occurs twice. Only the order of the rows shows whether it belongs to
 * the first or the second pass through that hour.
 */
export interface AmbiguousRow {
  readonly earlierAt: number;
  readonly laterAt: number;
  /** The whole line of the file: identical lines are repetitions of one row. */
  readonly text: string;
}

/** The rows at the last instant before a repeated hour, or at the first after it. */
export interface NeighbouringRows {
  readonly at: number;
  readonly count: number;
}

/**
 * The instants of consecutive rows of one stream in one repeated hour. The file may run forward or
 * backward in time; a step against that direction, or a repeated local time, starts the other pass.
 * Equal rows are repetitions of one row, unless each local time has two rows and the rows around
 * the hour have one: then the two passes alternate row by row. A single pass gets the earlier
 * instants, unless the rows before it are later than these.
 */
export function resolveRepeatedHour(
  run: readonly AmbiguousRow[],
  before: NeighbouringRows | null,
  after: NeighbouringRows | null,
): number[] {
  const direction = timeDirection(run, before?.at ?? null, after?.at ?? null);
  // A file that runs backward begins with the second pass.
  const [firstPass, secondPass] =
    direction > 0 ? (['earlierAt', 'laterAt'] as const) : (['laterAt', 'earlierAt'] as const);
  const neighbours = [before, after].filter((rows) => rows !== null);
  if (
    neighbours.length > 0 &&
    neighbours.every(({ count }) => count === 1) &&
    doPassesAlternate(run, direction)
  )
    return run.map((row, index) => row[index % 2 === 0 ? firstPass : secondPass]);

  const secondStart = startOfSecondPass(run, direction);
  if (secondStart === run.length) {
    const isSecondPass = direction > 0 && before !== null && before.at > firstOf(run).earlierAt;
    return run.map((row) => (isSecondPass ? row.laterAt : row.earlierAt));
  }

  return run.map((row, index) => row[index < secondStart ? firstPass : secondPass]);
}

/**
 * True if the local times run on evenly through the repeated hour, as those of a clock that is not
 * set back. One missing row does not matter.
 */
export function clockRunsOn(
  run: readonly AmbiguousRow[],
  before: NeighbouringRows | null,
  after: NeighbouringRows | null,
): boolean {
  if (before === null || after === null) return false;

  const { earlierAt, laterAt } = firstOf(run);
  const isForward = before.at < earlierAt;
  // Local times as instants: of the first pass before the hour, of the second after it.
  const shiftBefore = isForward ? 0 : earlierAt - laterAt;
  const shiftAfter = isForward ? earlierAt - laterAt : 0;
  const times = [
    before.at + shiftBefore,
    ...run.map((row) => row.earlierAt),
    after.at + shiftAfter,
  ];
  const steps = times
    .slice(1)
    .map((time, index) => (isForward ? 1 : -1) * (time - itemAt(times, index)));

  const longest = Math.max(...steps);
  const shortest = Math.min(...steps);
  return shortest > 0 && longest <= 2 * shortest && longest <= laterAt - earlierAt;
}

/**
 * 1 for oldest first, -1 for newest first. If the rows around disagree (two files joined), the
 * nearer one decides.
 */
function timeDirection(
  run: readonly AmbiguousRow[],
  beforeAt: number | null,
  afterAt: number | null,
): 1 | -1 {
  const first = run.reduce(
    (earliest, row) => Math.min(earliest, row.earlierAt),
    Number.POSITIVE_INFINITY,
  );
  const last = run.reduce((latest, row) => Math.max(latest, row.laterAt), Number.NEGATIVE_INFINITY);

  // Negative before the run, positive after it, 0 if unknown or within it.
  const distance = (at: number | null): number => {
    if (at === null) return 0;
    return Math.min(0, at - first) + Math.max(0, at - last);
  };

  const before = distance(beforeAt);
  const after = distance(afterAt);
  if (before !== 0 && (after === 0 || Math.abs(before) <= Math.abs(after)))
    return before < 0 ? 1 : -1;
  if (after !== 0) return after > 0 ? 1 : -1;

  const steps = run
    .slice(1)
    .reduce((sum, row, index) => sum + Math.sign(row.earlierAt - itemAt(run, index).earlierAt), 0);

  return steps < 0 ? -1 : 1;
}

/** Each local time has exactly two consecutive rows. */
const doPassesAlternate = (run: readonly AmbiguousRow[], direction: number): boolean =>
  run.length % 2 === 0 &&
  run.every((row, index) => {
    const step = index === 0 ? 1 : direction * (row.earlierAt - itemAt(run, index - 1).earlierAt);
    return index % 2 === 0 ? step > 0 : step === 0;
  });

/** The length of the run if it has only one pass. */
function startOfSecondPass(run: readonly AmbiguousRow[], direction: number): number {
  const texts = new Set<string>();
  let furthest = firstOf(run).earlierAt;

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

function resumesPass(
  run: readonly AmbiguousRow[],
  index: number,
  furthest: number,
  direction: number,
): boolean {
  const next = run.slice(index + 1).find((row) => row.text !== itemAt(run, index).text);
  return next === undefined || direction * (next.earlierAt - furthest) > 0;
}
