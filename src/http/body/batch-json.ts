import type { TimeSlice } from '../../domain/event-loop.ts';
import { plainInputError } from '../../schema/error.ts';
import {
  BACKSLASH,
  CLOSING_BRACE,
  CLOSING_BRACKET,
  COLON,
  COMMA,
  LETTER_U,
  OPENING_BRACE,
  OPENING_BRACKET,
  QUOTE,
  SPACE,
} from '../../schema/json-characters.ts';
import { MAX_JSON_VALUES } from '../../schema/json-shape.ts';
import { notJsonError, parseJson, tooDeepError } from './json-body.ts';
import { jsonRows, type Replacement, stringChunks, withReplacements } from './json-slices.ts';

/**
 * The parts of a JSON batch that are parsed a little at a time: lists of rows, and one long text.
 */
export interface BatchLayout {
  /** By the name of the list. */
  readonly maxRows: ReadonlyMap<string, number>;
  /** The name of the field with the long text. */
  readonly textField: string;
  readonly maxDepth: number;
  /** Bytes of everything but the rows and the long text. */
  readonly maxFieldBytes: number;
}

export interface BatchContent {
  /** Everything but the rows and the long text. Not checked yet. */
  readonly fields: unknown;
  readonly rows: ReadonlyMap<string, Iterable<unknown>>;
  readonly text: Iterable<string | Uint8Array> | null;
}

/** After a step, other requests may have their turn. */
const BYTES_PER_STEP = 65_536;
/** The parts in which the long text is read. */
const CHUNK_BYTES = 65_536;
/** The name of a field is much shorter. */
const MAX_NAME_BYTES = 1_000;

/**
 * Finds the rows of a batch in slices of time, without building any of them: their number, their
 * size and the rest of the body are limited first. Rows are parsed one by one as they are read.
 */
export async function readBatchJson(
  bytes: Buffer,
  layout: BatchLayout,
  slice: TimeSlice,
): Promise<BatchContent> {
  const scanner = new BatchScanner(bytes, layout);
  for (let position = 0; position < bytes.length; ) {
    position = scanner.advance(position, Math.min(position + BYTES_PER_STEP, bytes.length));
    if (slice.isOver()) await slice.renew();
  }
  return scanner.content();
}

interface RowList {
  readonly name: string;
  readonly maxItems: number;
  readonly start: number;
  /** The start and end of each row. */
  readonly bounds: number[];
  /** Null before the first character of a row. */
  rowStart: number | null;
}

const tooManyValuesError = () =>
  plainInputError(
    'invalid_body',
    `The body has more than ${MAX_JSON_VALUES} values besides its rows.`,
    { hint: 'Send one JSON object of names and values.' },
  );

const tooManyRowsError = ({ name, maxItems }: RowList) =>
  plainInputError('invalid_body', `${name} is not valid: it has more than ${maxItems} items.`, {
    hint: 'Send the batch in parts.',
    field: name,
  });

const tooManyBytesError = (maxFieldBytes: number) =>
  plainInputError(
    'invalid_body',
    `The body has more than ${maxFieldBytes} bytes besides its rows.`,
    {
      hint: 'Send one JSON object of names and values.',
    },
  );

/** True for a byte of UTF-8 that continues a character, with which no chunk may begin. */
const isContinuation = (byte: number | undefined): boolean => ((byte ?? 0) & 0xc0) === 0x80;

/**
 * Reads the bytes of a batch from the first to the last. Level 1 is inside the object of the body,
 * level 2 inside one of its lists.
 */
class BatchScanner {
  readonly #bytes: Buffer;
  readonly #layout: BatchLayout;
  readonly #rows = new Map<string, Iterable<unknown>>();
  readonly #replacements: Replacement[] = [];
  #text: Iterable<string> | null = null;
  #level = 0;
  #values = 0;
  /** The name of the value that is being read; null before it, and if the name is too long. */
  #name: string | null = null;
  #list: RowList | null = null;
  #isInString = false;
  /** The start and end of the last string on level 1, which is a name or the long text. */
  #stringStart = 0;
  #stringEnd = 0;
  #chunkStarts: number[] = [];

  constructor(bytes: Buffer, layout: BatchLayout) {
    this.#bytes = bytes;
    this.#layout = layout;
  }

