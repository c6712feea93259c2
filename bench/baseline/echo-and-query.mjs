/**
 * The echo, which also runs one statement on a PostgreSQL server before it answers: `node echo-and-query.mjs URL
 * read` reads a row, `write` inserts the text, durably.
 */
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import pg from 'pg';
import { z } from 'zod';

const [connectionString, way] = process.argv.slice(2);
const client = new pg.Client({ connectionString });
await client.connect();
await client.query('set synchronous_commit = on');
await client.query('create table if not exists said (id bigint generated always as identity primary key, text text)');
await client.query("insert into said (text) values ('first')");
const statements = {
  read: () => ({ name: 'read', text: 'select * from said where id = $1', values: [1] }),
  write: (text) => ({ name: 'write', text: 'insert into said (text) values ($1)', values: [text] }),
};

const server = new McpServer({ name: 'echo', version: '0.0.0' });
server.registerTool(
  'echo',
  { description: 'Asks a database and says what it is told.', inputSchema: { text: z.string() } },
  async ({ text }) => {
    await client.query(statements[way](text));
    return { content: [{ type: 'text', text }] };
  },
);
await server.connect(new StdioServerTransport());
