import { completeEquipment } from '../../domain/irrigation/equipment.ts';
import { type EquipmentVersion, openVersion } from '../../domain/irrigation/equipment-timeline.ts';
import type { WriteContext } from '../../operation/call.ts';
import type { FarmInstallation } from '../../schema/farm/farm-file.ts';
import { moduleIdsOfParcel } from '../../store/company/modules.ts';
import { declaredInstallation, setDeclaredInstallation } from '../../store/farm/farm-rows.ts';
import { type InstallationTarget, ownVersions } from '../../store/irrigation/installations.ts';
import { completeDosesOf } from '../irrigation/doses/doses-of-change.ts';
import { withEmitterDensity } from '../irrigation/installation-entry.ts';
import {
  declareInstallation,
  isFirstParcelVersion,
  isFirstProbeVersion,
} from '../irrigation/installations.ts';
import { withFilePath } from './farm-file-problems.ts';
import { type ImportCounts, type ImportOutcome, newImportCounts } from './farm-rows.ts';

interface FarmTarget {
  readonly id: number;
  readonly installation?: FarmInstallation | null | undefined;
}

/**
 * The doses that one transaction does not complete are pending then. Modules first, so that their first setup applies from 1970 even if the file also declares their
 * parcel's.
 */
export async function declareFarmInstallations(
  call: WriteContext,
  declared: { modules: readonly FarmTarget[]; parcels: readonly FarmTarget[] },
  instantOf: (text: string) => number,
): Promise<{ tally: ImportCounts; completedDoses: number }> {
  const tally = newImportCounts();
  const affectedProbes = new Set<number>();
  const affectedParcels: number[] = [];

  for (const [index, { id, installation }] of declared.modules.entries()) {
    if (!installation) continue;

    const outcome = await withFilePath(`modules[${index}].installation`, async () =>
      declareIfChanged(
        call,
        { moduleId: id },
        installation,
        await isFirstProbeVersion(call, id),
        instantOf,
      ),
    );
    tally[outcome]++;
    if (outcome !== 'unchanged') affectedProbes.add(id);
  }

  for (const [index, { id, installation }] of declared.parcels.entries()) {
    if (!installation) continue;

    const outcome = await withFilePath(`parcels[${index}].installation`, async () =>
      declareIfChanged(
        call,
        { parcelId: id },
        installation,
        await isFirstParcelVersion(call, id),
        instantOf,
      ),
    );
    tally[outcome]++;
    if (outcome === 'unchanged') continue;
    affectedParcels.push(id);
    for (const probe of await moduleIdsOfParcel(call.db, id)) affectedProbes.add(probe);
  }

  const targets = { moduleIds: [...affectedProbes], parcelIds: affectedParcels };
  const { completed } = await completeDosesOf(call, targets, 'all');
  return { tally, completedDoses: completed };
}

async function declareIfChanged(
  call: WriteContext,
  target: InstallationTarget,
  installation: FarmInstallation,
  isFirst: boolean,
  instantOf: (text: string) => number,
): Promise<ImportOutcome> {
  const versions = await ownVersions(call.db, target);
  const effectiveFrom =
    installation.effectiveFrom == null ? null : instantOf(installation.effectiveFrom);
  const equipment = withEmitterDensity(installation);
  const json = JSON.stringify(installation);
  if ((await declaredInstallation(call.db, target)) === json) return 'unchanged';
  await setDeclaredInstallation(call.db, target, json);
  if (isAlreadyDeclared(versions, equipment, effectiveFrom)) return 'unchanged';
  await declareInstallation(call, target, { ...equipment, effectiveFrom }, isFirst);
  return versions.length === 0 ? 'created' : 'changed';
}

/**
 * Importing an older file again must not bring old equipment back into force, so a declaration
 * without a date counts as made if any version, also a past one, has this equipment.
 */
function isAlreadyDeclared(
  versions: readonly EquipmentVersion[],
  installation: FarmInstallation,
  effectiveFrom: number | null,
): boolean {
  if (effectiveFrom === null)
    return versions.some((version) => matchesDeclaration(version, installation));
  const inForce =
    versions.find((version) => version.validFrom === effectiveFrom) ?? openVersion(versions);
  return inForce !== null && matchesDeclaration(inForce, installation);
}

/** A density alone says nothing against the spacings that give it. */
function matchesDeclaration(version: EquipmentVersion, installation: FarmInstallation): boolean {
  const { emitterSpacingM, lineSpacingM, ...equipment } = completeEquipment(installation);
  const declared =
    lineSpacingM === null ? equipment : { ...equipment, emitterSpacingM, lineSpacingM };
  const fields = Object.entries(declared) as [keyof EquipmentVersion, unknown][];
  return (
    fields.every(([field, value]) => version[field] === value) &&
    (installation.notes === undefined || version.notes === installation.notes)
  );
}
