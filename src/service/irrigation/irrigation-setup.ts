import { defaultFractionWetted } from '../../domain/irrigation/dose.ts';
import {
  currentVersion,
  effectiveVersion,
  type SetupVersion,
  type TimelineRefusal,
} from '../../domain/irrigation/setup-timeline.ts';
import type { Call } from '../../operation/call.ts';
import { invalidInput } from '../../schema/error.ts';
import type { InstallationVersionBody, IrrigationConfigurationBody } from '../../schema/installation.ts';
import { type Module, modulesOfParcel } from '../../store/company/places.ts';
import {
  applicableVersions,
  currentOwnVersions,
  placementOf,
  setPlacement,
} from '../../store/irrigation/installations.ts';
import { requireOwnModule } from '../ownership.ts';
import { toIso, toIsoOrNull } from '../wire-format.ts';
import { summarizeMissingDoses } from './doses.ts';

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

export async function setModulePlacement(
  call: Call,
  moduleId: number,
  entry: { emitterDistanceCm?: number | null; notes?: string | null },
) {
  const probe = await requireOwnModule(call, moduleId);
  const existing = await placementOf(call.db, moduleId);
  await setPlacement(call.db, moduleId, {
    emitterDistanceCm:
      entry.emitterDistanceCm === undefined ? (existing?.emitterDistanceCm ?? null) : entry.emitterDistanceCm,
    notes: entry.notes === undefined ? (existing?.notes ?? null) : entry.notes,
    setAt: call.now,
  });
  return loadIrrigationSetup(call, probe);
}

const TIMELINE_REFUSALS: Record<TimelineRefusal, { message: (at: string) => string; hint: string }> = {
  EFFECTIVE_FROM_IN_FUTURE: {
    message: (at) => `effectiveFrom ${at} lies in the future.`,
    hint: 'Declare the equipment once it is in the field; leave effectiveFrom out for now.',
  },
  INSTALLATION_VERSION_EXISTS_AT_DATE: {
    message: (at) => `A setup version of this target already starts at ${at}.`,
    hint: 'Use correct_installation to change that version, or give another effectiveFrom.',
  },
  INVALID_EFFECTIVE_FROM: {
    message: (at) => `effectiveFrom ${at} does not fit between the neighbouring versions.`,
    hint: 'See the versions with get_irrigation_setup and give an instant after the start of the one before and before the end of this one.',
  },
};

/** A refusal of the timeline in its own words, about an instant in ms. */
export function timelineError(refusal: TimelineRefusal, at: number): Error {
  const { message, hint } = TIMELINE_REFUSALS[refusal];
  return invalidInput(refusal, message(toIso(at)), { hint, field: 'effectiveFrom' });
}

/** Told before whose it is, as everything that is wrong with the entry alone. */
export function refuseFutureStart(effectiveFrom: number | null | undefined, now: number): void {
  if (effectiveFrom != null && effectiveFrom > now) throw timelineError('EFFECTIVE_FROM_IN_FUTURE', effectiveFrom);
}
