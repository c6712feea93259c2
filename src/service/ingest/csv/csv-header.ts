import type { CsvProfileName } from '../../../domain/ingest/import-options.ts';
import { firstOf, itemAt, lastOf } from '../../../domain/items.ts';
import { singleLine } from '../../../domain/text.ts';
import { FileError } from '../../../language/ingest/file-error.ts';
import {
  type ColumnMap,
  type InterpretedColumn,
  interpretColumn,
  isTimeMeaning,
  type Vocabulary,
} from './column-meanings.ts';
import { columnMeaning, sensorColumnName } from './column-names.ts';
import { csvCells, DELIMITERS, quoteCsvCell } from './csv-lines.ts';
import { findProfile } from './csv-profiles.ts';

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
  const block = lines
    .slice(headerIndex, headerIndex + profile.headerLines)
    .map((text, offset) => ({ text, index: headerIndex + offset }));
  return block.some(({ text }) => text.length > MAX_TRIED_LENGTH)
    ? null
    : bestOf(DELIMITERS.map((delimiter) => headerBlock(block, delimiter, vocabulary)));
}

function bestOf(blocks: readonly (HeaderBlock | null)[]): HeaderBlock | null {
  let best: HeaderBlock | null = null;
  for (const block of blocks)
    if (block !== null && (best === null || block.score > best.score)) best = block;
  return best;
}

/** Tries a header at each of the first lines that are not blank. */
function bestHeader(lines: readonly string[], vocabulary: Vocabulary): HeaderBlock {
  const candidates = lines.flatMap((text, index) => (isBlankLine(text) ? [] : [{ text, index }]));
  let best: HeaderBlock | null = null;
  let lastStart = MAX_LINES_BEFORE_HEADER;
  let searchedLength = 0;
  for (let start = 0; start < Math.min(candidates.length, lastStart + 1); start++) {
    searchedLength += itemAt(candidates, start).text.length;
    if (start > 0 && searchedLength > MAX_TRIED_LENGTH) break;
    if (searchedLength > MAX_SEARCHED_LENGTH)
      throw new FileError(({ fileFaults }) => fileFaults.headerTooLong(MAX_SEARCHED_LENGTH));

    const header = bestBlockOf(blockAt(candidates, start), vocabulary);
    // Of two headers with a time and equal scores, the later has fewer lines that do not belong to it.
    const isBetter =
      best === null ||
      header.score > best.score ||
      (header.score === best.score && header.score >= HAS_TIME);
    if (!isBetter) continue;

    best = header;
    // A header may start slightly further down, within the lines of this one; below are rows.
    if (header.score >= COMPLETE) lastStart = Math.min(lastStart, start + MAX_HEADER_LINES - 1);
  }

  if (best === null) throw new FileError(({ fileFaults }) => fileFaults.empty());
  return best;
}

interface Line {
  readonly text: string;
  readonly index: number;
}

/** Ends before a line that is too long to belong to a header. */
function blockAt(candidates: readonly Line[], start: number): readonly Line[] {
  const lines = candidates.slice(start, start + MAX_HEADER_LINES);
  const end = lines.findIndex(({ text }, index) => index > 0 && text.length > MAX_TRIED_LENGTH);
  return end < 0 ? lines : lines.slice(0, end);
}

/** The best header that starts at the first of these lines. */
function bestBlockOf(lines: readonly Line[], vocabulary: Vocabulary): HeaderBlock {
  let best: HeaderBlock | null = null;
  for (const delimiter of DELIMITERS)
    for (let count = 1; count <= lines.length; count++) {
      const header = headerBlock(lines.slice(0, count), delimiter, vocabulary);
      if (header === null) break;
      // A line of units belongs to the header even if it adds nothing.
      if (best === null || header.score > best.score || (count > 1 && header.score === best.score))
        best = header;
    }

  return best!;
}

const MAX_BLANK_LENGTH = 63;

/** Spreadsheets write empty rows as bare delimiters. */
export const isBlankLine = (text: string): boolean =>
  text.length <= MAX_BLANK_LENGTH && /^[\s,;|]*$/.test(text);

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
  const lines = block.map(({ text }) => headerCells(text, delimiter));
  const [first = [], ...furtherLines] = lines;
  const isWithinLimit = lines.every((line) => line.length <= MAX_COLUMNS);
  const hasNumbersBelow = furtherLines.flat().some((cell) => PLAIN_NUMBER.test(cell));
  if (furtherLines.length > 0 && (!isWithinLimit || hasNumbersBelow)) return null;

  const columns = isWithinLimit ? columnsOf(lines, vocabulary) : first.map(columnWithoutMeaning);

  const timeColumns = columns.filter(({ meaning }) => isTimeMeaning(meaning));
  const isRow = (line: readonly string[]): boolean =>
    timeColumns.some(({ index }) => /^\d/.test(line[index] ?? ''));
  if (furtherLines.length > 0 && (timeColumns.length === 0 || furtherLines.some(isRow)))
    return null;

  const headerText =
    furtherLines.length === 0
      ? firstOf(block).text
      : columns.map(({ name }) => quoteCsvCell(name, delimiter)).join(delimiter);

  return {
    delimiter,
    headerText,
    headerEnd: lastOf(block).index + 1,
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

const PLAIN_NUMBER = /^[+-]?\d+(?:[.,]\d+)?$/;

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

function headerCells(line: string, delimiter: string): string[] {
  const cells = csvCells(line, delimiter) ?? [];
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
