import { normalizeDeviceId } from '../../domain/ingest/device-id.ts';
import { moduleDisplayName } from '../../language/default-names.ts';
import { quote } from '../../language/text.ts';
import { invalidInput } from '../../schema/error.ts';
import {
  allDevices,
  type DeviceRecord,
  deviceNamed,
  type KeptReading,
  keptReadings,
  saveDevice,
} from '../../store/ingest/devices.ts';
import type { CompanyDb } from '../../store/tables.ts';
import { type DevicePlace, depthOnDevice, isKeptRain, placeOf, rowOfKept } from './device-readings.ts';
import { findSensor, loadSensorIndex, resolveImportModule, type SensorIndex } from './sensor-index.ts';

export interface ListedDevice {
  readonly device: string;
  /** Null until it is assigned. */
  readonly module: string | null;
  readonly depths: readonly number[];
  readonly lastSeenAt: number;
  readonly kept: number;
  /** The newest of each kind that is kept. */
  readonly newest: readonly KeptReading[];
  readonly payload: string | null;
}

export async function listDevices(db: CompanyDb): Promise<ListedDevice[]> {
  const { byId } = await loadSensorIndex(db);
  const listed: ListedDevice[] = [];
  for (const row of await allDevices(db)) listed.push(await listedDevice(db, row, byId));
  return listed;
}

async function listedDevice(db: CompanyDb, row: DeviceRecord, modules: SensorIndex['byId']): Promise<ListedDevice> {
  const place = placeOf(row);
  const module = place && modules.get(place.moduleId)!;
  const kept = place === null ? await keptReadings(db, row.name) : [];
  return {
    device: row.name,
    module: module && (moduleDisplayName(module, 'en') ?? module.uid),
    depths: place?.depths ?? [],
    lastSeenAt: row.last_seen_at,
    kept: kept.length,
    newest: [...new Map(kept.map((reading) => [`${reading.type} ${reading.place}`, reading])).values()],
    payload: row.payload,
  };
}

/** Of a device that may not have sent yet. The readings that it sent before are written with the next batch. */
export async function assignDevice(
  db: CompanyDb,
  name: string,
  moduleText: string,
  depths: readonly number[],
  now: number,
): Promise<{ readonly device: string; readonly module: string; readonly kept: number }> {
  const device = normalizeDeviceId(name);
  if (device === '' || device.length > 250)
    throw invalidInput('invalid_parameter', `${quote(name)} is not the name of a device.`, {
      hint: '"acequia ingest devices" lists those that send.',
      field: 'device',
    });
  const index = await loadSensorIndex(db);
  const { id: moduleId, ...module } = resolveImportModule(index, moduleText, 'module');
  const place: DevicePlace = { moduleId, depths };
  const kept = await keptReadings(db, device);
  refuseMissingSensors(index, place, kept);
  const known = await deviceNamed(db, device);
  const seen = { name: device, first_seen_at: now, last_seen_at: now };
  await saveDevice(db, { ...(known ?? seen), module_id: moduleId, depths: JSON.stringify(depths), payload: null });
  return { device, module: moduleDisplayName(module, 'en') ?? module.uid, kept: kept.length };
}

function refuseMissingSensors(index: SensorIndex, place: DevicePlace, kept: readonly KeptReading[]): void {
  const sensors = index.sensors.filter(({ moduleId }) => moduleId === place.moduleId);
  const existing = [...new Set(sensors.map(({ depth }) => depth))].filter((depth) => depth !== null);
  const hint = `The module has sensors at ${existing.join(', ') || 'no depth'}${existing.length > 0 ? ' cm' : ''}. Give one of these, or add sensors with set_module or a farm file.`;
  const without = place.depths.find((depth) => !existing.includes(depth));
  if (without !== undefined)
    throw invalidInput('invalid_parameter', `The module has no sensor at ${without} cm.`, { hint, field: 'depths' });
  const isStation = index.byId.get(place.moduleId)!.category === 'WEATHER_STATION';
  const isWritable = (reading: KeptReading): boolean => {
    if (isKeptRain(reading)) return isStation;
    const row = rowOfKept(reading);
    return findSensor(index, place.moduleId, row.type, depthOnDevice(place, row)) !== undefined;
  };
  if (kept.length > 0 && !kept.some(isWritable))
    throw invalidInput('invalid_parameter', 'The module has no sensor for what this device sends.', {
      hint,
      field: 'depths',
    });
}
