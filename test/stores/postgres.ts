import { inject } from 'vitest';

/** Where the run's PostgreSQL is. */
export interface TestServer {
  /** The database `postgres`, for an ordinary role that may make databases. */
  readonly url: string;
  /** The same for a superuser, where the run has brought its own server. */
  readonly adminUrl: string;
}

/** The run's PostgreSQL, started by the first who calls this; null if it cannot be started, which the run reports. */
export async function postgresServer(): Promise<TestServer | null> {
  const answer = await fetch(`${inject('postgresDoor')}/server`);
  if (answer.status === 503) return null;
  return bodyOf(answer);
}

/** Whether these tests belong on PostgreSQL, and whether there is none: then they are skipped. */
export const isPostgresProject = process.env.ACEQUIA_TEST_STORE === 'postgres';
export const lacksPostgres = isPostgresProject && (await postgresServer()) === null;

/** A database of one test, by its URL. */
export interface TestDatabase {
  readonly db: string;
  /** Drops it, or empties it for the next test. */
  remove(): Promise<void>;
}

/** The tables of a store without any row. */
export const emptyStore = (): Promise<TestDatabase> => databaseAt('/empty-store');

/** A database that no other test had, with nothing in it or with the tables of a store. */
export const newDatabase = (what: 'nothing' | 'tables'): Promise<TestDatabase> => databaseAt(`/new/${what}`);

/** A copy of a database that nobody has open. */
export const copyOfDatabase = (db: string): Promise<TestDatabase> => databaseAt(`/copy?db=${encodeURIComponent(db)}`);

async function databaseAt(path: string): Promise<TestDatabase> {
  const { db } = await bodyOf<{ db: string }>(await fetch(`${inject('postgresDoor')}${path}`));
  return {
    db,
    remove: async () => {
      await bodyOf(await fetch(`${inject('postgresDoor')}/take?db=${encodeURIComponent(db)}`));
    },
  };
}

async function bodyOf<T>(answer: Response): Promise<T> {
  if (!answer.ok) throw new Error(((await answer.json()) as { reason: string }).reason);
  return (await answer.json()) as T;
}
