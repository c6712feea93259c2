import {
  declareVersion,
  type EquipmentVersion,
  openVersion,
  replacedVersionEnd,
  type VersionSpan,
  versionAtWithParcel,
} from '../../domain/irrigation/equipment-timeline.ts';
import { entryOf } from '../../domain/items.ts';
import { argument, bracketedId, operationName } from '../../domain/text/program-names.ts';
import { say } from '../../domain/text/say.ts';
import { timeOf } from '../../domain/text/times.ts';
import type { Call } from '../../operation/call.ts';
import { invalidInputError, notFoundError } from '../../schema/error.ts';
import { type Module, moduleIdsOfParcel } from '../../store/company/modules.ts';
import {
  insertVersion,
  ownVersions,
  probeOverrides,
  setVersionValidity,
  toInstallationBody,
  versionsByProbe,
} from '../../store/irrigation/installations.ts';
import { requireOwnModule } from '../ownership.ts';
import { applyEquipmentChange, finishEquipmentChange } from './doses/equipment-effects.ts';
import { assertStartNotAhead, timelineError } from './installation-entry.ts';
import { adviseOfEffectivePeriod, isFirstParcelVersion } from './installations.ts';
import { loadIrrigationSetup } from './irrigation-setup.ts';

interface GeneralizeOptions {
  readonly effectiveFrom?: number | null;
  readonly dropSiblings?: boolean;
  readonly dryRun?: boolean;
  readonly maxProbes?: number;
}

/** The id of a version that a dry run only describes: no stored one has it. */
const UNSAVED_ID = 0;

async function planGeneralization(
  call: Call,
  probe: Module,
  { effectiveFrom = null, dropSiblings = false }: GeneralizeOptions,
) {
  const { parcelId } = probe;
  if (parcelId === null)
    throw notFoundError(
      say`The probe${bracketedId(probe.id)} belongs to no parcel to which its setup could be applied.`,
      say`Use a probe of a parcel.`,
      'PARCEL_NOT_FOUND',
    );

  const current = await requireCurrentVersion(call, probe, effectiveFrom);
  const declaration = declareVersion(
    await ownVersions(call.db, { parcelId }),
    effectiveFrom,
    await isFirstParcelVersion(call, parcelId),
    call.now,
  );
  if (!declaration.ok) throw timelineError(declaration.failure, effectiveFrom ?? call.now);

  const { validFrom, validTo, closedVersion } = declaration.value;
  const otherProbes = (await moduleIdsOfParcel(call.db, parcelId)).filter((id) => id !== probe.id);
  const dropped = dropSiblings ? await probeOverrides(call.db, otherProbes) : [];
  // The setups that the new one replaces end: the probe's own, on request those of the other
  // probes, and the parcel's previous one.
  const ended: VersionSpan[] = [current, ...dropped].map((version) => ({
    id: version.id,
    validFrom: version.validFrom,
    validTo: replacedVersionEnd(version, effectiveFrom, call.now),
  }));
  if (closedVersion) ended.unshift(closedVersion);

  const version: EquipmentVersion = {
    ...current,
    id: UNSAVED_ID,
    scope: 'parcel',
    moduleId: null,
    parcelId,
    validFrom,
    validTo,
    setAt: call.now,
  };
  return { parcelId, version, ended, probes: [probe.id, ...otherProbes] };
}

type GeneralizationPlan = Awaited<ReturnType<typeof planGeneralization>>;

async function requireCurrentVersion(
  { db }: Call,
  probe: Module,
  effectiveFrom: number | null,
): Promise<EquipmentVersion> {
  const current = openVersion(await ownVersions(db, { moduleId: probe.id }));
  if (!current)
    throw invalidInputError(
      'NO_INSTALLATION',
      say`The probe${bracketedId(probe.id)} has no current setup of its own to apply to its parcel.`,
      {
        hint: say`Declare one with ${operationName('set_module_installation')}, or the parcel’s directly with ${operationName('set_parcel_installation')}.`,
        field: 'module',
      },
    );

  if (effectiveFrom !== null && effectiveFrom < current.validFrom)
    throw invalidInputError(
      'INVALID_EFFECTIVE_FROM',
      say`The probe’s own setup starts later than ${argument('effectiveFrom')} ${timeOf(effectiveFrom)}.`,
      {
        hint: say`Give an instant from ${timeOf(current.validFrom)} on, or leave ${argument('effectiveFrom')} out.`,
        field: 'effectiveFrom',
      },
    );

  return current;
}

/** The versions of a probe as the plan would leave them. */
function withPlan(
  versions: readonly EquipmentVersion[],
  { version: added, ended }: GeneralizationPlan,
): EquipmentVersion[] {
  const spanById = new Map(ended.map((span) => [span.id, span]));
  return [...versions.map((version) => ({ ...version, ...spanById.get(version.id) })), added];
}

/** The equipment of each probe of the plan; `isPlanned` for what the plan would leave. */
async function equipmentInForce(call: Call, plan: GeneralizationPlan, isPlanned = false) {
  const { probes, parcelId } = plan;
  const versionsOf = await versionsByProbe(call.db, parcelId, probes);
  return probes.map((id) => {
    const versions = entryOf(versionsOf, id);
    const effective = versionAtWithParcel(
      isPlanned ? withPlan(versions, plan) : versions,
      call.now,
    );
    return effective && toInstallationBody(effective);
  });
}

function writeGeneralization(call: Call, { parcelId, version, ended, probes }: GeneralizationPlan) {
  const { validFrom, validTo, setAt, notes } = version;
  const targets = { moduleIds: probes, parcelIds: [parcelId] };
  return applyEquipmentChange(call, targets, async () => {
    for (const span of ended) await setVersionValidity(call.db, span);
    await insertVersion(
      call.db,
      { parcelId },
      { equipment: version, validFrom, validTo, setAt, notes },
    );
    return { from: validFrom, to: validTo };
  });
}

export async function generalizeInstallation(
  call: Call,
  moduleId: number,
  options: GeneralizeOptions,
) {
  assertStartNotAhead(options.effectiveFrom, call.now);
  const probe = await requireOwnModule(call, moduleId);
  const plan = await planGeneralization(call, probe, options);
  const before = await equipmentInForce(call, plan);

  adviseOfEffectivePeriod(call, { from: plan.version.validFrom, to: plan.version.validTo });
  if (!options.dryRun) await finishEquipmentChange(call, await writeGeneralization(call, plan));
  const after = await equipmentInForce(call, plan, options.dryRun);
  const probes = plan.probes.map((id, index) => ({
    moduleId: id,
    before: before[index] ?? null,
    after: after[index] ?? null,
  }));

  return {
    configuration: await loadIrrigationSetup(call, probe),
    ...limitProbes(probes, options.maxProbes),
  };
}

type EquipmentInForce = Awaited<ReturnType<typeof equipmentInForce>>[number];

interface GeneralizedProbe {
  readonly moduleId: number;
  readonly before: EquipmentInForce;
  readonly after: EquipmentInForce;
}

const isChanged = ({ before, after }: GeneralizedProbe): boolean => before?.id !== after?.id;

/** Probes whose equipment changes come first. */
function limitProbes(probes: readonly GeneralizedProbe[], limit = probes.length) {
  const ordered = [...probes.filter(isChanged), ...probes.filter((probe) => !isChanged(probe))];
  const rest = ordered.slice(limit);
  const changed = rest.filter(isChanged).length;
  return {
    probes: ordered.slice(0, limit),
    leftOut: { changed, unchanged: rest.length - changed },
  };
}
