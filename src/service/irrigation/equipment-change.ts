import { completeEquipment, type EquipmentFields } from '../../domain/irrigation/equipment.ts';
import { keptFigures } from '../../domain/irrigation/equipment-change.ts';
import { versionAt, versionAtWithParcel } from '../../domain/irrigation/equipment-timeline.ts';
import type { Call } from '../../operation/call.ts';
import {
  type InstallationTarget,
  ownAndParcelVersions,
  ownVersions,
} from '../../store/irrigation/installations.ts';
import type { InstallationEntry } from './installation-entry.ts';

/**
 * A tool adds the figures of the equipment before that the entry does not mention and that still
 * fit. REST replaces the whole equipment, as specified. Both say that an application rate is lost.
 */
export async function completeChange(
  call: Call,
  target: InstallationTarget,
  entry: InstallationEntry,
): Promise<InstallationEntry> {
  const before = await equipmentBefore(call, target, entry.effectiveFrom ?? call.now);
  if (before === null) return entry;

  const kept = call.source === 'mcp' ? keptFigures(before, entry) : {};
  const changed = { ...entry, ...kept };

  if (Object.keys(kept).length > 0) call.advise({ kind: 'equipment_kept', ...kept });
  adviseOfLostRate(call, before, completeEquipment(changed));

  return changed;
}

function adviseOfLostRate(call: Call, before: EquipmentFields, after: EquipmentFields): void {
  if (before.flowMmPerH === null || after.flowMmPerH !== null) return;

  call.advise({
    kind: 'application_rate_lost',
    beforeMmPerH: before.flowMmPerH,
    lacks: after.emitterFlowLph === null ? 'flowMmPerH' : 'emittersPerM2',
  });
}

/** The area that a parcel's equipment waters is not that around one probe. */
async function equipmentBefore(
  call: Call,
  target: InstallationTarget,
  at: number,
): Promise<EquipmentFields | null> {
  if ('parcelId' in target) return versionAt(await ownVersions(call.db, target), at);

  const version = versionAtWithParcel(await ownAndParcelVersions(call.db, target.moduleId), at);
  return version?.scope === 'parcel' ? { ...version, irrigatedAreaM2: null } : version;
}
