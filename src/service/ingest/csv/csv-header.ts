import type { CsvProfileName } from '../../../domain/ingest/import-options.ts';
import { firstOf, lastOf } from '../../../domain/items.ts';
import { singleLine } from '../../../domain/strings.ts';
import { FileError } from '../../../language/ingest/file-error.ts';
import {
  type ColumnMap,
  type InterpretedColumn,
  interpretColumn,
  isTimeMeaning,
  type Vocabulary,
} from './column-meanings.ts';
import { columnMeaning, sensorColumnName } from './column-names.ts';
import { findProfile } from './csv-profiles.ts';
import { csvCells, DELIMITERS, quoteCsvCell } from './text/csv-lines.ts';
import { recordAt } from './text/csv-records.ts';

/** The cost of a row grows with its columns. */
const MAX_COLUMNS = 500;
/** Exports of loggers start with up to some fifteen lines about the logger. */
export const MAX_LINES_BEFORE_HEADER = 30;
/** In characters: only the start of a file is searched for its layout. */
const MAX_SEARCHED_LENGTH = 65_536;
/** In characters: lines below the first are tried as a header within these. */
const MAX_TRIED_LENGTH = 16_384;
/** Names, units and depths may each have a line. */
const MAX_HEADER_LINES = 3;

interface HeaderBlock {
  readonly delimiter: string;
  readonly headerText: string;
  readonly headerEnd: number;
  readonly columns: readonly InterpretedColumn[];
  readonly score: number;
}

/** Finds the header of a known profile, or else the lines whose names have a meaning. */
export function findHeader(
  lines: readonly string[],
  map: ColumnMap,
  requested: CsvProfileName | undefined,
): HeaderBlock & { readonly profile: CsvProfileName | null } {
  const detected = findProfile(startOf(lines), requested);
  const vocabulary = { map, detected };
  const header = profileHeader(lines, vocabulary) ?? bestHeader(lines, vocabulary);
  if (header.columns.length > MAX_COLUMNS)
    throw new FileError(({ fileFaults }) =>
      fileFaults.tooManyColumns(header.columns.length, MAX_COLUMNS),
    );

  return { ...header, profile: detected?.name ?? null };
}

/** The lines that are searched for the header of a profile, of which the last may be cut. */
function startOf(lines: readonly string[]): string[] {
  const start: string[] = [];
  let remaining = MAX_SEARCHED_LENGTH;
  for (const line of lines.slice(0, MAX_LINES_BEFORE_HEADER + 1)) {
    start.push(line.slice(0, remaining));
    remaining = Math.max(0, remaining - line.length);
  }
  return start;
}

/** The lines that the profile describes; null if they cannot be a header. */
function profileHeader(lines: readonly string[], vocabulary: Vocabulary): HeaderBlock | null {
  if (vocabulary.detected === null) return null;
  const { profile, headerIndex } = vocabulary.detected;
  const blocks = DELIMITERS.map((delimiter) => {
    const block = blockAt(lines, headerIndex, delimiter).slice(0, profile.headerLines);
    const isTooLong = block.some(({ text }) => text.length > MAX_TRIED_LENGTH);
    return isTooLong ? null : headerBlock(block, delimiter, vocabulary);
  });
  return bestOf(blocks);
}

function bestOf(blocks: readonly (HeaderBlock | null)[]): HeaderBlock | null {
  let best: HeaderBlock | null = null;
  for (const block of blocks)
    if (block !== null && (best === null || block.score > best.score)) best = block;
  return best;
}

/** Tries a header at each of the first lines that are not blank. */
function bestHeader(lines: readonly string[], vocabulary: Vocabulary): HeaderBlock {
  let best: HeaderBlock | null = null;
  let triedLines = 0;
  let searchedLength = 0;
  for (const [index, text] of lines.entries()) {
    if (isBlankLine(text)) continue;
    searchedLength += text.length;
    if (triedLines++ > MAX_LINES_BEFORE_HEADER) break;
    if (best !== null && searchedLength > MAX_TRIED_LENGTH) break;
    if (searchedLength > MAX_SEARCHED_LENGTH)
      throw new FileError(({ fileFaults }) => fileFaults.headerTooLong(MAX_SEARCHED_LENGTH));
    // Below a complete header are rows; within its lines, one may start that lacks a title.
    if (best !== null && best.score >= COMPLETE && index >= best.headerEnd) break;

    const header = bestBlockAt(lines, index, vocabulary);
    // Of two headers with a time and equal scores, the later has fewer lines that do not belong to it.
    const isBetter =
      best === null ||
      header.score > best.score ||
      (header.score === best.score && header.score >= HAS_TIME);
    if (isBetter) best = header;
  }

  if (best === null) throw new FileError(({ fileFaults }) => fileFaults.empty());
  return best;
}

interface Line {
  readonly text: string;
  /** The index of the line after it. */
  readonly end: number;
}

/** Ends before a line that is too long to belong to a header. */
function blockAt(lines: readonly string[], start: number, delimiter: string): readonly Line[] {
  const block: Line[] = [];
  let index = start;
  while (block.length < MAX_HEADER_LINES && index < lines.length) {
    const record = recordAt(lines, index, delimiter);
    index = record.end;
    if (isBlankLine(record.text)) continue;
    if (block.length > 0 && record.text.length > MAX_TRIED_LENGTH) break;
    block.push(record);
  }
  return block;
}

