import { singleLine, truncatedJson } from '../../../domain/strings.ts';
import { describeRejections, type Rejection } from '../../../language/ingest/import-report.ts';
import { type IngestResult, OversizedRow } from '../../../schema/ingest/ingest-batch.ts';
import { type ReasonCount, ReasonCounter } from '../reason-counter.ts';

/** The response to a batch lists this many rejected items, and counts them all. */
const MAX_LISTED_ITEMS = 100;
/** In characters. */
const MAX_ITEM_TEXT = 200;
/** Longer than a listed text, because making it a single line may shorten it. */
const MAX_EXCERPT_LENGTH = 2 * MAX_ITEM_TEXT;

type RejectedItem = IngestResult['refused'][number];

/** The items of a batch, or the rows of its CSV, that are left out. */
export class ItemRejections {
  readonly #reasons = new ReasonCounter();
  readonly #first: RejectedItem[] = [];
  #count = 0;

  /** All rejections of several lists, in their order. */
  static of(lists: readonly ItemRejections[]): ItemRejections {
    const all = new ItemRejections();
    for (const list of lists) {
      all.#count += list.#count;
      all.#reasons.addCounts(list.reasons());
      all.#first.push(...list.#first.slice(0, MAX_LISTED_ITEMS - all.#first.length));
    }
    return all;
  }

  get count(): number {
    return this.#count;
  }

  /** The reasons are in English, as the errors of the API are. */
  get first(): readonly RejectedItem[] {
    return this.#first;
  }

  /** `text` is a function if it takes time, because only the first items are listed. */
  add(location: string, text: string | (() => string), rejections: readonly Rejection[]): void {
    this.#count++;
    this.#reasons.add(rejections);
    if (this.#first.length >= MAX_LISTED_ITEMS) return;

    const row = truncateToLine(typeof text === 'string' ? text : text());
    this.#first.push({ location, reason: describeRejections(rejections, 'en'), row });
  }

  reasons(): ReasonCount[] {
    return this.#reasons.mostFrequentFirst();
  }
}

function truncateToLine(text: string): string {
  const line = singleLine(text.slice(0, MAX_EXCERPT_LENGTH));
  return line.length > MAX_ITEM_TEXT ? `${line.slice(0, MAX_ITEM_TEXT - 1)}…` : line;
}

export const itemExcerpt = (value: unknown): string =>
  value instanceof OversizedRow
    ? Buffer.from(value.bytes.subarray(0, MAX_EXCERPT_LENGTH)).toString()
    : truncatedJson(value, MAX_EXCERPT_LENGTH).slice(0, MAX_EXCERPT_LENGTH);
