import { witnessSums } from '../../../domain/advice/witness/witness-sums.ts';
import { entryOf, firstOf, itemAt } from '../../../domain/items.ts';
import { moduleName } from '../../../language/summary-context.ts';
import type { Call } from '../../../operation/call.ts';
import {
  listsPastAlone,
  type WateringBody,
  type WateringListOrder,
  type WateringsOfParcelsBody,
  type WateringTotalsBody,
  type WateringWitnessBody,
} from '../../../schema/irrigation/watering.ts';
import type { ListTotals } from '../../../schema/shared-fields.ts';
import {
  parcelWateringMapper,
  type Watering,
  wateringMapper,
} from '../../../store/irrigation/watering-columns.ts';
import { wateringsAfter } from '../../../store/irrigation/watering-lists.ts';
import type { WateringFilter, WateringPart } from '../../../store/irrigation/watering-slices.ts';
import { wateringCount } from '../../../store/irrigation/watering-sums.ts';
import { assertOwnParcel, requireOwnModule } from '../../ownership.ts';
import { decodeCursor, toPage } from '../../pagination.ts';
import { assertStartBeforeEnd } from '../../requested-period.ts';
import { requireOwnSchedule } from '../schedules.ts';
import { type FindWitnesses, toWateringBody, witnessed, witnessOfRows } from '../waterings.ts';
import { firstOfParcels } from './parcel-watering-list.ts';
import {
  conciseTotals,
  dueAround,
  rainInPeriodOf,
  sumSelection,
  unconfirmedWaterings,
} from './watering-totals.ts';

interface WateringPage {
  readonly data: WateringBody[];
  readonly next_cursor: string | null;
  readonly witness?: WateringWitnessBody[] | null | undefined;
  readonly totals?: WateringTotalsBody | undefined;
  readonly ofParcels?: WateringsOfParcelsBody | null | undefined;
}

interface WateringListQuery extends Omit<WateringFilter, 'part' | 'now'>, WateringListOrder {
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly rain: 'none' | 'totals';
  readonly totals: ListTotals;
  readonly witness: 'rows' | 'none';
}

export async function listWaterings(
  call: Call,
  query: WateringListQuery,
  findWitnesses: FindWitnesses,
): Promise<WateringPage> {
  assertStartBeforeEnd(query);
  const readPage = query.order === 'past_first' ? pastFirst(call, query) : newestFirst(call, query);
  const module = query.moduleId === undefined ? null : await requireOwnModule(call, query.moduleId);
  if (query.parcelId !== undefined) await assertOwnParcel(call, query.parcelId);
  if (query.scheduleId !== undefined) await requireOwnSchedule(call, query.scheduleId);
  const dueCount = await adviseOfDue(call, query);

  const page = await readPage();
  const rows = query.witness === 'none' ? [] : page.data;
  const due = await dueAround(call, query, rows);
  if (query.totals === 'none' || query.cursor !== undefined) {
    const witnesses = await findWitnesses(witnessed(rows, due));
    return { ...page, ...witnessOfRows(rows, witnesses) };
  }

  const parts = query.order === 'past_first' ? partsInOrder(query) : [undefined];
  const ofParcels = query.moduleId === undefined ? await firstOfParcels(call, query, parts) : null;
  const sums = await sumSelection(call, query);
  const unconfirmed =
    sums.unconfirmed.waterings === 0 ? [] : await unconfirmedWaterings(call, query);
  const witnesses = await findWitnesses(witnessed(rows, [...due, ...unconfirmed]));
  const totals = {
    ...sums.totals,
    witness: witnessSums({
      ...sums,
      asked: unconfirmed.map(({ id, waterMm }) => ({ kind: entryOf(witnesses, id).kind, waterMm })),
      meanMm: sums.totals.done.waterMm,
    }),
  };
  await adviseOfCounts(call, query, totals, dueCount);
  if (listsPastAlone(query)) await adviseOfWateringsAhead(call, query);

  const parcelId = module ? module.parcelId : query.parcelId;
  const rain =
    query.rain === 'totals' ? { rain: await rainInPeriodOf(call.db, query, parcelId) } : {};
  return {
    ...page,
    ...witnessOfRows(rows, witnesses),
    totals: { ...totals, ...rain },
    ...(ofParcels === null ? {} : { ofParcels }),
  };
}

