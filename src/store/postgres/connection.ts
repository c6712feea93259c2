import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';
import type { QueryResult as Answer, Client, ClientBase, QueryConfig, QueryResultRow } from 'pg';
import { companyAskedFor } from '../confined.ts';
import { checkParameters } from '../parameters.ts';
import { queryLed } from './led-query.ts';
import { actFor, type Owner } from './row-security.ts';

/** Names under which the server keeps the plans of queries that come again, the same on every connection. */
const planNames = new Map<string, string>();
/** The shapes in daily use are far fewer. */
const PLANS_KEPT = 200;

/** How often other queries came, by their text: a plan over the months of readings costs more than its query. */
const timesAsked = new Map<string, number>();
const TEXTS_COUNTED = 1_000;
/** From this time on a plan is kept. */
const TIMES_TO_KEEP = 2;

function planName(sql: string): string | undefined {
  const known = planNames.get(sql);
  if (known !== undefined || planNames.size >= PLANS_KEPT) return known;
  const times = (timesAsked.get(sql) ?? 0) + 1;
  if (times < TIMES_TO_KEEP) {
    if (timesAsked.size >= TEXTS_COUNTED) timesAsked.clear();
    timesAsked.set(sql, times);
    return undefined;
  }
  timesAsked.delete(sql);
  const name = `acequia_${planNames.size}`;
  planNames.set(sql, name);
  return name;
}

/**
 * One connection within its transaction, as Kysely sees it. What is asked at once is run one after the other, and nothing
 * once one has failed. Each query waits for the answer to the one before, or, where `isPipelined`, is sent right behind it.
 */
export class PostgresConnection implements DatabaseConnection {
  readonly client: ClientBase;
  readonly #isPipelined: boolean;
  /** What is to be run before the next query, and goes with it. */
  #lead: readonly string[] = [];
  #last: Promise<unknown> = Promise.resolve();
  #actingFor: Owner;
  #cursors = 0;
  #failure: unknown;
  #hasEnded = false;

  constructor(client: ClientBase, actingFor: Owner, isPipelined = false) {
    this.client = client;
    this.#actingFor = actingFor;
    this.#isPipelined = isPipelined;
  }

  /** What the first statement failed with: the server keeps nothing of the transaction from there on. */
  get failure(): unknown {
    return this.#failure;
  }

  /**
   * Begins the transaction by these statements, which go with the first query; where none is asked for in this turn of the
   * event loop, by themselves.
   */
  beginWith(lead: readonly string[]): void {
    this.#lead = lead;
    process.nextTick(() => {
      // Whoever asks next, or ends it, hears how that went.
      this.#sendLead().catch(() => undefined);
    });
  }

  /** Waits for what is being asked; what was to follow is not asked any more, here or after the transaction. */
  async end(): Promise<void> {
    const last = this.#hasEnded ? this.#last : this.#sendLead();
    this.#hasEnded = true;
    await last.catch(() => undefined);
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { sql, parameters } = query;
    checkParameters(parameters);
    const asked = { text: sql, values: [...parameters], name: planName(sql) };
    const { rows, rowCount, command } = await this.#ask<R & object>(companyAskedFor(query) ?? 'all', asked);
    // Of a select the count tells nothing that its rows do not.
    return { rows, ...(command !== 'SELECT' && rowCount !== null && { numAffectedRows: BigInt(rowCount) }) };
  }

  /**
   * Rows as they are read, `chunkSize` at a time. The cursor is the server's own, so that other queries can be run in
   * between.
   */
  async *streamQuery<R>(query: CompiledQuery, chunkSize = 1): AsyncIterableIterator<QueryResult<R>> {
    checkParameters(query.parameters);
    const owner = companyAskedFor(query) ?? 'all';
    const cursor = `acequia_cursor_${++this.#cursors}`;
    const ask = (text: string, values: readonly unknown[] = []) =>
      this.#ask<R & object>(owner, { text, values: [...values] });
    await ask(`declare ${cursor} no scroll cursor for ${query.sql}`, query.parameters);
    try {
      for (;;) {
        const { rows } = await ask(`fetch ${chunkSize} from ${cursor}`);
        if (rows.length > 0) yield { rows };
        if (rows.length < chunkSize) return;
      }
    } finally {
      if (this.#failure === undefined && !this.#hasEnded) await ask(`close ${cursor}`);
    }
  }

  /** Statements of our own, beside Kysely's, where nothing is pipelined; `owner` is who the rows must belong to. */
  asking<T>(owner: Owner, ask: (client: ClientBase) => Promise<T>): Promise<T> {
    return this.#inOrder(owner, async (lead) => {
      if (lead.length > 0) await this.client.query(lead.join('; '));
      return ask(this.client);
    });
  }

  #ask<R extends QueryResultRow>(owner: Owner, query: QueryConfig): Promise<Answer<R>> {
    return this.#inOrder(owner, (lead) =>
      lead.length === 0 ? this.client.query<R>(query) : queryLed<R>(this.client, lead, query),
    );
  }

  /** What is still to be run before the next query, with one that asks for nothing. */
  #sendLead(): Promise<unknown> {
    return this.#lead.length > 0 ? this.#ask(this.#actingFor, { text: 'select 1' }) : this.#last;
  }

  #inOrder<T>(owner: Owner, ask: (lead: readonly string[]) => Promise<T>): Promise<T> {
    const asked = this.#behind(this.#last, owner, ask);
    this.#last = asked;
    return asked;
  }

  async #behind<T>(before: Promise<unknown>, owner: Owner, ask: (lead: readonly string[]) => Promise<T>): Promise<T> {
    if (!this.#isPipelined) await before.catch(() => undefined);
    if (this.#failure !== undefined) throw endedBy(this.#failure);
    try {
      if (this.#hasEnded) throw new Error('The transaction has ended; its handle serves no longer');
      if (this.#isPipelined) gather(this.client);
      const sent = ask(this.#leadFor(owner));
      // An answer counts where all those before it do: a transaction that was not begun would let it pass.
      sent.catch(() => undefined);
      await before;
      return await sent;
    } catch (error) {
      if (this.#failure !== undefined) throw endedBy(this.#failure);
      this.#failure = error;
      throw error;
    }
  }

  #leadFor(owner: Owner): readonly string[] {
    const lead = owner === this.#actingFor ? this.#lead : [...this.#lead, actFor(owner)];
    this.#lead = [];
    this.#actingFor = owner;
    return lead;
  }
}

/** What is sent in this turn of the event loop goes out as one. */
function gather(client: ClientBase): void {
  const { stream } = (client as Client).connection;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

const endedBy = (failure: unknown): Error =>
  new Error('The transaction has ended by an earlier failure', { cause: failure });
