import type { CheckContext, WriteContext } from '../../operation/call.ts';
import { type GatewayRow, gatewayRow } from '../../schema/imports/ingest-batch.ts';
import { type FarmRow, farmRows, updateFarmRow } from '../../store/farm/farm-rows.ts';
import { createReadingTimeParser } from './reading-parsers.ts';
import { parseRow, type RefusalLog, rowExcerpt } from './rejected-rows.ts';

export interface StatusCounts {
  changed: number;
  unchanged: number;
  refused: number;
}

/** A status older than the stored one changes nothing. */
export async function updateGatewayStatuses(
  { db, now, zone }: WriteContext & CheckContext,
  rows: readonly unknown[],
  refusals: RefusalLog,
): Promise<StatusCounts> {
  const counts = { changed: 0, unchanged: 0, refused: 0 };
  if (rows.length === 0) return counts;
  const times = createReadingTimeParser(zone, now);
  const stored = new Map((await farmRows(db, 'gateways')).map((gateway) => [gateway.imei, gateway]));
  const changed = new Map<number, Partial<GatewayStatusColumns>>();
  for (const [place, value] of rows.entries()) {
    const refuse = (reason: string): void => {
      counts.refused++;
      refusals.add(`gateways[${place}]`, rowExcerpt(value), [{ reason }]);
    };
    const parsed = parseRow(gatewayRow, value);
    if ('refused' in parsed) {
      refuse(parsed.refused);
      continue;
    }
    const { row } = parsed;
    const gateway = stored.get(row.imei);
    const at = row.lastSeen === undefined ? now : times.parse(row.lastSeen);
    if (gateway === undefined) refuse('unknown gateway');
    else if ((row.lat == null) !== (row.lon == null)) refuse('a position needs both lat and lon');
    else if (Number.isNaN(at)) refuse(times.refusalReason);
    else {
      const changes = statusChanges(gateway, row, at);
      counts[changes === null ? 'unchanged' : 'changed']++;
      if (changes === null) continue;
      stored.set(row.imei, { ...gateway, ...changes });
      changed.set(gateway.id, { ...changed.get(gateway.id), ...changes });
    }
  }
  for (const [id, changes] of changed) await updateFarmRow(db, 'gateways', id, changes);
  return counts;
}

type GatewayStatusColumns = Pick<FarmRow<'gateways'>, 'last_seen_at' | 'battery_mv' | 'level' | 'lat' | 'lon'>;

function statusChanges(
  gateway: GatewayStatusColumns,
  row: GatewayRow,
  at: number,
): Partial<GatewayStatusColumns> | null {
  if (gateway.last_seen_at !== null && at < gateway.last_seen_at) return null;
  const reported: Partial<GatewayStatusColumns> = {
    last_seen_at: at,
    ...(row.batteryMv !== undefined && { battery_mv: row.batteryMv }),
    ...(row.level !== undefined && { level: row.level }),
    ...(row.lat !== undefined && { lat: row.lat, lon: row.lon ?? null }),
  };
  const isNew = Object.entries(reported).some(([name, value]) => gateway[name as keyof GatewayStatusColumns] !== value);
  return isNew ? reported : null;
}
