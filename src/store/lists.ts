import { endianness } from 'node:os';
import { sql } from 'kysely';

const DOUBLE_BYTES = Float64Array.BYTES_PER_ELEMENT;

/**
 * The numbers of a column in one value, which a server sends far sooner than as many rows: each in the eight bytes of a
 * double, so that neither side writes or reads it as text.
 */
export const packedDoubles = (column: string) => sql<Buffer>`string_agg(float8send(${sql.ref(column)}::float8), '')`;

export const packedLength = (list: Buffer): number => list.length / DOUBLE_BYTES;

/** Writes the numbers of a list into an array, from an index on. */
export function unpackInto(list: Buffer, into: Float64Array, index: number): void {
  const bytes = Buffer.from(into.buffer, into.byteOffset + index * DOUBLE_BYTES, list.length);
  list.copy(bytes);
  // The server has the highest byte first.
  if (endianness() === 'LE') bytes.swap64();
}

/** The numbers of a list. */
export function unpackDoubles(list: Buffer): Float64Array {
  const numbers = new Float64Array(packedLength(list));
  unpackInto(list, numbers, 0);
  return numbers;
}
