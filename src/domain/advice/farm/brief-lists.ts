import { MISSING_DOSE_REASONS, type MissingDoseReason } from '../../irrigation/dose.ts';

export interface Span {
  readonly least: number;
  readonly most: number;
}

/** The extremes of the known values. */
export function spanOf(values: readonly (number | null)[]): Span | null {
  const knownValues = values.filter((value) => value !== null);
  return knownValues.length === 0
    ? null
    : { least: Math.min(...knownValues), most: Math.max(...knownValues) };
}

/**
 * Keeps the order of the probes. A probe that shares nothing, such as one with equipment of its own,
 * has the key null and is alone in its group.
 */
export function groupByShared<P>(
  probes: readonly P[],
  keyOf: (probe: P) => number | string | null,
): [P, ...P[]][] {
  const groups = new Map<P | number | string, [P, ...P[]]>();
  for (const probe of probes) {
    const key = keyOf(probe) ?? probe;
    const group = groups.get(key);
    if (group) group.push(probe);
    else groups.set(key, [probe]);
  }
  return [...groups.values()];
}

/** In % of volume. */
interface AlertShortfall {
  readonly threshold: number;
  readonly value: number | null;
}

/** The furthest below its threshold first, unknown values last. */
export function compareByShortfall(a: AlertShortfall, b: AlertShortfall): number {
  if (a.value === null || b.value === null)
    return Number(a.value === null) - Number(b.value === null);
  return b.threshold - b.value - (a.threshold - a.value);
}

export function compareLatestFirst(a: number | null, b: number | null): number {
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? 1 : -1;
  return b - a;
}

/** A list of the brief names at most this many probes. */
export const MAX_NAMED_PROBES = 8;

export interface TopRows<T> {
  readonly rows: readonly T[];
  readonly leftOut: number;
}

export function topRows<T>(
  rows: readonly T[],
  limit: number,
  order: (a: T, b: T) => number,
): TopRows<T> {
  return { rows: [...rows].sort(order).slice(0, limit), leftOut: Math.max(0, rows.length - limit) };
}

export function mostCommonReason(reasons: readonly MissingDoseReason[]): MissingDoseReason {
  const count = (reason: MissingDoseReason): number =>
    reasons.filter((other) => other === reason).length;
  return MISSING_DOSE_REASONS.reduce((most, reason) =>
    count(reason) > count(most) ? reason : most,
  );
}
