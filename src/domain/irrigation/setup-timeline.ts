import type { DoseSetup, IrrigationSystem } from './dose.ts';
import { applicationRateMmPerH, defaultFractionWetted } from './dose.ts';

/**
 * Equipment over time. A target (a probe or a parcel) has versions, each in force from `validFrom` (included) to
 * `validTo` (excluded, null while current), in ms since 1970 UTC.
 */
export interface SetupVersion extends DoseSetup {
  readonly moduleId: number | null;
  readonly parcelId: number | null;
  readonly emitterFlowLph: number | null;
  readonly emittersPerM2: number | null;
  readonly validFrom: number;
  readonly validTo: number | null;
  readonly setAt: number;
  readonly notes: string | null;
}

/** The equipment of a version, without where and when it stands. */
export type SetupEquipment = Pick<
  SetupVersion,
  | 'system'
  | 'flowMmPerH'
  | 'emitterFlowLph'
  | 'emittersPerM2'
  | 'fractionWetted'
  | 'fractionWettedIsDefault'
  | 'irrigatedAreaM2'
>;

/** Equipment as a person enters it. */
export interface EquipmentInput {
  readonly system: IrrigationSystem;
  readonly emitterFlowLph?: number | null;
  readonly emittersPerM2?: number | null;
  readonly flowMmPerH?: number | null;
  readonly irrigatedAreaM2?: number | null;
  readonly fractionWetted?: number | null;
}

/** Start of the very first setup, so that waterings already logged get a dose. */
export const FIRST_SETUP_AT = 0;

export type TimelineRefusal =
  | 'EFFECTIVE_FROM_IN_FUTURE'
  | 'INSTALLATION_VERSION_EXISTS_AT_DATE'
  | 'INVALID_EFFECTIVE_FROM';

/** A change of one version's bounds. */
export interface VersionSpan {
  readonly id: number;
  readonly validFrom: number;
  readonly validTo: number | null;
}

/** What declaring equipment does to a target's versions: the span of the new one and at most one that ends earlier. */
export interface VersionDeclaration {
  readonly validFrom: number;
  readonly validTo: number | null;
  readonly closedVersion: VersionSpan | null;
}

/** Entered equipment made whole: the flow computed when both emitter figures are there, fw by the system when none is given. */
export function completeEquipment(entered: EquipmentInput): SetupEquipment {
  const emitterFlowLph = entered.emitterFlowLph ?? null;
  const emittersPerM2 = entered.emittersPerM2 ?? null;
  const fractionWettedIsDefault = entered.fractionWetted == null;
  return {
    system: entered.system,
    flowMmPerH: applicationRateMmPerH({ emitterFlowLph, emittersPerM2, flowMmPerH: entered.flowMmPerH ?? null }),
    emitterFlowLph,
    emittersPerM2,
    fractionWetted: entered.fractionWetted ?? defaultFractionWetted(entered.system),
    fractionWettedIsDefault,
    irrigatedAreaM2: entered.irrigatedAreaM2 ?? null,
  };
}

const isInForceAt = (version: { validFrom: number; validTo: number | null }, at: number): boolean =>
  version.validFrom <= at && (version.validTo === null || at < version.validTo);

/** The version of one target in force at an instant, or null. */
export const coveringVersion = <V extends { validFrom: number; validTo: number | null }>(
  versions: readonly V[],
  at: number,
): V | null => versions.find((version) => isInForceAt(version, at)) ?? null;

/** The version that counts for a probe at an instant: its own as a whole when it has one then, else its parcel's. */
export const effectiveVersion = <V extends SetupVersion>(versions: readonly V[], at: number): V | null =>
  coveringVersion(
    versions.filter((version) => version.scope === 'module'),
    at,
  ) ??
  coveringVersion(
    versions.filter((version) => version.scope === 'parcel'),
    at,
  );

/**
 * Where a new version of a target stands. `own` are the target's versions; `isFirst` says that no setup applies to the
 * target yet, its own or, for a probe, its parcel's; `effectiveFrom` null means that none was given.
 */
export function declareVersion(
  versions: readonly VersionSpan[],
  effectiveFrom: number | null,
  isFirst: boolean,
  now: number,
): VersionDeclaration | { refusal: TimelineRefusal } {
  const validFrom = effectiveFrom ?? (isFirst ? FIRST_SETUP_AT : now);
  if (validFrom > now) return { refusal: 'EFFECTIVE_FROM_IN_FUTURE' };
  if (versions.some((version) => version.validFrom === validFrom))
    return { refusal: 'INSTALLATION_VERSION_EXISTS_AT_DATE' };
  const covering = coveringVersion(versions, validFrom);
  const ends = versions.filter((version) => version.validFrom > validFrom).map((version) => version.validFrom);
  // Within a version that was ended for the parcel's sake, the new one ends there too and brings nothing back into force.
  if (covering?.validTo != null) ends.push(covering.validTo);
  return {
    validFrom,
    validTo: ends.length > 0 ? Math.min(...ends) : null,
    closedVersion: covering && { id: covering.id, validFrom: covering.validFrom, validTo: validFrom },
  };
}

/**
 * Bounds after a version's start is corrected to `effectiveFrom`: strictly between the start of the version before it
 * and its own end. A predecessor that touched it moves its end along; one behind a hole only gives way.
 */
export function moveVersionStart(
  versions: readonly VersionSpan[],
  id: number,
  effectiveFrom: number,
  now: number,
): VersionSpan[] | { refusal: TimelineRefusal } {
  const moved = versions.find((version) => version.id === id)!;
  if (effectiveFrom === moved.validFrom) return [];
  if (effectiveFrom > now) return { refusal: 'EFFECTIVE_FROM_IN_FUTURE' };
  if (versions.some((version) => version.validFrom === effectiveFrom))
    return { refusal: 'INSTALLATION_VERSION_EXISTS_AT_DATE' };
  if (moved.validTo !== null && effectiveFrom >= moved.validTo) return { refusal: 'INVALID_EFFECTIVE_FROM' };
  const before = versions
    .filter((version) => version.validFrom < moved.validFrom)
    .reduce<VersionSpan | null>(
      (last, version) => (last === null || version.validFrom > last.validFrom ? version : last),
      null,
    );
  if (before !== null && effectiveFrom <= before.validFrom) return { refusal: 'INVALID_EFFECTIVE_FROM' };
  const changes: VersionSpan[] = [{ id, validFrom: effectiveFrom, validTo: moved.validTo }];
  if (before?.validTo != null && (before.validTo === moved.validFrom || before.validTo > effectiveFrom))
    changes.push({ id: before.id, validFrom: before.validFrom, validTo: effectiveFrom });
  return changes;
}

/** The current version of a target, or null when its last one was closed. */
export const currentVersion = <V extends { validTo: number | null }>(versions: readonly V[]): V | null =>
  versions.find((version) => version.validTo === null) ?? null;

/**
 * Where a version that generalizing replaces ends: at the given instant, or now where none was given or it is not after
 * the version's start; never before its start, which lies ahead when it was entered under a clock that ran ahead.
 */
export const replacedVersionEnd = (version: VersionSpan, effectiveFrom: number | null, now: number): number =>
  effectiveFrom !== null && effectiveFrom > version.validFrom ? effectiveFrom : Math.max(now, version.validFrom);
