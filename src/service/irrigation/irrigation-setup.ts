import { defaultFractionWetted } from '../../domain/irrigation/equipment.ts';
import {
  type EquipmentVersion,
  mostRecentFirst,
  openVersion,
  versionAtWithParcel,
} from '../../domain/irrigation/equipment-timeline.ts';
import { entryOf } from '../../domain/items.ts';
import { settingsVersionAt } from '../../domain/moisture/probe-settings.ts';
import type { Call, WriteContext } from '../../operation/call.ts';
import type {
  IrrigationConfigurationBody,
  ParcelIrrigationBody,
} from '../../schema/irrigation/installation.ts';
import { type Module, moduleIdsOfParcel, probeIdsOfParcel } from '../../store/company/modules.ts';
import {
  ownAndParcelVersions,
  ownVersions,
  type Placement,
  placementOf,
  probeOverrides,
  setPlacement,
  toInstallationBody,
  toPlacementBody,
  toVersionBody,
} from '../../store/irrigation/installations.ts';
import { settingsVersionsOfParcel } from '../../store/moisture/settings-versions.ts';
import { seasonsOfParcels } from '../company/seasons.ts';
import { settingsBody } from '../moisture/probe-settings.ts';
import { assertOwnParcel, requireOwnModule } from '../ownership.ts';
import { balanceLayersOfParcel } from '../soil/balance-layers.ts';
import { summarizeMissingDoses } from './doses/missing-doses.ts';

export async function loadIrrigationSetup(
  call: Call,
  probe: Module,
): Promise<IrrigationConfigurationBody> {
  const versions = await ownAndParcelVersions(call.db, probe.id);
  const effective = versionAtWithParcel(versions, call.now);
  const placement = await placementOf(call.db, probe.id);
  const otherOverrides =
    probe.parcelId === null
      ? []
      : await probeOverrides(
          call.db,
          (await moduleIdsOfParcel(call.db, probe.parcelId)).filter((id) => id !== probe.id),
        );

  const { missing } = await summarizeMissingDoses(call, probe.id);
  return {
    moduleId: probe.id,
    parcelId: probe.parcelId,
    installation: effective && toInstallationBody(effective),
    defaultFractionWetted: effective && defaultFractionWetted(effective.system),
    placement: placement && toPlacementBody(placement),
    canGeneralize: canGeneralize(probe, versions),
    hasParcelInstallation:
      openVersion(versions.filter((version) => version.scope === 'parcel')) !== null,
    siblingOverrides: otherOverrides.length,
    versions: [...versions].sort(mostRecentFirst).map(toVersionBody),
    missingDoses: missing,
  };
}

export async function getParcelIrrigation(
  call: Call,
  parcelId: number,
): Promise<ParcelIrrigationBody> {
  await assertOwnParcel(call, parcelId);
  const versions = await ownVersions(call.db, { parcelId });
  const parcelVersion = versionAtWithParcel(versions, call.now);
  const probes = await probeIdsOfParcel(call.db, parcelId);
  const ownVersionByModule = new Map(
    (await probeOverrides(call.db, probes)).map((version) => [version.moduleId, version]),
  );
  const bodyOf = (version: EquipmentVersion | null) => version && toInstallationBody(version);

  const settingsVersions = await settingsVersionsOfParcel(call.db, parcelId);
  const settings = settingsVersionAt(settingsVersions, call.now);

  return {
    parcelId,
    installation: bodyOf(parcelVersion),
    versions: [...versions].sort(mostRecentFirst).map(toVersionBody),
    probes: probes.map((moduleId) => ({
      moduleId,
      installation: bodyOf(ownVersionByModule.get(moduleId) ?? parcelVersion),
    })),
    settings: settingsBody(settings),
    settingsVersions: settingsVersions.map(settingsBody).reverse(),
    season: entryOf(await seasonsOfParcels(call.db, [parcelId]), parcelId),
    soil: await balanceLayersOfParcel(call.db, parcelId, settings?.stonesByDepth ?? null),
  };
}

const canGeneralize = (
  probe: { parcelId: number | null },
  versions: readonly EquipmentVersion[],
): boolean =>
  probe.parcelId !== null &&
  openVersion(versions.filter((version) => version.scope === 'module')) !== null;

interface PlacementEntry {
  readonly emitterDistanceCm?: number | null | undefined;
  readonly notes?: string | null | undefined;
}

export async function setModulePlacement(call: Call, moduleId: number, entry: PlacementEntry) {
  const probe = await requireOwnModule(call, moduleId);
  await setPlacement(call.db, moduleId, await placementAfter(call, moduleId, entry));

  return loadIrrigationSetup(call, probe);
}

/** Returns false if that is what is stored. */
export async function changePlacement(
  context: WriteContext,
  moduleId: number,
  entry: PlacementEntry,
): Promise<boolean> {
  const existing = await placementOf(context.db, moduleId);
  const placement = await placementAfter(context, moduleId, entry);
  const isChanged =
    existing === null ||
    existing.emitterDistanceCm !== placement.emitterDistanceCm ||
    existing.notes !== placement.notes;
  if (isChanged) await setPlacement(context.db, moduleId, placement);

  return isChanged;
}

/** A part that is not entered stays. */
async function placementAfter(
  { db, now }: WriteContext,
  moduleId: number,
  { emitterDistanceCm, notes }: PlacementEntry,
): Promise<Placement> {
  const existing = await placementOf(db, moduleId);
  return {
    emitterDistanceCm:
      emitterDistanceCm === undefined ? (existing?.emitterDistanceCm ?? null) : emitterDistanceCm,
    notes: notes === undefined ? (existing?.notes ?? null) : notes,
    setAt: now,
  };
}
