import { failure, ok, type Result } from '../result.ts';
import type { DoseEquipment } from './dose.ts';

/**
 * A version applies from `validFrom` (included) to `validTo` (excluded, null while current), in ms
 * since 1970 UTC.
 */
export interface EquipmentVersion extends DoseEquipment {
  readonly moduleId: number | null;
  readonly parcelId: number | null;
  readonly emitterFlowLph: number | null;
  readonly emittersPerM2: number | null;
  /** In m along a line and between lines; null where the density was not entered by spacings. */
  readonly emitterSpacingM: number | null;
  readonly lineSpacingM: number | null;
  readonly validFrom: number;
  readonly validTo: number | null;
  readonly setAt: number;
  readonly notes: string | null;
}

/** The first equipment of a target starts here, so that waterings logged before it get a dose. */
export const FIRST_SETUP_AT = 0;

export type TimelineRefusal =
  | 'EFFECTIVE_FROM_IN_FUTURE'
  | 'INSTALLATION_VERSION_EXISTS_AT_DATE'
  | 'INVALID_EFFECTIVE_FROM';

export interface VersionSpan {
  readonly id: number;
  readonly validFrom: number;
  readonly validTo: number | null;
}

export interface VersionDeclaration {
  readonly validFrom: number;
  readonly validTo: number | null;
  /** The version that was in force, which now ends where the declared one begins. */
  readonly closedVersion: VersionSpan | null;
}

const isInForceAt = (version: { validFrom: number; validTo: number | null }, at: number): boolean =>
  version.validFrom <= at && (version.validTo === null || at < version.validTo);

export const versionAt = <V extends { validFrom: number; validTo: number | null }>(
  versions: readonly V[],
  at: number,
): V | null => versions.find((version) => isInForceAt(version, at)) ?? null;

/** The probe's own version replaces its parcel's as a whole. */
export const versionAtWithParcel = <V extends EquipmentVersion>(
  versions: readonly V[],
  at: number,
): V | null => scopedVersion(versions, 'module', at) ?? parcelVersion(versions, at);

/** The probe's own version comes before its parcel's with the same start. */
export function mostRecentFirst(a: EquipmentVersion, b: EquipmentVersion): number {
  if (a.validFrom !== b.validFrom) return b.validFrom - a.validFrom;
  if (a.scope !== b.scope) return a.scope === 'module' ? -1 : 1;
  return b.id - a.id;
}

const parcelVersion = <V extends EquipmentVersion>(versions: readonly V[], at: number): V | null =>
  scopedVersion(versions, 'parcel', at);

const scopedVersion = <V extends EquipmentVersion>(
  versions: readonly V[],
  scope: V['scope'],
  at: number,
): V | null =>
  versions.find((version) => version.scope === scope && isInForceAt(version, at)) ?? null;

/**
 * The area over which a volume for the whole parcel is spread: that of the parcel's equipment, else
 * the sum of the areas of the probes' own setups, which cannot exceed the area of the parcel. Null
 * if unknown.
 */
export function parcelIrrigatedAreaM2(
  versionsOfProbes: readonly (readonly EquipmentVersion[])[],
  at: number,
  parcelAreaM2: number | null,
): number | null {
  const parcelSetup = versionsOfProbes
    .map((versions) => parcelVersion(versions, at))
    .find((version) => version !== null);
  if (parcelSetup?.irrigatedAreaM2 != null) return parcelSetup.irrigatedAreaM2;

  // By id, because probes may share a version.
  const versionsInForce = new Map(
    versionsOfProbes
      .map((versions) => versionAtWithParcel(versions, at))
      .map((version) => [version?.id, version]),
  );

  let total = 0;
  for (const equipment of versionsInForce.values()) {
    if (equipment?.irrigatedAreaM2 == null) return parcelAreaM2;
    total += equipment.irrigatedAreaM2;
  }

  return versionsInForce.size === 1
    ? total
    : Math.min(total, parcelAreaM2 ?? Number.POSITIVE_INFINITY);
}

/**
 * `isFirst`: no equipment applies to the target yet, neither its own nor, for a probe, that of its
 * parcel.
 */
export function declareVersion(
  versions: readonly VersionSpan[],
  effectiveFrom: number | null,
  isFirst: boolean,
  now: number,
): Result<VersionDeclaration, TimelineRefusal> {
  const validFrom = effectiveFrom ?? (isFirst ? FIRST_SETUP_AT : now);
  if (validFrom > now) return failure('EFFECTIVE_FROM_IN_FUTURE');
  if (versions.some((version) => version.validFrom === validFrom))
    return failure('INSTALLATION_VERSION_EXISTS_AT_DATE');

  const versionInForce = versionAt(versions, validFrom);
  const possibleEnds = versions
    .filter((version) => version.validFrom > validFrom)
    .map((version) => version.validFrom);
  // If the version in force ended, the parcel's equipment replaced it. The new version must not
  // override that, so it ends there too.
  if (versionInForce?.validTo != null) possibleEnds.push(versionInForce.validTo);

  return ok({
    validFrom,
    validTo: possibleEnds.length > 0 ? Math.min(...possibleEnds) : null,
    closedVersion: versionInForce && {
      id: versionInForce.id,
      validFrom: versionInForce.validFrom,
      validTo: validFrom,
    },
  });
}

/**
 * The corrected start must be strictly between the start of the previous version and the end of
 * this one. If the previous version ended where this one began, its end moves along; one that ended
 * earlier is only shortened.
 */
export function moveVersionStart(
  versions: readonly VersionSpan[],
  id: number,
  effectiveFrom: number,
  now: number,
): Result<VersionSpan[], TimelineRefusal> {
  const moved = versions.find((version) => version.id === id)!;
  if (effectiveFrom === moved.validFrom) return ok([]);
  if (effectiveFrom > now) return failure('EFFECTIVE_FROM_IN_FUTURE');
  if (versions.some((version) => version.validFrom === effectiveFrom))
    return failure('INSTALLATION_VERSION_EXISTS_AT_DATE');
  if (moved.validTo !== null && effectiveFrom >= moved.validTo)
    return failure('INVALID_EFFECTIVE_FROM');

  const [previous = null] = versions
    .filter((version) => version.validFrom < moved.validFrom)
    .sort((a, b) => b.validFrom - a.validFrom);
  if (previous !== null && effectiveFrom <= previous.validFrom)
    return failure('INVALID_EFFECTIVE_FROM');

  const changes: VersionSpan[] = [{ id, validFrom: effectiveFrom, validTo: moved.validTo }];
  if (
    previous?.validTo != null &&
    (previous.validTo === moved.validFrom || previous.validTo > effectiveFrom)
  )
    changes.push({ id: previous.id, validFrom: previous.validFrom, validTo: effectiveFrom });

  return ok(changes);
}

export const openVersion = <V extends { validTo: number | null }>(
  versions: readonly V[],
): V | null => versions.find((version) => version.validTo === null) ?? null;

/** A version may start after now if the clock was ahead when it was entered. */
export const replacedVersionEnd = (
  version: VersionSpan,
  effectiveFrom: number | null,
  now: number,
): number =>
  effectiveFrom !== null && effectiveFrom > version.validFrom
    ? effectiveFrom
    : Math.max(now, version.validFrom);
