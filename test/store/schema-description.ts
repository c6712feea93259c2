import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../src/store/tables.ts';

/**
 * Each table with its columns, constraints and indexes, independent of how it came about. The order
 * of columns depends on that, and so it is left out, as are the tables of the migrator.
 */
export type SchemaDescription = Readonly<Record<string, readonly string[]>>;

export const describeSchema = (
  db: Kysely<Tables>,
  isOnServer: boolean,
): Promise<SchemaDescription> => (isOnServer ? describePostgres(db) : describeSqlite(db));

async function describeSqlite(db: Kysely<Tables>): Promise<SchemaDescription> {
  const tables = await rows<{ name: string; sql: string }>(
    db,
    "select name, sql from sqlite_schema where type = 'table' and name not like 'sqlite_%' and name not like 'kysely_%' order by name",
  );
  const description: Record<string, string[]> = {};
  for (const { name, sql: text } of tables)
    description[name] = [
      ...(await describeRows(
        db,
        `select 'column', name, type, "notnull", dflt_value, pk, hidden from pragma_table_xinfo('${name}') order by name`,
      )),
      ...(await describeRows(
        db,
        `select 'table', strict, wr from pragma_table_list('${name}') where schema = 'main'`,
      )),
      ...(await describeRows(
        db,
        `select 'reference', "from", "table", "to", on_delete from pragma_foreign_key_list('${name}') order by 2, 3, 4`,
      )),
      ...(await describeSqliteIndexes(db, name)),
      ...expressionsOf(text).sort(),
      String(/autoincrement/i.test(text)),
    ];
  return description;
}

async function describeSqliteIndexes(db: Kysely<Tables>, table: string): Promise<string[]> {
  const indexes = await rows<{ name: string; origin: string; flags: string; sql: string | null }>(
    db,
    `select l.name, l.origin, l."unique" || l.partial as flags, s.sql
       from pragma_index_list('${table}') l left join sqlite_schema s on s.name = l.name`,
  );
  const described: string[] = [];
  for (const { name, origin, flags, sql: text } of indexes) {
    const columns = await describeRows(
      db,
      `select name, "desc", coll from pragma_index_xinfo('${name}') where key order by seqno`,
    );
    // SQLite itself names the index of a constraint.
    described.push([origin === 'c' ? name : origin, flags, columns, normal(text ?? '')].join(' '));
  }
  return described.sort();
}

/** Returns the conditions of columns, and how columns are computed. */
function expressionsOf(createTable: string): string[] {
  const text = normal(createTable);
  const found: string[] = [];
  for (const { index, 0: keyword } of text.matchAll(/(?:check|as)\(/g))
    found.push(keyword + enclosed(text, index + keyword.length));
  return found;
}

function enclosed(text: string, start: number): string {
  let depth = 1;
  let end = start;
  for (; depth > 0; end++) if ('()'.includes(text[end]!)) depth += text[end] === '(' ? 1 : -1;
  return text.slice(start, end);
}

const normal = (text: string): string => text.toLowerCase().replace(/["\s]/g, '');

async function describePostgres(db: Kysely<Tables>): Promise<SchemaDescription> {
  const tables = await rows<{ name: string; oid: number }>(
    db,
    `select relname as name, oid from pg_class where relnamespace = current_schema()::regnamespace
       and relkind in ('r', 'p') and not relispartition and relname not like 'kysely_%' order by relname`,
  );
  const description: Record<string, string[]> = {};
  for (const { name, oid } of tables)
    description[name] = [
      ...(await describeRows(
        db,
        `select a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attidentity, a.attgenerated,
            c.collname, pg_get_expr(d.adbin, d.adrelid)
          from pg_attribute a left join pg_collation c on c.oid = a.attcollation
          left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
          where a.attrelid = ${oid} and a.attnum > 0 and not a.attisdropped order by a.attname`,
      )),
      ...(await describeRows(
        db,
        `select conname, contype, pg_get_constraintdef(oid) from pg_constraint where conrelid = ${oid} order by 1`,
      )),
      ...(await describeRows(
        db,
        `select pg_get_indexdef(indexrelid) from pg_index where indrelid = ${oid} order by 1`,
      )),
      ...(await describeRows(
        db,
        `select relrowsecurity, relforcerowsecurity, pg_get_partkeydef(oid) from pg_class where oid = ${oid}`,
      )),
      ...(await describeRows(
        db,
        `select policyname, permissive, roles::text, cmd, qual, with_check from pg_policies
          where schemaname = current_schema() and tablename = '${name}' order by 1`,
      )),
    ];
  return description;
}

const rows = async <Row>(db: Kysely<Tables>, query: string): Promise<Row[]> =>
  (await sql.raw<Row>(query).execute(db)).rows;

const describeRows = async (db: Kysely<Tables>, query: string): Promise<string[]> =>
  (await rows<object>(db, query)).map((row) => Object.values(row).join(' '));
