import type { Lang } from '../../domain/lang.ts';
import { MINUTE_MS, SECOND_MS } from '../../domain/periods.ts';
import type { FarmPageBody } from '../../schema/advice/farm-page.ts';
import {
  CONNECTION,
  type FarmRead,
  type Modules,
  type Service,
  type ServiceError,
} from './page-service.ts';
import { withRows } from './replaced-rows.ts';
import { isSignedOut, reportError } from './use-loaded.ts';

/** The least time between two reads. */
const PAUSE_MS = 400;
/** Changes cause at most one read of the whole farm in this time, or in up to a third more. */
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
  readonly #lang: Lang | null;
  #state = NO_FARM;
  /** The module that the person views; null for all. */
  #viewed: number | null = null;
  readonly #staleModules = new Set<number>();
  /** The whole farm is to be read again. */
  #isStale = false;
  /** When the whole farm was last read, and when it may be read again; in ms. */
  #readAt = 0;
  #nextReadAt = 0;
  #reading: Promise<void> | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** When the timer fires, in ms. */
  #wakesAt = Number.POSITIVE_INFINITY;
  /** Runs while another tab reads the farm. */
  #otherTabTimer: ReturnType<typeof setTimeout> | undefined;
  #wholeReads = 0;
  readonly #readsOfModule = new Map<number, number>();

  /** `lang` is null for that of the farm. */
  constructor(service: Service, show: (state: LiveFarmState) => void, lang: Lang | null = null) {
    this.#lang = lang;
    this.#service = service;
    this.#show = show;
  }

  /** Returns how to stop. */
  start(): () => void {
    void this.reload();
    const stop = this.#service.listen({
      onChange: (modules, waitMs) => this.#outdate(modules, waitMs),
      onConnection: (lostAt) => dispatchEvent(new CustomEvent(CONNECTION, { detail: lostAt })),
      onRefused: () => void this.reload(),
      onRead: (read) => this.#takeRead(read),
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

  /** Grows with each read of the module, alone or with the whole farm. */
  readonly versionOf = (module: number): number =>
    this.#wholeReads + (this.#readsOfModule.get(module) ?? 0);

  #outdate(modules: Modules, waitMs: number): void {
    for (const module of modules ?? []) this.#staleModules.add(module);
    const isOld = Date.now() - this.#readAt > MAX_AGE_MS;
    if (modules === null || isOld || this.#staleModules.size > MAX_ROWS) this.#outdateAll(waitMs);
    if (this.#staleRows().length > 0) this.#wake(waitMs);
  }

  /** Also waits a random time, because all pages hear of a change at once. */
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
    this.#markFresh(modules);
    this.#share({ modules });
    try {
      const fields = { moduleIds: modules?.join(), lang: this.#lang ?? undefined };
      const answer = await this.#service.call('get_farm_page', fields);
      const page = answer.body;
      const aheadMs = Date.parse(page.time) - (answer.storedAt ?? Date.now());
      this.#adopt(modules, page, aheadMs);
      this.#share({ modules, page, aheadMs });
    } catch (failure) {
      const error = reportError(failure);
      const isOut = isSignedOut(error);
      this.#isStale = !isOut;
      this.#set({ ...this.#state, farm: isOut ? null : this.#state.farm, error });
    }
  }

  /**
   * Marks what is about to be read as fresh, so that a change during the read has it read again.
   */
  #markFresh(modules: Modules): void {
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

    if (modules === null) this.#wholeReads++;
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

  /**
   * Takes over what another tab reads, unless that is another person's: a tab may stay open from
   * before somebody else signed in.
   */
  #takeRead({ modules, page, aheadMs, user }: FarmRead): void {
    if (user !== this.#state.farm?.user?.id) return;
    clearTimeout(this.#otherTabTimer);
    if (page) {
      this.#adopt(modules, page, aheadMs ?? 0);
      return;
    }
    this.#markFresh(modules);
    this.#otherTabTimer = setTimeout(() => this.#outdateAll(0), OTHER_TAB_MS);
  }
}
