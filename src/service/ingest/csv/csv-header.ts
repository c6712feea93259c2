import type { CsvProfileName } from '../../../domain/ingest/import-options.ts';
import { firstOf, itemAt, lastOf } from '../../../domain/items.ts';
import { singleLine } from '../../../domain/text.ts';
import { invalidInputError } from '../../../schema/error.ts';
import {
  type ColumnMap,
  findProfile,
  type InterpretedColumn,
  interpretColumn,
  isTimeMeaning,
  type Vocabulary,
} from './column-meanings.ts';
import { columnMeaning, type SensorMeaning, sensorColumnName } from './column-names.ts';
import { csvCells, DELIMITERS, quoteCsvCell } from './csv-lines.ts';

/** The cost of a row grows with its columns. */
const MAX_COLUMNS = 500;
/** In characters: the header is split by every delimiter in turn. */
const MAX_HEADER_LENGTH = 524_288;
/** Loggers start with up to some fifteen lines about themselves. */
const MAX_LINES_BEFORE_HEADER = 30;
/** In characters. */
const MAX_SEARCHED_LENGTH = 16_384;
/** Names, units and depths may each have a line. */
const MAX_HEADER_LINES = 3;

export const HEADER_EXAMPLES =
  'A readings file has a header line such as "module,type,depth,time,value", or "time,humidity_10,temperature_10" for one module.';

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
  const detected = findProfile(lines.slice(0, MAX_LINES_BEFORE_HEADER + 1), requested);
  const vocabulary = { map, detected };
  const header = profileHeader(lines, vocabulary) ?? bestHeader(lines, vocabulary);
  if (header.columns.length > MAX_COLUMNS)
    throw invalidInputError(
      'invalid_body',
      `The header names ${header.columns.length} columns, and at most ${MAX_COLUMNS} are read.`,
      {
        hint: 'Split the file into several with fewer columns, or write it as module,type,depth,time,value.',
      },
    );

  return { ...header, profile: detected?.name ?? null };
}

/** The lines that the profile describes; null if they cannot be a header. */
function profileHeader(lines: readonly string[], vocabulary: Vocabulary): HeaderBlock | null {
  if (vocabulary.detected === null) return null;
  const { profile, headerIndex } = vocabulary.detected;
  const block = lines
    .slice(headerIndex, headerIndex + profile.headerLines)
    .map((text, offset) => ({ text, index: headerIndex + offset }));
  return block.some(({ text }) => text.length > MAX_SEARCHED_LENGTH)
    ? null
    : bestOf(DELIMITERS.map((delimiter) => headerBlock(block, delimiter, vocabulary)));
}

const bestOf = (blocks: readonly (HeaderBlock | null)[]): HeaderBlock | null =>
  blocks.reduce(
    (best, block) => (best === null || (block !== null && block.score > best.score) ? block : best),
    null,
  );

function bestHeader(lines: readonly string[], vocabulary: Vocabulary): HeaderBlock {
  const rows = lines.flatMap((text, index) => (isBlankLine(text) ? [] : [{ text, index }]));
  let best: HeaderBlock | null = null;
  let lastStart = MAX_LINES_BEFORE_HEADER;
  let length = 0;
  for (let start = 0; start < Math.min(rows.length, lastStart + 1); start++) {
    length += itemAt(rows, start).text.length;
    if (start > 0 && length > MAX_SEARCHED_LENGTH) break;
    if (length > MAX_HEADER_LENGTH)
      throw invalidInputError(
        'invalid_body',
        `The header is longer than ${MAX_HEADER_LENGTH} characters.`,
        {
          hint: HEADER_EXAMPLES,
        },
      );

    const header = bestBlockAt(rows.slice(start, start + MAX_HEADER_LINES), vocabulary);
    // Of equal headers, the later has fewer lines that do not belong to it.
    const isBetter =
      best === null ||
      header.score > best.score ||
      (header.score === best.score && header.score >= COMPLETE);
    if (!isBetter) continue;

    best = header;
    // A start slightly further down may be better; below that are rows.
    if (header.score >= COMPLETE) lastStart = Math.min(lastStart, start + MAX_HEADER_LINES - 1);
  }

  if (best === null)
    throw invalidInputError('invalid_body', 'The file is empty.', {
      hint: 'A readings file starts with a header line.',
    });

  return best;
}

