import {
  currentVersion,
  declareVersion,
  effectiveVersion,
  generalizedEnd,
  type Reach,
  type Version,
} from '../domain/setup-timeline.ts';
import type { Call } from '../operation/call.ts';
import { notFound, refuse } from '../schema/error.ts';
import { applicableVersions, currentOwnVersions, insertVersion, reachTo, versionsOf } from '../store/installations.ts';
import { type Module, modulesOfParcel } from '../store/modules.ts';
import { changingEquipment, remarkFollowed } from './following.ts';
import { isFirstOfParcel, remarkSpan } from './installations.ts';
import { ownModule } from './ownership.ts';
import { configurationOf, installationBody } from './setups.ts';
import { refuseFuture, refuseTimeline } from './timeline-refusals.ts';
import { isoOf } from './wire.ts';

interface Generalizing {
  readonly effectiveFrom?: number | null;
  readonly dropSiblings?: boolean;
  readonly dryRun?: boolean;
  readonly mostProbes?: number;
}

/** What generalizing would write: the parcel's new version and the probes' own that end. */
async function planGeneralization(
  call: Call,
  probe: Module,
  { effectiveFrom = null, dropSiblings = false }: Generalizing,
) {
  if (probe.parcelId === null)
    throw notFound(
      `Module ${probe.id} belongs to no parcel, so its setup cannot be pushed up.`,
      'Use a probe of a parcel.',
      'PARCEL_NOT_FOUND',
    );
  const own = currentVersion(await versionsOf(call.db, { moduleId: probe.id }));
  if (!own)
    throw refuse('NO_INSTALLATION', `Module ${probe.id} has no current setup of its own to push up.`, {
      hint: 'Declare one with set_module_installation, or the parcel’s directly with set_parcel_installation.',
      field: 'module',
    });
  if (effectiveFrom !== null && effectiveFrom < own.validFrom)
    throw refuse(
      'INVALID_EFFECTIVE_FROM',
      `The probe’s own setup starts later than effectiveFrom ${isoOf(effectiveFrom)}.`,
      {
        hint: `Give an instant from ${isoOf(own.validFrom)} on, or leave effectiveFrom out.`,
        field: 'effectiveFrom',
      },
    );
  const declaration = declareVersion(
    await versionsOf(call.db, { parcelId: probe.parcelId }),
    effectiveFrom,
    await isFirstOfParcel(call, probe.parcelId),
    call.now,
  );
  if ('refused' in declaration) throw refuseTimeline(declaration.refused, effectiveFrom ?? call.now);
  const siblings = (await modulesOfParcel(call.db, probe.parcelId)).filter((id) => id !== probe.id);
  const dropped = dropSiblings ? await currentOwnVersions(call.db, siblings) : [];
  const closed: Reach[] = [own, ...dropped].map((each) => ({
    id: each.id,
    validFrom: each.validFrom,
    validTo: generalizedEnd(each, effectiveFrom, call.now),
  }));
  return { parcelId: probe.parcelId, own, declaration, closed, probes: [probe.id, ...siblings] };
}

const setupNow = async (call: Call, moduleId: number, versionsOfProbe?: (all: Version[]) => Version[]) => {
  const versions = await applicableVersions(call.db, moduleId);
  const effective = effectiveVersion(versionsOfProbe ? versionsOfProbe(versions) : versions, call.now);
  return effective && installationBody(effective);
};

export async function generalizeInstallation(call: Call, moduleId: number, asked: Generalizing) {
  refuseFuture(asked.effectiveFrom, call.now);
  const probe = await ownModule(call, moduleId);
  const plan = await planGeneralization(call, probe, asked);
  const before = new Map<number, Awaited<ReturnType<typeof setupNow>>>();
  for (const id of plan.probes) before.set(id, await setupNow(call, id));
  const { declaration, own, parcelId } = plan;
  const planned: Version = {
    ...own,
    id: 0,
    scope: 'parcel',
    moduleId: null,
    parcelId,
    validFrom: declaration.validFrom,
    validTo: declaration.validTo,
    setAt: call.now,
  };

  remarkSpan(call, { from: declaration.validFrom, to: declaration.validTo });
  if (asked.dryRun) {
    const foreseen = (all: Version[]): Version[] => [
      ...all.map((each) => {
        const end =
          plan.closed.find((reach) => reach.id === each.id) ??
          (declaration.closed?.id === each.id ? declaration.closed : null);
        return end ? { ...each, validTo: end.validTo } : each;
      }),
      planned,
    ];
    const probes = [];
    for (const id of plan.probes)
      probes.push({ moduleId: id, before: before.get(id)!, after: await setupNow(call, id, foreseen) });
    return { configuration: await configurationOf(call, probe), ...listed(probes, asked.mostProbes) };
  }

  const followed = await changingEquipment(call, plan.probes, async () => {
    if (declaration.closed) await reachTo(call.db, declaration.closed);
    await insertVersion(
      call.db,
      { parcelId },
      { equipment: own, validFrom: planned.validFrom, validTo: planned.validTo, setAt: call.now, notes: own.notes },
    );
    for (const reach of plan.closed) await reachTo(call.db, reach);
    return { from: declaration.validFrom, to: declaration.validTo };
  });
  remarkFollowed(call, followed);
  const probes = [];
  for (const id of plan.probes) probes.push({ moduleId: id, before: before.get(id)!, after: await setupNow(call, id) });
  return { configuration: await configurationOf(call, probe), ...listed(probes, asked.mostProbes) };
}

interface Generalized {
  readonly moduleId: number;
  readonly before: Awaited<ReturnType<typeof setupNow>>;
  readonly after: Awaited<ReturnType<typeof setupNow>>;
}

const isChanged = ({ before, after }: Generalized): boolean => before?.id !== after?.id;

/** So many probes at most, those first whose setup changes, and how many of either kind that leaves out. */
function listed(probes: readonly Generalized[], most = probes.length) {
  const ordered = [...probes.filter(isChanged), ...probes.filter((each) => !isChanged(each))];
  const rest = ordered.slice(most);
  const changed = rest.filter(isChanged).length;
  return { probes: ordered.slice(0, most), leftOut: { changed, unchanged: rest.length - changed } };
}
