import { DAY_MS, type Period } from '../periods.ts';
import { pointEnd, pointStart } from './series-points.ts';

/** Days of one length that follow each other, each of `dayMs`. */
export interface DayRun extends Period {
  readonly dayMs: number;
}

/**
 * The days of a zone (null: UTC) that contain a period. A day on which the clocks change is a run
 * of its own.
 */
export function dayRuns({ start, end }: Period, zone: string | null): DayRun[] {
  const runs: DayRun[] = [];
  for (let day = pointStart(start, DAY_MS, zone); day < end; ) {
    const next = pointEnd(day, DAY_MS, zone);
    const last = runs.at(-1);
    if (last?.dayMs === next - day) runs.splice(-1, 1, { ...last, end: next });
    else runs.push({ start: day, end: next, dayMs: next - day });
    day = next;
  }
  return runs;
}
