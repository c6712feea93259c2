import { MINUTE_MS, SECOND_MS } from '../domain/periods.ts';
import { authorize, type Identify, type OperationAccess } from '../operation/authorization.ts';
import { AcequiaError, StoreClosedError } from '../schema/error.ts';
import { firingAlerts } from '../store/alerts/alert-states.ts';
import { changeCount } from '../store/changes/change-counts.ts';
import {
  type ChangedModules,
  type CompanyChange,
  mergeModules,
} from '../store/changes/collected-changes.ts';
import type { Store } from '../store/store.ts';
import type { CompanyDb } from '../store/tables.ts';
import { changedModulesOfFarm, modulesThatDiffer, sharedFarmState } from './farm-state.ts';

/**
 * Checked even if no change was announced: a key may be revoked, and a proxy of PostgreSQL may drop
 * announcements.
 */
const RECHECK_MS = MINUTE_MS;
const FIRST_RETRY_MS = 2 * SECOND_MS;
const MAX_RETRY_MS = 15 * SECOND_MS;

export interface CompanyWatcher {
  readonly identify: Identify;
  /** The access that reading the watched data requires. */
  readonly access: OperationAccess;
  onChange(modules: ChangedModules): void;
  /** Called once the watcher may no longer read the data; the watch has ended. */
  onRefused(error: AcequiaError): void;
}

interface Watched<State> {
  read(db: CompanyDb, snapshot: SnapshotKey): Promise<State>;
  /** `announced` are the modules that were announced between the two states. */
  changedModules(
    db: CompanyDb,
    before: State,
    after: State,
    announced: ChangedModules,
  ): Promise<ChangedModules>;
}

interface SnapshotKey {
  readonly store: Store;
  readonly companyId: number;
  /** Equal counts mean equal states. */
  readonly count: number;
}

interface Snapshot<State> extends SnapshotKey {
  readonly state: State;
}

const NO_MODULES: ChangedModules = [];

const isRefusal = (error: unknown): error is AcequiaError =>
  error instanceof AcequiaError && [401, 403].includes(error.status);

class CompanyWatch<State> {
  readonly #store: Store;
  readonly #watcher: CompanyWatcher;
  readonly #watched: Watched<State>;
  readonly #stopListening: () => void;
  #last: Snapshot<State> | null = null;
  #isWatching = true;
  #isReading = false;
  /** Since the last read; undefined if nothing was announced. */
  #announced: ChangedModules | undefined;
  /**
   * Null while the store answers. Until it does, changes start no further reads, because each
   * failed one is logged.
   */
  #retryMs: number | null = null;
  #timer: NodeJS.Timeout | undefined;

  constructor(store: Store, watcher: CompanyWatcher, watched: Watched<State>) {
    this.#store = store;
    this.#watcher = watcher;
    this.#watched = watched;
    this.#stopListening = store.onCompanyChange((change) => this.#notice(change));
  }

  /** Throws if the watcher may not read the data. */
  async start(): Promise<void> {
    this.#isReading = true;
    try {
      await this.#read(NO_MODULES);
    } catch (error) {
      this.stop();
      throw error;
    }

    this.#isReading = false;
    this.#continue();
  }

  stop(): void {
    this.#isWatching = false;
    clearTimeout(this.#timer);
    this.#stopListening();
  }

  #notice(change: CompanyChange | null): void {
    const isOfOther =
      change !== null && this.#last !== null && change.companyId !== this.#last.companyId;
    if (isOfOther) return;

    this.#collect(change === null ? NO_MODULES : change.modules);
    if (!this.#isReading && this.#retryMs === null) void this.#check();
  }

  #collect(modules: ChangedModules): void {
    this.#announced =
      this.#announced === undefined ? modules : mergeModules(this.#announced, modules);
  }

  async #check(): Promise<void> {
    clearTimeout(this.#timer);
    this.#isReading = true;
    const announced = this.#announced === undefined ? NO_MODULES : this.#announced;
    this.#announced = undefined;

    const changed = await this.#read(announced).catch((error: unknown) => {
      if (error instanceof StoreClosedError) this.stop();
      return isRefusal(error) ? error : ('failed' as const);
    });

    this.#isReading = false;
    if (!this.#isWatching) return;
    if (changed instanceof AcequiaError) {
      this.stop();
      this.#watcher.onRefused(changed);
      return;
    }

    if (changed === 'failed') {
      this.#collect(announced);
      this.#retryMs =
        this.#retryMs === null ? FIRST_RETRY_MS : Math.min(2 * this.#retryMs, MAX_RETRY_MS);
      this.#checkIn(this.#retryMs);
      return;
    }

    this.#retryMs = null;
    if (changed === null || changed.length > 0) this.#watcher.onChange(changed);
    this.#continue();
  }

  #continue(): void {
    if (this.#announced !== undefined) void this.#check();
    else this.#checkIn(RECHECK_MS);
  }

  #checkIn(ms: number): void {
    this.#timer = setTimeout(() => void this.#check(), ms).unref();
  }

  /** Checks that the watcher may still read the data. Returns what changed since the last read. */
  #read(announced: ChangedModules): Promise<ChangedModules> {
    const last = this.#last;
    return this.#store.readAll(async (all) => {
      const { caller, company } = await this.#watcher.identify(all);
      authorize(caller, this.#watcher.access);

      const db = this.#store.scopeToCompany(all, company.id);
      const count = await changeCount(db);
      const snapshot = { store: this.#store, companyId: company.id, count };
      const isSame = last !== null && count === last.count;
      const state = isSame ? last.state : await this.#watched.read(db, snapshot);

      this.#last = { ...snapshot, state };
      if (last === null) return NO_MODULES;
      return this.#watched.changedModules(db, last.state, state, announced);
    });
  }
}

/**
 * Calls `onChange` for changes that any process makes after the promise has resolved, once for
 * several at a time. Checks each time that the watcher may still read the data; throws if it may
 * not at the start. Returns a function that stops the watch.
 */
async function watchCompany<State>(
  store: Store,
  watcher: CompanyWatcher,
  watched: Watched<State>,
): Promise<() => void> {
  const watch = new CompanyWatch(store, watcher, watched);
  await watch.start();
  return () => watch.stop();
}

/** Reports alerts of the company that begin or cease to fire. */
export const watchFiringAlerts = (store: Store, watcher: CompanyWatcher): Promise<() => void> =>
  watchCompany(store, watcher, {
    read: firingAlerts,
    changedModules: async (_, before, after) => modulesThatDiffer(before, after),
  });

/**
 * Reports new readings, alerts that begin or cease to fire, and what people and assistants write.
 */
export const watchFarm = (store: Store, watcher: CompanyWatcher): Promise<() => void> =>
  watchCompany(store, watcher, { read: sharedFarmState, changedModules: changedModulesOfFarm });
