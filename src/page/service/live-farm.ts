import { MINUTE_MS, SECOND_MS } from '../../domain/periods.ts';
import type { FarmPageBody } from '../../schema/advice/farm-page.ts';
import { withRows } from './farm-rows.ts';
import type { FarmRead, Modules, Service, ServiceError } from './service.ts';
import { isSignedOut, reportError } from './use-loaded.ts';

/** The least time between two reads. */
const PAUSE_MS = 400;
/** Changes cause at most one read of the whole farm in this time, plus up to a third of it. */
const WHOLE_EVERY_MS = 15 * SECOND_MS;
const JITTER_MS = SECOND_MS;
/** A change reads the whole farm if that was last read longer ago. */
const MAX_AGE_MS = 5 * MINUTE_MS;
/** If more rows changed, the whole farm is read. */
const MAX_ROWS = 20;
/** How long another tab may take for what it reads. */
const OTHER_TAB_MS = 10 * SECOND_MS;

export interface LiveFarmState {
  readonly farm: FarmPageBody | null;
  readonly error: ServiceError | null;
  /** By how much the clock of the service is ahead of that of the device. */
  readonly aheadMs: number;
}

export const NO_FARM: LiveFarmState = { farm: null, error: null, aheadMs: 0 };

/**
 * The farm as the page shows it. After a change it reads the rows of the modules that changed, or
 * the whole farm if that changed. Reads run one after the other, and their answers are passed to
 * the other tabs of the browser.
 */
export class LiveFarm {
  readonly #service: Service;
  readonly #show: (state: LiveFarmState) => void;
  #state = NO_FARM;
  /** The module of the view; null for all. */
  #viewed: number | null = null;
  readonly #staleModules = new Set<number>();
  #isStale = false;
  /** When the whole farm was last read, and when it may be read again; in ms. */
  #readAt = 0;
  #nextReadAt = 0;
  #reading: Promise<void> | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #wakesAt = Number.POSITIVE_INFINITY;
  #otherTabTimer: ReturnType<typeof setTimeout> | undefined;
  #reads = 0;
  readonly #readsOfModule = new Map<number, number>();

  constructor(service: Service, show: (state: LiveFarmState) => void) {
    this.#service = service;
    this.#show = show;
  }

  /** Returns how to stop. */
  start(): () => void {
    void this.reload();
    const stop = this.#service.listen({
      onChange: (modules, waitMs) => this.#outdate(modules, waitMs),
      onRefused: () => void this.reload(),
      onRead: (read) => this.#accept(read),
    });
    return () => {
      clearTimeout(this.#timer);
      clearTimeout(this.#otherTabTimer);
      stop();
    };
  }

  /** Reads the whole farm now. */
  readonly reload = async (): Promise<void> => {
    while (this.#reading) await this.#reading;
    await this.#read(null);
  };

  /** Rows of other modules may wait until they are viewed. */
  view(module: number | null): void {
    this.#viewed = module;
    this.#wake(0);
  }

  /** Grows with each read of the module. */
  readonly versionOf = (module: number): number =>
    this.#reads + (this.#readsOfModule.get(module) ?? 0);

  #outdate(modules: Modules, waitMs: number): void {
    for (const module of modules ?? []) this.#staleModules.add(module);
    const isOld = Date.now() - this.#readAt > MAX_AGE_MS;
    if (modules === null || isOld || this.#staleModules.size > MAX_ROWS) this.#outdateAll(waitMs);
    if (this.#staleRows().length > 0) this.#wake(waitMs);
  }

  /** Waits a random time besides, because all pages hear of a change at once. */
  #outdateAll(waitMs: number): void {
    const earliest = Date.now() + waitMs + JITTER_MS * Math.random();
    if (!this.#isStale) this.#nextReadAt = Math.max(this.#nextReadAt, earliest);
    this.#isStale = true;
    this.#wakeForAll();
  }

  #wakeForAll(): void {
    this.#wake(Math.max(PAUSE_MS, this.#nextReadAt - Date.now()));
  }

  #wake(ms: number): void {
    const at = Date.now() + ms;
    if (at >= this.#wakesAt) return;
    clearTimeout(this.#timer);
    this.#wakesAt = at;
    this.#timer = setTimeout(() => {
      this.#wakesAt = Number.POSITIVE_INFINITY;
      void this.#readStale();
    }, ms);
  }

  async #readStale(): Promise<void> {
    if (this.#reading) return;

    const isDue = this.#isStale && Date.now() >= this.#nextReadAt;
    if (isDue) await this.#read(null);
    else if (this.#staleRows().length > 0) await this.#read(this.#staleRows());
    else if (this.#isStale) this.#wakeForAll();
  }

  #staleRows(): number[] {
    return [...this.#staleModules].filter(
      (module) => this.#viewed === null || module === this.#viewed,
    );
  }

  #read(modules: Modules): Promise<void> {
    this.#reading = this.#readOnce(modules).finally(() => {
      this.#reading = null;
      if (this.#isStale) this.#wakeForAll();
      if (this.#staleRows().length > 0) this.#wake(PAUSE_MS);
    });
    return this.#reading;
  }

  async #readOnce(modules: Modules): Promise<void> {
    this.#begin(modules);
    this.#share({ modules });
    try {
      const fields = modules === null ? {} : { moduleIds: modules.join() };
      const answer = await this.#service.call('get_farm_page', fields);
      const page = answer.body;
      const aheadMs = Date.parse(page.time) - (answer.storedAt ?? Date.now());
      this.#adopt(modules, page, aheadMs);
      this.#share({ modules, page, aheadMs });
    } catch (failure) {
      const error = reportError(failure);
      const hasLeft = isSignedOut(error);
      this.#isStale = !hasLeft;
      this.#set({ ...this.#state, farm: hasLeft ? null : this.#state.farm, error });
    }
  }

  /** Counts as fresh what is about to be read: a change from now on reads it again. */
  #begin(modules: Modules): void {
    if (modules !== null) {
      for (const module of modules) this.#staleModules.delete(module);
      return;
    }

    this.#staleModules.clear();
    this.#isStale = false;
    this.#readAt = Date.now();
    this.#nextReadAt = this.#readAt + WHOLE_EVERY_MS * (1 + Math.random() / 3);
  }

  #adopt(modules: Modules, page: FarmPageBody, aheadMs: number): void {
    const { farm } = this.#state;

    if (modules === null) this.#reads++;
    for (const { moduleId } of page.data)
      this.#readsOfModule.set(moduleId, (this.#readsOfModule.get(moduleId) ?? 0) + 1);

    const merged = modules === null || farm === null ? page : withRows(farm, modules, page);
    this.#set({ farm: merged, error: null, aheadMs });
  }

  #set(state: LiveFarmState): void {
    this.#state = state;
    this.#show(state);
  }

  #share(read: Omit<FarmRead, 'user'>): void {
    const user = this.#state.farm?.user?.id;
    if (user != null) this.#service.share?.({ ...read, user });
  }

  /** Ignores another person's read: a tab may stay open from before somebody else signed in. */
  #accept({ modules, page, aheadMs, user }: FarmRead): void {
    if (user !== this.#state.farm?.user?.id) return;
    clearTimeout(this.#otherTabTimer);
    if (page) {
      this.#adopt(modules, page, aheadMs ?? 0);
      return;
    }
    this.#begin(modules);
    this.#otherTabTimer = setTimeout(() => this.#outdateAll(0), OTHER_TAB_MS);
  }
}
