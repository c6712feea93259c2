import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';
import type { QueryResult as Answer, Client, ClientBase, QueryConfig, QueryResultRow } from 'pg';
import { companyIdOfQuery } from '../company-db.ts';
import { checkParameters } from '../transaction-observer.ts';
import { TransactionAborted } from './failures.ts';
import { type Preamble, queryWithPreamble } from './pipelined-query.ts';
import { REQUIRE_COMPANY_SETTING, type RowScope, setCompanyStatement } from './row-security.ts';

/** Names under which the server keeps the plans of queries that come again, the same on every connection. */
const statementNames = new Map<string, string>();
/** The shapes in daily use are far fewer. */
const MAX_STATEMENTS = 200;

/** How often other queries came, by their text: a plan over the months of readings costs more than its query. */
const executionCounts = new Map<string, number>();
const MAX_COUNTED = 1_000;
/** From this time on a plan is kept. */
const EXECUTIONS_BEFORE_NAMING = 2;

function statementName(sql: string): string | undefined {
  const known = statementNames.get(sql);
  if (known !== undefined || statementNames.size >= MAX_STATEMENTS) return known;
  const times = (executionCounts.get(sql) ?? 0) + 1;
  if (times < EXECUTIONS_BEFORE_NAMING) {
    if (executionCounts.size >= MAX_COUNTED) executionCounts.clear();
    executionCounts.set(sql, times);
    return undefined;
  }
  executionCounts.delete(sql);
  const name = `acequia_${statementNames.size}`;
  statementNames.set(sql, name);
  return name;
}

const NO_PREAMBLE: Preamble = { statements: [] };

const isSelect = ({ text }: QueryConfig): boolean => /^select\b/i.test(text);

/**
 * One connection within its transaction, as Kysely sees it. What is asked at once is sent at once and run one after the
 * other, and nothing is once one has failed.
 */
export class PostgresConnection implements DatabaseConnection {
  readonly client: ClientBase;
  /** What is to be run before the next query, and goes with it. */
  #preamble: Preamble = NO_PREAMBLE;
  #lastQuery: Promise<unknown> = Promise.resolve();
  #rowScope: RowScope;
  #cursors = 0;
  #failure: unknown;
  /** Whether the server has not answered yet to what the transaction begins with. */
  #awaitsBegin = false;
  #hasEnded = false;

  /** `client` sends its queries without waiting for the answers before. */
  constructor(client: ClientBase, actingFor: RowScope) {
    this.client = client;
    this.#rowScope = actingFor;
  }

  /** What the first statement failed with: the server keeps nothing of the transaction from there on. */
  get failure(): unknown {
    return this.#failure;
  }

  /**
   * Begins the transaction by these statements, which go with the first query; where none is asked for in this turn of the
   * event loop, by themselves.
   */
  begin(lead: Preamble): void {
    this.#preamble = lead;
    this.#awaitsBegin = true;
    process.nextTick(() => {
      // Whoever asks next, or ends it, hears how that went.
      this.#sendPreamble().catch(() => undefined);
    });
  }

  /** Waits for what is being asked; what was to follow is not asked any more, here or after the transaction. */
  async end(): Promise<void> {
    const last = this.#hasEnded ? this.#lastQuery : this.#sendPreamble();
    this.#hasEnded = true;
    await last.catch(() => undefined);
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { sql, parameters } = query;
    checkParameters(parameters);
    const asked = { text: sql, values: [...parameters], name: statementName(sql) };
    const { rows, rowCount, command } = await this.query<R & object>(companyIdOfQuery(query) ?? 'all', asked);
    // Of a select the count tells nothing that its rows do not.
    return { rows, ...(command !== 'SELECT' && rowCount !== null && { numAffectedRows: BigInt(rowCount) }) };
  }

  /**
   * Rows as they are read, `chunkSize` at a time. The cursor is the server's own, so that other queries can be run in
   * between.
   */
  async *streamQuery<R>(query: CompiledQuery, chunkSize = 1): AsyncIterableIterator<QueryResult<R>> {
    checkParameters(query.parameters);
    const owner = companyIdOfQuery(query) ?? 'all';
    const cursor = `acequia_cursor_${++this.#cursors}`;
    const ask = (text: string, values: readonly unknown[] = []) =>
      this.query<R & object>(owner, { text, values: [...values] });
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
  query<R extends QueryResultRow>(owner: RowScope, query: QueryConfig): Promise<Answer<R>> {
    const asked = this.#queryAfter<R>(this.#lastQuery, owner, query);
    this.#lastQuery = asked;
    return asked;
  }

  /** What is still to be run before the next query, with one that asks for nothing. */
  #sendPreamble(): Promise<unknown> {
    return this.#preamble.statements.length > 0 ? this.query(this.#rowScope, { text: 'select 1' }) : this.#lastQuery;
  }

  async #queryAfter<R extends QueryResultRow>(
    before: Promise<unknown>,
    owner: RowScope,
    query: QueryConfig,
  ): Promise<Answer<R>> {
    if (this.#failure !== undefined) throw new TransactionAborted(this.#failure);
    try {
      if (this.#hasEnded) throw new Error('The transaction has ended; its handle serves no longer');
      corkUntilNextTick(this.client);
      const lead = this.#preambleFor(owner, query);
      const sent =
        lead.statements.length === 0 ? this.client.query<R>(query) : queryWithPreamble<R>(this.client, lead, query);
      // An answer counts where all those before it do: a transaction that was not begun would let it pass.
      sent.catch(() => undefined);
      await before;
      const answer = await sent;
      this.#awaitsBegin = false;
      return answer;
    } catch (error) {
      if (this.#failure !== undefined) throw new TransactionAborted(this.#failure);
      this.#failure = error;
      throw error;
    }
  }

  #preambleFor(owner: RowScope, query: QueryConfig): Preamble {
    const lead = this.#preamble.statements.length === 0 ? this.#guardFor(query) : this.#preamble;
    this.#preamble = NO_PREAMBLE;
    if (owner === this.#rowScope) return lead;
    this.#rowScope = owner;
    return { ...lead, statements: [...lead.statements, setCompanyStatement(owner)] };
  }

  /** What is sent right behind a beginning that fails would be run without a transaction, and kept. */
  #guardFor(query: QueryConfig): Preamble {
    return this.#awaitsBegin && !isSelect(query) ? { statements: [REQUIRE_COMPANY_SETTING] } : NO_PREAMBLE;
  }
}

/** What is sent in this turn of the event loop goes out as one. */
function corkUntilNextTick(client: ClientBase): void {
  const { stream } = (client as Client).connection;
  stream.cork();
  process.nextTick(() => stream.uncork());
}
