import { say } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import { localDay } from '../../domain/text/times.ts';
import { FileError } from '../../language/ingest/file-error.ts';
import { isHyphenatedShortDate, NUMERIC_DATE } from './spreadsheet-times.ts';

/** "2025-05-01 06:00", as spreadsheets show what they took for a date. */
const SPREADSHEET_ISO_DAY = /^\s*(\d{4})([/-])(\d{1,2})\2(\d{1,2})(?= |$)/;
const GREATEST_MONTH = 12;
/** In characters. */
const DAY_LENGTH = 10;

type Form = 'isoUpTo12' | 'isoAbove12' | 'bothUpTo12' | 'dayFirst' | 'monthFirst';

interface DateOfLine {
  readonly text: string;
  readonly line: number;
}

/**
 * A spreadsheet set to another order of day and month swaps the two where both are up to 12, and
 * leaves the other dates as they are. Two forms in one column show it.
 */
export class DateForms {
  readonly #first = new Map<Form, DateOfLine>();
  #lastDay = '';
  #contradiction: readonly [DateOfLine, DateOfLine] | null = null;

  add(text: string, line: number): void {
    const day = text.slice(0, DAY_LENGTH);
    if (day === this.#lastDay) return;
    this.#lastDay = day;

    const form = formOf(text);
    if (form === null || this.#first.has(form)) return;
    this.#first.set(form, { text, line });
    this.#contradiction ??= this.#findContradiction();
  }

  get hasContradiction(): boolean {
    return this.#contradiction !== null;
  }

  /** Throws if some dates of the file may have day and month swapped. */
  assertNoneSwapped(): void {
    if (this.#contradiction === null) return;
    const [one, other] = this.#contradiction;
    throw new FileError(({ fileFaults }) => fileFaults.swappedDates(one, other, this.#eitherDay()));
  }

  /** "1 May 2025 / 5 Jan 2025"; null without a day that a spreadsheet took for a date. */
  #eitherDay(): Text | null {
    const iso = SPREADSHEET_ISO_DAY.exec(this.#first.get('isoUpTo12')?.text ?? '');
    if (iso === null) return null;
    const [, year, , month = '', day = ''] = iso;
    const [first, second] = [month.padStart(2, '0'), day.padStart(2, '0')];
    return say`${localDay(`${year}-${first}-${second}`)} / ${localDay(`${year}-${second}-${first}`)}`;
  }

  #findContradiction(): readonly [DateOfLine, DateOfLine] | null {
    const [dayFirst, monthFirst] = [this.#first.get('dayFirst'), this.#first.get('monthFirst')];
    if (dayFirst !== undefined && monthFirst !== undefined) return inOrder(dayFirst, monthFirst);

    const iso = this.#first.get('isoUpTo12');
    const left = dayFirst ?? monthFirst;
    const isMixed = this.#first.has('isoAbove12') || this.#first.has('bothUpTo12');
    return iso === undefined || left === undefined || isMixed ? null : inOrder(iso, left);
  }
}

const inOrder = (one: DateOfLine, other: DateOfLine): readonly [DateOfLine, DateOfLine] =>
  one.line <= other.line ? [one, other] : [other, one];

function formOf(text: string): Form | null {
  const isoDay = SPREADSHEET_ISO_DAY.exec(text)?.[4];
  if (isoDay !== undefined) return Number(isoDay) > GREATEST_MONTH ? 'isoAbove12' : 'isoUpTo12';

  const numeric = NUMERIC_DATE.exec(text);
  if (numeric === null || isHyphenatedShortDate(text)) return null;
  const [first, second] = [Number(numeric[1]), Number(numeric[3])];
  if (first <= GREATEST_MONTH && second <= GREATEST_MONTH) return 'bothUpTo12';
  if (first <= GREATEST_MONTH) return 'monthFirst';
  return second <= GREATEST_MONTH ? 'dayFirst' : null;
}
