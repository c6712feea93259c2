import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tables } from '../tables.ts';
import type { CopiedTable } from './tables.ts';

/** A row by its columns, whatever its table. */
export type Row = Readonly<Record<string, string | number | null>>;

/** Rows of a company in the order of their key: those after one key, up to and with another; null for no bound. */
export interface Stretch {
  /** Null in the table of the companies. */
  readonly companyId: number | null;
  readonly after: Row | null;
  readonly upTo: Row | null;
}

/** A stretch with all of its rows. */
export interface FilledStretch extends Stretch {
  readonly rows: readonly Row[];
}

/** Every row of a table, a stretch of one batch after the other; together they leave no key out. */
export async function* stretchesOf(db: Kysely<Tables>, table: CopiedTable): AsyncGenerator<FilledStretch> {
  for (const companyId of table.name === 'companies' ? [null] : await companyIds(db)) {
    let after: Row | null = null;
    do {
      const rows: readonly Row[] = await rowsIn(db, table, { companyId, after, upTo: null });
      const upTo: Row | null = rows.length < table.batch ? null : rows.at(-1)!;
      yield { companyId, after, upTo, rows };
      after = upTo;
    } while (after !== null);
  }
}

async function companyIds(db: Kysely<Tables>): Promise<number[]> {
  const companies = await db.selectFrom('companies').select('id').orderBy('id').execute();
  return companies.map(({ id }) => id);
}

/** The rows of a stretch, at most `most` of them. */
export async function rowsIn(
  db: Kysely<Tables>,
  table: CopiedTable,
  stretch: Stretch,
  most = table.batch,
): Promise<Row[]> {
  const { rows } = await sql<Row>`select * from ${sql.table(table.name)} where ${within(table, stretch)}
    order by ${keyOf(table)} limit ${sql.lit(most)}`.execute(db);
  return rows;
}

export async function deleteIn(db: Kysely<Tables>, table: CopiedTable, stretch: Stretch): Promise<void> {
  await sql`delete from ${sql.table(table.name)} where ${within(table, stretch)}`.execute(db);
}

const keyOf = ({ key }: CopiedTable): RawBuilder<unknown> => sql.join(key.map((column) => sql.ref(column)));

/** Texts are in the order of their bytes in either database. */
function within(table: CopiedTable, { companyId, after, upTo }: Stretch): RawBuilder<unknown> {
  const valuesOf = (row: Row) => sql.join(table.key.map((column) => row[column]));
  return sql.join(
    [
      companyId === null ? sql`1 = 1` : sql`company_id = ${companyId}`,
      ...(after === null ? [] : [sql`(${keyOf(table)}) > (${valuesOf(after)})`]),
      ...(upTo === null ? [] : [sql`(${keyOf(table)}) <= (${valuesOf(upTo)})`]),
    ],
    sql` and `,
  );
}
