import {
  type ConnectionProvider,
  DefaultQueryExecutor,
  type Dialect,
  DummyDriver,
  type Kysely,
  type QueryExecutor,
  SqliteAdapter,
  SqliteQueryCompiler,
  Transaction,
} from 'kysely';

/** SQLite as handles need it: queries run on what their executor provides, and nobody asks for the list of tables. */
const dialect: Dialect = {
  createDriver: () => new DummyDriver(),
  createQueryCompiler: () => new SqliteQueryCompiler(),
  createAdapter: () => new SqliteAdapter(),
  createIntrospector: () => {
    // Kysely's own would bring all of its migration code along with it.
    throw new Error('A handle does not list tables');
  },
};

/** A handle whose queries go through `executor`; it begins no transaction, it stands in one. */
export const handleThrough = <T>(executor: QueryExecutor): Kysely<T> =>
  new Transaction<T>({ config: { dialect }, dialect, driver: new DummyDriver(), executor });

// One for all transactions: each query is compiled in one go, from the beginning, and to make a compiler costs as much.
const compiler = dialect.createQueryCompiler();
const adapter = dialect.createAdapter();

/** Compiles queries for SQLite and runs them on what `provider` gives. */
export const sqliteExecutor = (provider: ConnectionProvider): QueryExecutor =>
  new DefaultQueryExecutor(compiler, adapter, provider);
