import { chmodSync, readFileSync } from 'node:fs';
import { DatabaseSync } from '@photostructure/sqlite';
import pg from 'pg';
import { isServerUrl } from '../../../src/store/store-location.ts';
import { queryOnce } from '../../stores/postgres-server.ts';

export type StoredRow = Readonly<Record<string, string | number>>;

const textOf = (file: string): string => readFileSync(new URL(file, import.meta.url), 'utf8');

/**
 * The rows of a small demo farm and of a second company, as the program wrote them when its last
 * migration was 0026-device-senders; columns without a value are left out.
 */
const storedRows: readonly (readonly [table: string, row: StoredRow])[] = textOf('rows.ndjson')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));

export const unreleasedRows = (table: string): StoredRow[] =>
  storedRows.flatMap(([name, row]) => (name === table ? [row] : []));

export const unreleasedTables: readonly string[] = [...new Set(storedRows.map(([name]) => name))];

export async function makeUnreleasedStore(db: string): Promise<void> {
  if (isServerUrl(db)) await makeDatabase(db);
  else makeFile(db);
}

/** Without opening the store, which would convert it. */
export async function executeRaw(db: string, statements: string): Promise<void> {
  if (isServerUrl(db)) {
    await queryOnce(db, `set acequia.company = 'all'; ${statements}`);
    return;
  }
  const database = new DatabaseSync(db);
  database.exec(statements);
  database.close();
}

function makeFile(file: string): void {
  const database = new DatabaseSync(file);
  chmodSync(file, 0o600);
  database.exec('pragma foreign_keys = off; pragma journal_mode = wal; begin');
  database.exec(textOf('sqlite.sql'));
  for (const [table, row] of storedRows.filter(([name]) => name !== 'sqlite_sequence'))
    database.prepare(`insert into ${insertion(table, row, () => '?')}`).run(...Object.values(row));
  for (const { name, seq } of unreleasedRows('sqlite_sequence'))
    database.prepare('update sqlite_sequence set seq = ? where name = ?').run(seq!, name!);
  database.exec('commit');
  database.close();
}

async function makeDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`begin; ${textOf('postgres.sql')}; set local acequia.company = 'all'`);
    for (const [table, row] of storedRows.filter(([name]) => name !== 'sqlite_sequence'))
      await client.query(
        `insert into ${insertion(table, row, (index) => `$${index + 1}`)}`,
        Object.values(row),
      );
    for (const { name, seq } of unreleasedRows('sqlite_sequence'))
      await client.query('select setval(pg_get_serial_sequence($1, $2), $3)', [
        name,
        sequenceColumn(String(name)),
        seq,
      ]);
    await client.query('commit');
  } finally {
    await client.end();
  }
}

const sequenceColumn = (table: string): string =>
  unreleasedRows(table).some(({ seq }) => seq !== undefined) ? 'seq' : 'id';

const insertion = (
  table: string,
  row: StoredRow,
  placeholder: (index: number) => string,
): string => {
  const columns = Object.keys(row);
  return `${table} (${columns.map((column) => `"${column}"`).join(', ')})
    values (${columns.map((_, index) => placeholder(index)).join(', ')})`;
};
