import pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { baseFarmForFile } from '../../base-farm.ts';
import { afterTest } from '../../cleanup.ts';
import { mcpUrl, toolCallRequest } from '../mcp/http/mcp-http-client.ts';
import type { Json } from '../program.ts';
import { type RestService, serveStoreForFile } from '../rest-service.ts';

let service: RestService;
let key: string;
beforeAll(async () => {
  service = await serveStoreForFile(await baseFarmForFile(), '--log-level', 'trace');
  key = await service.newKey('--surface', 'mcp');
});

/** Whatever reads a table waits until `release`. */
async function holdTable(table: string): Promise<{ release(): Promise<unknown> }> {
  const client = new pg.Client({ connectionString: service.db });
  await client.connect();
  afterTest(() => client.end());
  await client.query(`begin; lock table ${table} in access exclusive mode`);
  return { release: () => client.query('rollback') };
}

/** How many connections to the store are in a state. */
async function countConnections(state: string): Promise<number> {
  const client = new pg.Client({ connectionString: service.db });
  await client.connect();
  const { rows } = await client.query(
    `select 1 from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and ${state}`,
  );
  await client.end();
  return rows.length;
}

const waitingStatements = () => countConnections("wait_event_type = 'Lock'");
const openTransactions = () => countConnections("state <> 'idle'");

const loggedSince = (position: number): Json[] =>
  service
    .stderr()
    .slice(position)
    .split('\n')
    .flatMap((line) => (line.startsWith('{') && line.endsWith('}') ? [JSON.parse(line)] : []));

type Read = (signal?: AbortSignal) => Promise<Response>;

const overRest =
  (path: string): Read =>
  (signal) =>
    fetch(`${service.base}${path}`, { headers: { 'x-api-key': key }, signal: signal ?? null });

const overMcp =
  (tool: string, args: object): Read =>
  (signal) =>
    fetch(mcpUrl(service.base), {
      method: 'POST',
      headers: {
        'x-api-key': key,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify(toolCallRequest(tool, args)),
      signal: signal ?? null,
    });

const READS: readonly (readonly [name: string, operation: string, read: Read])[] = [
  ['a short one over REST', 'get_module', overRest('/modules/1')],
  ['a long one over REST', 'farm_overview', overRest('/overview')],
  ['a short one over MCP', 'get_module', overMcp('get_module', { module: '#1' })],
  ['a long one over MCP', 'morning_brief', overMcp('morning_brief', {})],
];

describe('a read whose client has gone', () => {
  it.each(READS)('is ended with the statement that it waits for: %s', async (_, name, read) => {
    const endOfRead = async (isAbandoned: boolean) => {
      const start = service.stderr().length;
      const [first, next] = [await holdTable('modules'), await holdTable('sensors')];
      const leaving = new AbortController();
      const answer = read(leaving.signal).catch(() => null);
      await expect.poll(waitingStatements).toBe(1);
      if (isAbandoned) {
        leaving.abort();
        // The service has noticed the closed connection once it answers this.
        await fetch(new URL('/health', service.base));
      }

      await first.release();
      // That which holds the other table, and the read that waits for it.
      await expect.poll(openTransactions).toBe(isAbandoned ? 1 : 2);
      await expect.poll(waitingStatements).toBe(isAbandoned ? 0 : 1);
      await next.release();
      const ends = () =>
        loggedSince(start).filter((entry) => entry.operation === name && entry.msg === 'answered');
      await expect.poll(() => ends().length).toBe(1);
      return { status: (await answer)?.status ?? null, code: ends()[0]!.code ?? null };
    };

    expect(await endOfRead(true)).toEqual({ status: null, code: 'cancelled' });
    expect(await endOfRead(false)).toEqual({ status: 200, code: null });
  });
});
