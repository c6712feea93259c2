import { isNoPosition } from '../../../domain/company/geometry.ts';
import { chunksOf } from '../../../domain/groups.ts';
import { keysOf } from '../../../domain/records.ts';
import { type GatewayItem, gatewayItem } from '../../../schema/ingest/ingest-items.ts';
import { type FarmRow, gatewaysByImei, updateFarmRow } from '../../../store/farm/farm-rows.ts';
import type { CompanyDb } from '../../../store/tables.ts';
import {
  addCounts,
  type BatchCounts,
  type ItemKind,
  ROWS_PER_PART,
  timeReasons,
} from './item-kind.ts';
import { ACCEPTED, rejected } from './parsed-items.ts';

interface StatusReport {
  readonly at: number;
  readonly item: GatewayItem;
}

/** By IMEI, in the order of the batch. */
type StatusReports = Map<string, StatusReport[]>;

/** Items that gateways report about themselves. */
export const gatewayItems: ItemKind<typeof gatewayItem, string, StatusReports> = {
  schema: gatewayItem,

  target: ({ imei }, { imeis }) =>
    imeis.has(imei)
      ? { to: imei, clock: null, reason: null }
      : { reason: { text: 'unknown gateway' } },

  time: ({ lastSeen }, times, { now }) => (lastSeen === undefined ? now : times.parse(lastSeen)),

  checks: ({ item: { lat, lon }, at }, times) =>
    (lat == null) === (lon == null)
      ? timeReasons(at, times)
      : rejected({ text: 'a position needs both lat and lon' }),

  add({ item, to, at }, { rows }) {
    const reports = rows.get(to);
    if (reports === undefined) rows.set(to, [{ at, item }]);
    else reports.push({ at, item });
    return ACCEPTED;
  },

  *insert(rows) {
    for (const part of chunksOf([...rows], ROWS_PER_PART))
      yield async (db, { gateways }) =>
        addCounts(gateways, await writeGatewayStatuses(db, new Map(part)));
  },

  newRows: () => new Map(),
};

/**
 * Writes each gateway once, with all changes of the batch. A status older than the stored one
 * changes nothing.
 */
async function writeGatewayStatuses(
  db: CompanyDb,
  statuses: StatusReports,
): Promise<BatchCounts['gateways']> {
  const counts = { changed: 0, unchanged: 0 };
  for (const gateway of await gatewaysByImei(db, [...statuses.keys()])) {
    let changes: Partial<GatewayStatusColumns> = {};
    for (const { at, item } of statuses.get(gateway.imei) ?? []) {
      const reported = statusChanges({ ...gateway, ...changes }, item, at);
      counts[reported === null ? 'unchanged' : 'changed']++;
      changes = { ...changes, ...reported };
    }
    if (Object.keys(changes).length > 0) await updateFarmRow(db, 'gateways', gateway.id, changes);
  }

  return counts;
}

type GatewayStatusColumns = Pick<
  FarmRow<'gateways'>,
  'last_seen_at' | 'battery_mv' | 'level' | 'lat' | 'lon'
>;

function statusChanges(
  gateway: GatewayStatusColumns,
  { batteryMv, level, lat, lon }: GatewayItem,
  at: number,
): Partial<GatewayStatusColumns> | null {
  if (gateway.last_seen_at !== null && at < gateway.last_seen_at) return null;

  const reported: Partial<GatewayStatusColumns> = { last_seen_at: at };
  if (batteryMv !== undefined) reported.battery_mv = batteryMv;
  if (level !== undefined) reported.level = level;
  if (lat !== undefined && !isNoPosition({ lat, lon })) {
    reported.lat = lat;
    reported.lon = lon ?? null;
  }

  const isNew = keysOf(reported).some((name) => gateway[name] !== reported[name]);

  return isNew ? reported : null;
}
