import { request as httpRequest, type IncomingMessage } from 'node:http';
import { DatabaseSync } from '@photostructure/sqlite';
import { beforeAll } from 'vitest';
import { WATERING } from '../../../base-farm.ts';
import { afterTest } from '../../../cleanup.ts';
import { importFarmFile } from '../../../imported-data.ts';
import type { Json } from '../../program.ts';
import { countWaterings } from '../../rest/raw-requests.ts';
import { sharedRestService } from '../../rest-service.ts';
import { mcpUrl, toolCallRequest } from '../http/mcp-http-client.ts';

/** Every write of the store waits until `release`. */
export function holdWrites(db: string): { release(): void } {
  const other = new DatabaseSync(db, { timeout: 10_000 });
  afterTest(() => other.close());
  other.exec('begin immediate');
  return { release: () => other.exec('rollback') };
}

/** A service for the file, of two companies; `headers` have a key of "Mas Rouge". */
export function serviceOfTwoCompanies() {
  const service = sharedRestService('--log-level', 'info');
  let headers: Record<string, string>;

  const headersOf = async (company: string): Promise<Record<string, string>> => ({
    'x-api-key': await service().newKey('--company', company),
    'content-type': 'application/json',
  });

  beforeAll(async () => {
    await importFarmFile(service().db, {
      company: { name: 'Mas Bleu', timezone: 'Europe/Paris' },
      users: [{ email: 'bo@example.org', name: 'Bo', role: 'OWNER' }],
    });
    headers = await headersOf('Mas Rouge');
  });

  return {
    service,
    headersOf,
    headers: () => headers,
    url: () => mcpUrl(service().base),
    holdWrites: () => holdWrites(service().db),
    /** How many waterings were written since. */
    async countNewWaterings(): Promise<() => Promise<number>> {
      const before = await countWaterings(service().db);
      return async () => (await countWaterings(service().db)) - before;
    },
  };
}

export const NEWER_META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

export const NEWER_HEADERS = {
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
  'mcp-name': 'log_watering',
};

export const progressOf = (messages: readonly Json[]): Json[] =>
  messages.filter(({ method }) => method === 'notifications/progress').map(({ params }) => params);

export const WITH_PROGRESS = { _meta: { progressToken: 'mine' } };

export const logCall = (id: number | string, more: object, meta: object = {}) => ({
  ...toolCallRequest(
    'log_watering',
    { ...WATERING, ...more },
    { _meta: { ...WITH_PROGRESS._meta, ...meta } },
  ),
  id,
});

/** Sends the call, and waits for the first part of its answer. */
export async function firstEvent(url: URL, headers: Record<string, string>, body: object) {
  const accept = 'application/json, text/event-stream';
  const request = httpRequest(url, {
    method: 'POST',
    headers: { ...headers, accept },
    agent: false,
  });
  request.on('error', () => undefined);
  const response = new Promise<IncomingMessage>((resolve) => request.on('response', resolve));
  request.end(JSON.stringify(body));
  const incoming = await response;
  let text = '';
  incoming.setEncoding('utf8').on('error', () => undefined);
  const whole = new Promise<string>((resolve) => incoming.once('end', () => resolve(text)));
  await new Promise<void>((resolve) =>
    incoming.on('data', (part: string) => {
      text += part;
      resolve();
    }),
  );
  return { request, incoming, text, whole };
}
