import { type SettingsVersion, settingsVersionAt } from './probe-settings.ts';
import type { WaterTimes } from './water-times.ts';

/** A canal, well or pump from which several parcels draw. */
export interface WaterSource {
  readonly name: string;
  /** Oldest first. */
  readonly versions: readonly SourceVersion[];
}

/** The times apply from `validFrom` (ms) until the next version begins; null: at any time. */
export interface SourceVersion {
  readonly validFrom: number;
  readonly times: WaterTimes | null;
}

export const sourceTimesAt = ({ versions }: WaterSource, at: number): WaterTimes | null =>
  settingsVersionAt(versions, at)?.times ?? null;

/**
 * The same settings, with the times of their source where they have none. `versions` are oldest
 * first.
 */
export function withTimesOfSource(
  versions: readonly SettingsVersion[],
  sources: ReadonlyMap<string, WaterSource>,
): readonly SettingsVersion[] {
  const [first] = versions;
  if (first === undefined) return versions;

  const changesOfSources = versions
    .flatMap(({ waterSource }) => (waterSource === null ? [] : (sources.get(waterSource) ?? [])))
    .flatMap((source) => source.versions.map(({ validFrom }) => validFrom))
    .filter((validFrom) => validFrom > first.validFrom);
  const starts = new Set([...versions.map(({ validFrom }) => validFrom), ...changesOfSources]);

  return [...starts]
    .sort((a, b) => a - b)
    .map((validFrom) => {
      const version = settingsVersionAt(versions, validFrom) ?? first;
      const source = version.waterSource === null ? undefined : sources.get(version.waterSource);
      const ofSource = source === undefined ? null : sourceTimesAt(source, validFrom);
      return { ...version, validFrom, waterTimes: version.waterTimes ?? ofSource };
    });
}
