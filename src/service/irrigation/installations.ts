import { fractionForDefault, textureAtTop } from '../../domain/advice/wetted-fraction.ts';
import { type EquipmentFields, isSameEquipment } from '../../domain/irrigation/equipment.ts';
import {
  declareVersion,
  type EquipmentVersion,
  moveVersionStart,
  type VersionDeclaration,
  type VersionSpan,
} from '../../domain/irrigation/equipment-timeline.ts';
import { settingsVersionAt } from '../../domain/moisture/probe-settings.ts';
import { operationName } from '../../domain/text/program-names.ts';
import { say } from '../../domain/text/say.ts';
import { moduleName } from '../../language/summary-context.ts';
import type { Call, WriteContext } from '../../operation/call.ts';
import { toIso } from '../../schema/wire-format.ts';
import { moduleIdsOfParcel, probeIdsOfParcel } from '../../store/company/modules.ts';
import { sensorsOf } from '../../store/company/sensors.ts';
import {
  correctVersionEquipment,
  type InstallationTarget,
  insertVersion,
  ownAndParcelVersions,
  ownVersions,
  probeOverrides,
  setVersionValidity,
  toVersionBody,
  versionById,
} from '../../store/irrigation/installations.ts';
import type { WateredTargets } from '../../store/irrigation/watering-target.ts';
import { settingsVersionsOf } from '../../store/moisture/settings-versions.ts';
import { seasonsOfParcels } from '../company/seasons.ts';
import { calibrationTextsOf } from '../moisture/calibration.ts';
import { settingsBody } from '../moisture/probe-settings.ts';
import { soilUnderEmitters } from '../moisture/wetted-soil.ts';
import {
  assertOwnParcel,
  ownershipError,
  requireModuleOr400,
  requireOwnModule,
} from '../ownership.ts';
import { completeDosesOf, completeRestAfterCommit } from './doses/doses-of-change.ts';
import {
  applyEquipmentChange,
  type EquipmentChangeEffects,
  finishEquipmentChange,
} from './doses/equipment-effects.ts';
import { summarizeMissingDoses } from './doses/missing-doses.ts';
import type { EffectivePeriod } from './doses/outdated-doses.ts';
import { completeChange } from './equipment-change.ts';
import {
  assertStartNotAhead,
  assertValidEntry,
  checkedEquipment,
  correctedEquipment,
  type InstallationEntry,
  timelineError,
} from './installation-entry.ts';
import { loadIrrigationSetup } from './irrigation-setup.ts';
import { assertPlausibleChange } from './plausible-equipment.ts';

