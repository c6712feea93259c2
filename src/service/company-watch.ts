import type { Kysely } from 'kysely';
import { MINUTE_MS, SECOND_MS } from '../domain/periods.ts';
import { sliceOf } from '../domain/shares/loop-turns.ts';
import { companyTaker } from '../domain/shares/takers.ts';
import { say } from '../domain/text/say.ts';
import {
  authorize,
  type Identify,
  type Identity,
  type OperationAccess,
} from '../operation/authorization.ts';
import { AcequiaError, StoreClosedError } from '../schema/error.ts';
import { changeCount } from '../store/changes/change-counts.ts';
import {
  type ChangedModules,
  type CompanyChange,
  mergeModules,
} from '../store/changes/collected-changes.ts';
import type { Store } from '../store/store.ts';
import type { CompanyDb, Tables } from '../store/tables.ts';

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
  /** Set if the watcher was identified already; the first read of the watch confirms it. */
  readonly knownIdentity?: Pick<Identity, 'caller' | 'credentialId'> | undefined;
  /** The access that reading the watched data requires. */
  readonly access: OperationAccess;
  onChange(modules: ChangedModules): void;
  /** Called once the watcher may no longer read the data; the watch has ended. */
  onRefused(error: AcequiaError): void;
}

/** Says how the watches of a kind read, and how they compare what was read. */
export interface WatchKind<State> {
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
  readonly checksAllMembers: boolean;
}

interface Reading<State> {
  readonly snapshot: Snapshot<State>;
  readonly changed: ChangedModules;
  readonly refusals: ReadonlyMap<Member, AcequiaError>;
  readonly checksAllMembers: boolean;
}

const NO_MODULES: ChangedModules = [];

const isRefusal = (error: unknown): error is AcequiaError =>
  error instanceof AcequiaError && [401, 403].includes(error.status);

/** Reads the company once per change for all its watchers, and checks each of their keys once. */
export class CompanyWatch<State> {
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
    // A watcher that was refused is no member any more, and its watch may have been replaced.
    const member = [...this.#members].find((each) => each.watcher === watcher);
    if (member !== undefined && this.#members.delete(member)) this.#endIfEmpty();
  }

  #endIfEmpty(): void {
    if (this.#members.size > 0 || this.#joining.length > 0 || this.#isReading) return;
    clearTimeout(this.#timer);
    this.#stopListening();
    this.#onEmpty();
  }

  /** Null: announcements may have been lost, so the company is checked although none names it. */
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

    const checksAllMembers = members === 'all' || announced !== undefined;
    const reading = await this.#read(joining, { announced, checksAllMembers }).catch(
      (error: unknown) => {
        this.#fail(error, joining, announced);
        return null;
      },
    );
    if (reading !== null) await this.#apply(reading, joining);

    this.#isReading = false;
    this.#startNextCheck();
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

  async #apply(reading: Reading<State>, joining: readonly JoiningMember[]): Promise<void> {
    this.#retryMs = null;
    this.#snapshot = reading.snapshot;
    if (reading.checksAllMembers) this.#checkedAtMs = performance.now();
    this.#dismiss(reading.refusals);
    await this.#report(reading.changed);
    this.#admit(joining, reading.refusals);
  }

  #dismiss(refusals: ReadonlyMap<Member, AcequiaError>): void {
    for (const [member, refusal] of refusals) {
      if (this.#members.delete(member)) member.watcher.onRefused(refusal);
    }
  }

  async #report(changed: ChangedModules): Promise<void> {
    if (changed !== null && changed.length === 0) return;

    const slice = sliceOf(companyTaker(this.#companyId));
    for (const member of [...this.#members]) {
      // It may have left during a pause.
      if (this.#members.has(member)) member.watcher.onChange(changed);
      if (slice.isOver()) await slice.renew();
    }
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

  #startNextCheck(): void {
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
    const taker = companyTaker(this.#companyId);
    const readIn = async (all: Kysely<Tables>): Promise<Reading<State>> => {
      const db = this.#store.scopeToCompany(all, this.#companyId);
      const count = await changeCount(db);
      const isSame = before !== null && count === before.count;

      const checksAllMembers = options.checksAllMembers || !isSame;
      const checked = checksAllMembers ? [...this.#members, ...joining] : joining;
      const refusals = await this.#refusals(all, checked);

      const state = isSame ? before.state : await this.#kind.read(db);
      const { announced = NO_MODULES } = options;
      const changed =
        before === null
          ? NO_MODULES
          : await this.#kind.changedModules(db, before.state, state, announced);

      return { snapshot: { count, state }, changed, refusals, checksAllMembers };
    };
    return this.#store.readAll(readIn, { taker });
  }

  /** Finds the members that may no longer read the company, such as those with a revoked key. */
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
    message: say`The caller now belongs to another company.`,
    hint: say`Connect again.`,
  });
