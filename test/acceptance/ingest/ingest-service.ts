import { iso, MINUTE } from '../../time.ts';
import { CLOCK, type Json } from '../program.ts';
import { type RestService, startRestService } from '../rest-service.ts';

export const CSV_HEADERS = { 'content-type': 'text/csv' };
export const GZIP_HEADERS = { 'content-encoding': 'gzip' };

export const reading = (value: number, minutesAgo = 60, fields: object = {}) => ({
  ...{ module: 'A1', type: 'humidity', depth: 10, time: iso(Date.parse(CLOCK) - minutesAgo * MINUTE), value },
  ...fields,
});

export const startIngestService = async (...options: string[]) =>
  withIngestKey(await startRestService('--rate-limit', '0', ...options));

export async function withIngestKey(service: RestService) {
  const key = await service.newKey('--scopes', 'ingest:write');
  return {
    ...service,
    key,
    send: (body: unknown, headers: Record<string, string> = {}, path = '/ingest') =>
      service.request('POST', path, { key, body, headers }),
    async post(body: Uint8Array<ArrayBuffer> | string, headers: Record<string, string>, path = '/ingest') {
      const response = await fetch(`${service.base}${path}`, {
        method: 'POST',
        headers: { 'x-api-key': key, 'content-type': 'application/json', ...headers },
        body,
      });
      return { status: response.status, body: (await response.json()) as Json };
    },
  };
}
