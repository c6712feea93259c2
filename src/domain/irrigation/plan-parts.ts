import type { RegenerationPlan } from './regeneration-plan.ts';

export interface PlanPart extends RegenerationPlan {
  /** Nothing of the plan is left. */
  readonly isWhole: boolean;
}

/**
 * The first `limit` occurrences of a plan, in the order in which they are written. A plan that is
 * made after them contains the rest.
 */
export function firstPartOf(plan: RegenerationPlan, limit: number): PlanPart {
  let left = limit;
  const take = <T>(occurrences: readonly T[]): readonly T[] => {
    const taken = occurrences.slice(0, left);
    left -= taken.length;
    return taken;
  };

  const remove = take(plan.remove);
  // A removed occurrence may hold the start that one of these gets.
  const newStarts = remove.length === plan.remove.length ? plan.newStarts : [];
  const change = take(plan.change);
  const add = take(plan.add);
  const { detachedCount } = plan;
  return {
    ...{ remove, newStarts, change, add, detachedCount },
    isWhole: sizeOf({ remove, change, add }) === sizeOf(plan),
  };
}

const sizeOf = ({
  remove,
  change,
  add,
}: Pick<RegenerationPlan, 'remove' | 'change' | 'add'>): number =>
  remove.length + change.length + add.length;

export interface PlanCounts {
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
}

export const NOTHING_PLANNED: PlanCounts = { added: 0, changed: 0, removed: 0 };

export const withCountsOf = (
  counts: PlanCounts,
  { add, change, remove }: RegenerationPlan,
): PlanCounts => ({
  added: counts.added + add.length,
  changed: counts.changed + change.length,
  removed: counts.removed + remove.length,
});
