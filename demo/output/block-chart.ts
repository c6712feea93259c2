import { HOUR_MS, MINUTE_MS } from '../../src/domain/periods.ts';
import { READING_INTERVAL_MS } from '../farm/calendar.ts';
import type { DemoHistory } from '../farm/history.ts';

const RAMP = [...'▁▂▃▄▅▆▇█'];
const CELL_MS = 4 * HOUR_MS;
const CELLS = 72;
const DEPTHS = [10, 30, 60];

/** The last twelve days, four hours per block, with a mark at the start of each watering. */
export function moistureBlockLines(
  { instants, series, waterings }: DemoHistory,
  module: string,
): string[] {
  const end = instants.at(-1)! + READING_INTERVAL_MS;
  const from = end - CELLS * CELL_MS;
  const perCell = CELL_MS / READING_INTERVAL_MS;
  const curves = DEPTHS.map((depth) => {
    const { values } = series.find(
      (each) => each.module === module && each.type === 'humidity' && each.depth === depth,
    )!;
    const recent = values.slice(-CELLS * perCell);
    const highest = Array.from({ length: CELLS }, (_, cell) =>
      Math.max(...recent.slice(cell * perCell, (cell + 1) * perCell)),
    );
    return `  ${depth} cm  ${toBlocks(highest)}`;
  });
  const marks = Array.from({ length: CELLS }, () => ' ');
  for (const watering of waterings)
    if (watering.module === module && watering.startedAt >= from)
      // The curve rises at the first reading after the start.
      marks[Math.floor((watering.startedAt + 15 * MINUTE_MS - from) / CELL_MS)] =
        watering.isRecorded ? '^' : '?';
  return [...curves, `         ${marks.join('').trimEnd()}`];
}

export function toBlocks(values: readonly number[]): string {
  const low = Math.min(...values);
  const high = Math.max(...values);
  const blocks = values.map(
    (value) => RAMP[Math.round(((value - low) / (high - low)) * (RAMP.length - 1))],
  );
  return `${blocks.join('')}  ${low.toFixed(1)} to ${high.toFixed(1)} %`;
}
