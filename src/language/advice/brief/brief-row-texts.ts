import { MAX_NAMED_PROBES } from '../../../domain/advice/farm/brief-lists.ts';
import { groupBy } from '../../../domain/groups.ts';
import { firstOf } from '../../../domain/items.ts';
import { amount, daysUntil, moisture } from '../../../domain/text/figures.ts';
import { join, list, listAndMore, name, type Sayable, say } from '../../../domain/text/say.ts';
import type { Text } from '../../../domain/text/text.ts';
import { timeOf } from '../../../domain/text/times.ts';

/** Up to this many rows, each is listed with its details. */
export const MAX_DETAILED = 5;
/** A longer list shows this many rows with details, unless it says otherwise. */
export const DETAILED_OF_MANY = 2;

/** A probe, or a parcel that has none. */
interface NamedProbe {
  readonly moduleId: number | null;
  readonly parcelId?: number | null | undefined;
  readonly name: string | null;
}

export function probeName({ moduleId, parcelId, name: known }: NamedProbe): Text {
  if (known !== null) return say`${name(known)}`;
  return moduleId === null ? say`parcel ${parcelId ?? 0}` : say`module ${moduleId}`;
}

/** "North 1 at 14.2 %" */
export const probeWithMoisture = (
  probe: NamedProbe & { readonly value_vwc?: number | null | undefined },
): Text =>
  probe.value_vwc == null
    ? probeName(probe)
    : say`${probeName(probe)} at ${moisture(probe.value_vwc, '%')}`;

/** "A; B; and 3 more"; `amountOfMore` is that of what is only counted. */
export function listWithMore(
  rows: readonly Sayable[],
  more: number,
  amountOfMore: Text | null = null,
): Text {
  const counted = say`and ${more} more${amountOfMore && say` (${amountOfMore})`}`;
  return join([...rows, more > 0 ? counted : null], say`; `);
}

interface ListOptions<T> {
  readonly leftOut: number;
  readonly maxDetailed?: number;
  readonly detailedOfMany?: number;
  readonly merging?: Merging<T>;
}

/** Rows with details of which the same is to be said, which is said once. */
interface Merging<T> {
  readonly keyOf: (row: T) => unknown;
  readonly describe: (rows: readonly T[]) => Text;
}

/**
 * Lists up to `maxDetailed` rows with details. Of more, only the first few have details; the others
 * are named, or counted if there are more than MAX_NAMED_PROBES, so that the brief of a large farm
 * can be read aloud.
 */
export function listRows<T>(
  rows: readonly T[],
  {
    leftOut,
    maxDetailed = MAX_DETAILED,
    detailedOfMany = DETAILED_OF_MANY,
    merging,
  }: ListOptions<T>,
  describe: (row: T) => Text,
  nameOf?: (row: T) => Sayable,
): Text {
  const total = rows.length + leftOut;
  const detailed = total <= maxDetailed ? rows : rows.slice(0, detailedOfMany);
  const others = rows.slice(detailed.length);
  const named = nameOf && total <= MAX_NAMED_PROBES ? others.map(nameOf) : [];
  const counted = total - detailed.length - named.length;

  return listWithMore(
    [...describeDetailed(detailed, describe, merging), named.length === 0 ? null : list(named)],
    counted,
  );
}

function describeDetailed<T>(
  rows: readonly T[],
  describe: (row: T) => Text,
  merging: Merging<T> | undefined,
): Text[] {
  if (merging === undefined) return rows.map(describe);
  return [...groupBy(rows, merging.keyOf).values()].map((same) =>
    same.length === 1 ? describe(firstOf(same)) : merging.describe(same),
  );
}

/** "North 1, North 2 and 3 more" */
export const listNamesAndCount = (names: readonly Sayable[], total: number): Text =>
  say`${listAndMore(names, total - names.length)}`;

export const UNDER_STRESS = say`under stress`;

export const stressIn = (days: number): Text => say`stress in ${daysUntil(days)}`;

export const silentSince = (time: string | null): Text =>
  time === null ? say`no contact yet` : say`since ${timeOf(time)}`;

const MAX_LISTED_WATERINGS = 4;

export const listBriefWaterings = (
  rows: readonly (NamedProbe & {
    readonly startedAt: string;
    readonly waterMm?: number | null;
  })[],
  leftOut: number,
): Text =>
  listRows(rows, { leftOut, maxDetailed: MAX_LISTED_WATERINGS, detailedOfMany: 1 }, (row) => {
    const dose = row.waterMm == null ? null : say`, ${amount(row.waterMm, 'mm')}`;
    return say`${timeOf(row.startedAt)} on ${probeName(row)}${dose}`;
  });
