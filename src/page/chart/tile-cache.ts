import type { Period } from '../../domain/periods.ts';

interface TileCacheOptions<T extends Period, V> {
  keyOf(tile: T): string;
  load(tile: T, signal: AbortSignal): Promise<V>;
  /** After a tile has come, or failed to. */
  onSettled(): void;
  readonly capacity: number;
}

export interface TileCache<T extends Period, V> {
  /** Loads what is missing of these, and cancels what is under way for others. */
  want(tiles: readonly T[]): void;
  valueOf(tile: T): V | undefined;
  /** All that are loaded, in no order. */
  loaded(): { tile: T; value: V }[];
  /** They are loaded anew when wanted; until then the old values stay. */
  outdate(isAffected: (tile: T) => boolean): void;
  isLoading(): boolean;
  /** The last refusal, until something is loaded again. */
  failure(): unknown;
}

const RETRY_AFTER_MS = 5_000;

export function createTileCache<T extends Period, V>(options: TileCacheOptions<T, V>): TileCache<T, V> {
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
          // The least recently wanted come first, and go first.
          entries.delete(key);
          entries.set(key, entry);
        }
        const isFailed = Date.now() - (failedAt.get(key) ?? Number.NEGATIVE_INFINITY) < RETRY_AFTER_MS;
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
      for (const [key, entry] of entries) if (isAffected(entry.tile)) entries.set(key, { ...entry, isOutdated: true });
    },
    isLoading: () => !isWanted || running.size > 0,
    failure: () => failure,
  };
}
