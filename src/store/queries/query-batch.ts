import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CompiledQuery, QueryResult } from 'kysely';
import { groupBy } from '../../domain/groups.ts';
import { firstOf, itemAt } from '../../domain/items.ts';
import type { StoreDialect } from '../store-adapter.ts';

type Row = Record<string, unknown>;

type Execute = (query: CompiledQuery) => Promise<QueryResult<unknown>>;

interface QueuedQuery {
  readonly query: CompiledQuery;
  readonly resolve: (result: QueryResult<unknown>) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * The added column with the index of the query to which a row belongs. No table of the store has
 * such a column.
 */
const INDEX_COLUMN = 'batch_index';

/** SQLite combines at most 500 selects. */
const MAX_QUERIES = 200;

/** Rows of one statement: SQLite blocks the event loop until a statement ends. */
const MAX_ROWS = 5_000;

/** By SQL text, the rows of a query as they were in the newest statement that combined some. */
const rowsPerQuery = new Map<string, number>();
const MAX_ESTIMATES = 1_000;

function queriesPerStatement(sql: string): number {
  const estimatedRows = rowsPerQuery.get(sql) ?? 1;
  return Math.min(MAX_QUERIES, Math.max(1, Math.floor(MAX_ROWS / estimatedRows)));
}

/** Queries answered per turn of the event loop, which the computations of their callers block. */
const ANSWERS_PER_TURN = 8;

const MAX_CACHED_ANSWERS = 5_000;
/** Longer answers are rarely needed twice. */
const MAX_CACHED_ROWS = 64;

/**
 * Combines the queries of a read for many probes whose code is written for one probe. Queries that
 * wait at the same time and differ only in numbers run as one statement, and a repeated query is
 * answered from memory.
 */
export class QueryBatch {
  readonly #execute: Execute;
  readonly #dialect: StoreDialect;
  readonly #queue: QueuedQuery[] = [];
  readonly #answers = new Map<string, Promise<QueryResult<unknown>>>();
  #isRunning = false;

  constructor(execute: Execute, dialect: StoreDialect) {
    this.#execute = execute;
    this.#dialect = dialect;
  }

  async run<R>(query: CompiledQuery<R>): Promise<QueryResult<R>> {
    const key = `${query.sql} ${JSON.stringify(query.parameters)}`;
    let answer = this.#answers.get(key);
    if (answer === undefined) {
      answer = this.#enqueue(query);
      this.#answers.set(key, answer);
      this.#deleteOldestAnswer();
    }

    const { rows } = await answer;
    if (rows.length > MAX_CACHED_ROWS) this.#answers.delete(key);
    // A copy, because several callers share the answer.
    return { rows: [...rows] as R[] };
  }

  #deleteOldestAnswer(): void {
    if (this.#answers.size <= MAX_CACHED_ANSWERS) return;
    // The keys of a map are in the order of insertion.
    const [oldest] = this.#answers.keys();
    if (oldest !== undefined) this.#answers.delete(oldest);
  }

  #enqueue(query: CompiledQuery): Promise<QueryResult<unknown>> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ query, resolve, reject });
      if (!this.#isRunning) void this.#runQueue();
    });
  }

  async #runQueue(): Promise<void> {
    this.#isRunning = true;
    for (;;) {
      // Two turns, because a computation in slices of time continues in the next one and may add
      // queries.
      await nextTurn();
      await nextTurn();
      if (this.#queue.length === 0) break;

      for (const group of groupBy(this.#queue.splice(0), ({ query }) => shapeOf(query)).values())
        while (group.length > 0)
          await this.#answer(group.splice(0, queriesPerStatement(firstOf(group).query.sql)));
    }

    this.#isRunning = false;
  }

  async #answer(group: readonly QueuedQuery[]): Promise<void> {
    try {
      const results = await this.#resultsOf(group.map(({ query }) => query));
      for (const [index, { resolve }] of group.entries()) {
        resolve(itemAt(results, index));
        if (index % ANSWERS_PER_TURN === ANSWERS_PER_TURN - 1) await nextTurn();
      }
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }

  async #resultsOf(queries: readonly CompiledQuery[]): Promise<QueryResult<unknown>[]> {
    if (queries.length === 1) return [await this.#execute(firstOf(queries))];

    const statement = this.#dialect === 'sqlite' ? combineByUnion(queries) : combineByJoin(queries);
    const results = queries.map((): { rows: Row[] } => ({ rows: [] }));
    const rows = (await this.#execute(statement)).rows as Row[];

    if (rowsPerQuery.size >= MAX_ESTIMATES) rowsPerQuery.clear();
    rowsPerQuery.set(firstOf(queries).sql, Math.max(1, rows.length / queries.length));

    for (const row of rows) {
      itemAt(results, Number(row[INDEX_COLUMN])).rows.push(row);
      // Cheap, because it is the last column.
      delete row[INDEX_COLUMN];
    }

    return results;
  }
}

/** Equal for queries that differ only in numbers. */
const shapeOf = ({ sql, parameters }: CompiledQuery): string =>
  `${sql} ${JSON.stringify(parameters, (_, value) => (typeof value === 'number' ? 0 : value))}`;

function combineByUnion(queries: readonly CompiledQuery[]): CompiledQuery {
  const selects = queries.map(
    ({ sql }, index) => `select result.*, ${index} as ${INDEX_COLUMN} from (${sql}) as result`,
  );
  return {
    ...firstOf(queries),
    sql: selects.join(' union all '),
    parameters: queries.flatMap(({ parameters }) => parameters),
  };
}

/**
 * PostgreSQL would plan each select of a union. In a join the numbers that differ are sent as one
 * JSON text.
 */
function combineByJoin(queries: readonly CompiledQuery[]): CompiledQuery {
  const { query, queryId, sql, parameters } = firstOf(queries);
  const indexes = [...parameters.keys()];
  const differing = indexes.filter((index) =>
    queries.some((other) => other.parameters[index] !== parameters[index]),
  );
  const shared = indexes.filter((index) => !differing.includes(index));

  // In PostgreSQL's SQL "$1" is the first parameter.
  const lateralSql = sql.replace(/\$(\d+)/g, (_, number) => {
    const index = Number(number) - 1;
    return differing.includes(index) ? `inputs.p${index}` : `$${shared.indexOf(index) + 1}`;
  });

  const inputColumns = differing.map((index) =>
    queries.every((other) => Number.isInteger(other.parameters[index]))
      ? `p${index} bigint`
      : `p${index} double precision`,
  );
  const inputRows = queries.map((other, queryIndex) =>
    Object.fromEntries([
      [INDEX_COLUMN, queryIndex],
      ...differing.map((index) => [`p${index}`, other.parameters[index]]),
    ]),
  );

  const columnList = [`${INDEX_COLUMN} integer`, ...inputColumns].join(', ');
  const inputs = `json_to_recordset($${shared.length + 1}::json) as inputs(${columnList})`;
  return {
    query,
    queryId,
    sql: `select result.*, inputs.${INDEX_COLUMN} from ${inputs} cross join lateral (${lateralSql}) as result`,
    parameters: [...shared.map((index) => parameters[index]), JSON.stringify(inputRows)],
  };
}
