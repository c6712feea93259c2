import {
  type ConnectionProvider,
  DefaultQueryExecutor,
  type QueryExecutor,
  SqliteAdapter,
  SqliteQueryCompiler,
} from 'kysely';

// One for all transactions: each query is compiled in one go, from the beginning, and to make a compiler costs as much.
const compiler = new SqliteQueryCompiler();
const adapter = new SqliteAdapter();

/** Compiles queries for SQLite and runs them on what `provider` gives. */
export const sqliteExecutor = (provider: ConnectionProvider): QueryExecutor =>
  new DefaultQueryExecutor(compiler, adapter, provider);
