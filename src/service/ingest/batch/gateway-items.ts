import { isNoPosition } from '../../../domain/company/geometry.ts';
import { type GatewayItem, gatewayItem } from '../../../schema/ingest/ingest-items.ts';
import type { RejectionReason } from '../../../schema/ingest/rejection.ts';
import { type FarmRow, gatewaysByImei, updateFarmRow } from '../../../store/farm/farm-rows.ts';
import type { CompanyDb } from '../../../store/tables.ts';
import { ReadingTimeParser } from '../reading-times.ts';
import type { BatchContext } from './batch-context.ts';
import { ACCEPTED, checkItem, type ItemReasons, ParsedItems, rejected } from './parsed-items.ts';

interface StatusReport {
  readonly at: number;
  readonly item: GatewayItem;
}

/** By IMEI, in the order of the batch. */
export type StatusReports = ReadonlyMap<string, readonly StatusReport[]>;

/** Parses what gateways report about themselves. */
export class GatewayParser {
  readonly list = 'gateways';
  readonly parsed = new ParsedItems<Map<string, StatusReport[]>>(new Map());
  readonly #context: Pick<BatchContext, 'imeis' | 'zone' | 'now'>;
  readonly #times: ReadingTimeParser;

  constructor(context: Pick<BatchContext, 'imeis' | 'zone' | 'now'>) {
    this.#context = context;
    this.#times = new ReadingTimeParser(context);
  }

  parse(value: unknown): ItemReasons {
    const { item, reason } = checkItem(gatewayItem, value);
    if (reason !== null) return rejected(reason);

    const { imeis, now } = this.#context;
    if (!imeis.has(item.imei)) return rejected({ text: 'unknown gateway' });
    if ((item.lat == null) !== (item.lon == null)) return rejected(INCOMPLETE_POSITION);

    const at = item.lastSeen === undefined ? now : this.#times.parse(item.lastSeen);
    if (Number.isNaN(at)) return rejected(this.#times.rejection);

    const reports = this.parsed.rows.get(item.imei);
    if (reports === undefined) this.parsed.rows.set(item.imei, [{ at, item }]);
    else reports.push({ at, item });
    return ACCEPTED;
  }
}

const INCOMPLETE_POSITION: RejectionReason = { text: 'a position needs both lat and lon' };

export interface GatewayCounts {
  readonly changed: number;
  readonly unchanged: number;
}

/**
 * Writes each gateway once, with all changes of the batch. A status older than the stored one
 * changes nothing.
 */
export async function writeGatewayStatuses(
  db: CompanyDb,
  statuses: StatusReports,
): Promise<GatewayCounts> {
  const counts = { changed: 0, unchanged: 0 };
  if (statuses.size === 0) return counts;

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

  const isNew = Object.entries(reported).some(
    ([name, value]) => gateway[name as keyof GatewayStatusColumns] !== value,
  );

  return isNew ? reported : null;
}
