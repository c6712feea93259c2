import { firstOf, itemAt } from '../../../domain/items.ts';
import type { Call } from '../../../operation/call.ts';
import type { WateringsOfParcelsBody } from '../../../schema/irrigation/watering.ts';
import {
  type ParcelWateringFilter,
  parcelWateringsAfter,
  sumParcelWaterings,
} from '../../../store/irrigation/parcel-waterings.ts';
import type { ParcelWatering } from '../../../store/irrigation/watering-columns.ts';
import type { WateringPart } from '../../../store/irrigation/watering-slices.ts';
import { assertOwnParcel } from '../../ownership.ts';
import { decodeCursor, toPage } from '../../pagination.ts';
import { assertStartBeforeEnd } from '../../requested-period.ts';
import { requireOwnSchedule } from '../schedules.ts';
import { toParcelWateringBody } from '../waterings.ts';

interface ParcelWateringQuery extends ParcelWateringFilter {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/**
 * The first rows of a list, which begins with the first of these parts, and the sums of all; null
 * without any.
 */
export async function firstOfParcels(
  { db, now }: Call,
  { parcelId, scheduleId, status, from, to, limit }: ParcelWateringQuery,
  parts: readonly (WateringPart | undefined)[],
): Promise<WateringsOfParcelsBody | null> {
  const filter = { parcelId, scheduleId, status, from, to, now };
  const rows: ParcelWatering[] = [];
  for (const part of parts) {
    const remaining = limit - rows.length;
    rows.push(...(await parcelWateringsAfter(db, { ...filter, part }, null, remaining)));
  }
  // One part is a list of what has begun.
  const part = parts.length === 1 ? parts[0] : undefined;
  const totals = await sumParcelWaterings(db, { ...filter, part }, now);
  return totals.length === 0 ? null : { data: rows.map(toParcelWateringBody), totals };
}

/** Newest start first. */
export async function listParcelWaterings(call: Call, query: ParcelWateringQuery) {
  assertStartBeforeEnd(query);
  const list = ['waterings of parcels', call.company.id] as const;
  const position = decodeCursor(list, query.cursor, 2);
  if (query.parcelId !== undefined) await assertOwnParcel(call, query.parcelId);
  if (query.scheduleId !== undefined) await requireOwnSchedule(call, query.scheduleId);

  const after = position && { startedAt: firstOf(position), id: itemAt(position, 1) };

  const rows = await parcelWateringsAfter(call.db, query, after, query.limit + 1);
  return toPage(list, rows, {
    limit: query.limit,
    positionOf: (row) => [row.startedAt, row.id],
    bodyOf: toParcelWateringBody,
  });
}
