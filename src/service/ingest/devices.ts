import { normalizeDeviceId } from '../../domain/ingest/payload-values.ts';
import { quote } from '../../domain/text.ts';
import { moduleDisplayName } from '../../language/default-names.ts';
import { nearestWord } from '../../language/words/nearest-word.ts';
import type { Call } from '../../operation/call.ts';
import { invalidInput } from '../../schema/error.ts';
import type { ListedDevice } from '../../schema/ingest/device.ts';
import { moduleNames } from '../../store/company/places.ts';
import {
  allDevices,
  type DeviceRecord,
  type DeviceStatus,
  markDevicesListed,
  statusOfDevices,
} from '../../store/ingest/devices.ts';
import { newestUnassignedReadings } from '../../store/ingest/unassigned-readings.ts';
import type { CompanyDb } from '../../store/tables.ts';
import { toIsoOrNull } from '../wire-format.ts';
import { assignDevice, type DeviceAssignmentEntry, matchDevice } from './device-assignment.ts';
import { assignmentOf, isRainReading, isWeatherReading, toReadingRow } from './device-readings.ts';

interface DeviceQuery {
  readonly isAssigned?: boolean | undefined;
  readonly limit: number;
}

export async function listDevices(call: Call, { isAssigned, limit }: DeviceQuery) {
  const { db, lang } = call;
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
  const assigned = rows.filter((each) => !isUnassigned(each));
  const listed = [...unassigned, ...assigned].slice(0, limit);
  const data: ListedDevice[] = [];

  for (const row of listed) {
    const module = row.module_id === null ? null : modules.get(row.module_id)!;
    const name = module && (moduleDisplayName(module, lang) ?? module.uid);
    data.push({ ...(await listedDevice(db, row, statuses.get(row.name))), module: name });
  }

  const firstListed = listed.filter((row) => statuses.get(row.name)?.listed_at === null);
  rememberListed(call, firstListed.filter(isUnassigned));
  return { data };
}

/** A device that somebody has seen keeps its place when newer ones of its sender come. */
function rememberListed(
  { company, now, afterCommit }: Call,
  devices: readonly DeviceRecord[],
): void {
  if (devices.length === 0) return;
  const names = devices.map(({ name }) => name);
  afterCommit((store) => store.write(company.id, (db) => markDevicesListed(db, names, now)));
}

const isUnassigned = ({ module_id: moduleId }: DeviceRecord): boolean => moduleId === null;

async function listedDevice(db: CompanyDb, row: DeviceRecord, status: DeviceStatus | undefined) {
  const assignment = assignmentOf(row);
  const newest = assignment === null ? await newestUnassignedReadings(db, row.name) : [];
  return {
    device: row.name,
    moduleId: row.module_id,
    depths: [...(assignment?.depths ?? [])],
    lastSeenAt: toIsoOrNull(status?.last_seen_at ?? null),
    batteryPercent: status?.battery_percent ?? null,
    batteryV: status?.battery_v ?? null,
    gateway: status?.gateway ?? null,
    rssi: status?.rssi ?? null,
    snr: status?.snr ?? null,
    kept: newest.reduce((sum, { count }) => sum + count, 0),
    newest: newest.map((each) => ({
      type: each.type,
      depth:
        isRainReading(each) || isWeatherReading(each) ? null : (toReadingRow(each).depth ?? null),
      value: each.value,
    })),
    payload: assignment === null ? (status?.payload ?? null) : null,
  };
}

/** Assigns a device named by a person: "A84041FFFF181F0D 30". */
export async function assignNamedDevice(call: Call, moduleId: number, text: string): Promise<void> {
  const entry = await readDeviceText(call, text);
  const { device, depths, kept } = await assignDevice(call, { ...entry, moduleId }, 'device');
  call.advise({ kind: 'device_assigned', device, depths, kept });
}

/**
 * A name with the depths after it; the name itself may end in a number, so only names of devices
 * that sent are accepted.
 */
async function readDeviceText(
  { db }: Pick<Call, 'db'>,
  text: string,
): Promise<Omit<DeviceAssignmentEntry, 'moduleId'>> {
  const [assigned = '', replaces] = text.split(/\sreplaces\s/i);
  const words = assigned.split(/[\s,;]+/).filter((word) => word !== '');
  const devices = await allDevices(db);
  for (let end = words.length; end > 0; end--) {
    const device = matchDevice(devices, words.slice(0, end).join(' '))?.name;
    if (device !== undefined) return { device, depths: readDepths(words.slice(end)), replaces };
  }

  throw unknownDevice(
    words,
    devices.map(({ name }) => name),
  );
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
  const end = words.findIndex(
    (word, index) => index > 0 && (FIGURE.test(word) || BESIDE_FIGURES.test(word)),
  );
  const unknownName = normalizeDeviceId(words.slice(0, end < 0 ? words.length : end).join(' '));
  const nearest = nearestWord(unknownName, names);
  const others = names.filter((name) => name !== nearest).slice(0, MAX_NAMED_DEVICES);
  const sentences = [
    ...(nearest === null ? [] : [`Did you mean ${quote(nearest)}?`]),
    ...(others.length === 0
      ? []
      : [
          `${nearest === null ? 'The devices are' : 'The others are'} ${others.map(quote).join(', ')}.`,
        ]),
    'A device is named here once it has sent; before, "acequia ingest assign" and PUT /devices assign it.',
  ];

  return invalidInput('invalid_body', `No device is called ${quote(unknownName)}.`, {
    hint: sentences.join(' '),
    field: 'device',
  });
}
