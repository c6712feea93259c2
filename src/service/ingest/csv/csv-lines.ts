import Papa from 'papaparse';
import { FileError } from '../../../language/ingest/file-error.ts';

export const DELIMITERS = [',', ';', '\t', '|'];

/** In characters; a line must fit into memory. */
const MAX_LINE_LENGTH = 1_048_576;

/**
 * A record is always one line, ending in LF, CRLF or CR, so that a stray quote spoils its own row
 * only.
 */
export async function* csvLines(
  chunks: AsyncIterable<Uint8Array | string> | Iterable<Uint8Array | string>,
): AsyncGenerator<string[]> {
  let decoder: InstanceType<typeof TextDecoder> | null = null;
  let rest = '';
  let lineEnd: '\n' | '\r' | null = null;
  let lineNumber = 1;

  for await (const chunk of chunks) {
    let text: string;
    if (typeof chunk === 'string') text = chunk;
    else {
      decoder ??= decoderOf(chunk);
      text = decoder.decode(chunk, { stream: true });
    }

    const isStart = lineNumber === 1 && rest === '';
    if (isStart) {
      // Removes a byte order mark.
      text = text.replace(/^\ufeff/, '');
      assertText(text);
    }

    text = rest + text;
    lineEnd ??= lineEndOf(text);

    const lastEnd: number = lineEnd === null ? -1 : text.lastIndexOf(lineEnd);
    rest = text.slice(lastEnd + 1);
    if (rest.length > MAX_LINE_LENGTH) throw lineTooLong(lineNumber);

    if (lineEnd === null || lastEnd < 0) continue;
    const lines = splitLines(text.slice(0, lastEnd), lineEnd);
    lineNumber += lines.length;
    yield lines;
  }

  rest += decoder?.decode() ?? '';
  if (rest !== '') yield splitLines(rest, lineEnd ?? '\r');
}

const lineTooLong = (afterLine: number): FileError =>
  new FileError(({ fileFaults }) => fileFaults.lineTooLong(afterLine, MAX_LINE_LENGTH));

/** Null while it is not certain: an LF may follow a CR at the end of the text. */
function lineEndOf(text: string): '\n' | '\r' | null {
  if (text.includes('\n')) return '\n';
  return text.includes('\r') && !text.endsWith('\r') ? '\r' : null;
}

/**
 * Spreadsheets save "Unicode text" as UTF-16, and those of western Europe still write CSV as
 * Windows-1252. The first chunk shows the encoding; it may end within a character.
 */
function decoderOf(start: Uint8Array): InstanceType<typeof TextDecoder> {
  const [first, second] = start;
  // Without a byte order mark, every other byte of Latin text is 0.
  if ((first === 0xff && second === 0xfe) || (first! > 0 && second === 0))
    return new TextDecoder('utf-16le');
  if ((first === 0xfe && second === 0xff) || (first === 0 && second! > 0))
    return new TextDecoder('utf-16be');

  try {
    new TextDecoder('utf-8', { fatal: true }).decode(start, { stream: true });
    return new TextDecoder();
  } catch {
    return new TextDecoder('windows-1252');
  }
}

/** Also removes the CR of CRLF. */
function splitLines(text: string, lineEnd: '\n' | '\r'): string[] {
  const lines = text.split(lineEnd);
  if (lineEnd === '\r' || !text.includes('\r')) return lines;
  return lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
}

/** Spreadsheets and archives have a NUL near their start. */
function assertText(text: string): void {
  const start = text.slice(0, 1024);
  if (start.startsWith('PK') || start.startsWith('\u001f') || start.includes('\u0000'))
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
