import Papa from 'papaparse';
import { invalidInput } from '../../schema/error.ts';

/** Longest line in characters; more in one line is no readings file, and would have to be held in memory. */
const MAX_LINE_LENGTH = 1_048_576;

const SAVE_AS_UTF8 = 'Save it as CSV in UTF-8 and import that.';

/**
 * The lines of a UTF-8 text as it streams in, block by block, without their ends (LF, CRLF or CR). A record is a line: a
 * stray quote then costs its own row, not the rest of the file.
 */
export async function* csvLines(chunks: AsyncIterable<Uint8Array | string>): AsyncGenerator<string[]> {
  const decoder = new TextDecoder();
  let carry = '';
  let end: '\n' | '\r' | null = null;
  let number = 1;
  for await (const chunk of chunks) {
    const text: string = carry + (typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true }));
    if (number === 1 && carry === '') refuseBinary(text);
    end ??= text.includes('\n') ? '\n' : text.includes('\r') && !text.endsWith('\r') ? '\r' : null;
    const last: number = end === null ? -1 : text.lastIndexOf(end);
    carry = text.slice(last + 1);
    if (carry.length > MAX_LINE_LENGTH)
      throw invalidInput('invalid_body', `A line after line ${number} is longer than ${MAX_LINE_LENGTH} characters.`, {
        hint: 'This is not a readings file: see acequia import --help for the two formats.',
      });
    if (last < 0) continue;
    const lines = splitLines(text.slice(0, last), end!);
    number += lines.length;
    yield lines;
  }
  carry += decoder.decode();
  if (carry !== '') yield splitLines(carry, end ?? '\r');
}

function splitLines(text: string, end: '\n' | '\r'): string[] {
  const lines = text.split(end);
  if (end === '\r' || !text.includes('\r')) return lines;
  return lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
}

/** Spreadsheets, archives and UTF-16 text all hold a NUL, or what its decoding leaves, near their start. */
function refuseBinary(text: string): void {
  const start = text.slice(0, 1024);
  if (start.startsWith('PK') || start.startsWith('\u001f') || start.includes('\u0000'))
    throw invalidInput('invalid_body', 'The file is not UTF-8 text.', { hint: SAVE_AS_UTF8 });
}

/** The cells of a line, unquoted; null where a quote is not closed or stands where it may not. */
export function csvCells(line: string, delimiter: string): string[] | null {
  if (!line.includes('"')) return line.split(delimiter);
  const { data, errors } = Papa.parse<string[]>(line, { delimiter, newline: '\n' });
  return errors.length > 0 || data.length !== 1 ? null : data[0]!;
}

/** A cell as CSV writes it: quoted where it holds a delimiter, a quote or a line end. */
export const quoteCsvCell = (text: string, delimiter: string): string =>
  text.includes('"') || text.includes(delimiter) || /[\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