  /** Reads the bytes between these positions, or slightly more, and returns the next position. */
  advance(from: number, to: number): number {
    let position = from;
    while (position < to) {
      if (this.#isInString) position = this.#readString(position, to);
      else {
        this.#readOutsideString(position);
        position += 1;
      }
    }
    return position;
  }

  content(): BatchContent {
    if (this.#list !== null) throw notJsonError();

    const { maxFieldBytes } = this.#layout;
    const fieldBytes = withReplacements(this.#bytes, this.#replacements);
    if (fieldBytes.length > maxFieldBytes) throw tooManyBytesError(maxFieldBytes);

    return { fields: parseJson(fieldBytes.toString()), rows: this.#rows, text: this.#text };
  }

  /** Reads until the string or the step ends. */
  #readString(from: number, to: number): number {
    let position = from;
    for (; position < to; position++) {
      const byte = this.#bytes[position];
      if (this.#isChunkFull(position) && !isContinuation(byte)) this.#chunkStarts.push(position);

      // Skips an escape (\n or \u00e9): no chunk begins within it, and \" does not end the string.
      if (byte === BACKSLASH) position += this.#bytes[position + 1] === LETTER_U ? 5 : 1;
      else if (byte === QUOTE) {
        this.#endString(position + 1);
        return position + 1;
      }
    }
    return position;
  }

  #isChunkFull(position: number): boolean {
    if (this.#level !== 1) return false;
    return position - (this.#chunkStarts.at(-1) ?? this.#stringStart) >= CHUNK_BYTES;
  }

  #readOutsideString(position: number): void {
    const byte = this.#bytes[position];
    if (this.#list !== null && this.#level === 2 && this.#readRowBoundary(this.#list, position))
      return;

    switch (byte) {
      case QUOTE:
        this.#beginString(position);
        return;
      case OPENING_BRACE:
      case OPENING_BRACKET:
        this.#beginLevel(position, byte);
        return;
      case CLOSING_BRACE:
      case CLOSING_BRACKET:
        this.#endLevel();
        return;
      case COLON:
        this.#beginValue();
        return;
      case COMMA:
        this.#countValue();
        if (this.#level === 1) this.#name = null;
    }
  }

  #beginLevel(position: number, bracket: number): void {
    this.#countValue();
    if (this.#level === 1 && bracket === OPENING_BRACKET) this.#list = this.#beginList(position);
    this.#level += 1;
    const { maxDepth } = this.#layout;
    if (this.#level > maxDepth) throw tooDeepError(maxDepth);
  }

  /** A list ends its own level, so no bracket may go below 2 within it. */
  #endLevel(): void {
    const lowestLevel = this.#list === null ? 0 : 2;
    this.#level -= 1;
    if (this.#level < lowestLevel) throw notJsonError();
  }

  /**
   * Ends the row or the list if this byte does, and returns true then. A row begins with its first
   * visible character.
   */
  #readRowBoundary(list: RowList, position: number): boolean {
    const byte = this.#bytes[position] ?? 0;
    if (byte === COMMA) {
      this.#endRow(list, position);
      list.rowStart = null;
      return true;
    }

    if (byte === CLOSING_BRACKET) {
      this.#endList(list, position);
      this.#list = null;
      this.#level = 1;
      return true;
    }

    if (list.rowStart === null && byte > SPACE) list.rowStart = position;
    return false;
  }

  #beginList(start: number): RowList | null {
    const name = this.#name;
    const maxItems = name === null ? undefined : this.#layout.maxRows.get(name);
    if (name === null || maxItems === undefined) return null;
    return { name, maxItems, start, bounds: [], rowStart: null };
  }

  #endRow(list: RowList, end: number): void {
    const { maxItems, bounds, rowStart } = list;
    if (rowStart === null) throw notJsonError();

    bounds.push(rowStart, end);
    if (bounds.length > 2 * maxItems) throw tooManyRowsError(list);
  }

  #endList(list: RowList, end: number): void {
    if (list.rowStart !== null || list.bounds.length > 0) this.#endRow(list, end);
    this.#rows.set(list.name, jsonRows(this.#bytes, list.bounds));
    this.#replacements.push({ start: list.start, end: end + 1, text: '[]' });
  }

  #beginString(start: number): void {
    this.#isInString = true;
    if (this.#level !== 1) return;
    this.#stringStart = start;
    this.#chunkStarts = [];
  }

  #endString(end: number): void {
    this.#isInString = false;
    if (this.#level !== 1) return;

    this.#stringEnd = end;
    if (this.#name !== this.#layout.textField || this.#chunkStarts.length === 0) return;

    const start = this.#stringStart;
    this.#text = stringChunks(this.#bytes, [start + 1, ...this.#chunkStarts, end - 1]);
    this.#replacements.push({ start, end, text: '""' });
  }

  /** The string before a colon was a name. */
  #beginValue(): void {
    if (this.#level !== 1) return;

    const start = this.#stringStart;
    const end = this.#stringEnd;
    const isShort = end - start <= MAX_NAME_BYTES;
    this.#name = isShort ? String(parseJson(this.#bytes.toString('utf8', start, end))) : null;

    // If a name is repeated, its last value counts: what an earlier one had is dropped.
    if (this.#name !== null) this.#rows.delete(this.#name);
    if (this.#name === this.#layout.textField) this.#text = null;
  }

  #countValue(): void {
    if (this.#list !== null) return;
    this.#values += 1;
    if (this.#values > MAX_JSON_VALUES) throw tooManyValuesError();
  }
}
