import {
  type CompiledQuery,
  type DatabaseConnection,
  DefaultQueryExecutor,
  type QueryResult,
  SqliteAdapter,
  SqliteQueryCompiler,
} from 'kysely';

// One for all transactions: each query is compiled in one go, from the beginning, and to make a compiler costs as much.
const compiler = new SqliteQueryCompiler();
const adapter = new SqliteAdapter();

/**
 * Compiles queries for SQLite and runs them on a connection until the transaction on it has ended. Unlike Kysely's own
 * transaction this one lets a query run while another is streamed, instead of waiting for ever.
 */
export class SqliteExecutor extends DefaultQueryExecutor {
  #connection: DatabaseConnection | null;

  constructor(connection: DatabaseConnection) {
    super(compiler, adapter, { provideConnection: async (consumer) => consumer(this.#open()) });
    this.#connection = connection;
  }

  /** At once: without a plugin nothing stands between a query and the connection. */
  override executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return this.#connection ? this.#connection.executeQuery<R>(query) : Promise.reject(transactionEndedError());
  }

  end(): void {
    this.#connection = null;
  }

  #open(): DatabaseConnection {
    if (!this.#connection) throw transactionEndedError();
    return this.#connection;
  }
}

const transactionEndedError = (): Error => new Error('The transaction has ended; its handle serves no longer');
