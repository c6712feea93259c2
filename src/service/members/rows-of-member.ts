import { keysOf } from '../../domain/records.ts';
import { COMPANY_TABLES, type CompanyTableName } from '../../schema/tables/index.ts';
import type { Table } from '../../schema/tables/table.ts';
import type { CompanyDb } from '../../store/tables.ts';

/** Of their own tables `SECRET_COLUMNS` are never shown; the others stay with the company. */
const ACCESS_TABLES: readonly string[] = ['users', 'sessions', 'api_keys', 'erasures'];
const MESSAGE_TABLES: readonly string[] = ['outbox', 'recent_deliveries'];

export interface MemberTable {
  readonly name: CompanyTableName;
  readonly key: readonly string[];
  /** The column with the id of the member. */
  readonly memberColumn: 'user_id' | 'created_by';
}

/** The tables whose rows name a member, and stay when the member is erased. */
export const MEMBER_TABLES: readonly MemberTable[] = keysOf(COMPANY_TABLES).flatMap((name) => {
  const { columns, key }: Table = COMPANY_TABLES[name];
  if (ACCESS_TABLES.includes(name) || MESSAGE_TABLES.includes(name)) return [];
  const memberColumn = (['user_id', 'created_by'] as const).find((column) => column in columns);
  return memberColumn === undefined ? [] : [{ name, key, memberColumn }];
});

/** Kysely cannot infer columns from a generic name: 'rain' represents any of these tables. */
const rowsNaming = (db: CompanyDb, { name, memberColumn }: MemberTable, userId: number) =>
  db.selectFrom(name as 'rain').where(memberColumn as 'created_by', '=', userId);

/** How many rows of each table name the member. */
export async function memberRowCounts(
  db: CompanyDb,
  userId: number,
): Promise<{ readonly table: string; readonly rows: number }[]> {
  const counts = [];
  for (const table of MEMBER_TABLES) {
    const { count } = await rowsNaming(db, table, userId)
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    if (Number(count) > 0) counts.push({ table: table.name, rows: Number(count) });
  }
  return counts;
}

export async function* memberRows(
  db: CompanyDb,
  table: MemberTable,
  userId: number,
): AsyncGenerator<Readonly<Record<string, unknown>>, void> {
  let query = rowsNaming(db, table, userId).selectAll();
  for (const column of table.key) query = query.orderBy(column as 'id');
  yield* query.stream(ROWS_PER_READ);
}

const ROWS_PER_READ = 500;
