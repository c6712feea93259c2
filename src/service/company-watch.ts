import type { Kysely } from 'kysely';
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
import type { CompanyDb, Tables } from '../store/tables.ts';
import { changedModulesOfFarm, modulesThatDiffer, readFarm } from './farm-state.ts';

/**
 * Checked even if no change was announced: a key may be revoked, and a proxy of PostgreSQL may drop
 * announcements.
 */
const RECHECK_MS = MINUTE_MS;
/** Between two checks, so that hundreds of open pages cost little while a company uploads. */
const PAUSE_MS = SECOND_MS / 2;
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

/** What the watches of a kind read, and how they compare it. */
interface WatchKind<State> {
  read(db: CompanyDb): Promise<State>;
  /** `announced` are the modules that were announced between the two states. */
  changedModules(
    db: CompanyDb,
    before: State,
    after: State,
    announced: ChangedModules,
  ): Promise<ChangedModules>;
}

interface Snapshot<State> {
  /** Changes of the company that the state has seen: equal counts mean equal states. */
  readonly count: number;
  readonly state: State;
}

interface Member {
  readonly watcher: CompanyWatcher;
  /** Equal for members with the same key or session, which is looked up once for all of them. */
  readonly credential: string | symbol;
}

interface JoiningMember extends Member {
  resolve(): void;
  reject(error: unknown): void;
}

interface ReadOptions {
  readonly announced: ChangedModules | undefined;
  readonly isOfAllMembers: boolean;
}

interface Reading<State> {
  readonly snapshot: Snapshot<State>;
  readonly changed: ChangedModules;
  readonly refusals: ReadonlyMap<Member, AcequiaError>;
  readonly isOfAllMembers: boolean;
}

const NO_MODULES: ChangedModules = [];

const isRefusal = (error: unknown): error is AcequiaError =>
  error instanceof AcequiaError && [401, 403].includes(error.status);

/** Reads the company once per change for all its watchers, and checks each of their keys once. */
class CompanyWatch<State> {
  readonly #store: Store;
  readonly #companyId: number;
  readonly #kind: WatchKind<State>;
  readonly #onEmpty: () => void;
  readonly #stopListening: () => void;
  readonly #members = new Set<Member>();
  #joining: JoiningMember[] = [];
  #snapshot: Snapshot<State> | null = null;
  #isReading = false;
  /** Since the last read; undefined if nothing was announced. */
  #announced: ChangedModules | undefined;
  /**
   * Null while the store answers. Until it does, changes start no further reads, because each
   * failed one is logged.
   */
  #retryMs: number | null = null;
  /** When a check of all members ended last. */
  #checkedAtMs = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  constructor(store: Store, companyId: number, kind: WatchKind<State>, onEmpty: () => void) {
    this.#store = store;
    this.#companyId = companyId;
    this.#kind = kind;
    this.#onEmpty = onEmpty;
    this.#stopListening = store.onCompanyChange((change) => this.#notice(change));
  }

  /** Resolves once a snapshot was read for the member; rejects if it may not read the company. */
  join(member: Member): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#joining.push({ ...member, resolve, reject });
      if (!this.#isReading) void this.#check('joining');
    });
  }

  leave(watcher: CompanyWatcher): void {
    for (const member of this.#members) {
      if (member.watcher === watcher) this.#members.delete(member);
    }
    this.#endIfEmpty();
  }

  #endIfEmpty(): void {
    if (this.#members.size > 0 || this.#joining.length > 0 || this.#isReading) return;
    clearTimeout(this.#timer);
    this.#stopListening();
    this.#onEmpty();
  }

  #notice(change: CompanyChange | null): void {
    if (change !== null && change.companyId !== this.#companyId) return;

    this.#collect(change === null ? NO_MODULES : change.modules);
    if (!this.#isReading && this.#retryMs === null) this.#checkAfterPause();
  }

  #collect(modules: ChangedModules): void {
    this.#announced =
      this.#announced === undefined ? modules : mergeModules(this.#announced, modules);
  }

  /** Hundreds of pages may be opened at once: without news, only those who join are checked. */
  async #check(members: 'all' | 'joining'): Promise<void> {
    clearTimeout(this.#timer);
    this.#isReading = true;
    const announced = this.#announced;
    this.#announced = undefined;
    const joining = this.#joining.splice(0);

    const isOfAllMembers = members === 'all' || announced !== undefined;
    const reading = await this.#read(joining, { announced, isOfAllMembers }).catch(
      (error: unknown) => {
        this.#fail(error, joining, announced);
        return null;
      },
    );
    if (reading !== null) this.#apply(reading, joining);

    this.#isReading = false;
    this.#continue();
  }

  #fail(
    error: unknown,
    joining: readonly JoiningMember[],
    announced: ChangedModules | undefined,
  ): void {
    for (const member of joining) member.reject(error);
    if (error instanceof StoreClosedError) this.#members.clear();

    this.#collect(announced === undefined ? NO_MODULES : announced);
    this.#retryMs =
      this.#retryMs === null ? FIRST_RETRY_MS : Math.min(2 * this.#retryMs, MAX_RETRY_MS);
  }

  #apply(reading: Reading<State>, joining: readonly JoiningMember[]): void {
    this.#retryMs = null;
    this.#snapshot = reading.snapshot;
    if (reading.isOfAllMembers) this.#checkedAtMs = performance.now();
    this.#dismiss(reading.refusals);
    this.#report(reading.changed);
    this.#admit(joining, reading.refusals);
  }

  #dismiss(refusals: ReadonlyMap<Member, AcequiaError>): void {
    for (const [member, refusal] of refusals) {
      if (this.#members.delete(member)) member.watcher.onRefused(refusal);
    }
  }

  #report(changed: ChangedModules): void {
    if (changed !== null && changed.length === 0) return;
    for (const { watcher } of [...this.#members]) watcher.onChange(changed);
  }

  #admit(joining: readonly JoiningMember[], refusals: ReadonlyMap<Member, AcequiaError>): void {
    for (const member of joining) {
      const refusal = refusals.get(member);
      if (refusal) {
        member.reject(refusal);
      } else {
        this.#members.add(member);
        member.resolve();
      }
    }
  }

  #continue(): void {
    if (this.#joining.length > 0) void this.#check('joining');
    else if (this.#members.size === 0) this.#endIfEmpty();
    else if (this.#retryMs !== null) this.#checkIn(this.#retryMs);
    else if (this.#announced !== undefined) this.#checkAfterPause();
    else this.#checkIn(this.#checkedAtMs + RECHECK_MS - performance.now());
  }

  #checkAfterPause(): void {
    this.#checkIn(this.#checkedAtMs + PAUSE_MS - performance.now());
  }

  #checkIn(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#check('all'), ms).unref();
  }

  #read(joining: readonly Member[], options: ReadOptions): Promise<Reading<State>> {
    const before = this.#snapshot;
    return this.#store.readAll(async (all) => {
      const db = this.#store.scopeToCompany(all, this.#companyId);
      const count = await changeCount(db);
      const isSame = before !== null && count === before.count;

      const isOfAllMembers = options.isOfAllMembers || !isSame;
      const checked = isOfAllMembers ? [...this.#members, ...joining] : joining;
      const refusals = await this.#refusals(all, checked);

      const state = isSame ? before.state : await this.#kind.read(db);
      const { announced = NO_MODULES } = options;
      const changed =
        before === null
          ? NO_MODULES
          : await this.#kind.changedModules(db, before.state, state, announced);

      return { snapshot: { count, state }, changed, refusals, isOfAllMembers };
    });
  }

  /** Of the members that may no longer read the company, such as those with a revoked key. */
  async #refusals(
    all: Kysely<Tables>,
    members: readonly Member[],
  ): Promise<Map<Member, AcequiaError>> {
    const byCredential = new Map<string | symbol, AcequiaError | null>();
    const refusals = new Map<Member, AcequiaError>();
    for (const member of members) {
      let refusal = byCredential.get(member.credential);
      if (refusal === undefined) {
        refusal = await this.#refusal(all, member.watcher);
        byCredential.set(member.credential, refusal);
      }

      if (refusal) refusals.set(member, refusal);
    }
    return refusals;
  }

  async #refusal(
    all: Kysely<Tables>,
    { identify, access }: CompanyWatcher,
  ): Promise<AcequiaError | null> {
    try {
      const { caller } = await identify(all);
      authorize(caller, access);
      return caller.companyId === this.#companyId ? null : otherCompanyError();
    } catch (error) {
      if (isRefusal(error)) return error;
      throw error;
    }
  }
}

