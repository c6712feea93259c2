import { moduleDisplayName } from '../../language/default-names.ts';
import type { Call } from '../../operation/call.ts';
import type { ListedDevice } from '../../schema/device.ts';
import { moduleNames } from '../../store/company/places.ts';
import {
  allDevices,
  type DeviceRecord,
  type DeviceStatus,
  newestKeptReadings,
  statusOfDevices,
} from '../../store/ingest/devices.ts';
import type { CompanyDb } from '../../store/tables.ts';
import { toIsoOrNull } from '../wire-format.ts';
import { isKeptRain, isKeptWeather, placeOf, rowOfKept } from './device-readings.ts';

interface DeviceQuery {
  readonly isAssigned?: boolean | undefined;
  readonly limit: number;
}

export async function listDevices({ db, lang }: Call, { isAssigned, limit }: DeviceQuery) {
  const modules = new Map((await moduleNames(db)).map((module) => [module.id, module]));
  const rows = (await allDevices(db)).filter(
    (row) => isAssigned === undefined || isAssigned === (row.module_id !== null),
  );
  const statuses = await statusOfDevices(
    db,
    rows.map(({ name }) => name),
  );
  const seenAt = (row: DeviceRecord): number => statuses.get(row.name)?.last_seen_at ?? 0;
  const unassigned = rows.filter(isUnassigned).sort((a, b) => seenAt(b) - seenAt(a));
  const data: ListedDevice[] = [];
  for (const row of [...unassigned, ...rows.filter((each) => !isUnassigned(each))].slice(0, limit)) {
    const module = row.module_id === null ? null : modules.get(row.module_id)!;
    const name = module && (moduleDisplayName(module, lang) ?? module.uid);
    data.push({ ...(await listedDevice(db, row, statuses.get(row.name))), module: name });
  }
  return { data };
}

const isUnassigned = ({ module_id: moduleId }: DeviceRecord): boolean => moduleId === null;

async function listedDevice(db: CompanyDb, row: DeviceRecord, status: DeviceStatus | undefined) {
  const place = placeOf(row);
  const kept = place === null ? await newestKeptReadings(db, row.name) : [];
  return {
    device: row.name,
    moduleId: row.module_id,
    depths: [...(place?.depths ?? [])],
    lastSeenAt: toIsoOrNull(status?.last_seen_at ?? null),
    batteryPercent: status?.battery_percent ?? null,
    batteryV: status?.battery_v ?? null,
    gateway: status?.gateway ?? null,
    rssi: status?.rssi ?? null,
    snr: status?.snr ?? null,
    kept: kept.reduce((sum, { count }) => sum + count, 0),
    newest: kept.map((each) => ({
      type: each.type,
      depth: isKeptRain(each) || isKeptWeather(each) ? null : (rowOfKept(each).depth ?? null),
      value: each.value,
    })),
    payload: place === null ? (status?.payload ?? null) : null,
  };
}
