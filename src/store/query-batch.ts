import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CompiledQuery, QueryResult } from 'kysely';
import { groupBy } from '../domain/groups.ts';

type Row = Record<string, unknown>;

type Execute = (query: CompiledQuery) => Promise<QueryResult<unknown>>;

interface WaitingQuery {
  readonly query: CompiledQuery;
  readonly resolve: (result: QueryResult<unknown>) => void;
  readonly reject: (error: unknown) => void;
}

/** A column that no table of the store has. */
const INDEX = 'batch_index';

/** SQLite combines at most 500 selects. */
const MAX_QUERIES = 200;

/** Expected rows of one statement, judged by earlier ones: SQLite blocks the event loop until a statement ends. */
const MAX_ROWS = 5_000;
const MAX_FORMS = 1_000;
const rowsPerQuery = new Map<string, number>();

const queriesPerStatement = (sql: string): number =>
  Math.min(MAX_QUERIES, Math.max(1, Math.floor(MAX_ROWS / (rowsPerQuery.get(sql) ?? 1))));

/** Queries answered per turn of the event loop, which the computations of their callers block. */
const ANSWERS_PER_TURN = 8;

const MAX_CACHED_ANSWERS = 5_000;
/** Longer answers are rarely needed twice. */
const MAX_CACHED_ROWS = 64;

/**
 * Combines the queries of a read for many probes whose code is written for one probe. Queries that wait at the same
 * time and differ only in numbers run as one statement, and a repeated query is answered from memory.
 */
export class QueryBatch {
  readonly #execute: Execute;
  readonly #dialect: 'sqlite' | 'postgres';
  readonly #waiting: WaitingQuery[] = [];
  readonly #answers = new Map<string, Promise<QueryResult<unknown>>>();
  #isRunning = false;

  constructor(execute: Execute, dialect: 'sqlite' | 'postgres') {
    this.#execute = execute;
    this.#dialect = dialect;
  }

  async run<R>(query: CompiledQuery<R>): Promise<QueryResult<R>> {
    const key = `${query.sql} ${JSON.stringify(query.parameters)}`;
    const known = this.#answers.get(key);
    const answer = known ?? this.#next(query);
    if (known === undefined) this.#answers.set(key, answer);
    if (this.#answers.size > MAX_CACHED_ANSWERS) this.#answers.delete(this.#answers.keys().next().value!);
    const { rows } = await answer;
    if (rows.length > MAX_CACHED_ROWS) this.#answers.delete(key);
    return { rows: [...rows] as R[] };
  }

  #next(query: CompiledQuery): Promise<QueryResult<unknown>> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ query, resolve, reject });
      if (!this.#isRunning) void this.#runWaiting();
    });
  }

  async #runWaiting(): Promise<void> {
    this.#isRunning = true;
    for (;;) {
      // Two turns, because a computation in slices of time continues in the next one and may add queries.
      await nextTurn();
      await nextTurn();
      if (this.#waiting.length === 0) break;
      for (const group of groupBy(this.#waiting.splice(0), ({ query }) => formOf(query)).values())
        while (group.length > 0) await this.#answer(group.splice(0, queriesPerStatement(group[0]!.query.sql)));
    }
    this.#isRunning = false;
  }

  async #answer(group: readonly WaitingQuery[]): Promise<void> {
    try {
      const results = await this.#resultsOf(group.map(({ query }) => query));
      for (const [index, { resolve }] of group.entries()) {
        resolve(results[index]!);
        if (index % ANSWERS_PER_TURN === ANSWERS_PER_TURN - 1) await nextTurn();
      }
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }

  async #resultsOf(queries: readonly CompiledQuery[]): Promise<QueryResult<unknown>[]> {
    if (queries.length === 1) return [await this.#execute(queries[0]!)];
    const statement = this.#dialect === 'sqlite' ? unionOf(queries) : joinOf(queries);
    const results = queries.map(() => ({ rows: [] as Row[] }));
    const rows = (await this.#execute(statement)).rows as Row[];
    if (rowsPerQuery.size >= MAX_FORMS) rowsPerQuery.clear();
    rowsPerQuery.set(queries[0]!.sql, Math.max(1, rows.length / queries.length));
    for (const row of rows) {
      results[row[INDEX] as number]!.rows.push(row);
      // Cheap, because it is the last column.
      delete row[INDEX];
    }
    return results;
  }
}

/** Equal for queries that differ only in numbers. */
const formOf = ({ sql, parameters }: CompiledQuery): string =>
  `${sql} ${JSON.stringify(parameters, (_, value) => (typeof value === 'number' ? 0 : value))}`;

function unionOf(queries: readonly CompiledQuery[]): CompiledQuery {
  const selects = queries.map(({ sql }, index) => `select one.*, ${index} as ${INDEX} from (${sql}) as one`);
  return {
    ...queries[0]!,
    sql: selects.join(' union all '),
    parameters: queries.flatMap(({ parameters }) => parameters),
  };
}

/** PostgreSQL would plan each select of a union. In a join the numbers that differ are sent as one JSON text. */
function joinOf(queries: readonly CompiledQuery[]): CompiledQuery {
  const { query, queryId, sql, parameters } = queries[0]!;
  const places = [...parameters.keys()];
  const differing = places.filter((place) => queries.some((query) => query.parameters[place] !== parameters[place]));
  const shared = places.filter((place) => !differing.includes(place));
  const one = sql.replace(/\$(\d+)/g, (_, number) => {
    const place = Number(number) - 1;
    return differing.includes(place) ? `inputs.p${place}` : `$${shared.indexOf(place) + 1}`;
  });
  const columns = differing.map((place) =>
    queries.every((query) => Number.isInteger(query.parameters[place]))
      ? `p${place} bigint`
      : `p${place} double precision`,
  );
  const values = queries.map((query, index) =>
    Object.fromEntries([[INDEX, index], ...differing.map((place) => [`p${place}`, query.parameters[place]])]),
  );
  const inputs = `json_to_recordset($${shared.length + 1}::json) as inputs(${[`${INDEX} integer`, ...columns].join(', ')})`;
  return {
    query,
    queryId,
    sql: `select one.*, inputs.${INDEX} from ${inputs} cross join lateral (${one}) as one`,
    parameters: [...shared.map((place) => parameters[place]), JSON.stringify(values)],
  };
}
