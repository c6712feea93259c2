import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { companyTables } from '../../../src/store/scope/company-scope-rules.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { afterFile } from '../../cleanup.ts';
import { DAY, FARM_NOW, HOUR, iso } from '../../farm.ts';
import { fillLargeFarm, LARGE, SMALL } from '../../stores/large-farm.ts';
import {
  askList,
  type Fields,
  type Ids,
  idsOf,
  LIST_ARGUMENTS,
} from '../../stores/list-arguments.ts';
import { rowsReadBy } from '../../stores/rows-read.ts';
import { newLocation } from '../../stores/stores.ts';
import { record } from '../stored-readings.ts';

/** There are hundreds of rows of each kind; one or two are those of the small company. */
const SIZE = {
  parcels: 100,
  probesPerParcel: 3,
  done: 5,
  planned: 5,
  doneOfFirst: 500,
  changes: 2_000,
  rain: 1_000,
  annotations: 500,
  alerts: 500,
  mail: 300,
};

let store: Store;
let db: string;
let ids: Ids;

beforeAll(async () => {
  const location = await newLocation();
  db = location.db;
  afterFile(location.remove);
  store = await openStore({ db });
  afterFile(() => store.close());
  await fillLargeFarm(store, SIZE);
  for (const companyId of [LARGE, SMALL]) await recordReadings(companyId);
  ids = await idsOf(store, SMALL);
});

/** Ten of each sensor, one an hour until now. */
async function recordReadings(companyId: number): Promise<void> {
  const sensors = await store.read(companyId, (db) =>
    db.selectFrom('sensors').select('id').execute(),
  );
  const readings = sensors.flatMap(({ id }) =>
    Array.from({ length: 10 }, (_, hours) => [id, FARM_NOW - hours * HOUR, 20] as const),
  );
  await record(store, readings, companyId);
}

/** Reads that are no lists. */
const OTHERS: typeof LIST_ARGUMENTS = {
  farm_overview: () => [{}],
  morning_brief: () => [{}],
  get_farm_page: () => [{}],
  get_weather: () => [{}],
  get_moisture_series: ({ module }) => [
    { moduleId: module, start: iso(FARM_NOW - DAY), end: iso(FARM_NOW) },
  ],
};

const READS = { ...LIST_ARGUMENTS, ...OTHERS };

/** The most that a statement reads of a company with two rows of most kinds. */
const FEW_ROWS = 40;

const statementsOf = (name: string, fields: Fields) =>
  rowsReadBy({ db }, () => askList(store, SMALL, name, fields));

describe('beside a company of many rows, a read of one with few', () => {
  it.each(Object.keys(READS))('reads few: %s', async (name) => {
    for (const fields of READS[name]!(ids)) {
      const statements = await statementsOf(name, fields);
      expect(statements.length).toBeGreaterThan(0);
      for (const { sql: text, rowsRead } of statements)
        expect(rowsRead, `${JSON.stringify(fields)}: ${text}`).toBeLessThan(FEW_ROWS);
    }
  });

  it('starts no other process of the server, even where that costs nothing', async () => {
    const plan = await store.readAll(async (all) => {
      for (const setting of ['parallel_setup_cost', 'parallel_tuple_cost'])
        await sql.raw(`set local ${setting} = 0`).execute(all);
      await sql`set local min_parallel_table_scan_size = 0`.execute(all);
      return sql`explain select count(*) from waterings`.execute(all);
    });
    expect(JSON.stringify(plan.rows)).toMatch(/Aggregate.*Scan on waterings/);
    expect(JSON.stringify(plan.rows)).not.toContain('Gather');
  });
});

it('has an index that begins with the company, for every table of companies', async () => {
  const { rows } = await store.readAll((all) =>
    sql<{ name: string }>`select distinct c.relname as name from pg_index i
      join pg_class c on c.oid = i.indrelid and c.relnamespace = current_schema()::regnamespace
      join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
      where a.attname = 'company_id' and i.indpred is null`.execute(all),
  );
  expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining([...companyTables]));
});
