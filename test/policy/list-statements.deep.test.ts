import { join } from 'node:path';
import type { CompiledQuery } from 'kysely';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod/v3';
import { checkedArguments } from '../../src/operation/arguments/operation-arguments.ts';
import { LocalRunner } from '../../src/operation/local/local-runner.ts';
import { SCOPES } from '../../src/schema/scope.ts';
import { companyById } from '../../src/store/company/companies.ts';
import { SqliteConnection } from '../../src/store/sqlite/connection.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { operations, operationsByName } from '../../tools/index.ts';
import { afterFile } from '../cleanup.ts';
import { DAY, FARM_NOW, iso } from '../farm.ts';
import { fillLargeFarm, LARGE, SMALL } from '../stores/large-farm.ts';
import { folderForFile } from '../temporary-places.ts';

/**
 * What a list may hold, by operation. Each is asked for in the large company, and without ids in
 * the small one.
 */
const QUERIES: Readonly<Record<string, (ids: Ids) => readonly Fields[]>> = {
  list_waterings: ({ module, quietModule, parcel, quietParcel, schedule }) => {
    const old = { from: iso(FARM_NOW - 900 * DAY), to: iso(FARM_NOW - 800 * DAY) };
    const targets = [{}, { moduleId: module }, { moduleId: quietModule }, { parcelId: parcel }];
    const filters = [
      {},
      { status: 'skipped' },
      { status: 'planned' },
      { status: 'done', to: iso(FARM_NOW) },
      old,
    ];
    return [
      ...targets.flatMap((target) => filters.map((filter) => ({ ...target, ...filter }))),
      ...filters.map((filter) => ({ ...filter, order: 'past_first', rain: 'totals' })),
      { parcelId: quietParcel, order: 'past_first' },
      { scheduleId: schedule },
      { scheduleId: schedule, status: 'skipped' },
      { scheduleId: schedule, moduleId: quietModule },
      { scheduleId: schedule, parcelId: quietParcel, order: 'past_first' },
      { moduleId: module, order: 'past_first', limit: 1 },
    ];
  },
  list_rain: ({ parcel }) => [
    {},
    { parcelId: parcel },
    { from: iso(FARM_NOW - 7 * DAY) },
    { to: iso(0) },
  ],
  list_changes: ({ module }) => [{}, { moduleId: module, limit: 2 }],
  list_annotations: ({ module }) => [{ moduleId: module }, { moduleId: module, limit: 10 }],
  list_alerts: ({ module }) => [{}, { moduleId: module }, { isActive: false }, { isActive: true }],
  list_schedules: ({ module, parcel }) => [
    {},
    { moduleId: module },
    { parcelId: parcel },
    { isActive: false },
  ],
  list_modules: ({ parcel }) => [
    {},
    { parcelId: parcel },
    { search: 'probe 1999' },
    { detail: 'concise' },
  ],
  list_gateways: () => [{}, { search: '1999' }],
  list_devices: () => [{ limit: 200 }, { isAssigned: true, limit: 200 }],
  list_parcels: () => [{}],
  list_soil_horizons: () => [{}],
  list_users: () => [{}],
};

/** They answer with rows as well, of which their arguments limit the number. */
const OTHERS = [
  'get_moisture_series',
  'farm_overview',
  'get_soil_profile',
  'get_weather',
  'get_farm_page',
];

type Fields = Readonly<Record<string, unknown>>;

interface ListBody {
  readonly data: readonly unknown[];
  readonly next_cursor?: string | null;
}

interface Ids {
  readonly module: number;
  readonly quietModule: number;
  readonly parcel: number;
  readonly quietParcel: number;
  readonly schedule: number;
}

let store: Store;
let ids: Ids;
let limits: Limits;

beforeAll(async () => {
  store = await openStore({ db: join(await folderForFile(), 'large.db') });
  afterFile(() => store.close());
  await fillLargeFarm(store);
  ids = await store.read(LARGE, async (db) => {
    const idsOf = async (table: 'modules' | 'parcels' | 'schedules') =>
      (await db.selectFrom(table).select('id').orderBy('id').execute()).map(({ id }) => id);
    const [modules, parcels, schedules] = [
      await idsOf('modules'),
      await idsOf('parcels'),
      await idsOf('schedules'),
    ];
    return {
      module: modules[0]!,
      quietModule: modules.at(-1)!,
      parcel: parcels[0]!,
      quietParcel: parcels.at(-1)!,
      schedule: schedules[0]!,
    };
  });
  limits = await measuredLimits();
});

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

/** Records, in ms of CPU, the longest time without a turn of the event loop. */
class StretchRecorder {
  longest = 0;
  #last = cpuMs();
  #next = setImmediate(() => this.#turn());

