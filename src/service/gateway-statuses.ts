import type { Asked, Books } from '../operation/call.ts';
import { type GatewayRow, gatewayRow } from '../schema/ingest.ts';
import { allOf, change, type FarmRow } from '../store/farm.ts';
import { givenText, readRow } from './ingest-rows.ts';
import { readingTimes } from './reading-time.ts';
import type { RefusedRows } from './refused-rows.ts';

export interface KeptStatuses {
  changed: number;
  unchanged: number;
  refused: number;
}

/**
 * Keeps what gateways tell of themselves, each written once with all that the batch changes of it. A gateway is never
 * made here; what comes late, behind a status that is newer, changes nothing.
 */
export async function keepStatuses(
  { db, now, zone }: Books & Asked,
  rows: readonly unknown[],
  refused: RefusedRows,
): Promise<KeptStatuses> {
  const counts = { changed: 0, unchanged: 0, refused: 0 };
  if (rows.length === 0) return counts;
  const times = readingTimes(zone, now);
  const standing = new Map((await allOf(db, 'gateways')).map((gateway) => [gateway.imei, gateway]));
  const changed = new Map<number, Partial<Status>>();
  for (const [index, given] of rows.entries()) {
    const refuse = (reason: string): void => {
      counts.refused++;
      refused.add(`gateways[${index}]`, givenText(given), [{ reason }]);
    };
    const read = readRow(gatewayRow, given);
    if ('refused' in read) {
      refuse(read.refused);
      continue;
    }
    const { row } = read;
    const gateway = standing.get(row.imei);
    const at = row.lastSeen === undefined ? now : times.read(row.lastSeen);
    if (gateway === undefined) refuse('unknown gateway');
    else if ((row.lat == null) !== (row.lon == null)) refuse('a position has both lat and lon');
    else if (Number.isNaN(at)) refuse(times.refused);
    else {
      const changes = changesOf(gateway, row, at);
      counts[changes === null ? 'unchanged' : 'changed']++;
      if (changes === null) continue;
      standing.set(row.imei, { ...gateway, ...changes });
      changed.set(gateway.id, { ...changed.get(gateway.id), ...changes });
    }
  }
  for (const [id, changes] of changed) await change(db, 'gateways', id, changes);
  return counts;
}

type Status = Pick<FarmRow<'gateways'>, 'last_seen_at' | 'battery_mv' | 'level' | 'lat' | 'lon'>;

/** What a status changes of a gateway; null where that knows as much already. */
function changesOf(gateway: Status, row: GatewayRow, at: number): Partial<Status> | null {
  if (gateway.last_seen_at !== null && at < gateway.last_seen_at) return null;
  const told: Partial<Status> = {
    last_seen_at: at,
    ...(row.batteryMv !== undefined && { battery_mv: row.batteryMv }),
    ...(row.level !== undefined && { level: row.level }),
    ...(row.lat !== undefined && { lat: row.lat, lon: row.lon ?? null }),
  };
  const isNew = Object.entries(told).some(([name, value]) => gateway[name as keyof Status] !== value);
  return isNew ? told : null;
}
