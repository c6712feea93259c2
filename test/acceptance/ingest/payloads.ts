import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rowsOf } from '../../stores/stores.ts';
import { REPOSITORY } from '../program.ts';

export const payloadFile = (file: string): string => join(REPOSITORY, 'test/service/ingest/payloads', file);

export const payloadOf = (file: string): string => readFileSync(payloadFile(file), 'utf8');

/** The device of the payloads of TTN and ChirpStack. */
export const EUI = 'A84041FFFF181F0D';
export const UPLINK = payloadOf('ttn/dragino-lse01.json');

/** By the column of a CSV file. */
export async function newestReadings(db: string): Promise<Record<string, number>> {
  const rows = await rowsOf<{ sensor: string; value: number }>(
    db,
    `select s.type || '_' || cast(s.depth as integer) as sensor, r.value
      from readings r join sensors s on s.id = r.sensor_id order by r.at`,
  );
  return Object.fromEntries(rows.map(({ sensor, value }) => [sensor, value]));
}
