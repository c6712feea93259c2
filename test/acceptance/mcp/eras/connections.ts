import {
  Client,
  type ElicitRequest,
  type ElicitResult,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { beforeAll } from 'vitest';
import { lazySchemaValidator } from '../../../../demo/servers/mcp-client.ts';
import { afterFile } from '../../../cleanup.ts';
import { isDeepRun } from '../../../property-runs.ts';
import { serverArguments } from '../../mcp-session.ts';
import { BINARY, type Json } from '../../program.ts';
import type { RestService } from '../../rest-service.ts';
import { mcpUrl } from '../http/mcp-http-client.ts';

/** Both transports, each in both eras of the protocol. */
export const CONNECTION_KINDS = [
  { transport: 'stdio', revision: '2025-11-25' },
  { transport: 'stdio', revision: '2026-07-28' },
  { transport: 'HTTP', revision: '2025-11-25' },
  { transport: 'HTTP', revision: '2026-07-28' },
] as const;

/** For what does not depend on the connection: each transport and each era once, but in deep runs. */
export const TRIED_CONNECTIONS = isDeepRun
  ? CONNECTION_KINDS
  : ([CONNECTION_KINDS[0], CONNECTION_KINDS[3]] as const);

export type ConnectionKind = (typeof CONNECTION_KINDS)[number];

/** Answers the questions to the person; without it the client shows no forms. */
export type AnswerForm = (question: ElicitRequest['params']) => ElicitResult;

export interface Connection {
  readonly client: Client;
  call(name: string, args?: Record<string, unknown>): Promise<Json>;
}

export async function openConnection(
  { db, base, newKey }: Pick<RestService, 'db' | 'base' | 'newKey'>,
  { transport, revision }: ConnectionKind,
  answerForm?: AnswerForm,
): Promise<Connection> {
  const client = new Client(
    { name: 'acceptance', version: '1' },
    {
      capabilities: answerForm ? { elicitation: { form: {} } } : {},
      jsonSchemaValidator: lazySchemaValidator,
      ...(revision === '2026-07-28' && { versionNegotiation: { mode: { pin: revision } } }),
    },
  );
  if (answerForm)
    client.setRequestHandler('elicitation/create', ({ params }) => answerForm(params));
  await client.connect(transport === 'stdio' ? overStdio(db) : overHttp(base, await newKey()));
  afterFile(() => client.close());
  return { client, call: async (name, args = {}) => client.callTool({ name, arguments: args }) };
}

const overStdio = (db: string): Transport =>
  new StdioClientTransport({
    command: process.execPath,
    args: [BINARY, ...serverArguments(db, { lang: 'en' })],
    env: getDefaultEnvironment(),
    stderr: 'ignore',
  });

const overHttp = (base: string, key: string): Transport =>
  new StreamableHTTPClientTransport(mcpUrl(base), {
    requestInit: { headers: { 'x-api-key': key } },
  });

/** One connection for all tests of a `describe`. */
export function sharedConnection(
  service: () => RestService,
  kind: ConnectionKind,
  answerForm?: AnswerForm,
): Connection {
  let connection: Connection;
  beforeAll(async () => {
    connection = await openConnection(service(), kind, answerForm);
  });
  return {
    get client() {
      return connection.client;
    },
    call: (...args) => connection.call(...args),
  };
}
