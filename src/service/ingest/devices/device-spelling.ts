import { foldText } from '../../../domain/strings.ts';
import { list, quotedName, say } from '../../../domain/text/say.ts';
import { type AcequiaError, invalidInputError } from '../../../schema/error.ts';
import { type DeviceRow, statusOfDevices } from '../../../store/ingest/devices.ts';
import type { CompanyDb } from '../../../store/tables.ts';

/** Other devices whose names differ from this one by case, accents or spaces alone. */
export const devicesAlike = (devices: readonly DeviceRow[], name: string): DeviceRow[] =>
  devices.filter((device) => device.name !== name && foldText(device.name) === foldText(name));

/** Throws if nothing has come from a device, while one that is spelled like it sends or is known. */
export async function assertSpelledAsSent(
  db: CompanyDb,
  devices: readonly DeviceRow[],
  name: string,
): Promise<void> {
  const alike = devicesAlike(devices, name);
  if (alike.length === 0) return;

  const statuses = await statusOfDevices(db, [name, ...alike.map((device) => device.name)]);
  if (statuses.has(name)) return;

  const sending = alike.filter((device) => statuses.has(device.name));
  if (sending.length > 0) throw spellingError(name, sending, 'sends');
  const isKnown = devices.some((device) => device.name === name);
  if (!isKnown) throw spellingError(name, alike, 'known');
}

export function spellingError(
  name: string,
  alike: readonly DeviceRow[],
  state: 'sends' | 'known',
): AcequiaError {
  const names = list(alike.map((device) => quotedName(device.name)));
  return invalidInputError(
    'invalid_body',
    state === 'sends'
      ? say`Nothing has come from ${quotedName(name)} so far, only from ${names}.`
      : say`No device is called ${quotedName(name)}, only ${names}.`,
    {
      hint: say`Ask which is meant, and give its name letter for letter. ${quotedName(name)} can be assigned as another device once it has sent.`,
      field: 'device',
    },
  );
}
