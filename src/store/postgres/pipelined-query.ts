import pg, { type ClientBase, type Connection, type QueryConfig, type QueryResult, type QueryResultRow } from 'pg';

/** What the driver's query is made of and its types leave out: how it is sent, and how it takes what the server answers. */
interface DriverQuery {
  name: string | undefined;
  requiresPreparation(): boolean;
  prepare(connection: Connection): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: Connection): void;
  handleError(error: unknown, connection: Connection): void;
}

type QueryCallback = (error: Error | null | undefined, result: QueryResult) => void;

const DriverQuery = pg.Query as unknown as new (
  config: QueryConfig,
  values: undefined,
  answered: QueryCallback,
) => DriverQuery;

/** Messages of the driver's connection as it takes them. */
interface ProtocolMessages {
  parse(statement: { text: string }): void;
  bind(values: object): void;
  execute(portal: object): void;
  flush(): void;
  readonly submittedNamedStatements: Record<string, string>;
}

/** Statements that are sent with the query behind them. */
export interface Preamble {
  readonly statements: readonly string[];
  /** Hears at once that they have been run, where the query behind them is still to be. */
  readonly onExecuted?: (() => void) | undefined;
}

/**
 * A query with statements before it in the same message, which the server runs one after the other: where one fails it runs
 * none of those behind it. What the first ones answer is left out.
 */
class PipelinedQuery extends DriverQuery {
  readonly #preamble: Preamble;
  #pendingStatements: number;
  #name: string | undefined;

  constructor(lead: Preamble, query: QueryConfig, answered: QueryCallback) {
    super(query, undefined, answered);
    this.#preamble = lead;
    this.#pendingStatements = lead.statements.length;
  }

  override requiresPreparation(): boolean {
    return true;
  }

  override prepare(connection: Connection): void {
    const messages = connection as unknown as ProtocolMessages;
    for (const text of this.#preamble.statements) {
      messages.parse({ text });
      messages.bind({});
      messages.execute({});
    }
    // Else the server tells of them with the answer to the query.
    if (this.#preamble.onExecuted) messages.flush();
    super.prepare(connection);
    // The driver takes the server's word that a statement is prepared for that of the query's own.
    this.#name = this.name;
    this.name = undefined;
  }

  override handleDataRow(message: unknown): void {
    if (this.#pendingStatements === 0) super.handleDataRow(message);
  }

  override handleCommandComplete(message: unknown, connection: Connection): void {
    if (this.#pendingStatements === 0) {
      super.handleCommandComplete(message, connection);
      return;
    }
    this.#pendingStatements--;
    if (this.#pendingStatements > 0) return;
    this.name = this.#name;
    this.#preamble.onExecuted?.();
  }

  override handleError(error: unknown, connection: Connection): void {
    if (this.#pendingStatements > 0 && this.#name !== undefined)
      delete (connection as unknown as ProtocolMessages).submittedNamedStatements[this.#name];
    super.handleError(error, connection);
  }
}

/** Sends a query with statements before it. */
export const queryWithPreamble = <R extends QueryResultRow>(
  client: ClientBase,
  lead: Preamble,
  query: QueryConfig,
): Promise<QueryResult<R>> =>
  new Promise((resolve, reject) => {
    const answered: QueryCallback = (error, result) => (error ? reject(error) : resolve(result as QueryResult<R>));
    client.query(new PipelinedQuery(lead, query, answered) as unknown as pg.Submittable);
  });
