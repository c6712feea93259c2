import type { z } from 'zod/v3';
import { normalizeDeviceId } from '../../../domain/ingest/payload-values.ts';
import type { RejectionReason } from '../../../schema/ingest/rejection.ts';
import type { CompanyDb } from '../../../store/tables.ts';
import { ReadingTimeParser } from '../reading-times.ts';
import type { RowSequence } from '../row-sequence.ts';
import type { BatchContext } from './batch-context.ts';
import { isDeviceName } from './batch-names.ts';
import { itemExcerpt } from './item-rejections.ts';
import { ACCEPTED, checkItem, type ItemReasons, ParsedItems, rejected } from './parsed-items.ts';
import type { Sender } from './sender-clocks.ts';

/** How the items of one list of a batch are checked and stored. */
export interface ItemKind<Schema extends z.AnyZodObject, To, Rows> {
  readonly schema: Schema;
  readonly target: (
    item: z.output<Schema>,
    context: BatchContext,
    parsed: ParsedItems<Rows>,
  ) => Target<To>;
  readonly time: (
    item: z.output<Schema>,
    times: ReadingTimeParser,
    context: BatchContext,
  ) => number;
  /** Why an item that has a target is rejected. */
  readonly checks: (
    placed: PlacedItem<z.output<Schema>, To>,
    times: ReadingTimeParser,
    context: BatchContext,
  ) => ItemReasons;
  /** Adds a valid item to the rows, or to those that wait until their device is assigned. */
  readonly add: (
    placed: PlacedItem<z.output<Schema>, To>,
    parsed: ParsedItems<Rows>,
    context: BatchContext,
  ) => ItemReasons;
  /** Writes the rows in parts, each in one transaction. */
  readonly insert: (rows: Rows, context: InsertContext) => Generator<InsertPart, void>;

  /** True if items of a time of which only hours are kept are rejected. */
  readonly isOfReadings?: boolean;
  /** The rows before the first item. */
  readonly newRows: (context: BatchContext) => Rows;
  /** Adds what only all items together show. */
  readonly complete?: (parsed: ParsedItems<Rows>, context: BatchContext) => void;
  /** The rows whose order shows the pass of a repeated hour. */
  readonly sequenceOf?: (to: To, rows: Rows) => RowSequence | null;
}

/** Where an item goes, or why it goes nowhere. */
export type Target<To> =
  | {
      readonly to: To;
      /** The sender whose clock gave the time; null if it cannot contradict the zone. */
      readonly clock: Sender | null;
      readonly reason: null;
    }
  | { readonly reason: RejectionReason };

export interface PlacedItem<Item, To> {
  readonly item: Item;
  readonly to: To;
  /** NaN if the time is rejected. */
  readonly at: number;
  /** As it was sent. */
  readonly value: unknown;
  /** Where it is in the batch: "readings[3]". */
  readonly location: string;
}

/** Rows of other lists than readings in one transaction, which takes well under 100 ms. */
export const ROWS_PER_PART = 500;

/** Writes one part, and adds to the counts of the batch what it did. */
export type InsertPart = (db: CompanyDb, counts: BatchCounts) => Promise<void>;
export type InsertContext = Pick<BatchContext, 'now' | 'steps'>;

type Counts<Name extends string> = Record<Name, number>;

export interface BatchCounts {
  /** At instants that had a reading stored, it is changed or unchanged. */
  readonly readings: Counts<'written' | 'changed' | 'unchanged'>;
  /** Stale are totals of a day below an earlier one, which stays, and late running totals. */
  readonly rain: Counts<'written' | 'changed' | 'unchanged' | 'staleTotals'>;
  readonly weather: Counts<'written'>;
  readonly gateways: Counts<'changed' | 'unchanged'>;
}

export const noBatchCounts = (): BatchCounts => ({
  readings: { written: 0, changed: 0, unchanged: 0 },
  rain: { written: 0, changed: 0, unchanged: 0, staleTotals: 0 },
  weather: { written: 0 },
  gateways: { changed: 0, unchanged: 0 },
});

export function addCounts<Name extends string>(
  sum: Counts<Name>,
  added: Readonly<Counts<Name>>,
): void {
  for (const name in added) sum[name] += added[name];
}

interface ListParsing<Schema extends z.AnyZodObject, To, Rows> {
  readonly kind: ItemKind<Schema, To, Rows>;
  readonly context: BatchContext;
  readonly times: ReadingTimeParser;
  readonly parsed: ParsedItems<Rows>;
}

/** Parses a list of a batch. Yields to other calls between items. */
export async function parseItems<Schema extends z.AnyZodObject, To, Rows>(
  list: string,
  kind: ItemKind<Schema, To, Rows>,
  items: Iterable<unknown> | undefined,
  context: BatchContext,
): Promise<ParsedItems<Rows>> {
  const { slice, sources, zone, now, index: sensors } = context;
  const parsed = new ParsedItems(kind.newRows(context));
  const keptFrom = kind.isOfReadings ? sensors.keptFrom : null;
  const times = new ReadingTimeParser({ zone, now, keptFrom });
  const parsing = { kind, context, times, parsed };

  let index = 0;
  for (const value of items ?? []) {
    const location = `${list}[${index++}]`;
    const { device } = Object(value);
    const name = isDeviceName(device) ? normalizeDeviceId(device) : null;
    const ofOtherPreset = name === null ? undefined : sources.rejectionsByDevice.get(name);
    const reasons = ofOtherPreset ?? parseItem(value, location, parsing);
    if (reasons.length > 0) {
      parsed.rejections.add(location, () => itemExcerpt(value), reasons);
      if (name !== null) parsed.rejectedByDevice.set(name, { item: value, reasons });
    } else if (name !== null) parsed.accepted.add(name);

    if (slice.isOver()) await slice.renew();
  }

  kind.complete?.(parsed, context);
  return parsed;
}

/** Returns why an item is rejected. */
function parseItem<Schema extends z.AnyZodObject, To, Rows>(
  value: unknown,
  location: string,
  { kind, context, times, parsed }: ListParsing<Schema, To, Rows>,
): ItemReasons {
  const { item, reason } = checkItem(kind.schema, value);
  if (reason !== null) return rejected(reason);

  const target = kind.target(item, context, parsed);
  if (target.reason !== null) return rejected(target.reason);

  const { to, clock } = target;
  const at = kind.time(item, times, context);
  const clockReasons = clock === null ? null : context.clocks.rejectionOf(clock, times, at);
  if (clockReasons !== null) return clockReasons;

  const placed = { item, to, at, value, location };
  const reasons = kind.checks(placed, times, context);
  const isAccepted = reasons.length === 0;
  const sequence = kind.sequenceOf?.(to, parsed.rows);
  if (sequence && !Number.isNaN(at)) {
    // A reading without a valid value still shows the order of the others.
    const store = isAccepted
      ? (instant: number): void => {
          kind.add({ ...placed, at: instant }, parsed, context);
        }
      : null;
    if (times.isRepeated) {
      const text = JSON.stringify(value);
      sequence.addRepeated({ earlierAt: at, laterAt: times.secondPassAt, text, store });
    } else sequence.add(at, store);
    return reasons;
  }

  return isAccepted ? kind.add(placed, parsed, context) : reasons;
}

export const timeReasons = (at: number, times: ReadingTimeParser): ItemReasons =>
  Number.isNaN(at) ? rejected(times.rejection) : ACCEPTED;
