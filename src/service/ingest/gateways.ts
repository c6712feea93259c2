import type { TimeSlice } from '../../domain/event-loop.ts';
import type { RejectionReason } from '../../schema/ingest/csv-import.ts';
import { type GatewayRow, gatewayRow } from '../../schema/ingest/ingest-batch.ts';
import {
  type FarmRow,
  farmRowsById,
  gatewaysByImei,
  insertFarmRow,
  updateFarmRow,
} from '../../store/farm/farm-rows.ts';
import type { CompanyDb } from '../../store/tables.ts';
import { createReadingTimeParser, type ReadingTimeParser } from './reading-times.ts';
import { type BatchRejections, parseRow, rowExcerpt } from './rejected-rows.ts';

interface StatusReport {
  readonly at: number;
  readonly row: GatewayRow;
}

/** By IMEI, in the order of the batch. */
type StatusReports = ReadonlyMap<string, readonly StatusReport[]>;

export async function validateGatewayStatuses(
  {
    imeis,
    zone,
    now,
    slice,
  }: { imeis: ReadonlySet<string>; zone: string; now: number; slice: TimeSlice },
  rows: Iterable<unknown>,
  rejections: BatchRejections,
): Promise<StatusReports> {
  const times = createReadingTimeParser(zone, now);
  const statuses = new Map<string, StatusReport[]>();
  let index = 0;

  for (const value of rows) {
    const report = validateStatus(value, times, now, imeis);
    if ('refused' in report)
      rejections.add(`gateways[${index}]`, () => rowExcerpt(value), [{ reason: report.refused }]);
    else {
      const reports = statuses.get(report.row.imei);
      if (reports === undefined) statuses.set(report.row.imei, [report]);
      else reports.push(report);
    }

    index++;
    if (slice.isOver()) await slice.renew();
  }

  return statuses;
}

function validateStatus(
  value: unknown,
  times: ReadingTimeParser,
  now: number,
  imeis: ReadonlySet<string>,
): StatusReport | { readonly refused: RejectionReason } {
  const parsed = parseRow(gatewayRow, value);
  if ('refused' in parsed) return parsed;
  const { row } = parsed;
  if (!imeis.has(row.imei)) return { refused: { text: 'unknown gateway' } };
  if ((row.lat == null) !== (row.lon == null))
    return { refused: { text: 'a position needs both lat and lon' } };
  const at = row.lastSeen === undefined ? now : times.parse(row.lastSeen);
  return Number.isNaN(at) ? { refused: times.refusal } : { at, row };
}

/**
 * Writes each gateway once, with all changes of the batch. A status older than the stored one
 * changes nothing.
 */
export async function writeGatewayStatuses(
  db: CompanyDb,
  statuses: StatusReports,
): Promise<{ changed: number; unchanged: number }> {
  const counts = { changed: 0, unchanged: 0 };
  if (statuses.size === 0) return counts;

  for (const gateway of await gatewaysByImei(db, [...statuses.keys()])) {
    let changes: Partial<GatewayStatusColumns> = {};
    for (const { at, row } of statuses.get(gateway.imei) ?? []) {
      const reported = statusChanges({ ...gateway, ...changes }, row, at);
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
  const isNew = Object.entries(reported).some(
    ([name, value]) => gateway[name as keyof GatewayStatusColumns] !== value,
  );

  return isNew ? reported : null;
}

export interface Receiver {
  readonly moduleId: number;
  readonly imei: string;
  readonly at: number;
}

const EUI_64 = /^[\dA-F]{16}$/;

/**
 * A probe without a gateway gets the one that receives it best. A probe that has a gateway keeps
 * it, because reception changes with the weather.
 */
export async function recordReceivers(
  db: CompanyDb,
  receivers: readonly Receiver[],
  now: number,
): Promise<void> {
  const lorawanReceivers = receivers.filter(({ imei }) => EUI_64.test(imei));
  if (lorawanReceivers.length === 0) return;

  const imeis = new Set(lorawanReceivers.map(({ imei }) => imei));
  const moduleIds = new Set(lorawanReceivers.map(({ moduleId }) => moduleId));
  const gateways = new Map(
    (await gatewaysByImei(db, [...imeis])).map((gateway) => [gateway.imei, gateway]),
  );
  const modules = new Map(
    (await farmRowsById(db, 'modules', [...moduleIds])).map((module) => [module.id, module]),
  );

  for (const { moduleId, imei, at } of lorawanReceivers) {
    const module = modules.get(moduleId)!;
    const hasOtherGateway =
      module.gateway_id !== null && module.gateway_id !== gateways.get(imei)?.id;
    if (hasOtherGateway && !gateways.has(imei)) continue;

    const gatewayId = await recordReception(db, gateways, { imei, at, now });
    if (module.gateway_id !== null) continue;

    const changes = {
      gateway_id: gatewayId,
      ...(module.lat !== null && { location_gateway_id: gatewayId }),
    };
    await updateFarmRow(db, 'modules', moduleId, changes);
    modules.set(moduleId, { ...module, ...changes });
  }
}

/** Returns the id of the gateway, which is added if it is new. */
async function recordReception(
  db: CompanyDb,
  gateways: Map<string, FarmRow<'gateways'>>,
  { imei, at, now }: { readonly imei: string; readonly at: number; readonly now: number },
): Promise<number> {
  const existing = gateways.get(imei);
  if (existing !== undefined && (existing.last_seen_at ?? 0) >= at) return existing.id;

  if (existing !== undefined)
    await updateFarmRow(db, 'gateways', existing.id, { last_seen_at: at });
  const emptyFields = {
    serial_hex: null,
    firmware: null,
    battery_mv: null,
    level: null,
    lat: null,
    lon: null,
  };

  const row = { ...emptyFields, imei, assigned_at: now, ...existing, last_seen_at: at };
  const id = existing?.id ?? (await insertFarmRow(db, 'gateways', row));
  gateways.set(imei, { ...row, id });

  return id;
}
