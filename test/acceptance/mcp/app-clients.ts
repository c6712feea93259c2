import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { baseFarmForFile, newBaseFarm } from '../../base-farm.ts';
import { importReadingsCsv } from '../../imported-data.ts';
import { HOUR, iso } from '../../time.ts';
import { serverArguments } from '../mcp-session.ts';
import { BINARY, CLOCK } from '../program.ts';
import { createTestKey, type RestService } from '../rest-service.ts';
import { mcpUrl } from './http/mcp-http-client.ts';

const NEWER = '2026-07-28';

export const RENDERS_APPS = {
  extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } },
};

export const ERAS = ['earlier', 'newer'] as const;
export type Era = (typeof ERAS)[number];

interface ClientOptions {
  readonly era: Era;
  /** True if it declares that it renders apps. */
  readonly rendersApps?: boolean;
}

const newClient = ({ era, rendersApps = true }: ClientOptions): Client =>
  new Client(
    { name: 'host', version: '1' },
    {
      capabilities: rendersApps ? RENDERS_APPS : {},
      ...(era === 'newer' ? { versionNegotiation: { mode: { pin: NEWER } } } : {}),
    },
  );

export async function connectAppStdio(db: string, options: ClientOptions): Promise<Client> {
  const client = newClient(options);
  const args = [BINARY, ...serverArguments(db, {})];
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args,
      env: getDefaultEnvironment(),
      stderr: 'ignore',
    }),
  );
  return client;
}

export async function connectAppHttp(
  { db, base }: RestService,
  options: ClientOptions,
): Promise<Client> {
  const { key } = await createTestKey(db, '--preset', 'everything');
  const client = newClient(options);
  await client.connect(
    new StreamableHTTPClientTransport(mcpUrl(base), {
      requestInit: { headers: { 'x-api-key': key } },
    }),
  );
  return client;
}

/** A week of hours on North 1, up to now. */
async function addReadings(db: string): Promise<string> {
  const rows = Array.from({ length: 7 * 24 }, (_, index) => {
    return `${iso(Date.parse(CLOCK) - (index + 1) * HOUR)},${20 + (index % 24) / 10},${24 + (index % 24) / 20},${26 + (index % 24) / 40}`;
  });
  await importReadingsCsv(db, `time,humidity_10,humidity_20,humidity_30\n${rows.join('\n')}\n`, {
    module: 'North 1',
  });
  return db;
}

export const farmWithReadings = async (): Promise<string> => addReadings(await newBaseFarm());
export const farmWithReadingsForFile = async (): Promise<string> =>
  addReadings(await baseFarmForFile());
