import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';
import type { QueryResult as Answer, Client, ClientBase, QueryConfig, QueryResultRow } from 'pg';
import { companyAskedFor } from '../confined.ts';
import { checkParameters } from '../parameters.ts';
import { TransactionEnded } from './failures.ts';
import { type Lead, queryLed } from './led-query.ts';
import { actFor, type Owner, SAID_FOR_WHOM } from './row-security.ts';

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

const NONE: Lead = { statements: [] };

const onlyReads = ({ text }: QueryConfig): boolean => /^select\b/i.test(text);

/**
 * One connection within its transaction, as Kysely sees it. What is asked at once is sent at once and run one after the
 * other, and nothing is once one has failed.
 */
export class PostgresConnection implements DatabaseConnection {
  readonly client: ClientBase;
  /** What is to be run before the next query, and goes with it. */
  #lead: Lead = NONE;
  #last: Promise<unknown> = Promise.resolve();
  #actingFor: Owner;
  #cursors = 0;
  #failure: unknown;
  /** Whether the server has not answered yet to what the transaction begins with. */
  #isBeginning = false;
  #hasEnded = false;

  /** `client` sends its queries without waiting for the answers before. */
  constructor(client: ClientBase, actingFor: Owner) {
    this.client = client;
    this.#actingFor = actingFor;
  }

  /** What the first statement failed with: the server keeps nothing of the transaction from there on. */
  get failure(): unknown {
    return this.#failure;
  }

  /**
   * Begins the transaction by these statements, which go with the first query; where none is asked for in this turn of the
   * event loop, by themselves.
   */
  beginWith(lead: Lead): void {
    this.#lead = lead;
    this.#isBeginning = true;
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
    const { rows, rowCount, command } = await this.ask<R & object>(companyAskedFor(query) ?? 'all', asked);
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
      this.ask<R & object>(owner, { text, values: [...values] });
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

  /** A statement of our own, beside Kysely's; `owner` is who the rows must belong to. */
  ask<R extends QueryResultRow>(owner: Owner, query: QueryConfig): Promise<Answer<R>> {
    const asked = this.#behind<R>(this.#last, owner, query);
    this.#last = asked;
    return asked;
  }

  /** What is still to be run before the next query, with one that asks for nothing. */
  #sendLead(): Promise<unknown> {
    return this.#lead.statements.length > 0 ? this.ask(this.#actingFor, { text: 'select 1' }) : this.#last;
  }

  async #behind<R extends QueryResultRow>(
    before: Promise<unknown>,
    owner: Owner,
    query: QueryConfig,
  ): Promise<Answer<R>> {
    if (this.#failure !== undefined) throw new TransactionEnded(this.#failure);
    try {
      if (this.#hasEnded) throw new Error('The transaction has ended; its handle serves no longer');
      gather(this.client);
      const lead = this.#leadFor(owner, query);
      const sent = lead.statements.length === 0 ? this.client.query<R>(query) : queryLed<R>(this.client, lead, query);
      // An answer counts where all those before it do: a transaction that was not begun would let it pass.
      sent.catch(() => undefined);
      await before;
      const answer = await sent;
      this.#isBeginning = false;
      return answer;
    } catch (error) {
      if (this.#failure !== undefined) throw new TransactionEnded(this.#failure);
      this.#failure = error;
      throw error;
    }
  }

  #leadFor(owner: Owner, query: QueryConfig): Lead {
    const lead = this.#lead.statements.length === 0 ? this.#guarding(query) : this.#lead;
    this.#lead = NONE;
    if (owner === this.#actingFor) return lead;
    this.#actingFor = owner;
    return { ...lead, statements: [...lead.statements, actFor(owner)] };
  }

  /** What is sent right behind a beginning that fails would be run without a transaction, and kept. */
  #guarding(query: QueryConfig): Lead {
    return this.#isBeginning && !onlyReads(query) ? { statements: [SAID_FOR_WHOM] } : NONE;
  }
}

/** What is sent in this turn of the event loop goes out as one. */
function gather(client: ClientBase): void {
  const { stream } = (client as Client).connection;
  stream.cork();
  process.nextTick(() => stream.uncork());
}
