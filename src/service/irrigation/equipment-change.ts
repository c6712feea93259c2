import { completeEquipment, type EquipmentFields } from '../../domain/irrigation/equipment.ts';
import { keptFigures } from '../../domain/irrigation/equipment-change.ts';
import {
  type EquipmentVersion,
  versionAt,
  versionAtWithParcel,
} from '../../domain/irrigation/equipment-timeline.ts';
import type { Call } from '../../operation/call.ts';
import type { Advisory } from '../../schema/advisory.ts';
import type { InstallationVersionBody } from '../../schema/irrigation/installation.ts';
import {
  type InstallationTarget,
  ownAndParcelVersions,
  ownVersions,
} from '../../store/irrigation/installations.ts';
import {
  correctedEquipment,
  type InstallationEntry,
  type SentInstallation,
  withEmitterDensity,
} from './installation-entry.ts';
import { assertPlausibleChange } from './plausible-equipment.ts';

/**
 * A tool adds the figures of the equipment before that the entry does not mention and that still
 * fit. REST replaces the whole equipment, as specified. Both say that an application rate is lost.
 */
export async function completeChange(
  call: Call,
  target: InstallationTarget,
  entry: InstallationEntry,
): Promise<InstallationEntry> {
  const versions =
    'parcelId' in target
      ? await ownVersions(call.db, target)
      : await ownAndParcelVersions(call.db, target.moduleId);
  const before = equipmentBefore(target, versions, entry.effectiveFrom ?? call.now);
  if (before === null) return entry;

  const kept = call.source === 'mcp' ? keptFigures(before, entry) : {};
  const changed = { ...entry, ...kept };

  if (call.isToolCall) assertPlausibleChange(entry, changed);
  if (Object.keys(kept).length > 0) call.advise({ kind: 'equipment_kept', ...kept });
  adviseOfLostRate(call, before, completeEquipment(changed));

  return changed;
}

/**
 * The figures of the equipment on a service elsewhere that a tool keeps, since the service replaces
 * it whole.
 */
export function keptOnService(
  setup: { readonly versions: readonly InstallationVersionBody[] } | null,
  sent: SentInstallation & InstallationTarget,
  now: number,
) {
  if (setup === null) return { fields: {}, advisories: [{ kind: 'equipment_unread' as const }] };

  const before = equipmentBefore(
    sent,
    setup.versions.map(versionOfBody),
    sent.effectiveFrom ?? now,
  );
  const fields = before === null ? {} : keptFigures(before, withEmitterDensity(sent));
  assertPlausibleChange(sent, { ...sent, ...fields });
  const advisories: Advisory[] =
    Object.keys(fields).length > 0 ? [{ kind: 'equipment_kept', ...fields }] : [];
  return { fields, advisories };
}

/** The same for a correction of a version, of which the service itself keeps what is not sent. */
export function assertPlausibleCorrection(
  version: InstallationVersionBody,
  sent: Partial<SentInstallation>,
): void {
  const changes = withEmitterDensity(sent);
  assertPlausibleChange(changes, correctedEquipment(versionOfBody(version), changes));
}

const versionOfBody = (version: InstallationVersionBody): EquipmentVersion => ({
  ...version,
  emitterSpacingM: version.emitterSpacingM ?? null,
  lineSpacingM: version.lineSpacingM ?? null,
  validFrom: Date.parse(version.validFrom),
  validTo: version.validTo === null ? null : Date.parse(version.validTo),
  setAt: Date.parse(version.setAt),
});

function adviseOfLostRate(call: Call, before: EquipmentFields, after: EquipmentFields): void {
  if (before.flowMmPerH === null || after.flowMmPerH !== null) return;

  call.advise({
    kind: 'application_rate_lost',
    beforeMmPerH: before.flowMmPerH,
    lacks: after.emitterFlowLph === null ? 'flowMmPerH' : 'emittersPerM2',
  });
}

/** The area that a parcel's equipment waters is not that around one probe. */
function equipmentBefore(
  target: InstallationTarget,
  versions: readonly EquipmentVersion[],
  at: number,
): EquipmentFields | null {
  if ('parcelId' in target) return versionAt(versions, at);

  const version = versionAtWithParcel(versions, at);
  return version?.scope === 'parcel' ? { ...version, irrigatedAreaM2: null } : version;
}