const otherCompanyError = (): AcequiaError =>
  new AcequiaError({
    code: 'forbidden',
    status: 403,
    message: 'The caller now belongs to another company.',
    hint: 'Connect again.',
  });

/** The watches of one kind, by store and company: one for all watchers of a company. */
class WatchesOfKind<State> {
  readonly #kind: WatchKind<State>;
  readonly #byStore = new WeakMap<Store, Map<number, CompanyWatch<State>>>();

  constructor(kind: WatchKind<State>) {
    this.#kind = kind;
  }

  /**
   * Calls `onChange` for changes that any process makes after the promise has resolved, once for
   * several at a time. Checks each time that the watcher may still read the data; throws if it may
   * not at the start. Returns a function that stops the watch.
   */
  async add(store: Store, watcher: CompanyWatcher): Promise<() => void> {
    const { caller, credentialId = Symbol() } = await store.readAll(watcher.identify);
    const watch = this.#watchOf(store, caller.companyId);
    await watch.join({ watcher, credential: credentialId });
    return () => watch.leave(watcher);
  }

  #watchOf(store: Store, companyId: number): CompanyWatch<State> {
    const ofStore = this.#byStore.get(store) ?? new Map<number, CompanyWatch<State>>();
    this.#byStore.set(store, ofStore);

    const known = ofStore.get(companyId);
    if (known) return known;

    const watch = new CompanyWatch(store, companyId, this.#kind, () => ofStore.delete(companyId));
    ofStore.set(companyId, watch);
    return watch;
  }
}

const alertWatches = new WatchesOfKind({
  read: firingAlerts,
  changedModules: async (_, before, after) => modulesThatDiffer(before, after),
});

const farmWatches = new WatchesOfKind({ read: readFarm, changedModules: changedModulesOfFarm });

/** Reports alerts of the company that begin or cease to fire. */
export const watchFiringAlerts = (store: Store, watcher: CompanyWatcher): Promise<() => void> =>
  alertWatches.add(store, watcher);

/**
 * Reports new readings, alerts that begin or cease to fire, and what people and assistants write.
 */
export const watchFarm = (store: Store, watcher: CompanyWatcher): Promise<() => void> =>
  farmWatches.add(store, watcher);
