import {
  currentVersion,
  declareVersion,
  effectiveVersion,
  replacedVersionEnd,
  type SetupVersion,
  type VersionSpan,
} from '../../domain/irrigation/setup-timeline.ts';
import type { Call } from '../../operation/call.ts';
import { invalidInput, notFound } from '../../schema/error.ts';
import { type Module, modulesOfParcel } from '../../store/company/places.ts';
import {
  applicableVersions,
  currentOwnVersions,
  insertVersion,
  setVersionValidity,
  versionsOf,
} from '../../store/irrigation/installations.ts';
import { requireOwnModule } from '../ownership.ts';
import { toIso } from '../wire-format.ts';
import { applyEquipmentChange, noteEquipmentChange } from './equipment-change.ts';
import { isFirstParcelSetup, noteEffectivePeriod } from './installations.ts';
import { loadIrrigationSetup, refuseFutureStart, timelineError, toInstallationBody } from './irrigation-setup.ts';

interface GeneralizeOptions {
  readonly effectiveFrom?: number | null;
  readonly dropSiblings?: boolean;
  readonly dryRun?: boolean;
  readonly mostProbes?: number;
}

/** What generalizing would write: the parcel's new version and the probes' own that end. */
async function planGeneralization(
  call: Call,
  probe: Module,
  { effectiveFrom = null, dropSiblings = false }: GeneralizeOptions,
) {
  if (probe.parcelId === null)
    throw notFound(
      `Module ${probe.id} belongs to no parcel, so its setup cannot be pushed up.`,
      'Use a probe of a parcel.',
      'PARCEL_NOT_FOUND',
    );
  const own = currentVersion(await versionsOf(call.db, { moduleId: probe.id }));
  if (!own)
    throw invalidInput('NO_INSTALLATION', `Module ${probe.id} has no current setup of its own to push up.`, {
      hint: 'Declare one with set_module_installation, or the parcel’s directly with set_parcel_installation.',
      field: 'module',
    });
  if (effectiveFrom !== null && effectiveFrom < own.validFrom)
    throw invalidInput(
      'INVALID_EFFECTIVE_FROM',
      `The probe’s own setup starts later than effectiveFrom ${toIso(effectiveFrom)}.`,
      {
        hint: `Give an instant from ${toIso(own.validFrom)} on, or leave effectiveFrom out.`,
        field: 'effectiveFrom',
      },
    );
  const declaration = declareVersion(
    await versionsOf(call.db, { parcelId: probe.parcelId }),
    effectiveFrom,
    await isFirstParcelSetup(call, probe.parcelId),
    call.now,
  );
  if ('refusal' in declaration) throw timelineError(declaration.refusal, effectiveFrom ?? call.now);
  const siblings = (await modulesOfParcel(call.db, probe.parcelId)).filter((id) => id !== probe.id);
  const dropped = dropSiblings ? await currentOwnVersions(call.db, siblings) : [];
  const closed: VersionSpan[] = [own, ...dropped].map((each) => ({
    id: each.id,
    validFrom: each.validFrom,
    validTo: replacedVersionEnd(each, effectiveFrom, call.now),
  }));
  return { parcelId: probe.parcelId, own, declaration, closed, probes: [probe.id, ...siblings] };
}

const currentSetup = async (
  call: Call,
  moduleId: number,
  versionsOfProbe?: (all: SetupVersion[]) => SetupVersion[],
) => {
  const versions = await applicableVersions(call.db, moduleId);
  const effective = effectiveVersion(versionsOfProbe ? versionsOfProbe(versions) : versions, call.now);
  return effective && toInstallationBody(effective);
};

export async function generalizeInstallation(call: Call, moduleId: number, options: GeneralizeOptions) {
  refuseFutureStart(options.effectiveFrom, call.now);
  const probe = await requireOwnModule(call, moduleId);
  const plan = await planGeneralization(call, probe, options);
  const before = new Map<number, Awaited<ReturnType<typeof currentSetup>>>();
  for (const id of plan.probes) before.set(id, await currentSetup(call, id));
  const { declaration, own, parcelId } = plan;
  const planned: SetupVersion = {
    ...own,
    id: 0,
    scope: 'parcel',
    moduleId: null,
    parcelId,
    validFrom: declaration.validFrom,
    validTo: declaration.validTo,
    setAt: call.now,
  };

  noteEffectivePeriod(call, { from: declaration.validFrom, to: declaration.validTo });
  if (options.dryRun) {
    const asPlanned = (all: SetupVersion[]): SetupVersion[] => [
      ...all.map((each) => {
        const end =
          plan.closed.find((reach) => reach.id === each.id) ??
          (declaration.closedVersion?.id === each.id ? declaration.closedVersion : null);
        return end ? { ...each, validTo: end.validTo } : each;
      }),
      planned,
    ];
    const probes = [];
    for (const id of plan.probes)
      probes.push({ moduleId: id, before: before.get(id)!, after: await currentSetup(call, id, asPlanned) });
    return { configuration: await loadIrrigationSetup(call, probe), ...limitProbes(probes, options.mostProbes) };
  }

  const effects = await applyEquipmentChange(call, plan.probes, async () => {
    if (declaration.closedVersion) await setVersionValidity(call.db, declaration.closedVersion);
    await insertVersion(
      call.db,
      { parcelId },
      { equipment: own, validFrom: planned.validFrom, validTo: planned.validTo, setAt: call.now, notes: own.notes },
    );
    for (const reach of plan.closed) await setVersionValidity(call.db, reach);
    return { from: declaration.validFrom, to: declaration.validTo };
  });
  noteEquipmentChange(call, effects);
  const probes = [];
  for (const id of plan.probes)
    probes.push({ moduleId: id, before: before.get(id)!, after: await currentSetup(call, id) });
  return { configuration: await loadIrrigationSetup(call, probe), ...limitProbes(probes, options.mostProbes) };
}

interface GeneralizedProbe {
  readonly moduleId: number;
  readonly before: Awaited<ReturnType<typeof currentSetup>>;
  readonly after: Awaited<ReturnType<typeof currentSetup>>;
}

const isChanged = ({ before, after }: GeneralizedProbe): boolean => before?.id !== after?.id;

/** So many probes at most, those first whose setup changes, and how many of either kind that leaves out. */
function limitProbes(probes: readonly GeneralizedProbe[], most = probes.length) {
  const ordered = [...probes.filter(isChanged), ...probes.filter((each) => !isChanged(each))];
  const rest = ordered.slice(most);
  const changed = rest.filter(isChanged).length;
  return { probes: ordered.slice(0, most), leftOut: { changed, unchanged: rest.length - changed } };
}
