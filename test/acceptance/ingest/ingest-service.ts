import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exampleOf, payloadText } from '../../service/ingest/preset-examples.ts';
import { rowsOf } from '../../stores/stores.ts';
import { newFolder } from '../../temporary-places.ts';
import { iso, MINUTE } from '../../time.ts';
import { CLOCK, type Json } from '../program.ts';
import { type RestService, startRestService } from '../rest-service.ts';

export const CSV_HEADERS = { 'content-type': 'text/csv' };
export const GZIP_HEADERS = { 'content-encoding': 'gzip' };

export const reading = (value: number, minutesAgo = 60, fields: object = {}) => ({
  module: 'A1',
  type: 'humidity',
  depth: 10,
  time: iso(Date.parse(CLOCK) - minutesAgo * MINUTE),
  value,
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
    async post(
      body: Uint8Array<ArrayBuffer> | string,
      headers: Record<string, string>,
      path = '/ingest',
    ) {
      const response = await fetch(`${service.base}${path}`, {
        method: 'POST',
        headers: { 'x-api-key': key, 'content-type': 'application/json', ...headers },
        body,
      });
      return { status: response.status, body: (await response.json()) as Json };
    },
  };
}

export const payloadOf = (preset: string): string => payloadText(exampleOf(preset));

export async function payloadFile(preset: string): Promise<string> {
  const file = join(await newFolder(), 'payload');
  await writeFile(file, payloadOf(preset));
  return file;
}

/** The device of the payloads of TTN and ChirpStack. */
export const EUI = 'A84041FFFF181F0D';
export const UPLINK = payloadOf('ttn/dragino-lse01');

/** Returns the newest values by the column of a CSV file. */
export async function newestReadings(db: string): Promise<Record<string, number>> {
  const rows = await rowsOf<{ sensor: string; value: number }>(
    db,
    `select s.type || '_' || cast(s.depth as integer) as sensor, r.value
      from readings r join sensors s on s.id = r.sensor_id order by r.at`,
  );
  return Object.fromEntries(rows.map(({ sensor, value }) => [sensor, value]));
}
