import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';
import type { ClientBase } from 'pg';
import { companyAskedFor } from '../confined.ts';
import { Mutex } from '../mutex.ts';
import { checkParameters } from '../parameters.ts';
import { actFor, type Owner } from './row-security.ts';

/** Names under which the server keeps the plans of queries that come again, the same on every connection. */
const planNames = new Map<string, string>();
/** The shapes in daily use are far fewer. */
const PLANS_KEPT = 200;

/** How often other queries came, by their text: a plan over the months of readings costs more than its query. */
const timesAsked = new Map<string, number>();
const TEXTS_COUNTED = 1_000;
/** From this time on a plan is kept. */
const TIMES_TO_KEEP = 3;

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

/** One connection within its transaction, as Kysely sees it. What is asked at once is asked one after the other. */
export class PostgresConnection implements DatabaseConnection {
  readonly client: ClientBase;
  readonly #turn = new Mutex();
  #actingFor: Owner;
  #cursors = 0;
  #failure: unknown;
  #hasEnded = false;

  constructor(client: ClientBase, actingFor: Owner) {
    this.client = client;
    this.#actingFor = actingFor;
  }

  /** What the first statement failed with: the server keeps nothing of the transaction from there on. */
  get failure(): unknown {
    return this.#failure;
  }

  /** Waits for what is being asked; what was to follow is not asked any more, here or after the transaction. */
  async end(): Promise<void> {
    this.#hasEnded = true;
    await this.#turn.lock();
    this.#turn.unlock();
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { sql, parameters } = query;
    checkParameters(parameters);
    return this.#asking(companyAskedFor(query) ?? 'all', async () => {
      const name = planName(sql);
      const { rows, rowCount, command } = await this.client.query({ text: sql, values: [...parameters], name });
      // Of a select the count tells nothing that its rows do not.
      return { rows, ...(command !== 'SELECT' && rowCount !== null && { numAffectedRows: BigInt(rowCount) }) };
    });
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
      this.#asking(owner, () => this.client.query<R & object>(text, [...values]));
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

  /** Statements of our own, beside Kysely's; `owner` is who the rows must belong to. */
  asking<T>(owner: Owner, ask: (client: ClientBase) => Promise<T>): Promise<T> {
    return this.#asking(owner, () => ask(this.client));
  }

  async #asking<T>(owner: Owner, ask: () => Promise<T>): Promise<T> {
    await this.#turn.lock();
    try {
      if (this.#hasEnded) throw new Error('The transaction has ended; its handle serves no longer');
      if (this.#failure !== undefined)
        throw new Error('The transaction has ended by an earlier failure', { cause: this.#failure });
      if (owner !== this.#actingFor) {
        await this.client.query(actFor(owner));
        this.#actingFor = owner;
      }
      return await ask();
    } catch (error) {
      this.#failure ??= error;
      throw error;
    } finally {
      this.#turn.unlock();
    }
  }
}
