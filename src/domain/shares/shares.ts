import { CancelledError, throwIfCancelled } from '../event-loop.ts';
import { AccountMap, CompanyAccount, type KeyAccount, nextInTurn } from './share-accounts.ts';

/** Who takes: a company, or an address while the company is unknown, and its key or member. */
export interface Taker {
  readonly company: number | string;
  readonly key: string;
}

/** The most that may wait at a time, and the longest that each waits; null: until its turn. */
export interface WaitLimits {
  readonly size: number;
  readonly ofCompany: number;
  readonly ofKey: number;
  readonly ms: number | null;
}

export interface ShareLimits {
  /** All that the process has of it. */
  readonly size: number;
  /** The most that one company holds. */
  readonly ofCompany: number;
  readonly ofKey: number;
  /**
   * True for what may be held for long and is never taken away: while another company holds some or
   * waits, nothing new is granted beyond an equal part.
   */
  readonly lasts: boolean;
  /** Null if there is no queue: what is not free is refused. */
  readonly waiting: WaitLimits | null;
}

/** Must be released once. */
export interface Share {
  /** False, and nothing changes, if there is not so much left. An equal part does not limit it. */
  grow(amount: number): boolean;
  release(): void;
}

/** The part that is used up: that of a key, of a company, or all that there is. */
export type Shortage = 'key' | 'company' | 'all';

interface Waiter {
  readonly taker: Taker;
  readonly grant: (share: Share) => void;
  readonly refuse: () => void;
}

type Company = CompanyAccount<Waiter>;
type Key = KeyAccount<Waiter>;

/**
 * Divides what is scarce among companies, and what a company gets among its keys. What becomes free
 * goes to the company that holds least, among these to the one whose turn is longest ago, and within
 * the company likewise to one of its keys.
 */
export class Shares {
  readonly #limits: ShareLimits;
  readonly #refusal: (taker: Taker) => Error;
  readonly #companies = new AccountMap<Taker['company'], Company>(() => new CompanyAccount());
  readonly #waitingCompanies = new Set<Company>();
  readonly #waiters = new Set<Waiter>();
  #held = 0;
  #holders = 0;
  #grants = 0;
  #isClosed = false;

  constructor(limits: ShareLimits, refusal: (taker: Taker) => Error) {
    this.#limits = limits;
    this.#refusal = refusal;
  }

  get held(): number {
    return this.#held;
  }

  get waiting(): number {
    return this.#waiters.size;
  }

  heldBy(company: Taker['company']): number {
    return this.#companies.find(company)?.held ?? 0;
  }

  isFree(taker: Taker, amount = 1): boolean {
    const { company, key } = this.#accounts(taker);
    return !this.#isClosed && this.#fits(company, key, amount);
  }

