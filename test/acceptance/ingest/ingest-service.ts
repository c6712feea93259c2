import { CLOCK, type Json } from '../program.ts';
import { type RestService, startRestService } from '../rest-service.ts';

const MINUTE = 60_000;

export const CSV_HEADERS = { 'content-type': 'text/csv' };
export const GZIP_HEADERS = { 'content-encoding': 'gzip' };
export const iso = (at: number): string => new Date(at).toISOString();

/** A reading of "North 1" at 10 cm, so many minutes before the clock. */
export const reading = (value: number, minutesAgo = 60, more: object = {}) => ({
  ...{ module: 'A1', type: 'humidity', depth: 10, time: iso(Date.parse(CLOCK) - minutesAgo * MINUTE), value },
  ...more,
});

/** A service that takes batches, under a key for nothing else; for one test. */
export const startIngestService = async (...options: string[]) =>
  withIngestKey(await startRestService('--rate-limit', '0', ...options));

/** A service with a new key that is for batches alone. */
export async function withIngestKey(served: RestService) {
  const key = await served.newKey('--scopes', 'ingest:write');
  return {
    ...served,
    key,
    send: (body: unknown, headers: Record<string, string> = {}, path = '/ingest') =>
      served.request('POST', path, { key, body, headers }),
    /** Sends bytes as they are. */
    async post(body: Uint8Array<ArrayBuffer> | string, headers: Record<string, string>, path = '/ingest') {
      const answer = await fetch(`${served.base}${path}`, {
        method: 'POST',
        headers: { 'x-api-key': key, 'content-type': 'application/json', ...headers },
        body,
      });
      return { status: answer.status, body: (await answer.json()) as Json };
    },
  };
}
