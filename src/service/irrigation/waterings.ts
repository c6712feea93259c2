import { doseWarnings } from '../../domain/irrigation/dose.ts';
import { fieldsOfInput } from '../../domain/irrigation/watering-amount.ts';
import { firstOf, itemAt } from '../../domain/items.ts';
import { MINUTE_MS } from '../../domain/periods.ts';
import { moduleName } from '../../language/summary-context.ts';
import type { Call } from '../../operation/call.ts';
import { invalidInputError } from '../../schema/error.ts';
import {
  listsPastAlone,
  type WateringAnswer,
  type WateringBody,
  type WateringListOrder,
  type WateringTotalsBody,
} from '../../schema/irrigation/watering.ts';
import type { ListTotals } from '../../schema/shared-fields.ts';
import { type Watering, wateringMapper } from '../../store/irrigation/watering-columns.ts';
import { wateringsAfter } from '../../store/irrigation/watering-lists.ts';
import type { WateringFilter, WateringPart } from '../../store/irrigation/watering-slices.ts';
import { wateringCount } from '../../store/irrigation/watering-sums.ts';
import { assertOwnParcel, requireOwnModule } from '../ownership.ts';
import { decodeCursor, toPage } from '../pagination.ts';
import { assertNoPendingRegeneration } from './planning/pending-regenerations.ts';
import { requireOwnSchedule } from './schedules.ts';
import { conciseTotals, rainInPeriodOf, selectionTotals } from './watering-totals.ts';

interface WateringPage {
  readonly data: WateringBody[];
  readonly next_cursor: string | null;
  readonly totals?: WateringTotalsBody | undefined;
}

interface WateringListQuery extends Omit<WateringFilter, 'part' | 'now'>, WateringListOrder {
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly rain: 'none' | 'totals';
  readonly totals: ListTotals;
}

export async function listWaterings(call: Call, query: WateringListQuery): Promise<WateringPage> {
  if (query.from !== undefined && query.to !== undefined && query.from >= query.to)
    throw invalidInputError('invalid_parameter', 'The start of the period is not before its end.', {
      hint: 'Give the start of the period as from and its end as to.',
      field: 'from',
    });

  const readPage = query.order === 'past_first' ? pastFirst(call, query) : newestFirst(call, query);
  const module = query.moduleId === undefined ? null : await requireOwnModule(call, query.moduleId);
  if (query.parcelId !== undefined) await assertOwnParcel(call, query.parcelId);
  if (query.scheduleId !== undefined) await requireOwnSchedule(call, query.scheduleId);
  await assertNoPendingRegeneration(call, query);

  const page = await readPage();
  if (query.totals === 'none' || query.cursor !== undefined) return page;
  const totals = await totalsOfList(call, query, module ? module.parcelId : query.parcelId);
  return { ...page, totals };
}

/** Reads the whole selection, unlike the page. */
async function totalsOfList(
  call: Call,
  query: WateringListQuery,
  parcelId: number | null | undefined,
): Promise<WateringTotalsBody> {
  const totals = await selectionTotals(call.db, query);
  const rain = query.rain === 'totals' ? await rainInPeriodOf(call.db, query, parcelId) : undefined;

  adviseOfCounts(call, totals);
  if (listsPastAlone(query)) await adviseOfWateringsAhead(call, query);

  return rain === undefined ? totals : { ...totals, rain };
}

function adviseOfCounts(call: Call, { done, planned, skipped }: WateringTotalsBody): void {
  const counts = [
    { status: 'done' as const, count: done.waterings },
    { status: 'planned' as const, count: planned.waterings },
    { status: 'skipped' as const, count: skipped },
  ].filter(({ count }) => count > 0);
  if (counts.length > 0) call.advise({ kind: 'waterings_by_status', counts });
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

async function adviseOfWateringsAhead(call: Call, query: WateringListQuery): Promise<void> {
  const filter = { ...query, status: 'planned', part: 'ahead', now: call.now } as const;
  const [next] = await wateringsAfter(call.db, filter, null, 1);
  if (!next) return;
  const count = await wateringCount(call.db, filter);
  const probe = await moduleName(call.directory, next.moduleId);
  call.advise({ kind: 'waterings_ahead', count, nextAt: next.startedAt, probe });
}

export const conciseWateringAnswer = ({ event, warnings }: WateringAnswer) => ({
  event: wateringMapper.toConcise(event),
  warnings,
});

export function conciseWaterings({ data, next_cursor, totals }: WateringPage) {
  const page = { data: data.map((watering) => wateringMapper.toConcise(watering)), next_cursor };
  return totals ? { ...page, totals: conciseTotals(totals) } : page;
}

export const toWateringAnswer = (watering: Watering): WateringAnswer => ({
  event: toWateringBody(watering),
  warnings: doseWarnings(watering.amount.mode, watering),
});

export const toWateringBody = (watering: Watering): WateringBody =>
  wateringMapper.toBody({
    ...watering,
    ...fieldsOfInput(watering),
    configSnapshot: watering.snapshot,
    endedAt:
      watering.durationMin === null ? null : watering.startedAt + watering.durationMin * MINUTE_MS,
  });
