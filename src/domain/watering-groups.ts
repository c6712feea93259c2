import type { Period } from './intervals.ts';

/** Waterings nearer to each other than this, from end to start, reach the soil as one: it answers none of them alone. */
const MAX_GROUP_GAP_MS = 3 * 3_600_000;

/** Puts waterings (in order of their start, ms) together that follow each other so soon that they act as one. */
export function groupWaterings<T extends { readonly run: Period }>(waterings: readonly T[]): T[][] {
  const groups: T[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const watering of waterings) {
    const open = groups.at(-1);
    if (open !== undefined && watering.run.start - end <= MAX_GROUP_GAP_MS) open.push(watering);
    else groups.push([watering]);
    end = Math.max(end, watering.run.end);
  }
  return groups;
}

/** From the first start of a group, which is not empty, to its last end. */
export const wateringGroupPeriod = (group: readonly { readonly run: Period }[]): Period => ({
  start: Math.min(...group.map(({ run }) => run.start)),
  end: Math.max(...group.map(({ run }) => run.end)),
});
