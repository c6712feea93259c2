import { MAX_NAMED_PROBES } from '../../../domain/advice/farm/brief-lists.ts';
import { withoutNulls } from '../../../domain/items.ts';
import { englishFormat } from '../../en/grammar.ts';
import { formatAmountOrNull, formatMoisture } from '../../number-format.ts';
import type { SummaryContext } from '../../summary-context.ts';
import { formatTime } from '../../time.ts';
import { briefPhrases } from './brief-phrases.ts';

/** Up to this many rows, each is listed with its details. */
export const MAX_DETAILED = 5;
/** A longer list shows this many rows with details, unless it says otherwise. */
const DETAILED_OF_MANY = 2;

interface NamedProbe {
  readonly moduleId: number;
  readonly name: string | null;
}

export const probeName = ({ name, moduleId }: NamedProbe): string => name ?? `module ${moduleId}`;

/** "North 1 at 14.2 %" */
export const probeWithMoisture = (
  probe: NamedProbe & { readonly value_vwc?: number | null | undefined },
): string =>
  probe.value_vwc == null
    ? probeName(probe)
    : briefPhrases.atMoisture(probeName(probe), formatMoisture(probe.value_vwc));

interface ListOptions<T> {
  readonly leftOut: number;
  readonly maxDetailed?: number;
  readonly detailedOfMany?: number;
  /** What the rows that are only counted amount to; `listed` are those that could be named. */
  readonly describeCounted?: (listed: readonly T[]) => string | null;
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
    describeCounted,
  }: ListOptions<T>,
  format: (row: T) => string,
  nameOf?: (row: T) => string,
): string {
  const total = rows.length + leftOut;
  const detailed = total <= maxDetailed ? rows : rows.slice(0, detailedOfMany);
  const others = rows.slice(detailed.length);
  const named = nameOf && total <= MAX_NAMED_PROBES ? others.map(nameOf) : [];
  const counted = total - detailed.length - named.length;

  return briefPhrases.list(
    withoutNulls([...detailed.map(format), named.length === 0 ? null : englishFormat.list(named)]),
    counted,
    counted > 0 && describeCounted ? describeCounted(others) : null,
  );
}

/** "North 1, North 2 and 3 more" */
export function listNamesAndCount(names: readonly string[], total: number): string {
  return englishFormat.list(
    withoutNulls([...names, total > names.length ? briefPhrases.more(total - names.length) : null]),
  );
}

const MAX_LISTED_WATERINGS = 4;

export const listBriefWaterings = (
  rows: readonly (NamedProbe & { readonly startedAt: string; readonly waterMm?: number | null })[],
  leftOut: number,
  context: SummaryContext,
): string =>
  listRows(rows, { leftOut, maxDetailed: MAX_LISTED_WATERINGS, detailedOfMany: 1 }, (row) =>
    briefPhrases.watering(
      formatTime(row.startedAt, context),
      probeName(row),
      formatAmountOrNull(row.waterMm ?? null),
    ),
  );
