import { pointEnd, pointStart } from '../../../domain/moisture/series-points.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, type Period } from '../../../domain/periods.ts';
import { lengthOf } from '../control/view.ts';

/**
 * The finest first. A tile has at most 384 points, because the tool that a page in a chat reads
 * returns at most 500.
 */
export const RESOLUTIONS = [
  { intervalMs: 5 * MINUTE_MS, tileMs: DAY_MS },
  { intervalMs: 15 * MINUTE_MS, tileMs: 4 * DAY_MS },
  { intervalMs: HOUR_MS, tileMs: 16 * DAY_MS },
  { intervalMs: 3 * HOUR_MS, tileMs: 48 * DAY_MS },
  { intervalMs: 6 * HOUR_MS, tileMs: 96 * DAY_MS },
  { intervalMs: 12 * HOUR_MS, tileMs: 192 * DAY_MS },
  { intervalMs: DAY_MS, tileMs: 384 * DAY_MS },
] as const;

/** An index of RESOLUTIONS. */
export type Resolution = 0 | 1 | 2 | 3 | 4 | 5 | 6;

const COARSER_RESOLUTIONS = [1, 2, 3, 4, 5] as const;
const COARSEST_RESOLUTION = 6;

const FINEST_UP_TO_MS = 2 * DAY_MS;
const POINTS_PER_PX = 1.5;
const MIN_POINTS = 480;

/** Single readings up to two days; then as many points as the screen can show. */
export function resolutionFor(view: Period, width: number): Resolution {
  const span = lengthOf(view);
  if (span <= FINEST_UP_TO_MS) return 0;

  const maxPoints = Math.max(MIN_POINTS, POINTS_PER_PX * width);
  return (
    COARSER_RESOLUTIONS.find((index) => span / RESOLUTIONS[index].intervalMs <= maxPoints) ??
    COARSEST_RESOLUTION
  );
}

export interface Tile extends Period {
  readonly resolution: Resolution;
}

export const tileKey = ({ resolution, start }: Tile): string => `${resolution} ${start}`;

/** Tiles begin at local midnights, so that no point of any resolution lies in two of them. */
export function tilesOf({ start, end }: Period, resolution: Resolution, zone: string): Tile[] {
  const { tileMs } = RESOLUTIONS[resolution];
  const tiles: Tile[] = [];

  for (let at = pointStart(start, tileMs, zone); at < end; ) {
    const tileEnd = pointEnd(at, tileMs, zone);
    tiles.push({ resolution, start: at, end: tileEnd });
    at = tileEnd;
  }

  return tiles;
}
