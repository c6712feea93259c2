import { newTimeSlice } from '../domain/event-loop.ts';
import { invalidInputError } from '../schema/error.ts';
import { OversizedRow } from '../schema/ingest/ingest-batch.ts';
import {
  BACKSLASH,
  CLOSING_BRACE,
  CLOSING_BRACKET,
  COMMA,
  MAX_JSON_VALUES,
  notJsonError,
  OPENING_BRACE,
  OPENING_BRACKET,
  parseJson,
  QUOTE,
  tooDeepError,
} from './request-body.ts';

/**
 * The parts of a JSON batch that are parsed a little at a time: lists of rows, and one long text.
 */
interface BatchLayout {
  readonly maxRows: ReadonlyMap<string, number>;
  readonly text: string;
  readonly depth: number;
  readonly fieldBytes: number;
}

export interface BatchContent {
  /** Everything but the rows and the long text. Not checked yet. */
  readonly fields: unknown;
  readonly rows: ReadonlyMap<string, Iterable<unknown>>;
  readonly text: Iterable<string | Uint8Array> | null;
}

const BYTES_PER_STEP = 65_536;
const CHUNK_BYTES = 65_536;
/** The name of a field is much shorter. */
const MAX_NAME_BYTES = 1_000;
/** A reading has at most about 2,000 bytes, even with every character escaped. */
const MAX_ROW_BYTES = 4_096;

/**
 * Finds the rows of a batch in slices of time, without building any of them: their number, their
 * size and the rest of the body are limited first. Rows are parsed one by one as they are read.
 */
export async function readBatchJson(bytes: Buffer, layout: BatchLayout): Promise<BatchContent> {
  const slice = newTimeSlice();
  const scan = batchScan(bytes, layout);
  for (let position = 0; position < bytes.length; ) {
    position = scan.advance(position, Math.min(position + BYTES_PER_STEP, bytes.length));
    if (slice.isOver()) await slice.renew();
  }
  return scan.content();
}

interface List {
  readonly name: string;
  readonly maxItems: number;
  readonly start: number;
  /** The start and end of each row. */
  readonly bounds: number[];
  /** Null before the first character of a row. */
  rowStart: number | null;
}

interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

