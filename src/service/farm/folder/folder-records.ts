export interface CsvRecord {
  /** Of the file, from 1. A cell may go on over several lines. */
  readonly line: number;
  /** Null for an empty cell without quotation marks. */
  readonly cells: readonly (string | null)[];
}

export class MalformedRecord extends Error {
  override readonly name = 'MalformedRecord';
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

/** Far above what a row of the store can have, and below what fits into memory. */
const MAX_RECORD_LENGTH = 100_000_000;

const QUOTE = 34;
const COMMA = 44;
const NEWLINE = 10;

/**
 * The records of a CSV file that Acequia wrote: lines end with a line feed, also the last one. The
 * records of each chunk come together. Throws MalformedRecord.
 *
 * The readers of other programs' CSV files (ingest/csv) guess delimiters and trim cells, and treat
 * an empty cell like an empty text.
 */
export async function* csvRecords(chunks: AsyncIterable<string>): AsyncGenerator<CsvRecord[]> {
  let rest = '';
  let line = 1;
  for await (const chunk of chunks) {
    const text = rest + chunk;
    const records: CsvRecord[] = [];
    let start = 0;
    for (let found = recordAt(text, start, line); found; found = recordAt(text, start, line)) {
      records.push({ line, cells: found.cells });
      start = found.end;
      line += found.lineCount;
    }

    rest = text.slice(start);
    if (rest.length > MAX_RECORD_LENGTH) throw new MalformedRecord(line, 'the row has no end');
    yield records;
  }

  if (rest !== '') throw new MalformedRecord(line, 'the file ends within a row');
}

interface FoundRecord {
  readonly cells: (string | null)[];
  readonly end: number;
  readonly lineCount: number;
}

/** Null if the text ends before the record does. */
function recordAt(text: string, start: number, line: number): FoundRecord | null {
  const cells: (string | null)[] = [];
  let lineCount = 1;

  for (let position = start; position < text.length; position++) {
    const isQuoted = text.charCodeAt(position) === QUOTE;
    const end = isQuoted ? endOfQuoted(text, position) : endOfUnquoted(text, position);
    if (end >= text.length) return null;

    if (isQuoted) {
      const cell = text.slice(position + 1, end - 1).replaceAll('""', '"');
      lineCount += cell.split('\n').length - 1;
      cells.push(cell);
    } else cells.push(end === position ? null : text.slice(position, end));

    const delimiter = text.charCodeAt(end);
    if (delimiter === NEWLINE) return { cells, end: end + 1, lineCount };
    if (delimiter !== COMMA)
      throw new MalformedRecord(line, 'a quotation mark stands within a cell');
    position = end;
  }

  return null;
}

/** After the closing quotation mark; the length of the text if that may not have come yet. */
function endOfQuoted(text: string, start: number): number {
  let mark = text.indexOf('"', start + 1);
  while (mark >= 0 && text.charCodeAt(mark + 1) === QUOTE) mark = text.indexOf('"', mark + 2);
  return mark < 0 ? text.length : mark + 1;
}

function endOfUnquoted(text: string, start: number): number {
  let end = start;
  while (end < text.length) {
    const code = text.charCodeAt(end);
    if (code === COMMA || code === NEWLINE || code === QUOTE) break;
    end++;
  }
  return end;
}
