import {
  completeEquipment,
  declareVersion,
  type EquipmentInput,
  moveVersionStart,
  type SetupEquipment,
  type SetupVersion,
  type VersionDeclaration,
  type VersionSpan,
} from '../../domain/irrigation/setup-timeline.ts';
import type { Call, WriteContext } from '../../operation/call.ts';
import { invalidInput } from '../../schema/error.ts';
import { modulesOfParcel } from '../../store/company/places.ts';
import {
  applicableVersions,
  correctVersionEquipment,
  currentOwnVersions,
  type InstallationTarget,
  insertVersion,
  setVersionValidity,
  versionById,
  versionsOf,
} from '../../store/irrigation/installations.ts';
import { ownershipError, requireOwnModule, requireOwnModuleForWrite, requireOwnParcel } from '../ownership.ts';
import { completeDoses, summarizeMissingDoses } from './doses.ts';
import {
  applyEquipmentChange,
  type EffectivePeriod,
  type EquipmentChangeEffects,
  noteEquipmentChange,
} from './equipment-change.ts';
import { loadIrrigationSetup, refuseFutureStart, roundRate, timelineError, toVersionBody } from './irrigation-setup.ts';

/** Body of the setup writes; instants in ms. */
export interface InstallationEntry extends EquipmentInput {
  readonly notes?: string | null;
  readonly effectiveFrom?: number | null;
}

/** Highest application rate, in mm/h, entered or computed. */
const MAX_FLOW_MM_PER_H = 1000;

/** Entered equipment made whole; refuses emitter figures that together are beyond any equipment. */
export function checkedEquipment(entered: EquipmentInput): SetupEquipment {
  const equipment = completeEquipment(entered);
  if (equipment.flowMmPerH !== null && equipment.flowMmPerH > MAX_FLOW_MM_PER_H)
    throw invalidInput(
      'INVALID_FLOW_RATE',
      `emitterFlowLph x emittersPerM2 gives ${roundRate(equipment.flowMmPerH)} mm/h, more than ${MAX_FLOW_MM_PER_H}.`,
      {
        hint: 'Check both: litres per hour of one emitter, and emitters per square metre (not per tree).',
        field: 'emittersPerM2',
      },
    );
  return equipment;
}

/** A version with the fields of a correction laid over it; fields not sent stay. */
export function correctedEquipment(version: SetupVersion, sent: Partial<InstallationEntry>) {
  const valueOrStored = <T>(value: T | undefined, stored: T): T => (value === undefined ? stored : value);
  const emitterFlowLph = valueOrStored(sent.emitterFlowLph, version.emitterFlowLph);
  const emittersPerM2 = valueOrStored(sent.emittersPerM2, version.emittersPerM2);
  const wasComputed = version.emitterFlowLph !== null && version.emittersPerM2 !== null;
  const isComputed = emitterFlowLph != null && emittersPerM2 != null;
  if (isComputed && sent.flowMmPerH != null && sent.emitterFlowLph === undefined && sent.emittersPerM2 === undefined)
    throw invalidInput('INVALID_FLOW_RATE', 'The flow of this version is computed from its two emitter figures.', {
      hint: 'Correct emitterFlowLph or emittersPerM2, or empty both (clear) when you give flowMmPerH.',
      field: 'flowMmPerH',
    });
  return checkedEquipment({
    system: sent.system ?? version.system,
    emitterFlowLph,
    emittersPerM2,
    flowMmPerH: sent.flowMmPerH !== undefined ? sent.flowMmPerH : wasComputed ? null : version.flowMmPerH,
    irrigatedAreaM2: valueOrStored(sent.irrigatedAreaM2, version.irrigatedAreaM2),
    fractionWetted: valueOrStored(sent.fractionWetted, version.fractionWettedIsDefault ? null : version.fractionWetted),
  });
}

/** Writes a new version of a target by the rules of the timeline; returns its start. */
export async function declareInstallation(
  call: WriteContext,
  target: InstallationTarget,
  entry: InstallationEntry,
  isFirst: boolean,
): Promise<VersionDeclaration> {
  const own = await versionsOf(call.db, target);
  const declaration = declareVersion(own, entry.effectiveFrom ?? null, isFirst, call.now);
  if ('refusal' in declaration) throw timelineError(declaration.refusal, entry.effectiveFrom ?? call.now);
  if (declaration.closedVersion) await setVersionValidity(call.db, declaration.closedVersion);
  await insertVersion(call.db, target, {
    equipment: checkedEquipment(entry),
    validFrom: declaration.validFrom,
    validTo: declaration.validTo,
    setAt: call.now,
    notes: entry.notes ?? null,
  });
  return declaration;
}

