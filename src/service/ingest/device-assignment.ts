import { normalizeDeviceId } from '../../domain/ingest/device-id.ts';
import { moduleDisplayName } from '../../language/default-names.ts';
import type { Call, StagedCall } from '../../operation/call.ts';
import type { AssignedDevice } from '../../schema/device.ts';
import { invalidInput } from '../../schema/error.ts';
import { existsInAnyCompany } from '../../store/company/companies.ts';
import { companyIdOf } from '../../store/company-db.ts';
import { deviceNamed, insertDevice, type KeptReading, keptReadings, placeDevice } from '../../store/ingest/devices.ts';
import type { Store } from '../../store/store.ts';
import { requireOwnModule } from '../ownership.ts';
import { ingestBatch } from './batch-ingest.ts';
import { type DevicePlace, depthOnDevice, isKeptRain, isKeptWeather, rowOfKept } from './device-readings.ts';
import { findSensor, loadSensorIndex, type SensorIndex } from './sensor-index.ts';

interface DevicePlacing {
  readonly device: string;
  readonly moduleId: number;
  readonly depths: readonly number[];
}

/** Of a device that may not have sent yet. */
export async function assignDevice(
  call: Call,
  { device: text, moduleId, depths: namedDepths }: DevicePlacing,
  depthsField = 'depths',
): Promise<AssignedDevice> {
  const { db, now, zone, lang } = call;
  const device = normalizeDeviceId(text);
  if (device === '')
    throw invalidInput('invalid_body', 'The device has no name.', {
      hint: 'Give its EUI or name; GET /devices and "acequia ingest devices" list those that send.',
      field: 'device',
    });
  await requireOwnModule(call, moduleId);
  const index = await loadSensorIndex(db);
  const place: DevicePlace = { moduleId, depths: namedDepths.length > 0 ? namedDepths : onlyDepth(index, moduleId) };
  const kept = await keptReadings(db, device);
  refuseMissingSensors(index, place, kept, depthsField);
  const row = { name: device, module_id: moduleId, depths: JSON.stringify(place.depths), first_seen_at: now };
  await ((await deviceNamed(db, device)) === undefined ? insertDevice(db, row) : placeDevice(db, row));
  const companyId = companyIdOf(db);
  if (kept.length > 0) call.afterCommit((store) => writeKeptReadings(store, companyId, { now, zone }));
  const module = index.byId.get(moduleId)!;
  return {
    device,
    moduleId,
    module: moduleDisplayName(module, lang) ?? module.uid,
    depths: [...place.depths],
    kept: kept.length,
  };
}

/** The next batch writes them too, should this fail. */
async function writeKeptReadings(
  store: Store,
  companyId: number,
  context: Pick<StagedCall, 'now' | 'zone'>,
): Promise<void> {
  const call: StagedCall = {
    ...context,
    read: (body) => store.read(companyId, body),
    write: (body) => store.write(companyId, body),
    existsAnywhere: (kind, id) => store.readAll((all) => existsInAnyCompany(all, kind, id)),
  };
  await store.write(companyId, await ingestBatch(call, { readings: [] }));
}

const depthsOf = ({ sensors }: SensorIndex, moduleId: number): (number | null)[] => [
  ...new Set(sensors.filter((sensor) => sensor.moduleId === moduleId).map(({ depth }) => depth)),
];

/** Of a module whose sensors are all at one depth, the depth need not be named. */
function onlyDepth(index: SensorIndex, moduleId: number): number[] {
  const [depth = null, ...others] = depthsOf(index, moduleId);
  return depth !== null && others.length === 0 ? [depth] : [];
}

function refuseMissingSensors(
  index: SensorIndex,
  place: DevicePlace,
  kept: readonly KeptReading[],
  field: string,
): void {
  const existing = depthsOf(index, place.moduleId).filter((depth) => depth !== null);
  const hint = `The module has sensors at ${existing.join(', ') || 'no depth'}${existing.length > 0 ? ' cm' : ''}. Give one of these, or add sensors with set_module or a farm file.`;
  const without = place.depths.find((depth) => !existing.includes(depth));
  if (without !== undefined)
    throw invalidInput('invalid_body', `The module has no sensor at ${without} cm.`, { hint, field });
  const isStation = index.byId.get(place.moduleId)!.category === 'WEATHER_STATION';
  const isWritable = (reading: KeptReading): boolean => {
    if (isKeptRain(reading) || isKeptWeather(reading)) return isStation;
    const row = rowOfKept(reading);
    return findSensor(index, place.moduleId, row.type, depthOnDevice(place, row)) !== undefined;
  };
  if (kept.length > 0 && !kept.some(isWritable))
    throw invalidInput('invalid_body', 'The module has no sensor for what this device sends.', {
      hint,
      field,
    });
}

/** As a person names it: "A84041FFFF181F0D 30". */
export async function assignNamedDevice(call: Call, moduleId: number, text: string): Promise<void> {
  const named = await readDeviceText(call, text);
  const { device, depths, kept } = await assignDevice(call, { ...named, moduleId }, 'device');
  call.note({ kind: 'device_assigned', device, depths, kept });
}

/** A name with the depths after it; the name itself may end in a number. */
async function readDeviceText({ db }: Pick<Call, 'db'>, text: string): Promise<Omit<DevicePlacing, 'moduleId'>> {
  const words = text
    .replace(/(\d) ?cm\b/gi, '$1')
    .split(/[\s,;]+/)
    .filter((word) => word !== '');
  const isDepth = (word: string): boolean => /^\d{1,5}([.]\d+)?$/.test(word);
  for (let end = words.length; end > 0; end--) {
    const device = words.slice(0, end).join(' ');
    const isKnown = (await deviceNamed(db, normalizeDeviceId(device))) !== undefined;
    if (isKnown || !isDepth(words[end - 1]!)) return { device, depths: words.slice(end).filter(isDepth).map(Number) };
  }
  return { device: '', depths: [] };
}