function batchScan(bytes: Buffer, { maxRows, text: textName, depth, fieldBytes }: BatchLayout) {
  const rows = new Map<string, Iterable<unknown>>();
  let text: Iterable<string> | null = null;
  const replacements: Replacement[] = [];
  let level = 0;
  let values = 0;
  let isInString = false;
  let stringStart = 0;
  let stringEnd = 0;
  let chunkStarts: number[] = [];

  let name: string | null = null;
  let list: List | null = null;

  const beginList = (start: number): List | null => {
    const maxItems = name === null ? undefined : maxRows.get(name);
    return maxItems === undefined
      ? null
      : { name: name!, maxItems, start, bounds: [], rowStart: null };
  };

  const endRow = ({ name: listName, maxItems, bounds, rowStart }: List, end: number): void => {
    if (rowStart === null) throw notJsonError();

    bounds.push(rowStart, end);
    if (bounds.length > 2 * maxItems)
      throw invalidInputError(
        'invalid_body',
        `${listName} is not valid: it has more than ${maxItems} items.`,
        {
          hint: 'Send the batch in parts.',
          field: listName,
        },
      );
  };

  const endList = (finished: List, end: number): void => {
    if (finished.rowStart !== null || finished.bounds.length > 0) endRow(finished, end);
    rows.set(finished.name, jsonRows(bytes, finished.bounds));
    replacements.push({ start: finished.start, end: end + 1, text: '[]' });
  };

  const endString = (end: number): void => {
    isInString = false;
    if (level !== 1) return;
    stringEnd = end;
    if (name !== textName || chunkStarts.length === 0) return;
    text = stringChunks(bytes, [stringStart + 1, ...chunkStarts, end - 1]);
    replacements.push({ start: stringStart, end, text: '""' });
  };

  const beginString = (start: number): void => {
    isInString = true;
    if (level !== 1) return;
    stringStart = start;
    chunkStarts = [];
  };

  const beginValue = (): void => {
    if (level !== 1) return;
    const isShort = stringEnd - stringStart <= MAX_NAME_BYTES;
    name = isShort ? String(parseJson(bytes.toString('utf8', stringStart, stringEnd))) : null;
    // If a name is repeated, its last value counts.
    if (name !== null) rows.delete(name);
    if (name === textName) text = null;
  };

  const countValue = (): void => {
    if (list === null && ++values > MAX_JSON_VALUES)
      throw invalidInputError(
        'invalid_body',
        `The body has more than ${MAX_JSON_VALUES} values besides its rows.`,
        {
          hint: 'Send one JSON object of names and values.',
        },
      );
  };

  return {
    /** Reads the bytes between these positions, or slightly more, and returns the next position. */
    advance(from: number, to: number): number {
      let at = from;
      for (; at < to; at++) {
        const byte = bytes[at]!;
        if (isInString) {
          const isLong = level === 1 && at - (chunkStarts.at(-1) ?? stringStart) >= CHUNK_BYTES;
          if (isLong && (byte & 0xc0) !== 0x80) chunkStarts.push(at);
          if (byte === BACKSLASH) at += bytes[at + 1] === LETTER_U ? 5 : 1;
          else if (byte === QUOTE) endString(at + 1);
          continue;
        }

        if (list !== null && level === 2) {
          if (byte === COMMA) {
            endRow(list, at);
            list.rowStart = null;
            continue;
          }

          if (byte === CLOSING_BRACKET) {
            endList(list, at);
            list = null;
            level = 1;
            continue;
          }

          if (list.rowStart === null && byte > SPACE) list.rowStart = at;
        }

        if (byte === QUOTE) beginString(at);
        else if (byte === OPENING_BRACE || byte === OPENING_BRACKET) {
          countValue();
          if (level === 1 && byte === OPENING_BRACKET) list = beginList(at);
          if (++level > depth) throw tooDeepError(depth);
        } else if (byte === CLOSING_BRACE || byte === CLOSING_BRACKET) {
          if (--level < (list === null ? 0 : 2)) throw notJsonError();
        } else if (byte === COLON) beginValue();
        else if (byte === COMMA) {
          countValue();
          if (level === 1) name = null;
        }
      }

      return at;
    },
    content(): BatchContent {
      if (list !== null) throw notJsonError();

      const rest = withReplacements(bytes, replacements);
      if (rest.length > fieldBytes)
        throw invalidInputError(
          'invalid_body',
          `The body has more than ${fieldBytes} bytes besides its rows.`,
          {
            hint: 'Send one JSON object of names and values.',
          },
        );

      return { fields: parseJson(rest.toString()), rows, text };
    },
  };
}

function withReplacements(bytes: Buffer, replacements: readonly Replacement[]): Buffer {
  const parts: Buffer[] = [];
  let from = 0;
  for (const { start, end, text } of replacements) {
    parts.push(bytes.subarray(from, start), Buffer.from(text));
    from = end;
  }
  return Buffer.concat([...parts, bytes.subarray(from)]);
}

const jsonRows = (bytes: Buffer, bounds: readonly number[]): Iterable<unknown> => ({
  *[Symbol.iterator]() {
    for (let row = 0; row < bounds.length; row += 2) {
      const start = bounds[row]!;
      const end = bounds[row + 1]!;
      const isOversized = end - start > MAX_ROW_BYTES;
      yield isOversized
        ? new OversizedRow(bytes.subarray(start, end))
        : parseJson(bytes.toString('utf8', start, end));
    }
  },
});

/** Yields the text of a JSON string in chunks that split neither an escape nor a character. */
const stringChunks = (bytes: Buffer, bounds: readonly number[]): Iterable<string> => ({
  *[Symbol.iterator]() {
    for (let chunk = 1; chunk < bounds.length; chunk++)
      yield String(parseJson(`"${bytes.toString('utf8', bounds[chunk - 1], bounds[chunk])}"`));
  },
});

const SPACE = 0x20;
const COLON = 0x3a;
const LETTER_U = 0x75;
