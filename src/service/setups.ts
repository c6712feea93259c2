import { defaultFractionWetted } from '../domain/dose.ts';
import { currentVersion, effectiveVersion, type SetupVersion } from '../domain/setup-timeline.ts';
import type { Call } from '../operation/call.ts';
import type { InstallationVersionBody, IrrigationConfigurationBody } from '../schema/installation.ts';
import { applicableVersions, currentOwnVersions, placementOf } from '../store/installations.ts';
import { type Module, modulesOfParcel } from '../store/modules.ts';
import { summarizeMissingDoses } from './doses.ts';
import { toIso, toIsoOrNull } from './wire.ts';

/** IrrigationInstallation of a version: what stands, without when it was entered. */
export function toInstallationBody({ setAt: _, notes: __, ...version }: SetupVersion) {
  return {
    id: version.id,
    scope: version.scope,
    parcelId: version.parcelId,
    moduleId: version.moduleId,
    system: version.system,
    flowMmPerH: roundRate(version.flowMmPerH),
    emitterFlowLph: version.emitterFlowLph,
    emittersPerM2: version.emittersPerM2,
    fractionWetted: version.fractionWetted,
    fractionWettedIsDefault: version.fractionWettedIsDefault,
    irrigatedAreaM2: version.irrigatedAreaM2,
    validFrom: toIso(version.validFrom),
    validTo: toIsoOrNull(version.validTo),
  };
}

/** A rate without the noise of binary multiplication (1.6 x 2 is 3.2, not 3.2000000000000002). */
export const roundRate = (rate: number | null): number | null => (rate === null ? null : Number(rate.toPrecision(12)));

export const toVersionBody = (version: SetupVersion): InstallationVersionBody => ({
  ...toInstallationBody(version),
  setAt: toIso(version.setAt),
  notes: version.notes,
});

/** Most recent first by start; at one start the probe's own before its parcel's. */
const mostRecentFirst = (a: SetupVersion, b: SetupVersion): number =>
  b.validFrom - a.validFrom || (a.scope === b.scope ? b.id - a.id : a.scope === 'module' ? -1 : 1);

/** The irrigation configuration of a probe: what is in force, its history and what is missing. */
export async function loadIrrigationSetup(call: Call, probe: Module): Promise<IrrigationConfigurationBody> {
  const versions = await applicableVersions(call.db, probe.id);
  const effective = effectiveVersion(versions, call.now);
  const placement = await placementOf(call.db, probe.id);
  const siblings =
    probe.parcelId === null
      ? []
      : await currentOwnVersions(
          call.db,
          (await modulesOfParcel(call.db, probe.parcelId)).filter((id) => id !== probe.id),
        );
  const { missing } = await summarizeMissingDoses(call, probe.id);
  return {
    moduleId: probe.id,
    parcelId: probe.parcelId,
    installation: effective && toInstallationBody(effective),
    defaultFractionWetted: effective && defaultFractionWetted(effective.system),
    placement: placement && { ...placement, setAt: toIso(placement.setAt) },
    canGeneralize: canGeneralize(probe, versions),
    hasParcelInstallation: currentVersion(versions.filter((each) => each.scope === 'parcel')) !== null,
    siblingOverrides: siblings.length,
    versions: [...versions].sort(mostRecentFirst).map(toVersionBody),
    missingDoses: missing,
  };
}

/** Whether a probe's setup can be pushed up: it has a parcel and a current setup of its own. */
export const canGeneralize = (probe: { parcelId: number | null }, versions: readonly SetupVersion[]): boolean =>
  probe.parcelId !== null && currentVersion(versions.filter((each) => each.scope === 'module')) !== null;
