import { pointEnd, pointStart } from '../../domain/moisture/series-points.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, type Period } from '../../domain/periods.ts';
import { lengthOf } from './view.ts';

/**
 * The finest first. A tile has at most 384 points: an assistant's host answers with at most 500.
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

const FINEST_UP_TO_MS = 2 * DAY_MS;
const POINTS_PER_PX = 1.5;
const MIN_POINTS = 480;

/** Single readings up to two days; then as many points as the screen can show. */
export function resolutionFor(view: Period, width: number): number {
  const span = lengthOf(view);
  if (span <= FINEST_UP_TO_MS) return 0;
  const most = Math.max(MIN_POINTS, POINTS_PER_PX * width);
  const index = RESOLUTIONS.findIndex(({ intervalMs }, at) => at > 0 && span / intervalMs <= most);
  return index < 0 ? RESOLUTIONS.length - 1 : index;
}

export interface Tile extends Period {
  readonly resolution: number;
}

export const tileKey = ({ resolution, start }: Tile): string => `${resolution} ${start}`;

/** Tiles begin at local midnights, so that no point of any resolution lies in two of them. */
export function tilesOf({ start, end }: Period, resolution: number, zone: string): Tile[] {
  const { tileMs } = RESOLUTIONS[resolution]!;
  const tiles: Tile[] = [];
  for (let at = pointStart(start, tileMs, zone); at < end; ) {
    const tileEnd = pointEnd(at, tileMs, zone);
    tiles.push({ resolution, start: at, end: tileEnd });
    at = tileEnd;
  }
  return tiles;
}

interface TileCacheOptions<T extends Period, V> {
  keyOf(tile: T): string;
  load(tile: T, signal: AbortSignal): Promise<V>;
  /** Called when a tile was loaded, or could not be. */
  onSettled(): void;
  readonly capacity: number;
}

export interface TileCache<T extends Period, V> {
  /** Loads those of these tiles that are missing, and cancels loading others. */
  want(tiles: readonly T[]): void;
  valueOf(tile: T): V | undefined;
  /** In no particular order. */
  loaded(): { tile: T; value: V }[];
  /** Makes tiles load again when they are next wanted. Until then their old values stay. */
  outdate(isAffected: (tile: T) => boolean): void;
  isLoading(): boolean;
  /** The last error, until something is loaded again. */
  failure(): unknown;
}

const RETRY_AFTER_MS = 5_000;

export function createTileCache<T extends Period, V>(
  options: TileCacheOptions<T, V>,
): TileCache<T, V> {
  const { keyOf, load, onSettled, capacity } = options;
  const entries = new Map<string, { tile: T; value: V; isOutdated: boolean }>();
  const running = new Map<string, AbortController>();
  const failedAt = new Map<string, number>();
  let failure: unknown;
  let isWanted = false;

  async function start(key: string, tile: T): Promise<void> {
    const controller = new AbortController();
    running.set(key, controller);

    try {
      const value = await load(tile, controller.signal);
      if (controller.signal.aborted) return;
      entries.delete(key);
      entries.set(key, { tile, value, isOutdated: false });
      failedAt.delete(key);
      failure = undefined;
    } catch (error) {
      if (controller.signal.aborted) return;
      failedAt.set(key, Date.now());
      failure = error;
    } finally {
      if (running.get(key) === controller) running.delete(key);
    }

    onSettled();
  }

  return {
    want(tiles) {
      isWanted = true;
      const keys = new Set(tiles.map(keyOf));

      for (const [key, controller] of running) {
        if (keys.has(key)) continue;
        running.delete(key);
        controller.abort();
      }

      for (const tile of tiles) {
        const key = keyOf(tile);
        const entry = entries.get(key);
        if (entry) {
          // Moved to the end: the least recently wanted tiles are removed first.
          entries.delete(key);
          entries.set(key, entry);
        }

        const isFailed =
          Date.now() - (failedAt.get(key) ?? Number.NEGATIVE_INFINITY) < RETRY_AFTER_MS;
        if (!running.has(key) && !isFailed && (!entry || entry.isOutdated)) void start(key, tile);
      }

      for (const key of entries.keys()) {
        if (entries.size <= capacity) break;
        if (!keys.has(key)) entries.delete(key);
      }
    },
    valueOf: (tile) => entries.get(keyOf(tile))?.value,
    loaded: () => [...entries.values()],
    outdate(isAffected) {
      failedAt.clear();
      for (const [key, entry] of entries)
        if (isAffected(entry.tile)) entries.set(key, { ...entry, isOutdated: true });
    },
    isLoading: () => !isWanted || running.size > 0,
    failure: () => failure,
  };
}
