import pg from 'pg';

const ARRAY_HEADER_BYTES = 20;
/** A length and a value of 64 bits. */
const ELEMENT_BYTES = 12;

/**
 * Arrays without nulls in the server's own binary form, which is read by neither side as text: `array_recv` of its source,
 * https://github.com/postgres/postgres/blob/master/src/backend/utils/adt/arrayfuncs.c
 */
function binaryArray(
  type: number,
  length: number,
  write: (bytes: Buffer, index: number, offset: number) => void,
): Buffer {
  const bytes = Buffer.allocUnsafe(ARRAY_HEADER_BYTES + ELEMENT_BYTES * length);
  bytes.writeInt32BE(1, 0); // dimensions
  bytes.writeInt32BE(0, 4); // no nulls
  bytes.writeInt32BE(type, 8);
  bytes.writeInt32BE(length, 12);
  bytes.writeInt32BE(1, 16); // the index of the first
  for (let index = 0, offset = ARRAY_HEADER_BYTES; index < length; index++, offset += ELEMENT_BYTES) {
    bytes.writeInt32BE(8, offset);
    write(bytes, index, offset + 4);
  }
  return bytes;
}

/** A `bigint[]` of safe integers. */
export const bigintArray = (length: number, at: (index: number) => number): Buffer =>
  binaryArray(pg.types.builtins.INT8, length, (bytes, index, offset) => {
    const value = at(index);
    // In two halves, the lower one modulo 2^32: a BigInt for each would take far longer.
    bytes.writeInt32BE(Math.floor(value / 2 ** 32), offset);
    bytes.writeUInt32BE(value >>> 0, offset + 4);
  });

/** A `double precision[]`. */
export const doubleArray = (length: number, at: (index: number) => number): Buffer =>
  binaryArray(pg.types.builtins.FLOAT8, length, (bytes, index, offset) =>
    // There is one zero, as text has it.
    bytes.writeDoubleBE(at(index) + 0, offset),
  );
