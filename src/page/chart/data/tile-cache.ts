import { type Tile, tileKey } from './tiles.ts';

interface TileCacheOptions<V> {
  load(tile: Tile, signal: AbortSignal): Promise<V>;
  /** Called when a tile was loaded, or could not be. */
  onSettled(): void;
  readonly capacity: number;
}

interface Entry<V> {
  readonly tile: Tile;
  readonly value: V;
  readonly isOutdated: boolean;
}

const RETRY_AFTER_MS = 5_000;

export class TileCache<V> {
  readonly #options: TileCacheOptions<V>;
  /** The least recently wanted come first, and are deleted first. */
  readonly #entries = new Map<string, Entry<V>>();
  readonly #running = new Map<string, AbortController>();
  readonly #failedAt = new Map<string, number>();
  #failure: unknown;
  #wasAsked = false;

  constructor(options: TileCacheOptions<V>) {
    this.#options = options;
  }

  /** Loads those of these tiles that are missing, and cancels loading others. */
  want(tiles: readonly Tile[]): void {
    this.#wasAsked = true;
    const wanted = new Map(tiles.map((tile) => [tileKey(tile), tile]));

    for (const [key, controller] of this.#running) {
      if (wanted.has(key)) continue;
      this.#running.delete(key);
      controller.abort();
    }

    for (const [key, tile] of wanted) {
      this.#moveToEnd(key);
      if (this.#isMissing(key)) void this.#load(key, tile);
    }

    for (const key of this.#entries.keys()) {
      if (this.#entries.size <= this.#options.capacity) break;
      if (!wanted.has(key)) this.#entries.delete(key);
    }
  }

  /** In no particular order. */
  get loaded(): readonly Entry<V>[] {
    return [...this.#entries.values()];
  }

  /** True before tiles are first wanted, too. */
  get isLoading(): boolean {
    return !this.#wasAsked || this.#running.size > 0;
  }

  /** The last error, until something is loaded again. */
  get failure(): unknown {
    return this.#failure;
  }

  /** Makes tiles load again when they are next wanted. Until then their old values stay. */
  outdate(isAffected: (tile: Tile) => boolean): void {
    this.#failedAt.clear();
    for (const [key, entry] of this.#entries)
      if (isAffected(entry.tile)) this.#entries.set(key, { ...entry, isOutdated: true });
  }

  #moveToEnd(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
  }

  #isMissing(key: string): boolean {
    const entry = this.#entries.get(key);
    const isLoaded = entry !== undefined && !entry.isOutdated;
    const failedAt = this.#failedAt.get(key) ?? Number.NEGATIVE_INFINITY;
    const hasJustFailed = Date.now() - failedAt < RETRY_AFTER_MS;
    return !isLoaded && !hasJustFailed && !this.#running.has(key);
  }

  async #load(key: string, tile: Tile): Promise<void> {
    const controller = new AbortController();
    const { signal } = controller;
    this.#running.set(key, controller);

    try {
      const value = await this.#options.load(tile, signal);
      if (signal.aborted) return;
      this.#entries.delete(key);
      this.#entries.set(key, { tile, value, isOutdated: false });
      this.#failedAt.delete(key);
      this.#failure = undefined;
    } catch (error) {
      if (signal.aborted) return;
      this.#failedAt.set(key, Date.now());
      this.#failure = error;
    } finally {
      // A tile that is wanted again after it was cancelled has another controller.
      if (this.#running.get(key) === controller) this.#running.delete(key);
    }

    this.#options.onSettled();
  }
}
