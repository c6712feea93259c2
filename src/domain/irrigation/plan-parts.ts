import type { RegenerationPlan } from './regeneration-plan.ts';

export interface PlanPart {
  readonly part: RegenerationPlan;
  readonly isLast: boolean;
}

/**
 * Parts of at most `size` occurrences, in the order in which they are written. A plan that is made
 * after some of them contains the others.
 */
export function* partsOf(plan: RegenerationPlan, size: number): Generator<PlanPart> {
  for (let rest = plan; ; ) {
    const part = firstPartOf(rest, size);
    rest = {
      remove: rest.remove.slice(part.remove.length),
      newStarts: rest.newStarts.slice(part.newStarts.length),
      change: rest.change.slice(part.change.length),
      add: rest.add.slice(part.add.length),
      detachedCount: 0,
    };
    const isLast = rest.remove.length + rest.change.length + rest.add.length === 0;
    yield { part, isLast };
    if (isLast) return;
  }
}

function firstPartOf(plan: RegenerationPlan, size: number): RegenerationPlan {
  let left = size;
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
  return { remove, newStarts, change, add, detachedCount: plan.detachedCount };
}

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