  end(): void {
    clearImmediate(this.#next);
  }

  #turn(): void {
    const now = cpuMs();
    this.longest = Math.max(this.longest, now - this.#last);
    this.#last = now;
    this.#next = setImmediate(() => this.#turn());
  }
}

interface Cost<Body> {
  readonly body: Body;
  readonly statement: { readonly sql: string; readonly ms: number };
  readonly stretchMs: number;
}

async function costOf<Body>(run: () => Promise<Body>): Promise<Cost<Body>> {
  const statement = { sql: '', ms: 0 };
  const execute = SqliteConnection.prototype.executeQuery;
  const spy = vi.spyOn(SqliteConnection.prototype, 'executeQuery');
  spy.mockImplementation(function (this: SqliteConnection, query: CompiledQuery) {
    const before = cpuMs();
    const result = execute.call(this, query);
    const ms = cpuMs() - before;
    if (ms > statement.ms) Object.assign(statement, { sql: query.sql, ms });
    return result as never;
  });
  const stretch = new StretchRecorder();
  try {
    const body = await run();
    await new Promise(setImmediate);
    return { body, statement, stretchMs: stretch.longest };
  } finally {
    stretch.end();
    spy.mockRestore();
  }
}

/** Reads a number of waterings in one statement. */
const readWaterings = (count: number) =>
  store.read(LARGE, (db) => {
    const rows = db.selectFrom('waterings').selectAll().orderBy('id').limit(count).as('rows');
    return db
      .selectFrom(rows)
      .select(({ fn }) => ['module_id', fn.sum('water_mm').as('mm'), fn.count('note').as('notes')])
      .groupBy('module_id')
      .execute();
  });

async function ask(companyId: number, name: string, fields: Fields): Promise<ListBody> {
  const operation = operationsByName.get(name)!;
  const runner = new LocalRunner({
    store,
    operations: operationsByName,
    clock: () => FARM_NOW,
    identify: async (all) => ({
      company: (await companyById(all, companyId))!,
      caller: { id: 'viewer', companyId, userId: null, role: 'OWNER', scopes: SCOPES },
    }),
  });
  const { fullBody } = await runner.run(operation, {
    rawArguments: fields,
    readArguments: async (context) => checkedArguments(operation, fields, context),
  });
  return fullBody as ListBody;
}

const isList = ({ effect, output }: (typeof operations)[number]): boolean =>
  effect === 'read' && output instanceof z.ZodObject && 'data' in output.shape;

it('has arguments of every list', () => {
  const lists = operations.filter(isList).map(({ name }) => name);
  expect(lists.sort()).toEqual([...Object.keys(QUERIES), ...OTHERS].sort());
});

/** What a statement and a stretch may cost: reading a fifteenth and a fifth of the waterings. */
const ROWS_OF_STATEMENT = 20_000;
const ROWS_OF_STRETCH = 60_000;

/** Compiling, garbage and other programs make a first run dearer. */
const MAX_RUNS = 5;

interface Limits {
  readonly statementMs: number;
  readonly stretchMs: number;
}

/**
 * The most that the work costs with the least disturbance: it is repeated while it costs too much.
 */
async function costWithin<Body>(limits: Limits, run: () => Promise<Body>): Promise<Cost<Body>> {
  const isWithin = ({ statement, stretchMs }: Cost<Body>): boolean =>
    statement.ms <= limits.statementMs && stretchMs <= limits.stretchMs;
  let cost = await costOf(run);
  for (let runs = 1; runs < MAX_RUNS && !isWithin(cost); runs++) {
    const again = await costOf(run);
    cost = {
      body: again.body,
      statement: again.statement.ms < cost.statement.ms ? again.statement : cost.statement,
      stretchMs: Math.min(again.stretchMs, cost.stretchMs),
    };
  }
  return cost;
}

/** Measured beside the lists, so that both share the speed of the machine. */
async function measuredLimits(): Promise<Limits> {
  const nothing = { statementMs: 0, stretchMs: 0 };
  const statement = await costWithin(nothing, () => readWaterings(ROWS_OF_STATEMENT));
  const stretch = await costWithin(nothing, () => readWaterings(ROWS_OF_STRETCH));
  return { statementMs: statement.statement.ms, stretchMs: stretch.statement.ms };
}

describe('in a store with 300,000 rows', () => {
  it.each(Object.keys(QUERIES))('%s holds up nobody', async (name) => {
    const within = async (companyId: number, fields: Fields) => {
      const { body, statement, stretchMs } = await costWithin(limits, () =>
        ask(companyId, name, fields),
      );
      const what = JSON.stringify(fields);
      expect(statement.ms, `${what}: ${statement.sql}`).toBeLessThan(limits.statementMs);
      expect(stretchMs, what).toBeLessThan(limits.stretchMs);
      return body;
    };
    for (const fields of QUERIES[name]!(ids)) {
      const { next_cursor: cursor } = await within(LARGE, fields);
      if (cursor) await within(LARGE, { ...fields, cursor });
    }
    if (name !== 'list_annotations') await within(SMALL, {});
  });
});
