import { DatabaseSync } from '@photostructure/sqlite';
import { CompiledQuery, type QueryResult } from 'kysely';
import { vi } from 'vitest';
import { PostgresConnection } from '../../src/store/postgres/connection.ts';
import { SqliteConnection } from '../../src/store/sqlite/connection.ts';
import type { Store } from '../../src/store/store.ts';
import { isOnPostgres } from './stores.ts';

interface StatementRows {
  readonly sql: string;
  /** Also those that a condition then left out. */
  readonly rowsRead: number;
  readonly rowsReturned: number;
}

interface OpenStore {
  readonly store: Store;
  readonly db: string;
}

type Statement = Pick<CompiledQuery, 'sql' | 'parameters'>;
type RunStatement = Statement & Pick<StatementRows, 'rowsReturned'>;

/**
 * The statements that `body` runs, with the rows that each select reads of the tables as they are
 * afterwards.
 */
export async function rowsReadBy(
  { store, db }: OpenStore,
  body: () => Promise<unknown>,
): Promise<StatementRows[]> {
  const statements = await statementsOf(body);

  const count = isOnPostgres ? countOnPostgres(store) : countOnSqlite(db);
  const counted: StatementRows[] = [];
  for (const statement of statements)
    counted.push({
      sql: statement.sql,
      rowsReturned: statement.rowsReturned,
      rowsRead: /^select/i.test(statement.sql) ? await count(statement) : 0,
    });
  return counted;
}

async function statementsOf(body: () => Promise<unknown>): Promise<RunStatement[]> {
  const connections = [SqliteConnection.prototype, PostgresConnection.prototype];
  const spies = connections.map((connection) => vi.spyOn(connection, 'executeQuery'));
  await body();
  const statements: RunStatement[] = [];
  for (const { mock } of spies)
    for (const [index, [{ sql, parameters }]] of mock.calls.entries()) {
      const { rows } = await (mock.results[index]!.value as Promise<QueryResult<unknown>>);
      statements.push({ sql, parameters, rowsReturned: rows.length });
    }
  for (const spy of spies) spy.mockRestore();
  return statements;
}

type CountRows = (statement: Statement) => Promise<number>;

/**
 * Temporary views hide the tables and call a function for each row that SQLite takes from a table
 * or an index.
 */
function countOnSqlite(db: string): CountRows {
  return async ({ sql, parameters }) => {
    const database = new DatabaseSync(db, { readOnly: true });
    let count = 0;
    database.function('count_row', { varargs: true }, () => {
      count += 1;
      return 1;
    });
    const tables = database
      .prepare("select name from sqlite_schema where type = 'table'")
      .all() as { name: string }[];
    for (const { name } of tables) {
      if (name.startsWith('sqlite_')) continue;
      const [first] = database.prepare(`select name from pragma_table_info('${name}')`).all() as {
        name: string;
      }[];
      database.exec(
        `create temp view ${name} as select * from main.${name} where count_row(${first!.name})`,
      );
    }
    database.prepare(sql).all(...(parameters as never[]));
    database.close();
    return count;
  };
}

interface PlanNode {
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly 'Relation Name'?: string;
  readonly Plans?: readonly PlanNode[];
}

function rowsOfPlan(node: PlanNode): number {
  const removed =
    (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  const own =
    node['Relation Name'] === undefined
      ? 0
      : (node['Actual Rows'] + removed) * node['Actual Loops'];
  return (node.Plans ?? []).reduce((sum, part) => sum + rowsOfPlan(part), own);
}

const countOnPostgres =
  (store: Store): CountRows =>
  ({ sql, parameters }) =>
    store.readAll(async (all) => {
      const explained = CompiledQuery.raw(`explain (analyze, timing off, format json) ${sql}`, [
        ...parameters,
      ]);
      const { rows } = await all.executeQuery<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(explained);
      return rowsOfPlan(rows[0]!['QUERY PLAN'][0].Plan);
    });
