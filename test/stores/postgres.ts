import { inject } from 'vitest';
import { queryOnce } from './postgres-server.ts';

interface TestServer {
  readonly url: string;
  readonly adminUrl: string;
}

export async function postgresServer(): Promise<TestServer | null> {
  const answer = await fetch(`${inject('postgresBroker')}/server`);
  if (answer.status === 503) return null;
  return bodyOf(answer);
}

/** Tests of this project are skipped if there is no PostgreSQL. */
export const isPostgresProject = process.env.ACEQUIA_TEST_STORE === 'postgres';
export const lacksPostgres = isPostgresProject && (await postgresServer()) === null;

export interface TestDatabase {
  readonly db: string;
  remove(): Promise<void>;
}

export const emptyStore = (): Promise<TestDatabase> => databaseAt('/empty-store');

export const newDatabase = (what: 'nothing' | 'tables'): Promise<TestDatabase> =>
  databaseAt(`/new/${what}`);

export const copyOfDatabase = (db: string): Promise<TestDatabase> =>
  databaseAt(`/copy?db=${encodeURIComponent(db)}`);

/** Connections that are open keep what they had, as those to a former primary do. */
export const setReadOnly = (db: string, value: 'on' | 'off'): Promise<unknown> => {
  const other = Object.assign(new URL(db), { pathname: '/postgres' }).href;
  const name = new URL(db).pathname.slice(1);
  return queryOnce(other, `alter database ${name} set default_transaction_read_only = ${value}`);
};

async function databaseAt(path: string): Promise<TestDatabase> {
  const { db } = await bodyOf<{ db: string }>(await fetch(`${inject('postgresBroker')}${path}`));
  return {
    db,
    remove: async () => {
      await bodyOf(await fetch(`${inject('postgresBroker')}/take?db=${encodeURIComponent(db)}`));
    },
  };
}

async function bodyOf<T>(answer: Response): Promise<T> {
  if (!answer.ok) throw new Error(((await answer.json()) as { reason: string }).reason);
  return (await answer.json()) as T;
}
