import Papa from 'papaparse';
import { FileError } from '../../../../language/ingest/file-error.ts';
import { FileDecoder } from './file-decoder.ts';

export const DELIMITERS = [',', ';', '\t', '|'];

/** In characters; a line must fit into memory. */
const MAX_LINE_LENGTH = 1_048_576;

/** The lines of a file, which end in LF, CRLF or CR. A line may end within a record. */
export async function* csvLines(
  chunks: AsyncIterable<Uint8Array | string> | Iterable<Uint8Array | string>,
): AsyncGenerator<string[]> {
  const decoder = new FileDecoder();
  const splitter = new LineSplitter();

  for await (const chunk of chunks) {
    const text = typeof chunk === 'string' ? chunk : decoder.decode(chunk);
    const lines = splitter.add(text);
    if (lines.length > 0) yield lines;
  }

  const lastLines = [...splitter.add(decoder.end()), ...splitter.end()];
  if (lastLines.length > 0) yield lastLines;
}

class LineSplitter {
  #rest = '';
  /** A CR at the end of a chunk, whose LF may come with the next. */
  #cr = '';
  #lineNumber = 1;
  /** In characters, up to SEARCHED_START. */
  #searchedLength = 0;

  add(chunk: string): string[] {
    if (chunk === '') return [];
    const isStart = this.#searchedLength === 0;
    const joined = this.#cr + (isStart ? chunk.replace(BYTE_ORDER_MARK, '') : chunk);
    this.#assertText(joined, isStart);

    this.#cr = joined.endsWith('\r') ? '\r' : '';
    const text = joined.slice(0, joined.length - this.#cr.length);

    const end = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r'));
    const lines = end < 0 ? [] : splitLines(this.#rest + text.slice(0, end));
    this.#rest = end < 0 ? this.#rest + text : text.slice(end + 1);
    this.#lineNumber += lines.length;
    if (this.#rest.length > MAX_LINE_LENGTH) throw lineTooLong(this.#lineNumber);
    return lines;
  }

  end(): string[] {
    return this.#rest === '' ? [] : splitLines(this.#rest);
  }

  #assertText(chunk: string, isStart: boolean): void {
    if (this.#searchedLength >= SEARCHED_START) return;
    assertText(chunk.slice(0, SEARCHED_START), isStart);
    this.#searchedLength += chunk.length;
  }
}

const BYTE_ORDER_MARK = /^\ufeff/;
/** In characters: text has no NUL, least of all there. */
const SEARCHED_START = 1024;

const lineTooLong = (afterLine: number): FileError =>
  new FileError(({ fileFaults }) => fileFaults.lineTooLong(afterLine, MAX_LINE_LENGTH));

/** `text` ends before the end of its last line, or within CRLF. */
function splitLines(text: string): string[] {
  const lines = text.split('\n');
  if (!text.includes('\r')) return lines;

  return lines.flatMap((line) => {
    const withoutCr = line.endsWith('\r') ? line.slice(0, -1) : line;
    return withoutCr.includes('\r') ? withoutCr.split('\r') : [withoutCr];
  });
}

/** Spreadsheets and archives have a NUL near their start. */
function assertText(start: string, isBeginning: boolean): void {
  const isArchive = isBeginning && (start.startsWith('PK') || start.startsWith('\u001f'));
  if (isArchive || start.includes('\u0000'))
    throw new FileError(({ fileFaults }) => fileFaults.notText());
}

/** Null if a quote is not closed. */
export function csvCells(line: string, delimiter: string): string[] | null {
  if (!line.includes('"')) return line.split(delimiter);
  const { data, errors } = Papa.parse<string[]>(line, { delimiter, newline: '\n' });
  return errors.length > 0 || data.length !== 1 ? null : data[0]!;
}

export const quoteCsvCell = (text: string, delimiter: string): string =>
  text.includes('"') || text.includes(delimiter) || /[\r\n]/.test(text)
    ? `"${text.replaceAll('"', '""')}"`
    : text;