/** The best header that starts at a line. */
function bestBlockAt(lines: readonly string[], start: number, vocabulary: Vocabulary): HeaderBlock {
  let best: HeaderBlock | null = null;
  for (const delimiter of DELIMITERS) {
    const block = blockAt(lines, start, delimiter);
    for (let count = 1; count <= block.length; count++) {
      const header = headerBlock(block.slice(0, count), delimiter, vocabulary);
      if (header === null) break;
      // A line of units belongs to the header even if it adds nothing.
      if (best === null || header.score > best.score || (count > 1 && header.score === best.score))
        best = header;
    }
  }

  return best!;
}

const MAX_BLANK_LENGTH = 63;

/** Spreadsheets write empty rows as bare delimiters, or with quotes. */
export const isBlankLine = (text: string): boolean =>
  text.length <= MAX_BLANK_LENGTH && /^[\s,;|"]*$/.test(text);

/** The least score of a header with a time and readings. */
const COMPLETE = 1000;
/** The least score of a header with a time alone. */
const HAS_TIME = COMPLETE / 2;

/** Null if one of the lines after the first cannot belong to a header. */
function headerBlock(
  block: readonly Line[],
  delimiter: string,
  vocabulary: Vocabulary,
): HeaderBlock | null {
  const [firstLine, ...linesBelow] = block.map(({ text }) => headerCells(text, delimiter));
  // A quote that does not close is no part of a header.
  const furtherLines = linesBelow.filter((cells) => cells !== null);
  if (furtherLines.length < linesBelow.length) return null;

  const first = firstLine ?? [];
  const lines = [first, ...furtherLines];
  const isWithinLimit = lines.every((line) => line.length <= MAX_COLUMNS);
  const hasNumbersBelow = furtherLines.flat().some((cell) => PLAIN_NUMBER.test(cell));
  if (furtherLines.length > 0 && (!isWithinLimit || hasNumbersBelow)) return null;

  const columns = isWithinLimit ? columnsOf(lines, vocabulary) : first.map(columnWithoutMeaning);

  const timeColumns = columns.filter(({ meaning }) => isTimeMeaning(meaning));
  const isRow = (line: readonly string[]): boolean =>
    timeColumns.some(({ index }) => STARTS_TIME.test(line[index] ?? ''));
  if (furtherLines.length > 0 && (timeColumns.length === 0 || furtherLines.some(isRow)))
    return null;

  const headerText =
    furtherLines.length === 0
      ? firstOf(block).text
      : columns.map(({ name }) => quoteCsvCell(name, delimiter)).join(delimiter);

  return {
    delimiter,
    headerText,
    headerEnd: lastOf(block).end,
    columns,
    score: headerScore(columns),
  };
}

const columnWithoutMeaning = (name: string, index: number): InterpretedColumn => ({
  index,
  name,
  mappedBy: null,
  isUnitCertain: false,
  meaning: null,
});

/** "2026-06-01", "06:00", "Jun 1, 2026" or "Mon 1/6"; units and kinds below a name are not. */
const STARTS_TIME = /^\d|\b\d{4}\b|\d[/.-]\d/;
const PLAIN_NUMBER = /^[+\-\u2212\u2013]?\d+(?:[.,]\d+)?$/;

/**
 * Counts first whether the header is complete, then the different sensors and the units. Of equal
 * headers, the one with more columns has the right delimiter.
 */
function headerScore(columns: readonly InterpretedColumn[]): number {
  const meanings = columns.flatMap(({ meaning }) => (meaning === null ? [] : [meaning]));
  const hasTime = meanings.some(isTimeMeaning);
  const sensors = meanings.filter((meaning) => meaning.kind === 'sensor');
  const isLong = ['module', 'value'].every((kind) =>
    meanings.some((meaning) => meaning.kind === kind),
  );

  return (
    (hasTime && (sensors.length > 0 || isLong) ? COMPLETE : 0) +
    (hasTime ? HAS_TIME : 0) +
    new Set(sensors.map(sensorColumnName)).size * 2 +
    sensors.filter(({ unit }) => unit !== null).length +
    columns.length / COMPLETE
  );
}

/** Null if a quote does not close. */
function headerCells(line: string, delimiter: string): string[] | null {
  const cells = csvCells(line, delimiter);
  if (cells === null) return null;
  const names = cells.map(cells.length > MAX_COLUMNS ? (name) => name.trim() : singleLine);
  while (names.at(-1) === '') names.pop();
  return names;
}

function columnsOf(
  lines: readonly (readonly string[])[],
  vocabulary: Vocabulary,
): InterpretedColumn[] {
  const [first = [], ...furtherLines] = lines;
  if (furtherLines.length > 0) return joinedColumns(lines, vocabulary);
  return first.map((name, index) => interpretColumn(name, index, [], vocabulary));
}

/** A name that spans several columns is in the first one's cell. */
function joinedColumns(
  lines: readonly (readonly string[])[],
  vocabulary: Vocabulary,
): InterpretedColumn[] {
  const width = Math.max(...lines.map((line) => line.length));
  let spanning = '';
  const [first = [], ...furtherLines] = lines;

  return Array.from({ length: width }, (_, index) => {
    const cell = first[index] ?? '';
    const below = furtherLines.map((line) => line[index] ?? '');
    if (cell !== '') spanning = isTimeMeaning(columnMeaning(cell)) ? '' : cell;

    const hasNameBelow = below.some((part) => part !== '');
    const top = cell === '' && hasNameBelow ? spanning : cell;
    const parts = [top, ...below].filter((part) => part !== '');
    return interpretColumn(parts.join(' '), index, parts, vocabulary);
  });
}
