import { normalizeDeviceId } from '../../../domain/ingest/payload-values.ts';
import { operationName } from '../../../domain/text/program-names.ts';
import { commaSeparated, quotedName, say, sentences } from '../../../domain/text/say.ts';
import { isOfDepths, parseDepths } from '../../../language/words/depths.ts';
import { nearestWord } from '../../../language/words/nearest-word.ts';
import type { Call } from '../../../operation/call.ts';
import { invalidInputError } from '../../../schema/error.ts';
import { allDevices, type DeviceRow } from '../../../store/ingest/devices.ts';
import { devicesAlike, spellingError } from './device-spelling.ts';

interface NamedDevice {
  readonly device: string;
  /** In cm, from the top. */
  readonly depths: readonly number[];
  readonly replaces: string | undefined;
}

/**
 * Parses a name with the depths after it: "A84041FFFF181F0D 30", or "A84041FFFF181F0D at 10 and 30
 * cm replaces A84041FFFF181F0C". A name itself may end in a number, so only the names of known
 * devices are accepted.
 */
export async function parseDeviceText(
  { db }: Pick<Call, 'db'>,
  text: string,
): Promise<NamedDevice> {
  const [assigned = '', replaces] = text.split(/\sreplaces\s/i);
  const words = assigned.split(/[\s,;]+/).filter((word) => word !== '');
  const devices = await allDevices(db);
  for (let end = words.length; end > 0; end--) {
    const device = matchDevice(devices, words.slice(0, end).join(' '))?.name;
    if (device !== undefined) return { device, depths: readDepths(words.slice(end)), replaces };
  }

  const names = devices.map(({ name }) => name);
  throw unknownDevice(words, names);
}

function readDepths(words: readonly string[]): readonly number[] {
  const parsed = parseDepths(words.join(' '));
  if (parsed.ok) return parsed.value;

  throw invalidInputError(
    'invalid_body',
    say`${quotedName(parsed.failure)} is not a depth in cm.`,
    {
      hint: say`Give the name of the device, then each of its depths in cm, from the top: "EUI 10 30".`,
      field: 'device',
    },
  );
}

const MAX_NAMED_DEVICES = 5;

function unknownDevice(words: readonly string[], names: readonly string[]) {
  const end = words.findIndex((word, index) => index > 0 && isOfDepths(word));
  const unknownName = normalizeDeviceId(words.slice(0, end < 0 ? words.length : end).join(' '));
  const nearest = nearestWord(unknownName, names);
  const others = names.filter((name) => name !== nearest).slice(0, MAX_NAMED_DEVICES);
  const subject = nearest === null ? say`The devices are` : say`The others are`;

  return invalidInputError('invalid_body', say`No device is called ${quotedName(unknownName)}.`, {
    hint: sentences([
      nearest === null ? null : say`Did you mean ${quotedName(nearest)}?`,
      others.length > 0 ? say`${subject} ${commaSeparated(others.map(quotedName))}.` : null,
      say`A device can be named here once it has sent; before, "acequia ingest assign" and ${operationName('assign_device')} assign it.`,
    ]),
    field: 'device',
  });
}

export function matchDevice(devices: readonly DeviceRow[], text: string): DeviceRow | undefined {
  const id = normalizeDeviceId(text);
  return devices.find(({ name }) => name === id) ?? onlyDeviceAlike(devices, id);
}

function onlyDeviceAlike(devices: readonly DeviceRow[], name: string): DeviceRow | undefined {
  const [device, ...others] = devicesAlike(devices, name);
  if (device === undefined || others.length === 0) return device;
  throw spellingError(name, [device, ...others], 'known');
}
