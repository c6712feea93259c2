import { argument } from '../../../domain/text/program-names.ts';
import { say } from '../../../domain/text/say.ts';
import { invalidInputError } from '../../../schema/error.ts';
import {
  type DeviceRow,
  deviceModels,
  deviceNamed,
  statusOfDevices,
} from '../../../store/ingest/devices.ts';
import {
  type StoredReading,
  unassignedReadings,
} from '../../../store/ingest/unassigned-readings.ts';
import type { CompanyDb } from '../../../store/tables.ts';
import { chosenFieldsOf } from './device-readings.ts';
import type { FieldsOfDevice } from './fields/chosen-fields.ts';

export interface KnownDevice extends FieldsOfDevice {
  readonly stored: DeviceRow | undefined;
  readonly readings: readonly StoredReading[];
  /** Null if the network does not name it. */
  readonly model: string | null;
}

export async function loadKnownDevice(db: CompanyDb, device: string): Promise<KnownDevice> {
  const stored = await deviceNamed(db, device);
  const readings = await unassignedReadings(db, device);
  const model = (await statusOfDevices(db, [device])).get(device)?.model ?? null;

  const ofModel = (await deviceModels(db)).find((row) => row.model === model);
  const hasFields = (stored?.fields ?? null) !== null;
  return { stored, readings, model, chosen: chosenFieldsOf(hasFields ? stored : ofModel) };
}

/** A device keeps its depths when another one takes its place. */
export const wasAssigned = (device: DeviceRow | undefined): boolean =>
  device !== undefined && (device.module_id !== null || device.depths !== null);

/**
 * From when the readings of a device count for its module. Null for all that it sent, which a device
 * sent where it is unless it measured elsewhere or lay on a bench since.
 */
export function startOf(
  { moduleId, since }: { readonly moduleId: number; readonly since?: number | undefined },
  stored: DeviceRow | undefined,
  now: number,
): number | null {
  if (since !== undefined && since > now)
    throw invalidInputError('invalid_body', say`${argument('since')} is in the future.`, {
      hint: say`Give the instant from which the device has measured there, or leave it out.`,
      field: 'since',
    });
  if (since !== undefined) return since;
  return wasAssigned(stored) && stored?.module_id !== moduleId ? now : null;
}

export function splitByStart(readings: readonly StoredReading[], start: number | null) {
  if (start === null) return { counted: readings, earlier: [] };
  return {
    counted: readings.filter(({ at }) => at >= start),
    earlier: readings.filter(({ at }) => at < start),
  };
}
