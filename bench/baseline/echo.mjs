/**
 * The plain SDK with one tool, as in its documentation: the baseline of the cold start, the warm
 * read and the memory. With a database it also runs one statement before it answers: `echo.mjs
 * FILE` inserts the text into a file of SQLite, `echo.mjs URL read` reads a row by its key on a
 * PostgreSQL server, `echo.mjs URL write` inserts the text there, each durably.
 */
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';

async function fileStatement(file) {
  const { DatabaseSync } = await import('@photostructure/sqlite');
  const db = new DatabaseSync(file);
  db.exec(
    'pragma journal_mode = wal; pragma synchronous = full; create table if not exists texts (id integer primary key, text text)',
  );
  const insert = db.prepare('insert into texts (text) values (?)');
  // The reference keeps the database from being garbage-collected: a statement alone does not.
  return (text) => db.isOpen && insert.run(text);
}

async function serverStatement(connectionString, mode) {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query('set synchronous_commit = on');
  await client.query(
    'create table if not exists texts (id bigint generated always as identity primary key, text text)',
  );
  await client.query("insert into texts (text) values ('first')");
  return mode === 'read'
    ? () => client.query({ name: 'read', text: 'select * from texts where id = $1', values: [1] })
    : (text) =>
        client.query({
          name: 'write',
          text: 'insert into texts (text) values ($1)',
          values: [text],
        });
}

const [database, mode] = process.argv.slice(2);
const run = database && (await (mode ? serverStatement(database, mode) : fileStatement(database)));
const server = new McpServer({ name: 'echo', version: '0.0.0' });
server.registerTool(
  'echo',
  { description: 'Repeats a text.', inputSchema: { text: z.string() } },
  async ({ text }) => {
    if (run) await run(text);
    return { content: [{ type: 'text', text }] };
  },
);
await server.connect(new StdioServerTransport());
