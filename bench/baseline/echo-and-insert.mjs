/** The echo, which also writes its text into one table, durably: the baseline of a logged watering. */
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { DatabaseSync } from '@photostructure/sqlite';
import { z } from 'zod';

const db = new DatabaseSync(process.argv[2]);
db.exec(
  'pragma journal_mode = wal; pragma synchronous = full; create table if not exists said (id integer primary key, text text)',
);
const insert = db.prepare('insert into said (text) values (?)');

const server = new McpServer({ name: 'echo', version: '0.0.0' });
server.registerTool(
  'echo',
  { description: 'Writes what it is told and says it.', inputSchema: { text: z.string() } },
  async ({ text }) => {
    // The reference keeps the database from being garbage-collected: a statement alone does not.
    if (db.isOpen) insert.run(text);
    return { content: [{ type: 'text', text }] };
  },
);
await server.connect(new StdioServerTransport());
