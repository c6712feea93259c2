/** The amount that a company or a key holds, and when its turn was. */
class Account {
  held = 0;
  /** The number of its latest grant among all; 0 before the first one. */
  latestGrant = 0;
}

export class KeyAccount<Waiter> extends Account {
  /** In order of arrival. */
  readonly waiting = new Set<Waiter>();

  get isIdle(): boolean {
    return this.held === 0 && this.waiting.size === 0;
  }
}

export class CompanyAccount<Waiter> extends Account {
  /** In all keys. */
  waiting = 0;
  readonly keys = new AccountMap<string, KeyAccount<Waiter>>(() => new KeyAccount());

  get isIdle(): boolean {
    return this.held === 0 && this.waiting === 0;
  }
}

/** Beyond this number idle accounts are deleted, and later get a turn as new ones do. */
const MAX_ACCOUNTS = 1_000;

export class AccountMap<Name, A extends { readonly isIdle: boolean }> {
  readonly #accounts = new Map<Name, A>();
  readonly #create: () => A;

  constructor(create: () => A) {
    this.#create = create;
  }

  [Symbol.iterator](): Iterator<A> {
    return this.#accounts.values();
  }

  find(name: Name): A | undefined {
    return this.#accounts.get(name);
  }

  account(name: Name): A {
    const known = this.#accounts.get(name);
    if (known) return known;

    if (this.#accounts.size >= MAX_ACCOUNTS) this.#forgetIdle();
    const account = this.#create();
    this.#accounts.set(name, account);
    return account;
  }

  #forgetIdle(): void {
    for (const [name, { isIdle }] of this.#accounts) if (isIdle) this.#accounts.delete(name);
  }
}

/**
 * The eligible account that holds least, and of several the one whose turn was longest ago; null
 * without an eligible account.
 */
export function nextInTurn<A extends Account>(
  accounts: Iterable<A>,
  isEligible: (account: A) => boolean,
): A | null {
  let next: A | null = null;
  for (const account of accounts) {
    if (!isEligible(account)) continue;
    const isBefore =
      next === null ||
      account.held < next.held ||
      (account.held === next.held && account.latestGrant < next.latestGrant);
    if (isBefore) next = account;
  }
  return next;
}
