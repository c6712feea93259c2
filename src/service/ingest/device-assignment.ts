import { normalizeDeviceId } from '../../domain/ingest/device-id.ts';
import { moduleDisplayName } from '../../language/default-names.ts';
import { nearestWord } from '../../language/nearest-word.ts';
import { foldText, quote } from '../../language/text.ts';
import type { Call, StagedCall } from '../../operation/call.ts';
import type { AssignedDevice } from '../../schema/device.ts';
import { invalidInput } from '../../schema/error.ts';
import { existsInAnyCompany } from '../../store/company/companies.ts';
import { companyIdOf } from '../../store/company-db.ts';
import {
  allDevices,
  deviceNamed,
  insertDevice,
  type KeptReading,
  keptReadings,
  placeDevice,
} from '../../store/ingest/devices.ts';
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
  const writable = kept.filter((reading) => isWritable(index, place, reading));
  refuseMissingSensors(index, place, { kept: kept.length, writable: writable.length }, depthsField);
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
    kept: writable.length,
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

function isWritable(index: SensorIndex, place: DevicePlace, reading: KeptReading): boolean {
  if (isKeptRain(reading) || isKeptWeather(reading))
    return index.byId.get(place.moduleId)!.category === 'WEATHER_STATION';
  const row = rowOfKept(reading);
  return findSensor(index, place.moduleId, row.type, depthOnDevice(place, row)) !== undefined;
}

function refuseMissingSensors(
  index: SensorIndex,
  place: DevicePlace,
  { kept, writable }: { readonly kept: number; readonly writable: number },
  field: string,
): void {
  const existing = depthsOf(index, place.moduleId).filter((depth) => depth !== null);
  const hint = `The module has sensors at ${existing.join(', ') || 'no depth'}${existing.length > 0 ? ' cm' : ''}. Give one of these, or add sensors with set_module or a farm file.`;
  const without = place.depths.find((depth) => !existing.includes(depth));
  if (without !== undefined)
    throw invalidInput('invalid_body', `The module has no sensor at ${without} cm.`, { hint, field });
  if (kept > 0 && writable === 0)
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

/** A name with the depths after it; the name itself may end in a number. What is misheard names no device that sends. */
async function readDeviceText({ db }: Pick<Call, 'db'>, text: string): Promise<Omit<DevicePlacing, 'moduleId'>> {
  const words = text.split(/[\s,;]+/).filter((word) => word !== '');
  const names = (await allDevices(db)).map(({ name }) => name);
  for (let end = words.length; end > 0; end--) {
    const said = normalizeDeviceId(words.slice(0, end).join(' '));
    const device = names.find((name) => name === said) ?? names.find((name) => foldText(name) === foldText(said));
    if (device !== undefined) return { device, depths: readDepths(words.slice(end)) };
  }
  throw unknownDevice(words, names);
}

const FIGURE = /^\(?(\d{1,5}([.]\d+)?)(cm)?[).]*$/i;
/** "at 10 and 30 cm", "à 10 et 30 cm", "a 10 y 30 cm" */
const BESIDE_FIGURES = /^\(?(at|and|à|et|a|y|cm)[).]*$/i;

const readDepths = (words: readonly string[]): number[] =>
  words
    .filter((word) => !BESIDE_FIGURES.test(word))
    .map((word) => {
      const figure = FIGURE.exec(word)?.[1];
      if (figure !== undefined) return Number(figure);
      throw invalidInput('invalid_body', `${quote(word)} is not a depth in cm.`, {
        hint: 'Give the name of the device, then each of its depths in cm, from the top: "EUI 10 30".',
        field: 'device',
      });
    });

const MAX_NAMED_DEVICES = 5;

function unknownDevice(words: readonly string[], names: readonly string[]) {
  const end = words.findIndex((word, index) => index > 0 && (FIGURE.test(word) || BESIDE_FIGURES.test(word)));
  const said = normalizeDeviceId(words.slice(0, end < 0 ? words.length : end).join(' '));
  const nearest = nearestWord(said, names);
  const others = names.filter((name) => name !== nearest).slice(0, MAX_NAMED_DEVICES);
  const known = [
    ...(nearest === null ? [] : [`Did you mean ${quote(nearest)}?`]),
    ...(others.length === 0
      ? []
      : [`${nearest === null ? 'Known are' : 'Others are'} ${others.map(quote).join(', ')}.`]),
    'A device is named here once it has sent; before, "acequia ingest assign" and PUT /devices assign it.',
  ];
  return invalidInput('invalid_body', `No device is called ${quote(said)}.`, {
    hint: known.join(' '),
    field: 'device',
  });
}