interface Line {
  readonly text: string;
  readonly index: number;
}

function bestBlockAt(lines: readonly Line[], vocabulary: Vocabulary): HeaderBlock {
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

/** Spreadsheets write empty rows as bare delimiters. */
export const isBlankLine = (text: string): boolean => text.length < 64 && /^[\s,;|]*$/.test(text);

/** The minimum score of a header with a time and readings. */
const COMPLETE = 1000;

/** Null if one of the lines after the first cannot belong to a header. */
function headerBlock(
  block: readonly Line[],
  delimiter: string,
  vocabulary: Vocabulary,
): HeaderBlock | null {
  const lines = block.map(({ text }) => headerCells(text, delimiter));
  const [first = [], ...others] = lines;
  const isWithinLimit = lines.every((line) => line.length <= MAX_COLUMNS);
  if (
    others.length > 0 &&
    (!isWithinLimit || others.flat().some((cell) => PLAIN_NUMBER.test(cell)))
  )
    return null;

  const columns = isWithinLimit
    ? columnsOf(lines, vocabulary)
    : first.map((name, index) => ({
        index,
        name,
        mappedBy: null,
        isUnitCertain: false,
        meaning: null,
      }));

  const times = columns.filter(({ meaning }) => isTimeMeaning(meaning));
  // A line with a figure under a time is a row.
  if (
    others.some(
      (line) => times.length === 0 || times.some(({ index }) => /^\d/.test(line[index] ?? '')),
    )
  )
    return null;

  return {
    delimiter,
    headerText:
      others.length === 0
        ? firstOf(block).text
        : columns.map(({ name }) => quoteCsvCell(name, delimiter)).join(delimiter),
    headerEnd: lastOf(block).index + 1,
    columns,
    score: headerScore(columns),
  };
}

const PLAIN_NUMBER = /^[+-]?\d+(?:[.,]\d+)?$/;

function headerScore(columns: readonly InterpretedColumn[]): number {
  const meanings = columns.flatMap(({ meaning }) => (meaning === null ? [] : [meaning]));
  const hasTime = meanings.some(isTimeMeaning);
  const sensors = meanings.filter(({ kind }) => kind === 'sensor') as SensorMeaning[];
  const isLong = ['module', 'value'].every((kind) =>
    meanings.some((meaning) => meaning.kind === kind),
  );

  return (
    (hasTime && (sensors.length > 0 || isLong) ? COMPLETE : 0) +
    (hasTime ? COMPLETE / 2 : 0) +
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
  const [first = [], ...others] = lines;
  if (others.length > 0) return joinedColumns(lines, vocabulary);
  return first.map((name, index) => interpretColumn(name, index, [], vocabulary));
}

/** A name that spans several columns is in the first one's cell. */
function joinedColumns(
  lines: readonly (readonly string[])[],
  vocabulary: Vocabulary,
): InterpretedColumn[] {
  const width = Math.max(...lines.map((line) => line.length));
  let spanning = '';
  const [first = [], ...others] = lines;

  return Array.from({ length: width }, (_, index) => {
    const cell = first[index] ?? '';
    const below = others.map((line) => line[index] ?? '');
    if (cell !== '') spanning = isTimeMeaning(columnMeaning(cell)) ? '' : cell;
    const parts = [below.some((part) => part !== '') ? cell || spanning : cell, ...below].filter(
      (part) => part !== '',
    );
    return interpretColumn(parts.join(' '), index, parts, vocabulary);
  });
}
