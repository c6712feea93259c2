import { keysOf } from '../records.ts';
import type { StonesByDepth } from '../soil/stones.ts';
import type { Mulch } from './mulch.ts';
import type { CurveSettings } from './summary-curve.ts';
import type { WaterTimes } from './water-times.ts';

/** Unset values are null. */
export interface ProbeSettings extends CurveSettings {
  readonly stonesByDepth: StonesByDepth | null;
  readonly mulch: Mulch | null;
  /** Share of the available water that the crop can use before it suffers: p of FAO-56. */
  readonly allowedDepletion: number | null;
  readonly refillPercent: number | null;
  /** Ea of FAO-29: the share of the applied water that stays in the root zone. */
  readonly efficiencyPercent: number | null;
  /** LR of FAO-29: the share of the applied water that must leach salts below the roots. */
  readonly leachingPercent: number | null;
  readonly hoursPerDay: number | null;
  /** The first and the last day of the crop's yearly rest, MM-DD, or `never` and null. */
  readonly restFrom: string | null;
  readonly restUntil: string | null;
  readonly waterTimes: WaterTimes | null;
  /** The name of the source from which a parcel draws. */
  readonly waterSource: string | null;
}

/** A version applies from `validFrom` until the next one begins. */
export interface SettingsVersion extends ProbeSettings {
  readonly validFrom: number;
}

/** The first settings of a probe apply to its whole past, like its first setup. */
const FIRST_SETTINGS_AT = 0;

export const NO_SETTINGS: ProbeSettings = {
  rootDepthCm: null,
  depthWeights: null,
  stonesByDepth: null,
  emitterDepthCm: null,
  mulch: null,
  allowedDepletion: null,
  refillPercent: null,
  efficiencyPercent: null,
  leachingPercent: null,
  hoursPerDay: null,
  restFrom: null,
  restUntil: null,
  waterTimes: null,
  waterSource: null,
};

/** The value of `restFrom` for a crop that is never at rest. */
export const NEVER_AT_REST = 'never';

/** Apply where a setting is unset. */
export const SETTING_DEFAULTS = {
  refillPercent: 100,
  efficiencyPercent: 100,
  leachingPercent: 0,
  hoursPerDay: 24,
} as const;

export const SETTING_NAMES = keysOf(NO_SETTINGS);

/** `versions` are oldest first. */
export const settingsVersionAt = <V extends { readonly validFrom: number }>(
  versions: readonly V[],
  at: number,
): V | null =>
  versions.findLast(({ validFrom }) => validFrom <= Math.max(at, FIRST_SETTINGS_AT)) ?? null;

/**
 * The settings of a probe, with those of its parcel where it has none of its own. Both are oldest
 * first.
 */
export function withSettingsOfParcel(
  own: readonly SettingsVersion[],
  ofParcel: readonly SettingsVersion[],
): readonly SettingsVersion[] {
  if (ofParcel.length === 0) return own;

  const starts = new Set([...own, ...ofParcel].map(({ validFrom }) => validFrom));
  return [...starts]
    .sort((a, b) => a - b)
    .map((validFrom) => ({
      ...combineSettings(
        settingsVersionAt(own, validFrom) ?? NO_SETTINGS,
        settingsVersionAt(ofParcel, validFrom) ?? NO_SETTINGS,
      ),
      validFrom,
    }));
}

/** The days of a rest belong together, and all about water: a probe has them of its own or of its parcel. */
function combineSettings(own: ProbeSettings, ofParcel: ProbeSettings): ProbeSettings {
  const { restFrom, restUntil } = own.restFrom === null ? ofParcel : own;
  return {
    rootDepthCm: own.rootDepthCm ?? ofParcel.rootDepthCm,
    depthWeights: own.depthWeights ?? ofParcel.depthWeights,
    stonesByDepth: own.stonesByDepth ?? ofParcel.stonesByDepth,
    emitterDepthCm: own.emitterDepthCm ?? ofParcel.emitterDepthCm,
    mulch: own.mulch ?? ofParcel.mulch,
    allowedDepletion: own.allowedDepletion ?? ofParcel.allowedDepletion,
    refillPercent: own.refillPercent ?? ofParcel.refillPercent,
    efficiencyPercent: own.efficiencyPercent ?? ofParcel.efficiencyPercent,
    leachingPercent: own.leachingPercent ?? ofParcel.leachingPercent,
    hoursPerDay: own.hoursPerDay ?? ofParcel.hoursPerDay,
    restFrom,
    restUntil,
    waterTimes: own.waterTimes ?? ofParcel.waterTimes,
    waterSource: own.waterSource ?? ofParcel.waterSource,
  };
}

export interface SettingsChange {
  /** Versions to store; each replaces the one with the same start, if any. */
  readonly versions: readonly SettingsVersion[];
  readonly before: ProbeSettings;
  readonly changed: readonly (keyof ProbeSettings)[];
  readonly validFrom: number;
  /**
   * When a later version first sets one of the changed settings to another value, in ms; null if
   * none does.
   */
  readonly validTo: number | null;
}

/**
 * A changed value also applies to later versions, up to the first one with its own value.
 * `versions` are oldest first.
 */
export function changeSettings(
  versions: readonly SettingsVersion[],
  changes: Partial<ProbeSettings>,
  effectiveFrom: number | null,
  now: number,
): SettingsChange {
  const hasBegun = versions.some((version) => version.validFrom <= now);
  const validFrom = effectiveFrom ?? (hasBegun ? now : FIRST_SETTINGS_AT);
  const versionInForce = settingsVersionAt(versions, validFrom);
  const before = versionInForce === null ? NO_SETTINGS : settingsOf(versionInForce);
  const requested = SETTING_NAMES.filter((name) => changes[name] !== undefined);
  const changed = requested.filter((name) => !isSame(before[name], changes[name]!));
  const later = versions.filter((version) => version.validFrom > validFrom);

  // When a later version first differs from today's value, in ms.
  const endOf = (name: keyof ProbeSettings): number =>
    later.find((version) => !isSame(version[name], before[name]))?.validFrom ??
    Number.POSITIVE_INFINITY;

  const changedValuesAt = (at: number) =>
    Object.fromEntries(
      changed.filter((name) => at < endOf(name)).map((name) => [name, changes[name]]),
    );

  const end = Math.min(...changed.map(endOf));
  const affected = [{ ...before, validFrom }, ...later].filter((version) =>
    changed.some((name) => version.validFrom < endOf(name)),
  );

  return {
    versions: affected.map((version) => ({ ...version, ...changedValuesAt(version.validFrom) })),
    before,
    changed,
    validFrom,
    validTo: Number.isFinite(end) ? end : null,
  };
}

export const settingsOf = ({ validFrom: _, ...settings }: SettingsVersion): ProbeSettings =>
  settings;

/** Objects have their keys in one order. */
const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
