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
import { completeDoses, missingDosesOf } from './doses.ts';
import { correctedEquipment, type InstallationEntry, soundEquipment } from './equipment.ts';
import { changingEquipment, type Followed, remarkFollowed, type Span } from './following.ts';
import { notOurs, ownModule, ownModuleToWrite, ownParcel } from './ownership.ts';
import { setupWords } from './say-setup.ts';
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
export const isFirstOfProbe = async (call: Pick<Call, 'db'>, moduleId: number) =>
  (await applicableVersions(call.db, moduleId)).length === 0;

export const isFirstOfParcel = async (call: Pick<Call, 'db'>, parcelId: number) =>
  (await versionsOf(call.db, { parcelId })).length === 0;

const spanOf = ({ validFrom, validTo }: Declaration): Span => ({ from: validFrom, to: validTo });

/** Says of a declaration that lies in the past that it does not count today. */
export function remarkSpan(call: Call, { from, to }: Span): void {
  if (to === null) return;
  const at = (instant: number): string => sayInstant(instant, call.zone, call.now, call.lang);
  call.remark(setupWords(call).span(from === 0 ? null : at(from), at(to)));
}

/** What a declaration does to waterings. */
function remarkDeclaration(call: Call, followed: Followed & { readonly span: Span }): void {
  remarkSpan(call, followed.span);
  remarkFollowed(call, followed);
}

/** What is wrong with the entry alone is told before whose the target is. */
export function refuseEntry(entry: InstallationEntry, now: number): void {
  refuseFuture(entry.effectiveFrom, now);
  soundEquipment(entry);
}

export async function setModuleInstallation(call: Call, moduleId: number, entry: InstallationEntry) {
  refuseEntry(entry, call.now);
  const probe = await ownModuleToWrite(call, moduleId);
  const isFirst = await isFirstOfProbe(call, moduleId);
  const followed = await changingEquipment(call, [moduleId], async () =>
    spanOf(await declareInstallation(call, { moduleId }, entry, isFirst)),
  );
  remarkDeclaration(call, followed);
  return configurationOf(call, probe);
}

export async function setParcelInstallation(call: Call, parcelId: number, entry: InstallationEntry) {
  refuseEntry(entry, call.now);
  await ownParcel(call, parcelId, 'PARCEL_NOT_FOUND');
  const isFirst = await isFirstOfParcel(call, parcelId);
  const probes = await modulesOfParcel(call.db, parcelId);
  const followed = await changingEquipment(call, probes, async () =>
    spanOf(await declareInstallation(call, { parcelId }, entry, isFirst)),
  );
  const overriding = await currentOwnVersions(call.db, probes);
  remarkDeclaration(call, followed);
  if (overriding.length > 0) call.remark(setupWords(call).overriding(overriding.length, probes.length));
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
  const followed = await changingEquipment(call, probes, async () => {
    for (const reach of reaches) await reachTo(call.db, reach);
    await correctVersion(call.db, versionId, equipment, sent.notes === undefined ? version.notes : sent.notes);
    // A start that moved counts for both: where the version stood, and where it stands.
    return { from: Math.min(version.validFrom, sent.effectiveFrom ?? version.validFrom), to: version.validTo };
  });
  remarkFollowed(call, followed);
  return versionBody((await versionById(call.db, versionId))!);
}

export async function recomputeDoses(call: Call, moduleId: number) {
  await ownModule(call, moduleId);
  const completed = await completeDoses(call, moduleId);
  const { missing, byReason } = await missingDosesOf(call, moduleId);
  return { completed, missingDoses: missing, byReason };
}

export const getIrrigationSetup = async (call: Call, moduleId: number) =>
  configurationOf(call, await ownModule(call, moduleId));
