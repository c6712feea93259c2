/**
 * A bare Hono server: each route runs recorded statements, prepared once, on connections with the
 * same settings, and sends a recorded body. `node replay.mjs FILE DB`; FILE is a list of `{ method,
 * path, status, body, startedAt, runs }`. The instant of each request's body replaces `startedAt`
 * in `runs`.
 */
import { readFileSync } from 'node:fs';
import { serve } from '@hono/node-server';
import { DatabaseSync } from '@photostructure/sqlite';
import { Hono } from 'hono';

const [file, db] = process.argv.slice(2);
const connections = [];

function connection(number) {
  connections[number] ??= new DatabaseSync(db);
  connections[number].exec(
    'pragma synchronous = full; pragma foreign_keys = on; pragma temp_store = memory',
  );
  return connections[number];
}

const prepared = new Map();

function statementRunner({ connection: number, sql, parameters }) {
  const name = `${number} ${sql}`;
  if (!prepared.has(name)) {
    const statement = connection(number).prepare(sql);
    statement.setReturnArrays(true);
    prepared.set(name, statement);
  }
  const statement = prepared.get(name);
  const method = statement.columns().length > 0 ? 'all' : 'run';
  return (recorded, sentAt) =>
    statement[method](
      ...parameters.map((value) => (value === recorded && value !== undefined ? sentAt : value)),
    );
}

const app = new Hono();
for (const { method, path, status, body, startedAt, runs } of JSON.parse(
  readFileSync(file, 'utf8'),
)) {
  const all = runs.map(statementRunner);
  app.on(method, path, async (context) => {
    const sentAt = method === 'POST' ? Date.parse((await context.req.json()).startedAt) : undefined;
    for (const run of all) run(startedAt, sentAt);
    return context.json(body, status);
  });
}
serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) => {
  // The reference keeps the databases from being garbage-collected: a statement alone does not.
  if (connections.every((each) => each === undefined || each.isOpen))
    process.stdout.write(`Serving on http://127.0.0.1:${port}/v1\n`);
});
