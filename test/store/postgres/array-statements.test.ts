import type { Insertable } from 'kysely';
import { describe, expect, vi } from 'vitest';
import { PostgresConnection } from '../../../src/store/postgres/connection.ts';
import { preparedRowInserts } from '../../../src/store/queries/prepared-query.ts';
import type { CompanyTables } from '../../../src/store/tables.ts';
import { bareModule, it, type TestFarm } from '../../farm.ts';
import { statementsOfWrites } from '../../transactions.ts';

type RainTable = CompanyTables['rain'];

interface Statement {
  readonly sql: string;
  readonly parameters: number;
}

async function statementsOf(body: () => Promise<unknown>): Promise<Statement[]> {
  const run = vi.spyOn(PostgresConnection.prototype, 'executeQuery');
  await body();
  const statements = run.mock.calls.map(([{ sql, parameters }]) => ({
    sql,
    parameters: parameters.length,
  }));
  run.mockRestore();
  return statements;
}

const HOSTILE = ['{', '}', '"', '\\', ',', "'", 'NULL', ' ', 'é\n'];

/** Modules with values that mean something in the text of an array. */
const newModules = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    bareModule({
      uid: `${HOSTILE[index % HOSTILE.length]}${index}`,
      name: index % 3 === 0 ? null : `${HOSTILE.slice(0, index % HOSTILE.length).join('')}${index}`,
      lat: index % 2 === 0 ? null : 0.1 + index / 3,
      commissioned_at: index - 61,
    }),
  );

type NewModule = ReturnType<typeof newModules>[number];

const insertModules = preparedRowInserts([10, 1], (db, rows: readonly NewModule[]) =>
  db.insertInto('modules').values(rows).returningAll(),
);

const storedModules = (farm: TestFarm, rows: readonly NewModule[]) =>
  farm.write((db) =>
    db
      .selectFrom('modules')
      .selectAll()
      .where(
        'uid',
        'in',
        rows.map(({ uid }) => uid),
      )
      .orderBy('id')
      .execute(),
  );

describe('many rows', () => {
  it('are inserted in their order by one statement, with a parameter for each column', async ({
    farm,
  }) => {
    const rows = newModules(60);
    const statements = await statementsOf(() => farm.write((db) => insertModules(db, rows)));
    expect(statements).toHaveLength(1);
    expect(statements[0]!.parameters).toBe(Object.keys(rows[0]!).length + 1);
    expect(await storedModules(farm, rows)).toMatchObject(rows);
  });

  it('are so without a prepared statement, too', async ({ farm }) => {
    const rows = newModules(60);
    const [insert] = await statementsOf(() =>
      farm.write((db) => db.insertInto('modules').values(rows).execute()),
    );
    expect(insert!.parameters).toBe(Object.keys(rows[0]!).length + 1);
    expect(await storedModules(farm, rows)).toMatchObject(rows);
  });

  it('may all be equal', async ({ farm }) => {
    const insertRain = preparedRowInserts([1], (db, rows: readonly Insertable<RainTable>[]) =>
      db.insertInto('rain').values(rows),
    );
    const rain: Insertable<RainTable> = {
      parcel_id: null,
      module_id: null,
      local_day: '2026-07-01',
      started_at: 0,
      ended_at: null,
      is_whole_day: 0,
      mm: 0.1,
      source: 'manual',
      created_at: 0,
    };
    await farm.write((db) => insertRain(db, [rain, rain, rain]));
    expect(await farm.write((db) => db.selectFrom('rain').selectAll().execute())).toMatchObject([
      rain,
      rain,
      rain,
    ]);
  });
});

it('a long list is one parameter', async ({ farm }) => {
  const rows = newModules(60);
  await farm.write((db) => insertModules(db, rows));
  const [select] = await statementsOf(() => storedModules(farm, rows));
  expect(select!.parameters).toBe(2);

  const ids = (await storedModules(farm, rows)).map(({ id }) => id);
  const found = await farm.write((db) =>
    db.selectFrom('modules').select('uid').where('id', 'in', ids).orderBy('id').execute(),
  );
  expect(found).toEqual(rows.map(({ uid }) => ({ uid })));
});

const PROBES = 60;

async function addLargeParcel(farm: TestFarm): Promise<void> {
  const names = Array.from({ length: PROBES }, (_, index) => `Vine ${index}`);
  await farm.importFile({
    parcels: [{ name: 'North block' }],
    modules: names.map((name) => ({
      uid: name,
      name,
      category: 'SOIL_PROBE',
      parcel: 'North block',
      sensors: [{ type: 'humidity', depth: 20 }],
    })),
  });
}

it('alerts of a parcel are stored, taken back and restored with few statements of few parameters', async ({
  farm,
}) => {
  await addLargeParcel(farm);
  const calls = {
    create: () => farm.tool('create_alert', { parcel: 'North block', threshold: 12 }),
    undo: () => farm.tool('undo'),
    async restore() {
      const { data } = await farm.wire<{ data: { id: number }[] }>('list_changes', { limit: 1 });
      await farm.tool('undo', { changeId: data[0]!.id });
    },
  };
  for (const [name, call] of Object.entries(calls)) {
    let transactions: string[][] = [];
    const statements = await statementsOf(async () => {
      transactions = await statementsOfWrites(farm, call);
    });
    const most = Math.max(...statements.map(({ parameters }) => parameters));
    expect(most, name).toBeLessThan(30);
    expect(Math.max(...transactions.map(({ length }) => length)), name).toBeLessThan(35);
  }
});

it('waterings that a schedule plans for a probe are stored with one statement', async ({
  farm,
}) => {
  const statements = await statementsOf(() =>
    farm.createSchedule({ module: 'North 1', endsOn: '2026-07-05' }),
  );
  expect(statements.filter(({ sql }) => sql.startsWith('insert into "waterings"'))).toHaveLength(1);
});