/** Whether no setup applies to a probe yet, its own or its parcel's. */
export const isFirstProbeSetup = async (call: Pick<Call, 'db'>, moduleId: number) =>
  (await applicableVersions(call.db, moduleId)).length === 0;

export const isFirstParcelSetup = async (call: Pick<Call, 'db'>, parcelId: number) =>
  (await versionsOf(call.db, { parcelId })).length === 0;

const effectivePeriodOf = ({ validFrom, validTo }: VersionDeclaration): EffectivePeriod => ({
  from: validFrom,
  to: validTo,
});

/** Says of a declaration that lies in the past that it does not count today. */
export function noteEffectivePeriod(call: Call, { from, to }: EffectivePeriod): void {
  if (to === null) return;
  call.note({ kind: 'past_version', from: from === 0 ? null : from, to });
}

/** What a declaration does to waterings. */
function noteDeclaration(call: Call, effects: EquipmentChangeEffects & { readonly span: EffectivePeriod }): void {
  noteEffectivePeriod(call, effects.span);
  noteEquipmentChange(call, effects);
}

/** What is wrong with the entry alone is told before whose the target is. */
export function refuseInvalidEntry(entry: InstallationEntry, now: number): void {
  refuseFutureStart(entry.effectiveFrom, now);
  checkedEquipment(entry);
}

export async function setModuleInstallation(call: Call, moduleId: number, entry: InstallationEntry) {
  refuseInvalidEntry(entry, call.now);
  const probe = await requireOwnModuleForWrite(call, moduleId);
  const isFirst = await isFirstProbeSetup(call, moduleId);
  const effects = await applyEquipmentChange(call, [moduleId], async () =>
    effectivePeriodOf(await declareInstallation(call, { moduleId }, entry, isFirst)),
  );
  noteDeclaration(call, effects);
  return loadIrrigationSetup(call, probe);
}

export async function setParcelInstallation(call: Call, parcelId: number, entry: InstallationEntry) {
  refuseInvalidEntry(entry, call.now);
  await requireOwnParcel(call, parcelId, 'PARCEL_NOT_FOUND');
  const isFirst = await isFirstParcelSetup(call, parcelId);
  const probes = await modulesOfParcel(call.db, parcelId);
  const effects = await applyEquipmentChange(call, probes, async () =>
    effectivePeriodOf(await declareInstallation(call, { parcelId }, entry, isFirst)),
  );
  const overriding = await currentOwnVersions(call.db, probes);
  noteDeclaration(call, effects);
  if (overriding.length > 0)
    call.note({ kind: 'modules_with_own_setup', count: overriding.length, total: probes.length });
  return { success: true };
}

function moveStartOrRefuse(
  own: readonly SetupVersion[],
  versionId: number,
  effectiveFrom: number,
  now: number,
): VersionSpan[] {
  const changes = moveVersionStart(own, versionId, effectiveFrom, now);
  if ('refusal' in changes) throw timelineError(changes.refusal, effectiveFrom);
  return changes;
}

export async function correctInstallation(call: Call, versionId: number, sent: Partial<InstallationEntry>) {
  refuseFutureStart(sent.effectiveFrom, call.now);
  const version = await versionById(call.db, versionId);
  if (!version)
    throw await ownershipError(
      call,
      'installation_versions',
      versionId,
      'setup version',
      'See versions in get_irrigation_setup.',
    );
  const target: InstallationTarget =
    version.moduleId !== null ? { moduleId: version.moduleId } : { parcelId: version.parcelId! };
  const equipment = correctedEquipment(version, sent);
  const reaches =
    sent.effectiveFrom == null
      ? []
      : moveStartOrRefuse(await versionsOf(call.db, target), versionId, sent.effectiveFrom, call.now);
  const probes = 'moduleId' in target ? [target.moduleId] : await modulesOfParcel(call.db, target.parcelId);
  const effects = await applyEquipmentChange(call, probes, async () => {
    for (const reach of reaches) await setVersionValidity(call.db, reach);
    await correctVersionEquipment(call.db, versionId, equipment, sent.notes === undefined ? version.notes : sent.notes);
    // A start that moved counts for both: where the version stood, and where it stands.
    return { from: Math.min(version.validFrom, sent.effectiveFrom ?? version.validFrom), to: version.validTo };
  });
  noteEquipmentChange(call, effects);
  return toVersionBody((await versionById(call.db, versionId))!);
}

export async function recomputeDoses(call: Call, moduleId: number) {
  await requireOwnModule(call, moduleId);
  const completed = await completeDoses(call, moduleId);
  const { missing, byReason } = await summarizeMissingDoses(call, moduleId);
  return { completed, missingDoses: missing, byReason };
}

export const getIrrigationSetup = async (call: Call, moduleId: number) =>
  loadIrrigationSetup(call, await requireOwnModule(call, moduleId));