  /** Null if it is not free. */
  tryTake(taker: Taker, amount = 1): Share | null {
    if (this.#isClosed) return null;
    const { company, key } = this.#accounts(taker);
    return this.#fits(company, key, amount) ? this.#grant(company, key, amount) : null;
  }

  /** Throws the refusal if it is not free. */
  takeNow(taker: Taker): Share {
    const share = this.tryTake(taker);
    if (!share) throw this.#refusal(taker);
    return share;
  }

  /**
   * The part that is used up if nothing of this amount can be had, even by what is held already.
   */
  shortage(taker: Taker, amount: number): Shortage | null {
    const { company, key } = this.#accounts(taker);
    const { size, ofCompany, ofKey } = this.#limits;
    if (key.held + amount > ofKey) return 'key';
    if (company.held + amount > ofCompany) return 'company';
    return this.#held + amount > size ? 'all' : null;
  }

  /** Throws the refusal if too many wait already, or once it has waited too long. */
  async take(taker: Taker, signal?: AbortSignal): Promise<Share> {
    throwIfCancelled(signal);
    const share = this.tryTake(taker);
    if (share) return share;
    if (this.#isClosed || !this.#mayWait(taker)) throw this.#refusal(taker);
    return this.#waitForTurn(taker, signal);
  }

  /** Runs `body` once it has a place, until `body` ends. */
  async run<T>(taker: Taker, body: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const share = await this.take(taker, signal);
    try {
      return await body();
    } finally {
      share.release();
    }
  }

  /** Refuses those that wait, and later ones. */
  close(): void {
    this.#isClosed = true;
    for (const waiter of [...this.#waiters]) waiter.refuse();
  }

  #accounts(taker: Taker): { company: Company; key: Key } {
    const company = this.#companies.account(taker.company);
    return { company, key: company.keys.account(taker.key) };
  }

  #mayWait(taker: Taker): boolean {
    const { waiting } = this.#limits;
    if (waiting === null) return false;
    const { company, key } = this.#accounts(taker);
    return (
      this.#waiters.size < waiting.size &&
      company.waiting < waiting.ofCompany &&
      key.waiting.size < waiting.ofKey
    );
  }

  #waitForTurn(taker: Taker, signal: AbortSignal | undefined): Promise<Share> {
    const maxMs = this.#limits.waiting?.ms ?? null;
    return new Promise((resolve, reject) => {
      const stopWaiting = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', cancel);
        this.#removeWaiter(waiter);
      };

      const giveUp = (error: Error): void => {
        stopWaiting();
        reject(error);
        // An equal part of the others may be larger now.
        this.#grantNext();
      };

      const waiter: Waiter = {
        taker,
        grant: (share) => {
          stopWaiting();
          resolve(share);
        },
        refuse: () => giveUp(this.#refusal(taker)),
      };

      const cancel = (): void => giveUp(new CancelledError());

      const timer = maxMs === null ? undefined : setTimeout(waiter.refuse, maxMs);
      signal?.addEventListener('abort', cancel, { once: true });
      this.#addWaiter(waiter);
    });
  }

  #addWaiter(waiter: Waiter): void {
    const { company, key } = this.#accounts(waiter.taker);
    key.waiting.add(waiter);
    company.waiting++;
    this.#waitingCompanies.add(company);
    this.#waiters.add(waiter);
  }

  #removeWaiter(waiter: Waiter): void {
    const { company, key } = this.#accounts(waiter.taker);
    key.waiting.delete(waiter);
    company.waiting--;
    if (company.waiting === 0) this.#waitingCompanies.delete(company);
    this.#waiters.delete(waiter);
  }

  #fits(
    company: Company,
    key: Key,
    amount: number,
    mostOfCompany = this.#mostOf(company),
  ): boolean {
    const { size, ofKey } = this.#limits;
    return (
      this.#held + amount <= size &&
      key.held + amount <= ofKey &&
      company.held + amount <= mostOfCompany
    );
  }

  /** The most that the company may hold now. */
  #mostOf(company: Company): number {
    const { size, ofCompany, lasts } = this.#limits;
    if (!lasts) return ofCompany;
    const others = this.#otherCompanies(company);
    if (others === 0 || company.held === 0) return ofCompany;
    return Math.min(ofCompany, Math.floor(size / (others + 1)));
  }

  /** Other companies that hold some or wait. */
  #otherCompanies(company: Company): number {
    let others = company.held > 0 ? this.#holders - 1 : this.#holders;
    for (const each of this.#waitingCompanies) if (each !== company && each.held === 0) others++;
    return others;
  }

  #grant(company: Company, key: Key, amount: number): Share {
    this.#grants++;
    for (const account of [company, key]) account.latestGrant = this.#grants;
    this.#add(company, key, amount);

    let shareAmount = amount;
    return {
      grow: (more) => {
        if (!this.#fits(company, key, more, this.#limits.ofCompany)) return false;
        this.#add(company, key, more);
        shareAmount += more;
        return true;
      },
      release: () => {
        this.#add(company, key, -shareAmount);
        this.#grantNext();
      },
    };
  }

  #add(company: Company, key: Key, amount: number): void {
    if (company.held === 0) this.#holders++;
    this.#held += amount;
    for (const account of [company, key]) account.held += amount;
    if (company.held === 0) this.#holders--;
  }

  #grantNext(): void {
    for (;;) {
      const company = nextInTurn(this.#waitingCompanies, (each) => this.#nextKey(each) !== null);
      const key = company && this.#nextKey(company);
      if (!company || !key) return;
      const [waiter] = key.waiting;
      waiter?.grant(this.#grant(company, key, 1));
    }
  }

  /** Null if none of its keys waits for something that it may have now. */
  #nextKey(company: Company): Key | null {
    return nextInTurn(company.keys, (key) => key.waiting.size > 0 && this.#fits(company, key, 1));
  }
}
