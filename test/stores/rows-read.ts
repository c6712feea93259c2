import { DatabaseSync } from '@photostructure/sqlite';
import type { CompiledQuery, QueryResult } from 'kysely';
import pg from 'pg';
import { vi } from 'vitest';
import { PostgresConnection } from '../../src/store/postgres/connection.ts';
import { companyIdOfQuery } from '../../src/store/scope/company-db.ts';
import { SqliteConnection } from '../../src/store/sqlite/connection.ts';
import { isOnPostgres } from './stores.ts';

interface StatementRows {
  readonly sql: string;
  /** Includes rows that a condition then left out. */
  readonly rowsRead: number;
  readonly rowsReturned: number;
}

type Statement = Pick<CompiledQuery, 'sql' | 'parameters'>;
type RunStatement = Statement & Pick<StatementRows, 'rowsReturned'>;

const isSelect = ({ sql }: Statement): boolean => /^select/i.test(sql);

/**
 * The statements that `body` runs, with the rows that each select reads: on PostgreSQL when it
 * runs, by the plan of its session; on SQLite of the tables as they are afterwards.
 */
export async function rowsReadBy(
  { db }: { readonly db: string },
  body: () => Promise<unknown>,
): Promise<StatementRows[]> {
  if (isOnPostgres) return rowsReadOnPostgres(body);

  return (await statementsOnSqlite(body)).map((statement) => ({
    sql: statement.sql,
    rowsReturned: statement.rowsReturned,
    rowsRead: isSelect(statement) ? countOnSqlite(db, statement) : 0,
  }));
}

async function statementsOnSqlite(body: () => Promise<unknown>): Promise<RunStatement[]> {
  const spy = vi.spyOn(SqliteConnection.prototype, 'executeQuery');
  await body();
  const statements: RunStatement[] = [];
  for (const [index, [{ sql, parameters }]] of spy.mock.calls.entries()) {
    const { rows } = await (spy.mock.results[index]!.value as Promise<QueryResult<unknown>>);
    statements.push({ sql, parameters, rowsReturned: rows.length });
  }
  spy.mockRestore();
  return statements;
}

/**
 * Temporary views hide the tables and call a function for each row that SQLite takes from a table
 * or an index.
 */
function countOnSqlite(db: string, { sql, parameters }: Statement): number {
  const database = new DatabaseSync(db, { readOnly: true });
  let count = 0;
  database.function('count_row', { varargs: true }, () => {
    count += 1;
    return 1;
  });
  const tables = database.prepare("select name from sqlite_schema where type = 'table'").all() as {
    name: string;
  }[];
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

async function rowsReadOnPostgres(body: () => Promise<unknown>): Promise<StatementRows[]> {
  const counted: StatementRows[] = [];
  const { executeQuery } = PostgresConnection.prototype;
  const spy = vi.spyOn(PostgresConnection.prototype, 'executeQuery');
  spy.mockImplementation(async function (this: PostgresConnection, query: CompiledQuery) {
    const result = await executeQuery.call(this, query);
    const rowsRead = isSelect(query) ? await countInSession(this, query) : 0;
    counted.push({ sql: query.sql, rowsReturned: result.rows.length, rowsRead });
    return result as never;
  });
  await body().finally(() => spy.mockRestore());
  return counted;
}

let statementCount = 0;

/** Settings of the session decide whether a prepared statement is planned without its values. */
async function countInSession(session: PostgresConnection, query: CompiledQuery): Promise<number> {
  const rowScope = companyIdOfQuery(query) ?? 'all';
  statementCount++;
  const name = `counted_${statementCount}`;
  const values = query.parameters.map(literal).join(', ');

  await session.query(rowScope, { text: `prepare ${name} as ${query.sql}` });
  const { rows } = await session.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(rowScope, {
    text: `explain (analyze, timing off, format json) execute ${name}${values && ` (${values})`}`,
  });
  await session.query(rowScope, { text: `deallocate ${name}` });

  return rowsOfPlan(rows[0]!['QUERY PLAN'][0].Plan);
}

function literal(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  const text = Array.isArray(value) ? `{${value.map((item) => JSON.stringify(item))}}` : value;
  return pg.escapeLiteral(String(text));
}