/** `isFirst`: no equipment applies to the target yet, so an entry without a date applies always. */
export async function declareInstallation(
  call: WriteContext,
  target: InstallationTarget,
  entry: InstallationEntry,
  isFirst: boolean,
): Promise<VersionDeclaration> {
  const versions = await ownVersions(call.db, target);
  const declared = declareVersion(versions, entry.effectiveFrom ?? null, isFirst, call.now);
  if (!declared.ok) throw timelineError(declared.failure, entry.effectiveFrom ?? call.now);

  const declaration = declared.value;
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

export const isFirstProbeVersion = async (call: Pick<Call, 'db'>, moduleId: number) =>
  (await ownAndParcelVersions(call.db, moduleId)).length === 0;

export const isFirstParcelVersion = async (call: Pick<Call, 'db'>, parcelId: number) =>
  (await ownVersions(call.db, { parcelId })).length === 0;

/** What equipment of the target may water. */
export const reachedBy = async (
  { db }: Pick<Call, 'db'>,
  target: InstallationTarget,
): Promise<WateredTargets> =>
  'moduleId' in target
    ? { moduleIds: [target.moduleId], parcelIds: [] }
    : {
        moduleIds: await moduleIdsOfParcel(db, target.parcelId),
        parcelIds: [target.parcelId],
      };

const effectivePeriodOf = ({ validFrom, validTo }: VersionDeclaration): EffectivePeriod => ({
  from: validFrom,
  to: validTo,
});

/** Mentions the period only if the version has ended already. */
export function adviseOfEffectivePeriod(call: Call, { from, to }: EffectivePeriod): void {
  if (to === null) return;
  call.advise({ kind: 'past_version', from: from === 0 ? null : from, to });
}

async function finishDeclaration(call: Call, effects: EquipmentChangeEffects): Promise<void> {
  adviseOfEffectivePeriod(call, effects.period);
  await finishEquipmentChange(call, effects);
}

export async function setModuleInstallation(call: Call, moduleId: number, sent: InstallationEntry) {
  assertValidEntry(sent, call.now);
  const probe = await requireModuleOr400(call, moduleId);
  const place = { moduleId, parcelId: probe.parcelId };

  const completed = await completeChange(call, { moduleId }, sent);
  const entry = await withFractionOfSpacing(call, place, completed);
  const isFirst = await isFirstProbeVersion(call, moduleId);
  const effects = await applyEquipmentChange(call, await reachedBy(call, { moduleId }), async () =>
    effectivePeriodOf(await declareInstallation(call, { moduleId }, entry, isFirst)),
  );
  await finishDeclaration(call, effects);
  await adviseOfEqualVersion(call, { moduleId }, effects.period.from);
  await adviseOfDefaultFraction(call, place, checkedEquipment(entry));
  return loadIrrigationSetup(call, probe);
}

export async function setParcelInstallation(call: Call, parcelId: number, sent: InstallationEntry) {
  assertValidEntry(sent, call.now);
  await assertOwnParcel(call, parcelId, 'PARCEL_NOT_FOUND');

  const completed = await completeChange(call, { parcelId }, sent);
  const entry = await withFractionOfSpacing(call, { moduleId: null, parcelId }, completed);
  const isFirst = await isFirstParcelVersion(call, parcelId);
  const effects = await applyEquipmentChange(call, await reachedBy(call, { parcelId }), async () =>
    effectivePeriodOf(await declareInstallation(call, { parcelId }, entry, isFirst)),
  );

  await adviseOfParcelSetup(call, parcelId, effects.period);
  await finishDeclaration(call, effects);
  await adviseOfEqualVersion(call, { parcelId }, effects.period.from);
  await adviseOfDefaultFraction(call, { moduleId: null, parcelId }, checkedEquipment(entry));
  return { success: true };
}

/** A call that was repeated adds a version that equals the one before. */
async function adviseOfEqualVersion(
  call: Call,
  target: InstallationTarget,
  validFrom: number,
): Promise<void> {
  const versions = await ownVersions(call.db, target);
  const added = versions.find((version) => version.validFrom === validFrom);
  const before = versions.find((version) => version.validTo === validFrom);
  if (added === undefined || before === undefined || !isSameEquipment(added, before)) return;
  call.advise({ kind: 'same_equipment', id: before.id, from: before.validFrom });
}

async function adviseOfParcelSetup(
  call: Call,
  parcelId: number,
  { from, to }: EffectivePeriod,
): Promise<void> {
  const probes = await probeIdsOfParcel(call.db, parcelId);
  const overriding = new Set(
    (await probeOverrides(call.db, probes)).map(({ moduleId }) => moduleId),
  );
  const namesOf = (ids: readonly number[]) =>
    Promise.all(ids.map((id) => moduleName(call.directory, id)));

  call.advise({
    kind: 'parcel_setup',
    from: to === null ? from : null,
    reached: await namesOf(probes.filter((id) => !overriding.has(id))),
    own: await namesOf(probes.filter((id) => overriding.has(id))),
  });
}

/** What equipment waters. */
interface WateredPlace {
  /** Null for equipment of a parcel. */
  readonly moduleId: number | null;
  readonly parcelId: number | null;
}

/** A default of 1 is no guess. */
async function adviseOfDefaultFraction(
  call: Call,
  place: WateredPlace,
  equipment: EquipmentFields,
): Promise<void> {
  const { system, fractionWetted, fractionWettedIsDefault } = equipment;
  if (!fractionWettedIsDefault || fractionWetted === 1) return;

  const soil = await soilUnderEmitters(call, place);
  call.advise({
    kind: 'default_wetted_fraction',
    system,
    fraction: fractionWetted,
    ofSpacing: fractionForDefault(equipment, soil),
    isSoilKnown: textureAtTop(soil) !== null,
  });
}

/**
 * The share that drip lines wet at their spacing, to be entered where nobody gave a fraction: with a
 * default beside it, one watering would have two wetted doses. Null where the default stays.
 */
async function fractionToEnter(
  call: Call,
  place: WateredPlace,
  equipment: EquipmentFields,
): Promise<number | null> {
  if (equipment.lineSpacingM === null) return null;
  const soil = await soilUnderEmitters(call, place);
  const fraction = fractionForDefault(equipment, soil);
  if (fraction !== null)
    call.advise({
      kind: 'fraction_of_spacing_entered',
      fraction,
      isSoilKnown: textureAtTop(soil) !== null,
    });
  return fraction;
}

async function withFractionOfSpacing(
  call: Call,
  place: WateredPlace,
  entry: InstallationEntry,
): Promise<InstallationEntry> {
  const { fractionWetted } = entry;
  if (fractionWetted != null) return entry;
  const fraction = await fractionToEnter(call, place, checkedEquipment(entry));
  return { ...entry, fractionWetted: fraction };
}

function moveStartOrThrow(
  versions: readonly EquipmentVersion[],
  versionId: number,
  effectiveFrom: number,
  now: number,
): VersionSpan[] {
  const changes = moveVersionStart(versions, versionId, effectiveFrom, now);
  if (!changes.ok) throw timelineError(changes.failure, effectiveFrom);
  return changes.value;
}

/** A corrected spacing, or a fraction that is emptied, has a default fraction derived again. */
async function correctedWithFraction(
  call: Call,
  place: WateredPlace,
  version: EquipmentVersion,
  changes: Partial<InstallationEntry>,
): Promise<EquipmentFields> {
  const equipment = correctedEquipment(version, changes);
  const isDerived =
    equipment.fractionWettedIsDefault &&
    (changes.lineSpacingM !== undefined || changes.fractionWetted === null);
  const fraction = isDerived ? await fractionToEnter(call, place, equipment) : null;
  return fraction === null
    ? equipment
    : correctedEquipment(version, { ...changes, fractionWetted: fraction });
}

export async function correctInstallation(
  call: Call,
  versionId: number,
  changes: Partial<InstallationEntry>,
) {
  assertStartNotAhead(changes.effectiveFrom, call.now);
  const version = await requireOwnVersion(call, versionId);

  const target: InstallationTarget =
    version.moduleId !== null ? { moduleId: version.moduleId } : { parcelId: version.parcelId! };
  const place = {
    moduleId: version.moduleId,
    parcelId: version.parcelId ?? (await requireOwnModule(call, version.moduleId!)).parcelId,
  };
  const equipment = await correctedWithFraction(call, place, version, changes);
  if (call.isToolCall) assertPlausibleChange(changes, equipment);
  const spans =
    changes.effectiveFrom == null
      ? []
      : moveStartOrThrow(
          await ownVersions(call.db, target),
          versionId,
          changes.effectiveFrom,
          call.now,
        );

  const effects = await applyEquipmentChange(call, await reachedBy(call, target), async () => {
    for (const span of spans) await setVersionValidity(call.db, span);
    await correctVersionEquipment(
      call.db,
      versionId,
      equipment,
      changes.notes === undefined ? version.notes : changes.notes,
    );

    // Moving the start affects waterings from the earlier of the two on.
    return {
      from: Math.min(version.validFrom, changes.effectiveFrom ?? version.validFrom),
      to: version.validTo,
    };
  });
  await finishEquipmentChange(call, effects);
  const before = (await ownVersions(call.db, target)).find(
    ({ id, validTo }) => id !== versionId && validTo === effects.period.from,
  );
  if (before !== undefined && isSameEquipment(before, version))
    call.advise({ kind: 'equal_version_before', id: before.id, from: before.validFrom });

  await adviseOfDefaultFraction(call, place, equipment);

  return toVersionBody(await requireOwnVersion(call, versionId));
}

async function requireOwnVersion(call: Call, id: number): Promise<EquipmentVersion> {
  const version = await versionById(call.db, id);
  if (version) return version;
  throw await ownershipError(call, 'installation_versions', id, {
    kind: say`setup version`,
    hint: say`See versions in ${operationName('get_irrigation_setup')}.`,
  });
}

export async function recomputeDoses(call: Call, moduleId: number) {
  const { parcelId } = await requireOwnModule(call, moduleId);
  // What its parcel got before the probe was put in is water of the probe too.
  const targets = { moduleIds: [moduleId], parcelIds: parcelId === null ? [] : [parcelId] };
  const doses = await completeDosesOf(call, targets, 'all');
  const { missing, byReason, toComplete } = await summarizeMissingDoses(call, moduleId);
  completeRestAfterCommit(call, doses);
  return { completed: doses.completed + toComplete, missingDoses: missing, byReason };
}

export async function getIrrigationSetup(call: Call, moduleId: number) {
  const probe = await requireOwnModule(call, moduleId);
  const versions = await settingsVersionsOf(call.db, moduleId);
  const { parcelId } = probe;
  const seasons = await seasonsOfParcels(call.db, parcelId === null ? [] : [parcelId]);
  const season = parcelId === null ? undefined : seasons.get(parcelId);
  const { commissionedAt, isCommissioningAssumed: isAssumed } = probe;
  return {
    ...(await loadIrrigationSetup(call, probe)),
    commissioning: commissionedAt === null ? undefined : { at: toIso(commissionedAt), isAssumed },
    season,
    settings: settingsBody(settingsVersionAt(versions, call.now)),
    settingsVersions: versions.map(settingsBody).reverse(),
    calibration: calibrationTextsOf(await sensorsOf(call.db, [moduleId])),
  };
}
