import type { ProbeFacts } from '../../facts/probe-facts.ts';

/** `since`: its newest reading, in ms; null for none in the last two weeks. */
export interface SilentDepth {
  readonly depthCm: number;
  readonly since: number | null;
}

/** Those without a recent reading that can be used, from the surface down. */
export function silentDepths({
  recent,
  newestByDepth,
}: Pick<ProbeFacts, 'recent' | 'newestByDepth'>): SilentDepth[] {
  const newest = new Map(newestByDepth.map(({ depthCm, at }) => [depthCm, at]));
  return recent.depths
    .filter(({ points }) => points.length === 0)
    .map(({ depthCm }) => ({ depthCm, since: newest.get(depthCm) ?? null }));
}
