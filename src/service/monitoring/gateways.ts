import { isWeatherStation } from '../../domain/advice/farm/farm-probe.ts';
import { withoutNulls } from '../../domain/items.ts';
import type { Lang } from '../../domain/lang.ts';
import { gatewayStatus, signalBars, stateOfCharge } from '../../domain/monitoring/gateway.ts';
import { moduleDisplayName } from '../../language/default-names.ts';
import type { Call } from '../../operation/call.ts';
import type { GatewayBody, GatewayHealthBody } from '../../schema/company/company.ts';
import { toIso, toIsoOrNull } from '../../schema/wire-format.ts';
import {
  type Gateway,
  gatewayById,
  gatewayNames,
  gatewaysById,
} from '../../store/company/gateways.ts';
import { type Module, modulesInServiceOn } from '../../store/company/modules.ts';
import { sensorsOf } from '../../store/company/sensors.ts';
import { type DeviceStatus, statusOfModule } from '../../store/ingest/devices.ts';
import { sensorReadingBounds } from '../../store/moisture/reading-lookup.ts';
import { newestWeatherAt } from '../../store/weather/station-readings.ts';
import { requireCommissionedModule } from '../ownership.ts';
import { idBeforePage, toPage } from '../pagination.ts';

interface GatewayQuery {
  readonly search?: string | undefined;
  readonly lang: Lang;
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly maxModules?: number | undefined;
}

export async function listGateways(
  call: Call,
  { search = '', lang, limit, cursor, maxModules }: GatewayQuery,
) {
  const list = ['gateways', call.company.id] as const;
  const afterId = idBeforePage(list, cursor);
  const searchText = search.trim().toLowerCase();
  const matching = (await gatewayNames(call.db)).filter(({ serialHex, imei }) =>
    [serialHex, imei].some((text) => text?.toLowerCase().includes(searchText)),
  );
  if (matching.length > 0) call.advise({ kind: 'total', count: matching.length });
  const remainingIds = matching.map(({ id }) => id).filter((id) => id > afterId);
  const rows = await gatewaysById(call.db, remainingIds.slice(0, limit + 1));
  const modules = await modulesInServiceOn(call.db, remainingIds.slice(0, limit));

  const modulesOn = (gateway: Gateway): GatewayBody['modules'] =>
    modules
      .filter(({ gatewayId }) => gatewayId === gateway.id)
      .map((module) => ({
        id: module.id,
        uid: module.uid,
        name: moduleDisplayName(module, lang),
        category: module.category,
      }));

  const pageSize = gatewaysThatFit(
    rows.slice(0, limit).map((gateway) => modulesOn(gateway).length),
    maxModules,
  );

  return toPage(list, rows, {
    limit: pageSize,
    positionOf: ({ id }) => [id],
    bodyOf: (gateway) => gatewayBody(gateway, modulesOn(gateway), call.now),
  });
}

/**
 * Counts the gateways that fit into a page whose modules are limited; at least one, if there is
 * one.
 */
function gatewaysThatFit(
  moduleCounts: readonly number[],
  maxModules = Number.POSITIVE_INFINITY,
): number {
  let sum = 0;
  for (const [index, count] of moduleCounts.entries()) {
    sum += count;
    if (index > 0 && sum > maxModules) return index;
  }
  return moduleCounts.length;
}

const gatewayBody = (
  gateway: Gateway,
  modules: GatewayBody['modules'],
  now: number,
): GatewayBody => ({
  id: gateway.id,
  imei: gateway.imei,
  serialHex: gateway.serialHex,
  firmware: gateway.firmware,
  assignedAt: toIso(gateway.assignedAt),
  status: gatewayStatus(gateway.lastSeenAt, now),
  lastSeen: toIsoOrNull(gateway.lastSeenAt),
  soc: stateOfCharge(gateway.batteryMv),
  level: gateway.level,
  modules,
});

/**
 * Null if the module has no gateway. A probe on LoRaWAN has its own battery and radio: the answer has
 * the longest silence, the weakest battery and the weakest signal of its devices.
 */
export async function getModuleHealth(
  call: Call,
  moduleId: number,
): Promise<GatewayHealthBody | null> {
  const module = await requireCommissionedModule(call, moduleId);
  const gateway = module.gateway && (await gatewayById(call.db, module.gateway.id));
  const devices = await statusOfModule(call.db, moduleId);
  for (const device of devices.slice(0, MAX_DEVICES)) adviseOfDevice(call, device);
  if (!gateway) {
    call.advise({ kind: 'last_reading', at: await newestReadingAt(call, module) });
    return null;
  }

  const { lastSeenAt, soc, level } = lorawanFigures(gateway, devices) ?? {
    lastSeenAt: gateway.lastSeenAt,
    soc: stateOfCharge(gateway.batteryMv),
    level: gateway.level,
  };

  return {
    time: toIsoOrNull(lastSeenAt),
    id: gateway.id,
    imei: gateway.imei,
    status: gatewayStatus(lastSeenAt, call.now),
    soc,
    // Gateways do not report whether they charge.
    charging: false,
    level,
  };
}

async function newestReadingAt({ db }: Call, module: Module): Promise<number | null> {
  const ids = (await sensorsOf(db, [module.id])).map(({ id }) => id);
  const bounds = await sensorReadingBounds(db, ids, { start: 0, end: 0 });
  const weatherAt = isWeatherStation(module) ? await newestWeatherAt(db, module.id) : null;
  const instants = withoutNulls([...bounds.map(({ newest }) => newest), weatherAt]);
  const newest = Math.max(...instants);
  return Number.isFinite(newest) ? newest : null;
}

/**
 * `devices` begin with the one that has been silent for longest. Null unless they are on LoRaWAN.
 */
function lorawanFigures(gateway: Gateway, devices: readonly DeviceStatus[]) {
  const silentLongest = devices.find(({ rssi }) => rssi !== null);
  if (silentLongest === undefined || gateway.imei.length !== EUI_64_LENGTH) return null;

  const percents = devices.map(({ battery_percent: percent }) => percent && Math.round(percent));
  return {
    lastSeenAt: silentLongest.last_seen_at,
    soc: least(percents),
    level: least(devices.map(({ rssi, snr }) => signalBars(rssi, snr))),
  };
}

/** The identifier of a LoRaWAN gateway has 16 hexadecimal digits, an IMEI 15. */
const EUI_64_LENGTH = 16;
const MAX_DEVICES = 5;

function least(values: readonly (number | null)[]): number | null {
  const figures = values.filter((value) => value !== null);
  return figures.length === 0 ? null : Math.min(...figures);
}

const adviseOfDevice = (call: Call, status: DeviceStatus): void =>
  call.advise({
    kind: 'device_status',
    device: status.device,
    lastSeenAt: status.last_seen_at,
    batteryPercent: status.battery_percent,
    batteryV: status.battery_v,
    rssi: status.rssi,
    snr: status.snr,
  });
