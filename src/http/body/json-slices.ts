import { itemAt } from '../../domain/items.ts';
import { OversizedRow } from '../../schema/ingest/ingest-batch.ts';
import { parseJson } from './json-body.ts';

/** A reading has at most about 2,000 bytes, even with every character escaped. */
const MAX_ROW_BYTES = 4_096;

/** Bytes of a body, from `start` to before `end`, with the text that takes their place. */
export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export function withReplacements(bytes: Buffer, replacements: readonly Replacement[]): Buffer {
  const parts: Buffer[] = [];
  let from = 0;
  for (const { start, end, text } of replacements) {
    parts.push(bytes.subarray(from, start), Buffer.from(text));
    from = end;
  }
  return Buffer.concat([...parts, bytes.subarray(from)]);
}

/** `bounds` has the start and the end of each row. */
export const jsonRows = (bytes: Buffer, bounds: readonly number[]): Iterable<unknown> => ({
  *[Symbol.iterator]() {
    for (let index = 0; index < bounds.length; index += 2) {
      const start = itemAt(bounds, index);
      const end = itemAt(bounds, index + 1);
      const isOversized = end - start > MAX_ROW_BYTES;
      yield isOversized
        ? new OversizedRow(bytes.subarray(start, end))
        : parseJson(bytes.toString('utf8', start, end));
    }
  },
});

/**
 * Yields the text of a JSON string in chunks from each position of `bounds` to the next. None of them
 * is within an escape or a character.
 */
export const stringChunks = (bytes: Buffer, bounds: readonly number[]): Iterable<string> => ({
  *[Symbol.iterator]() {
    for (let chunk = 1; chunk < bounds.length; chunk++)
      yield String(parseJson(`"${bytes.toString('utf8', bounds[chunk - 1], bounds[chunk])}"`));
  },
});