async function adviseOfCounts(
  call: Call,
  query: WateringFilter,
  { done, planned, skipped }: Pick<WateringTotalsBody, 'done' | 'planned' | 'skipped'>,
  dueCount: number,
): Promise<void> {
  const counts = [
    { status: 'done' as const, count: done.waterings },
    { status: 'planned' as const, count: planned.waterings },
    { status: 'skipped' as const, count: skipped },
  ].filter(({ count }) => count > 0);
  if (counts.length === 0) return;

  const begun = { ...query, status: 'planned', part: 'begun', now: call.now } as const;
  const toConfirm = planned.waterings === 0 ? 0 : (await wateringCount(call.db, begun)) - dueCount;
  call.advise({ kind: 'waterings_by_status', counts, toConfirm });
}

type ReadPage = () => Promise<Pick<WateringPage, 'data' | 'next_cursor'>>;

function newestFirst({ db, company }: Call, query: WateringListQuery): ReadPage {
  const list = ['waterings', company.id] as const;
  const position = decodeCursor(list, query.cursor, 2);
  return async () => {
    const after = position && { startedAt: firstOf(position), id: itemAt(position, 1) };
    const rows = await wateringsAfter(db, query, after, query.limit + 1);
    return toPage(list, rows, {
      limit: query.limit,
      positionOf: (row) => [row.startedAt, row.id],
      bodyOf: toWateringBody,
    });
  };
}

/**
 * A list of planned waterings alone begins with those that are ahead, before those that were not
 * confirmed.
 */
function pastFirst(call: Call, query: WateringListQuery): ReadPage {
  const list = ['waterings past first', call.company.id] as const;
  const position = decodeCursor(list, query.cursor, 4);
  return async () => {
    const parts = partsInOrder(query);
    const [firstPart = 0, firstPageAt = 0, startedAt = 0, id = 0] = position ?? [];
    // All pages use the instant of the first, so that a watering that begins meanwhile stays in its
    // part. The cursor of a list with one part has 0 instead.
    const now = parts.length > 1 && firstPageAt > 0 ? firstPageAt : call.now;
    const rows: (Watering & { readonly index: number })[] = [];

    for (const [index, part] of parts.entries()) {
      const remaining = query.limit + 1 - rows.length;
      if (index < firstPart || remaining === 0) continue;
      const after = position && index === firstPart ? { startedAt, id } : null;
      const found = await wateringsAfter(call.db, { ...query, part, now }, after, remaining);
      rows.push(...found.map((row) => ({ ...row, index })));
    }

    return toPage(list, rows, {
      limit: query.limit,
      positionOf: (row) => [row.index, parts.length > 1 ? now : 0, row.startedAt, row.id],
      bodyOf: toWateringBody,
    });
  };
}

function partsInOrder(query: WateringListQuery): readonly WateringPart[] {
  if (listsPastAlone(query)) return ['begun'];
  return query.status === 'planned' ? ['ahead', 'begun'] : ['begun', 'ahead'];
}

/** Returns how many are due and could not be confirmed. */
async function adviseOfDue(call: Call, query: WateringFilter): Promise<number> {
  if (!call.skipsOptionalWork) return 0;

  const due = { ...query, status: 'planned', isDueAt: call.now } as const;
  const count = await wateringCount(call.db, due);
  if (count > 0) call.advise({ kind: 'waterings_due', count });
  return count;
}

async function adviseOfWateringsAhead(call: Call, query: WateringListQuery): Promise<void> {
  const filter = { ...query, status: 'planned', part: 'ahead', now: call.now } as const;
  const [next] = await wateringsAfter(call.db, filter, null, 1);
  if (!next) return;
  const count = await wateringCount(call.db, filter);
  const probe = await moduleName(call.directory, next.moduleId);
  call.advise({ kind: 'waterings_ahead', count, nextAt: next.startedAt, probe });
}

/** Leaves out the rows that a person confirmed: of most farms all are. */
export function conciseWaterings({ data, next_cursor, witness, totals, ofParcels }: WateringPage) {
  const apart = ofParcels
    ? {
        ofParcels: {
          ...ofParcels,
          data: ofParcels.data.map((watering) => parcelWateringMapper.toConcise(watering)),
        },
      }
    : {};
  const rows = {
    data: data.map((watering) => wateringMapper.toConcise(watering)),
    next_cursor,
    ...apart,
  };
  const unconfirmed = (witness ?? []).filter((row) => row.witness !== 'confirmed' || row.unseen);
  const page = unconfirmed.length === 0 ? rows : { ...rows, witness: unconfirmed };
  return totals ? { ...page, totals: conciseTotals(totals) } : page;
}
