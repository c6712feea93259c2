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
import { BINARY, CLOCK, type Json } from '../../program.ts';
import type { RestService } from '../../rest-service.ts';
import { mcpUrl } from '../http/mcp-http-client.ts';

/** Both transports, each in both eras of the protocol. */
export const CONNECTION_KINDS = [
  { transport: 'stdio', revision: '2025-11-25' },
  { transport: 'stdio', revision: '2026-07-28' },
  { transport: 'HTTP', revision: '2025-11-25' },
  { transport: 'HTTP', revision: '2026-07-28' },
] as const;

/** A process on this machine forwards what a remote service answers. */
export const ASKED_CONNECTIONS = [
  ...CONNECTION_KINDS,
  { transport: 'a remote service', revision: '2025-11-25' },
  { transport: 'a remote service', revision: '2026-07-28' },
] as const;

/** Each transport and era once, for what does not depend on the connection; all in deep runs. */
export const TRIED_CONNECTIONS = isDeepRun
  ? CONNECTION_KINDS
  : ([CONNECTION_KINDS[0], CONNECTION_KINDS[3]] as const);

export type ConnectionKind = (typeof ASKED_CONNECTIONS)[number];

/** Answers the questions to the person; without it the client shows no forms. */
export type AnswerForm = (question: ElicitRequest['params']) => ElicitResult;

export interface Connection {
  readonly client: Client;
  call(name: string, args?: Record<string, unknown>): Promise<Json>;
}

export async function openConnection(
  service: Pick<RestService, 'db' | 'base' | 'newKey'>,
  { transport, revision }: ConnectionKind,
  answerForm?: AnswerForm,
): Promise<Connection> {
  const client = new Client(
    { name: 'acceptance', version: '1' },
    {
      capabilities: answerForm ? { elicitation: { form: {} } } : {},
      jsonSchemaValidator: lazySchemaValidator,
      ...(revision === '2026-07-28' ? { versionNegotiation: { mode: { pin: revision } } } : {}),
    },
  );
  if (answerForm)
    client.setRequestHandler('elicitation/create', ({ params }) => answerForm(params));
  await client.connect(await TRANSPORTS[transport](service));
  afterFile(() => client.close());
  return { client, call: async (name, args = {}) => client.callTool({ name, arguments: args }) };
}

const TRANSPORTS: Readonly<
  Record<
    ConnectionKind['transport'],
    (service: Pick<RestService, 'db' | 'base' | 'newKey'>) => Promise<Transport> | Transport
  >
> = {
  stdio: ({ db }) => overStdio(serverArguments(db, { lang: 'en' })),
  HTTP: async ({ base, newKey }) =>
    new StreamableHTTPClientTransport(mcpUrl(base), {
      requestInit: { headers: { 'x-api-key': await newKey() } },
    }),
  'a remote service': async ({ base, newKey }) =>
    overStdio(['--remote', base, '--clock', CLOCK, '--lang', 'en'], {
      ACEQUIA_API_KEY: await newKey(),
    }),
};

const overStdio = (args: readonly string[], env: Record<string, string> = {}): Transport =>
  new StdioClientTransport({
    command: process.execPath,
    args: [BINARY, ...args],
    env: { ...getDefaultEnvironment(), ...env },
    stderr: 'ignore',
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
