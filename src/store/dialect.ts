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

/** Compiles queries for SQLite and runs them on what `provider` gives. */
export const sqliteExecutor = (provider: ConnectionProvider): QueryExecutor =>
  new DefaultQueryExecutor(dialect.createQueryCompiler(), dialect.createAdapter(), provider);
