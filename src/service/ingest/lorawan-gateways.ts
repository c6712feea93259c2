import { type FarmRow, farmRows, insertFarmRow, updateFarmRow } from '../../store/farm/farm-rows.ts';
import type { CompanyDb } from '../../store/tables.ts';

export interface Receiver {
  readonly moduleId: number;
  readonly imei: string;
  readonly at: number;
}

const EUI_64 = /^[\dA-F]{16}$/;

/**
 * The gateway that receives a probe best is listed with it. A probe stays on the gateway that it is on: reception changes
 * with the weather, and the probe has not moved.
 */
export async function recordReceivers(db: CompanyDb, receivers: readonly Receiver[], now: number): Promise<void> {
  const heard = receivers.filter(({ imei }) => EUI_64.test(imei));
  if (heard.length === 0) return;
  const gateways = new Map((await farmRows(db, 'gateways')).map((gateway) => [gateway.imei, gateway]));
  const modules = new Map((await farmRows(db, 'modules')).map((module) => [module.id, module]));
  for (const { moduleId, imei, at } of heard) {
    const module = modules.get(moduleId)!;
    const isOnOther = module.gateway_id !== null && module.gateway_id !== gateways.get(imei)?.id;
    if (isOnOther && !gateways.has(imei)) continue;
    const gatewayId = await heardBy(db, gateways, { imei, at, now });
    if (module.gateway_id !== null) continue;
    const plugged = { gateway_id: gatewayId, ...(module.lat !== null && { location_gateway_id: gatewayId }) };
    await updateFarmRow(db, 'modules', moduleId, plugged);
    modules.set(moduleId, { ...module, ...plugged });
  }
}

async function heardBy(
  db: CompanyDb,
  gateways: Map<string, FarmRow<'gateways'>>,
  { imei, at, now }: { readonly imei: string; readonly at: number; readonly now: number },
): Promise<number> {
  const known = gateways.get(imei);
  if (known !== undefined && (known.last_seen_at ?? 0) >= at) return known.id;
  if (known !== undefined) await updateFarmRow(db, 'gateways', known.id, { last_seen_at: at });
  const unknown = { serial_hex: null, firmware: null, battery_mv: null, level: null, lat: null, lon: null };
  const row = { ...unknown, imei, assigned_at: now, ...known, last_seen_at: at };
  const id = known?.id ?? (await insertFarmRow(db, 'gateways', row));
  gateways.set(imei, { ...row, id });
  return id;
}
