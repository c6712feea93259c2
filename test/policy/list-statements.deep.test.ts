import { join } from 'node:path';
import type { CompiledQuery } from 'kysely';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod/v3';
import { SqliteConnection } from '../../src/store/sqlite/connection.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { operations } from '../../tools/index.ts';
import { afterFile } from '../cleanup.ts';
import { fillLargeFarm, LARGE, SMALL } from '../stores/large-farm.ts';
import { askList, type Fields, type Ids, idsOf, LIST_ARGUMENTS } from '../stores/list-arguments.ts';
import { folderForFile } from '../temporary-places.ts';

/** They answer with rows as well, of which their arguments limit the number. */
const OTHERS = [
  'get_moisture_series',
  'farm_overview',
  'get_soil_profile',
  'get_weather',
  'get_farm_page',
];

let store: Store;
let ids: Ids;
let limits: Limits;

beforeAll(async () => {
  store = await openStore({ db: join(await folderForFile(), 'large.db') });
  afterFile(() => store.close());
  await fillLargeFarm(store);
  ids = await idsOf(store, LARGE);
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

const isList = ({ effect, output }: (typeof operations)[number]): boolean =>
  effect === 'read' && output instanceof z.ZodObject && 'data' in output.shape;

it('has arguments of every list', () => {
  const lists = operations.filter(isList).map(({ name }) => name);
  expect(lists.sort()).toEqual([...Object.keys(LIST_ARGUMENTS), ...OTHERS].sort());
});

/** The limits of a statement and a stretch: a fifteenth and a fifth of the waterings. */
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
  it.each(Object.keys(LIST_ARGUMENTS))('%s holds up nobody', async (name) => {
    const within = async (companyId: number, fields: Fields) => {
      const { body, statement, stretchMs } = await costWithin(limits, () =>
        askList(store, companyId, name, fields),
      );
      const what = JSON.stringify(fields);
      expect(statement.ms, `${what}: ${statement.sql}`).toBeLessThan(limits.statementMs);
      expect(stretchMs, what).toBeLessThan(limits.stretchMs);
      return body;
    };
    for (const fields of LIST_ARGUMENTS[name]!(ids)) {
      const { next_cursor: cursor } = await within(LARGE, fields);
      if (cursor) await within(LARGE, { ...fields, cursor });
    }
    if (name !== 'list_annotations') await within(SMALL, {});
  });
});
