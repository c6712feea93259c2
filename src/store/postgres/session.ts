import pg from 'pg';
import { firstOf } from '../../domain/items.ts';
import { MINUTE_MS } from '../../domain/periods.ts';
import { redactedLocation } from '../store-location.ts';
import {
  ambiguousSchemaError,
  isCardinalityViolation,
  isServerSilent,
  noSessionError,
} from './failures.ts';

type Settings = Readonly<Record<string, string>>;

const CONNECT_TIMEOUT_MS = 5_000;
export const STATEMENT_TIMEOUT_MS = 120_000;
const LOCK_TIMEOUT_MS = 30_000;

/** The URL may name others. */
const TIMEOUTS: Settings = {
  statement_timeout: String(STATEMENT_TIMEOUT_MS),
  lock_timeout: String(LOCK_TIMEOUT_MS),
  idle_in_transaction_session_timeout: String(MINUTE_MS),
};

const SETTINGS: Settings = {
  ...TIMEOUTS,
  TimeZone: 'UTC',
  row_security: 'on',
  extra_float_digits: '1',
  // A plan that is made without values expects many rows, so starting other processes and compiling
  // it would take longer than reading the few of a small company.
  max_parallel_workers_per_gather: '0',
  jit: 'off',
};

const numericTypes: ReadonlySet<number> = new Set([
  pg.types.builtins.INT8,
  pg.types.builtins.NUMERIC,
]);

/** Returns the same values as SQLite: numbers for all numeric types, 1 and 0 for booleans. */
const typeParsers: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format: 'text' | 'binary' = 'text') {
    if (numericTypes.has(oid)) return Number;
    if (oid === pg.types.builtins.BOOL) return (text: string) => (text === 't' ? 1 : 0);
    return pg.types.getTypeParser(oid, format);
  },
};

/**
 * A kind of session. A pooler in front of the server accepts hardly any settings while connecting,
 * so they are set by one statement afterwards.
 */
export class Session {
  readonly config: pg.ClientConfig;
  readonly #location: string;
  readonly #setUpStatement: string;

  constructor(url: string, more: Settings = {}) {
    const { connectionString, timeouts, namesSchema } = parametersOf(url);
    this.#location = redactedLocation(url);
    this.#setUpStatement = setUpStatement({ ...SETTINGS, ...timeouts, ...more }, namesSchema);
    this.config = {
      connectionString,
      application_name: 'acequia',
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      types: typeParsers,
    };
  }

  /** A pooler without a free connection to the server accepts ours all the same, and then waits. */
  async setUp(client: pg.ClientBase): Promise<void> {
    const query = { text: this.#setUpStatement, query_timeout: CONNECT_TIMEOUT_MS };
    const { rows } = await client.query<{ pid: number }>(query).catch((error) => {
      if (isServerSilent(error)) throw noSessionError(this.#location);
      throw isCardinalityViolation(error) ? ambiguousSchemaError(this.#location) : error;
    });
    firstPids.set(client, firstOf(rows).pid);
  }

  async connect(client: pg.Client): Promise<void> {
    try {
      await client.connect();
      await this.setUp(client);
    } catch (error) {
      // pg leaves the socket of a client open that could not log in.
      void client.end().catch(() => undefined);
      throw error;
    }
  }
}

const firstPids = new WeakMap<pg.ClientBase, number>();

/** The process of the server that set up the session. */
export const firstPidOf = (client: pg.ClientBase): number | undefined => firstPids.get(client);

/** The driver would send the time-outs of the URL while connecting. */
function parametersOf(url: string) {
  // The driver accepts some addresses that are no URL.
  if (!URL.canParse(url)) return { connectionString: url, timeouts: {}, namesSchema: false };

  const address = new URL(url);
  const timeouts: Record<string, string> = {};
  for (const name of Object.keys(TIMEOUTS)) {
    const value = address.searchParams.get(name);
    if (value === null) continue;
    timeouts[name] = value;
    address.searchParams.delete(name);
  }

  const options = address.searchParams.get('options') ?? process.env.PGOPTIONS ?? '';
  const namesSchema = options.includes('search_path');
  return { connectionString: address.href, timeouts, namesSchema };
}

/** Schemas with tables of Acequia that the user may use. */
const SCHEMAS_WITH_TABLES = `select n.nspname from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  where c.relname = 'kysely_migration' and has_schema_privilege(n.oid, 'usage')
    and exists (select from pg_class t where t.relnamespace = n.oid and t.relname = 'waterings')`;

const SCHEMA_IN_PATH = `(${SCHEMAS_WITH_TABLES} and n.nspname = any(current_schemas(false))
  order by array_position(current_schemas(false), n.nspname) limit 1)`;

/** Fails if there are several, since each may be the right one. */
const ONLY_SCHEMA = `(${SCHEMAS_WITH_TABLES})`;

/**
 * Fixes the search path to the schema of the tables, so that nobody's change of the path for a role
 * or database hides them. Before there are tables, it is the schema in which they will be created.
 * Who names a path while connecting wants no other schema.
 */
function setUpStatement(settings: Settings, namesSchema: boolean): string {
  const schemas = [SCHEMA_IN_PATH, ...(namesSchema ? [] : [ONLY_SCHEMA]), 'current_schema()'];
  const calls = Object.entries(settings).map(
    ([name, value]) => `set_config('${name}', ${pg.escapeLiteral(value)}, false)`,
  );
  calls.push(`set_config('search_path', quote_ident(coalesce(${schemas.join(', ')})), false)`);
  return `select pg_backend_pid() as pid, ${calls.join(', ')}`;
}
