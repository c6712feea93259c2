import { entryOf } from '../../../domain/items.ts';
import {
  type FarmRow,
  farmRowsById,
  gatewaysByImei,
  insertFarmRow,
  updateFarmRow,
} from '../../../store/farm/farm-rows.ts';
import type { CompanyDb } from '../../../store/tables.ts';

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
    const module = entryOf(modules, moduleId);
    const hasGateway = module.gateway_id !== null;
    // A gateway is added only for a probe without one.
    if (hasGateway && !gateways.has(imei)) continue;

    const gatewayId = await recordReception(db, gateways, { imei, at, now });
    if (hasGateway) continue;

    const changes: Partial<FarmRow<'modules'>> = { gateway_id: gatewayId };
    if (module.lat !== null) changes.location_gateway_id = gatewayId;
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
  if (existing !== undefined) {
    if ((existing.last_seen_at ?? 0) >= at) return existing.id;

    await updateFarmRow(db, 'gateways', existing.id, { last_seen_at: at });
    gateways.set(imei, { ...existing, last_seen_at: at });
    return existing.id;
  }

  const row = {
    imei,
    serial_hex: null,
    firmware: null,
    battery_mv: null,
    level: null,
    lat: null,
    lon: null,
    assigned_at: now,
    last_seen_at: at,
  };
  const id = await insertFarmRow(db, 'gateways', row);
  gateways.set(imei, { ...row, id });

  return id;
}
