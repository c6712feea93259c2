import { roundAmount } from '../../domain/decimal.ts';
import { firstOf, itemAt } from '../../domain/items.ts';
import { LocalDay } from '../../domain/local-day.ts';
import {
  type PeriodBounds,
  type RecordedRain,
  rainByDay,
  withMargin,
} from '../../domain/weather/rain.ts';
import { type RainSum, RainSummation } from '../../domain/weather/rain-sums.ts';
import type { Call } from '../../operation/call.ts';
import type { ListTotals } from '../../schema/shared-fields.ts';
import type { RainBody, RainTotal } from '../../schema/weather/rain.ts';
import { toIso, toIsoOrNull } from '../../schema/wire-format.ts';
import type { CompanyDb } from '../../store/tables.ts';
import {
  type Rain,
  type RainFilter,
  rainAfter,
  rainIn,
  rainSlices,
} from '../../store/weather/rain.ts';
import { assertOwnParcel } from '../ownership.ts';
import { decodeCursor, toPage } from '../pagination.ts';
import { assertStartBeforeEnd } from '../requested-period.ts';

export function wholeDay(localDay: string, zone: string) {
  const { start: startedAt, end: endedAt } = LocalDay.parse(localDay).periodIn(zone);
  return { localDay, startedAt, endedAt, isWholeDay: true };
}

/** The record and those that may be of the same rain. */
export const rainAround = (
  db: CompanyDb,
  { startedAt, endedAt }: Pick<Rain, 'startedAt' | 'endedAt'>,
): Promise<Rain[]> => rainIn(db, withMargin({ from: startedAt, to: endedAt ?? startedAt }));

interface RainListQuery extends RainFilter {
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly totals: ListTotals;
}

export async function listRain(call: Call, query: RainListQuery) {
  assertStartBeforeEnd(query);
  const { db, company } = call;
  const list = ['rain', company.id] as const;
  const position = decodeCursor(list, query.cursor, 2);
  if (query.parcelId !== undefined) await assertOwnParcel(call, query.parcelId);

  const after = position && { startedAt: firstOf(position), id: itemAt(position, 1) };
  const rows = await rainAfter(db, query, after, query.limit + 1);
  const page = await toPage(list, rows, {
    limit: query.limit,
    positionOf: (row) => [row.startedAt, row.id],
    bodyOf: toRainBody,
  });
  await adviseOfUncountedRows(call, rows.slice(0, page.data.length), query.parcelId);

  if (query.totals === 'none' || query.cursor !== undefined) return page;
  return { ...page, totals: await storedRainTotals(db, query, query.parcelId) };
}

const MAX_LISTED_ROWS = 5;

/** Says which rows do not count for the requested parcel or, without one, for their own parcels. */
async function adviseOfUncountedRows(
  call: Call,
  rows: readonly Rain[],
  parcelId: number | undefined,
): Promise<void> {
  if (rows.length === 0) return;

  const starts = rows.map(({ startedAt }) => startedAt);
  const around = withMargin({ from: Math.min(...starts), to: Math.max(...starts) + 1 });
  const records = await rainIn(call.db, { parcelId, ...around });

  const parcelIds = new Set(rows.map((row) => parcelId ?? row.parcelId));
  const counted = new Set(
    [...parcelIds].flatMap((id) =>
      rainByDay(records, id).flatMap((day) => day.counted.map((record) => record.id)),
    ),
  );
  const ids = rows.filter(({ id, mm }) => mm > 0 && !counted.has(id)).map(({ id }) => id);
  if (ids.length > 0)
    call.advise({
      kind: 'rain_not_counted',
      ids: ids.slice(0, MAX_LISTED_ROWS),
      others: Math.max(0, ids.length - MAX_LISTED_ROWS),
    });
}

/**
 * Like `rainTotals`, for the stored records. Records shortly before and after the period are read
 * too, because they decide which of its records count.
 */
export async function storedRainTotals(
  db: CompanyDb,
  period: PeriodBounds,
  parcelId: number | null | undefined,
): Promise<RainTotal[]> {
  const { from, to } = period;
  const sums = new RainSummation({ from, to }, parcelId);
  const filter = { parcelId: parcelId ?? undefined, ...withMargin({ from, to }) };
  for await (const records of rainSlices(db, filter)) sums.add(records);
  return sums.result().map(toRainTotal);
}

/**
 * The total for a parcel, or for the whole farm if `parcelId` is null; if it is undefined, the totals
 * for the farm and for every parcel that has records.
 */
export function rainTotals(
  { records, from, to }: RecordedRain,
  parcelId: number | null | undefined,
): RainTotal[] {
  const sums = new RainSummation({ from, to }, parcelId);
  sums.add([...records].sort((a, b) => a.startedAt - b.startedAt || a.id - b.id));
  return sums.result().map(toRainTotal);
}

const toRainTotal = ({ parcelId, mm, days }: RainSum): RainTotal => ({
  parcelId,
  mm: roundAmount(mm),
  days,
});

export const toRainBody = (rain: Rain): RainBody => ({
  id: rain.id,
  parcelId: rain.parcelId,
  moduleId: rain.moduleId,
  day: rain.localDay,
  startedAt: rain.isWholeDay ? null : toIso(rain.startedAt),
  // The record of a gauge may be the total of a day so far.
  endedAt: rain.isWholeDay && rain.moduleId === null ? null : toIsoOrNull(rain.endedAt),
  mm: roundAmount(rain.mm),
  source: rain.source,
  note: rain.note,
});
