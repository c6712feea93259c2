import { firstOf } from '../../../../domain/items.ts';
import { csvCells } from './csv-lines.ts';

/** How far a quoted cell is followed that is open at the end of its line. */
const MAX_FOLLOWED_LINES = 20;
/** In characters. The widest row that is read has 500 columns. */
const MAX_RECORD_LENGTH = 65_536;

/** Null in `cells` for text whose quotes do not close, or that is too long for a row. */
export type OnRecord = (text: string, line: number, cells: string[] | null) => void;

interface Line {
  readonly text: string;
  /** Its number in the file. */
  readonly line: number;
}

/**
 * Joins the lines of each record, since a quoted cell may have line breaks. Unless the joined lines
 * have the columns of the header, the quote is a stray one and spoils its own line only.
 */
export class RecordJoiner {
  readonly #delimiter: string;
  readonly #width: number;
  readonly #onRecord: OnRecord;
  /** The lines of a record whose quote is open. */
  #open: Line[] = [];
  #openLength = 0;

  constructor(delimiter: string, width: number, onRecord: OnRecord) {
    this.#delimiter = delimiter;
    this.#width = width;
    this.#onRecord = onRecord;
  }

  add(text: string, line: number): void {
    const isInside = this.#open.length > 0;
    const quotes = quotesAfter(text, this.#delimiter, isInside);
    if (!isInside && quotes !== 'open') {
      this.#onRecord(text, line, recordCells(text, this.#delimiter));
      return;
    }

    this.#open.push({ text, line });
    this.#openLength += text.length + 1;
    if (quotes === 'closed') this.#close();
    else if (quotes === 'malformed' || this.#isTooLong) this.#rejectFirst();
  }

  end(): void {
    while (this.#open.length > 0) this.#rejectFirst();
  }

  get #isTooLong(): boolean {
    return this.#open.length > MAX_FOLLOWED_LINES || this.#openLength > MAX_RECORD_LENGTH;
  }

  #close(): void {
    const text = this.#open.map((line) => line.text).join('\n');
    const cells = recordCells(text, this.#delimiter);
    if (cells === null || !hasColumns(cells, this.#width)) {
      this.#rejectFirst();
      return;
    }

    const { line } = firstOf(this.#open);
    this.#open = [];
    this.#openLength = 0;
    this.#onRecord(text, line, cells);
  }

  #rejectFirst(): void {
    const [first, ...others] = this.#open;
    this.#open = [];
    this.#openLength = 0;
    if (first !== undefined) this.#onRecord(first.text, first.line, null);
    for (const { text, line } of others) this.add(text, line);
  }
}

const recordCells = (text: string, delimiter: string): string[] | null =>
  text.length > MAX_RECORD_LENGTH ? null : csvCells(text, delimiter);

export const isTooLongForRow = (text: string): boolean => text.length > MAX_RECORD_LENGTH;

/** True for the columns of the header, and blank cells after them. */
export const hasColumns = (cells: readonly string[], width: number): boolean =>
  cells.length >= width && cells.slice(width).every((cell) => cell.trim() === '');

/**
 * The record that starts at a line, of which the columns are not known: a part of a header. `end`
 * is the index of the line after it.
 */
export function recordAt(
  lines: readonly string[],
  start: number,
  delimiter: string,
): { readonly text: string; readonly end: number } {
  const first = lines[start] ?? '';
  const firstAlone = { text: first, end: start + 1 };
  if (quotesAfter(first, delimiter, false) !== 'open') return firstAlone;

  let text = first;
  for (const [index, line] of lines.slice(start + 1, start + 1 + MAX_FOLLOWED_LINES).entries()) {
    text += `\n${line}`;
    if (text.length > MAX_RECORD_LENGTH) return firstAlone;

    const quotes = quotesAfter(line, delimiter, true);
    if (quotes === 'closed') return { text, end: start + index + 2 };
    if (quotes === 'malformed') return firstAlone;
  }
  return firstAlone;
}

/** All records of a short text, with the number of their first line. */
export function recordsOf(
  lines: readonly Line[],
  delimiter: string,
  width: number,
): { readonly text: string; readonly line: number; readonly cells: string[] | null }[] {
  const records: ReturnType<typeof recordsOf> = [];
  const joiner = new RecordJoiner(delimiter, width, (text, line, cells) =>
    records.push({ text, line, cells }),
  );
  for (const { text, line } of lines) joiner.add(text, line);
  joiner.end();
  return records;
}

/** Whether a quoted cell is open at the end of a line, which may start inside one. */
function quotesAfter(
  text: string,
  delimiter: string,
  startsInside: boolean,
): 'open' | 'closed' | 'malformed' {
  if (!text.includes('"')) return startsInside ? 'open' : 'closed';

  let isInside = startsInside;
  let position = 0;
  for (;;)
    if (isInside) {
      const quote = text.indexOf('"', position);
      if (quote < 0) return 'open';

      const isEscaped = text[quote + 1] === '"';
      position = quote + (isEscaped ? 2 : 1);
      if (isEscaped) continue;

      while (text[position] === ' ') position++;
      if (position >= text.length) return 'closed';
      if (text[position] !== delimiter) return 'malformed';
      isInside = false;
      position++;
    } else if (text[position] === '"') {
      isInside = true;
      position++;
    } else {
      const next = text.indexOf(delimiter, position);
      if (next < 0) return 'closed';
      position = next + 1;
    }
}
