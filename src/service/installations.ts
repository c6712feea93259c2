import { type Declaration, declareVersion, moveStart, type Reach, type Version } from '../domain/setup-timeline.ts';
import type { Books, Call } from '../operation/call.ts';
import { sayInstant } from '../operation/say-time.ts';
import {
  applicableVersions,
  correctVersion,
  currentOwnVersions,
  insertVersion,
  reachTo,
  type Target,
  versionById,
  versionsOf,
} from '../store/installations.ts';
import { modulesOfParcel } from '../store/modules.ts';
import { completeDoses, completeDosesOfParcel, missingDosesOf, recordedDosesUnder } from './doses.ts';
import { correctedEquipment, type InstallationEntry, isSameEquipment, soundEquipment } from './equipment.ts';
import { notOurs, ownModule, ownModuleToWrite, ownParcel } from './ownership.ts';
import { configurationOf, versionBody } from './setups.ts';
import { refuseFuture, refuseTimeline } from './timeline-refusals.ts';

/** Writes a new version of a target by the rules of the timeline; returns its start. */
export async function declareInstallation(
  call: Books,
  target: Target,
  entry: InstallationEntry,
  isFirst: boolean,
): Promise<Declaration> {
  const own = await versionsOf(call.db, target);
  const declaration = declareVersion(own, entry.effectiveFrom ?? null, isFirst, call.now);
  if ('refused' in declaration) throw refuseTimeline(declaration.refused, entry.effectiveFrom ?? call.now);
  if (declaration.closed) await reachTo(call.db, declaration.closed);
  await insertVersion(call.db, target, {
    equipment: soundEquipment(entry),
    validFrom: declaration.validFrom,
    validTo: declaration.validTo,
    setAt: call.now,
    notes: entry.notes ?? null,
  });
  return declaration;
}

/** Whether no setup applies to a probe yet, its own or its parcel's. */
export const isFirstOfProbe = async (call: Pick<Call, 'db'>, probe: { id: number; parcelId: number | null }) =>
  (await applicableVersions(call.db, probe)).length === 0;

export const isFirstOfParcel = async (call: Pick<Call, 'db'>, parcelId: number) =>
  (await versionsOf(call.db, { parcelId })).length === 0;

export const sayCompleted = (count: number): string =>
  count === 1
    ? '1 watering left without a dose is completed.'
    : `${count} waterings left without a dose are completed.`;

/** What a declaration does to doses, and that it lies in the past when a later version follows it. */
function remarkDeclaration(call: Call, { validFrom, validTo }: Declaration, completed: number): void {
  if (validTo !== null) {
    const from = validFrom === 0 ? 'the beginning' : sayInstant(validFrom, call.zone, call.now);
    call.remark(
      `The new version counts from ${from} until ${sayInstant(validTo, call.zone, call.now)}, where a later one begins.`,
    );
  }
  if (completed > 0) call.remark(sayCompleted(completed));
}

/** What is wrong with the entry alone is told before whose the target is. */
export function refuseEntry(entry: InstallationEntry, now: number): void {
  refuseFuture(entry.effectiveFrom, now);
  soundEquipment(entry);
}

export async function setModuleInstallation(call: Call, moduleId: number, entry: InstallationEntry) {
  refuseEntry(entry, call.now);
  const probe = await ownModuleToWrite(call, moduleId);
  const declaration = await declareInstallation(call, { moduleId }, entry, await isFirstOfProbe(call, probe));
  const completed = await completeDoses(call, probe);
  remarkDeclaration(call, declaration, completed);
  return configurationOf(call, probe);
}

export async function setParcelInstallation(call: Call, parcelId: number, entry: InstallationEntry) {
  refuseEntry(entry, call.now);
  await ownParcel(call, parcelId, 'PARCEL_NOT_FOUND');
  const declaration = await declareInstallation(call, { parcelId }, entry, await isFirstOfParcel(call, parcelId));
  const completed = await completeDosesOfParcel(call, parcelId);
  const probes = await modulesOfParcel(call.db, parcelId);
  const overriding = await currentOwnVersions(call.db, probes);
  remarkDeclaration(call, declaration, completed);
  if (overriding.length > 0)
    call.remark(
      `${overriding.length} of its ${probes.length} modules ${overriding.length === 1 ? 'has' : 'have'} a setup of their own, which goes on counting there.`,
    );
  return { success: true };
}

function movedStart(own: readonly Version[], versionId: number, effectiveFrom: number, now: number): Reach[] {
  const changes = moveStart(own, versionId, effectiveFrom, now);
  if ('refused' in changes) throw refuseTimeline(changes.refused, effectiveFrom);
  return changes;
}

export async function correctInstallation(call: Call, versionId: number, sent: Partial<InstallationEntry>) {
  refuseFuture(sent.effectiveFrom, call.now);
  const version = await versionById(call.db, versionId);
  if (!version)
    throw await notOurs(
      call,
      'installation_versions',
      versionId,
      'setup version',
      'See versions in get_irrigation_setup.',
    );
  const target: Target = version.moduleId !== null ? { moduleId: version.moduleId } : { parcelId: version.parcelId! };
  const equipment = correctedEquipment(version, sent);
  const reaches =
    sent.effectiveFrom == null
      ? []
      : movedStart(await versionsOf(call.db, target), versionId, sent.effectiveFrom, call.now);
  const probes = 'moduleId' in target ? [target.moduleId] : await modulesOfParcel(call.db, target.parcelId);
  const changesDoses = reaches.length > 0 || !isSameEquipment(version, equipment);
  const keeping = changesDoses ? await recordedDosesUnder(call, versionId, probes) : 0;
  for (const reach of reaches) await reachTo(call.db, reach);
  await correctVersion(call.db, versionId, equipment, sent.notes === undefined ? version.notes : sent.notes);
  const completed =
    'moduleId' in target
      ? await completeDoses(call, await ownModule(call, target.moduleId))
      : await completeDosesOfParcel(call, target.parcelId);
  if (completed > 0) call.remark(sayCompleted(completed));
  if (keeping > 0)
    call.remark(
      `${keeping} recorded dose${keeping === 1 ? ' keeps its' : 's keep their'} figure from before; correct_watering with refreeze true mends one.`,
    );
  return versionBody((await versionById(call.db, versionId))!);
}

export async function recomputeDoses(call: Call, moduleId: number) {
  const probe = await ownModule(call, moduleId);
  const completed = await completeDoses(call, probe);
  const { missing, byReason } = await missingDosesOf(call, probe);
  return { completed, missingDoses: missing, byReason };
}

export const getIrrigationSetup = async (call: Call, moduleId: number) =>
  configurationOf(call, await ownModule(call, moduleId));
