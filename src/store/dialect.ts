import {
  type Dialect,
  DummyDriver,
  type Kysely,
  type QueryExecutor,
  SqliteAdapter,
  SqliteQueryCompiler,
  Transaction,
} from 'kysely';

/** What a handle is made with and never asks: its executor compiles its queries and runs them, for either database. */
const dialect: Dialect = {
  createDriver: () => new DummyDriver(),
  createQueryCompiler: () => new SqliteQueryCompiler(),
  createAdapter: () => new SqliteAdapter(),
  createIntrospector: () => {
    // Kysely's own would bring all of its migration code along with it.
    throw new Error('A handle does not list tables');
  },
};

const driver = new DummyDriver();
const config = { dialect };

/** A handle whose queries go through `executor`; it begins no transaction, it stands in one. */
export const databaseOn = <T>(executor: QueryExecutor): Kysely<T> =>
  new Transaction<T>({ config, dialect, driver, executor });
