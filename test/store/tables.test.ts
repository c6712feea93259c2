import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { entryOf } from '../../src/domain/items.ts';
import type { Column } from '../../src/schema/tables/column.ts';
import { COMPANY_TABLES, TABLES_BY_NAME } from '../../src/schema/tables/index.ts';
import type { Store } from '../../src/store/store.ts';
import { onEachStore, tableNames, withStore } from './temporary-stores.ts';

const rowsOf = async <Row>(store: Store, query: string): Promise<Row[]> =>
  store.readAll(async (db) => (await sql.raw<Row>(query).execute(db)).rows);

interface StoredColumn {
  readonly name: string;
  readonly type: string;
  readonly isNullable: number | boolean;
  readonly hasDefault: number | boolean;
  readonly isComputed: number | boolean;
}

const SQLITE_COLUMNS = `select name, lower(type) as type, "notnull" = 0 and pk = 0 as isNullable,
  dflt_value is not null as hasDefault, hidden <> 0 as isComputed from pragma_table_xinfo`;

const POSTGRES_COLUMNS = `select column_name as name,
  case data_type when 'bigint' then 'integer' when 'double precision' then 'real' else data_type end as type,
  is_nullable = 'YES' as "isNullable", column_default is not null as "hasDefault",
  is_generated = 'ALWAYS' as "isComputed" from information_schema.columns where table_name = `;

const TYPES: Readonly<Record<Column['properties']['kind'], string>> = {
  integer: 'integer',
  instant: 'integer',
  flag: 'integer',
  real: 'real',
  text: 'text',
  json: 'text',
};

const textOf = ({ name, type, isNullable, hasDefault, isComputed }: StoredColumn): string =>
  [name, type, isNullable && 'null', hasDefault && 'default', isComputed && 'computed']
    .filter(Boolean)
    .join(' ');

const describedColumn = ([name, { properties }]: [string, Column]): string =>
  textOf({
    name,
    type: TYPES[properties.kind],
    isNullable: properties.isNullable,
    hasDefault: properties.origin === 'default',
    isComputed: properties.origin === 'computed',
  });

function describedColumns(): Record<string, string[]> {
  const described: Record<string, string[]> = {};
  for (const [name, { columns }] of TABLES_BY_NAME) {
    const ofCompany = name in COMPANY_TABLES ? ['company_id integer'] : [];
    described[name] = [...ofCompany, ...Object.entries(columns).map(describedColumn)].sort();
  }
  return described;
}

async function createdColumns(store: Store, isOnServer: boolean) {
  const created: Record<string, string[]> = {};
  for (const name of await tableNames(store, isOnServer)) {
    const query = isOnServer ? `${POSTGRES_COLUMNS}'${name}'` : `${SQLITE_COLUMNS}('${name}')`;
    created[name] = (await rowsOf<StoredColumn>(store, query)).map(textOf).sort();
  }
  return created;
}

onEachStore((withStore, isOnServer) => {
  it('has exactly the tables and columns that are described', () =>
    withStore(async (store) => {
      expect(await createdColumns(store, isOnServer)).toEqual(describedColumns());
    }));

  // Other tests use the same database of a server.
  it.skipIf(isOnServer)('differs from the descriptions with one table or column more', () =>
    withStore(async (store) => {
      const { parcels, ...others } = await createdColumns(store, isOnServer);
      await store.writeAll(async (db) => {
        await sql`create table notes (id integer)`.execute(db);
        await sql`alter table parcels add column slope text`.execute(db);
      });
      expect(await createdColumns(store, isOnServer)).toEqual({
        ...others,
        notes: ['id integer null'],
        parcels: [...parcels!, 'slope text null'].sort(),
      });
    }),
  );
});

const inEachTable = <T>(body: (store: Store, table: string) => Promise<readonly T[]>) =>
  withStore(async (store) =>
    (await Promise.all([...TABLES_BY_NAME.keys()].map((table) => body(store, table)))).flat(),
  );

describe('a described table', () => {
  it('follows those to which it refers', () => {
    const names = [...TABLES_BY_NAME.keys()];
    for (const [name, { columns }] of TABLES_BY_NAME)
      for (const { properties } of Object.values(columns))
        if (properties.reference)
          expect(names.indexOf(properties.reference.table), name).toBeLessThan(names.indexOf(name));
  });

  it('has a key of which the store accepts each value once in a company', async () => {
    const keys = await inEachTable(async (store, table) => {
      const uniqueIndexes = await rowsOf<{ columns: string | null }>(
        store,
        `select (select group_concat(name) from pragma_index_info(l.name)) as columns
          from pragma_index_list('${table}') l where "unique" = 1 and partial = 0
          union all select group_concat(name) from pragma_table_info('${table}') where pk > 0`,
      );
      const unique = uniqueIndexes.map(({ columns }) => keyText((columns ?? '').split(',')));
      return unique.includes(keyText(entryOf(TABLES_BY_NAME, table).key)) ? [] : [table];
    });
    // Its unique index has expressions in the place of columns.
    expect(keys).toEqual(['device_readings']);
  });

  const keyText = (columns: readonly string[]): string =>
    columns
      .filter((column) => column !== 'company_id')
      .sort()
      .join(' ');
});
