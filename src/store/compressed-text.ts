import { promisify } from 'node:util';
import {
  brotliCompress,
  brotliCompressSync,
  brotliDecompress,
  brotliDecompressSync,
  constants,
  inflateRawSync,
} from 'node:zlib';

/** A shorter text gains little. */
const MIN_LENGTH_TO_COMPRESS = 1_024;
/**
 * Up to about a millisecond is computed at once: a transaction that waits for another thread holds
 * its lock meanwhile. Longer texts are left to other threads.
 */
const MAX_LENGTH_AT_ONCE = 262_144;

/** No JSON begins with these. Older stores have texts of the second kind. */
const BROTLI_PREFIX = 'brotli:';
const DEFLATE_PREFIX = 'deflate:';

/** The rows of a parcel differ little from each other, and shrink to a hundredth in 1 to 2 ms. */
const QUALITY = 5;
/** Thousands of random ids take 9 ms instead of 31; rows without any become 1.5 times as long. */
const QUALITY_OF_LONG = 4;

const compressElsewhere = promisify(brotliCompress);
const decompressElsewhere = promisify(brotliDecompress);

/** For texts of JSON. */
export async function compressText(json: string): Promise<string> {
  if (json.length < MIN_LENGTH_TO_COMPRESS) return json;

  const bytes =
    json.length <= MAX_LENGTH_AT_ONCE
      ? brotliCompressSync(json, optionsOf(QUALITY))
      : await compressElsewhere(json, optionsOf(QUALITY_OF_LONG));
  return BROTLI_PREFIX + bytes.toString('base64');
}

const optionsOf = (quality: number) => ({
  params: { [constants.BROTLI_PARAM_QUALITY]: quality },
});

export async function decompressText(text: string): Promise<string> {
  if (text.startsWith(DEFLATE_PREFIX))
    return inflateRawSync(bytesAfter(DEFLATE_PREFIX, text)).toString();
  if (!text.startsWith(BROTLI_PREFIX)) return text;

  const bytes = bytesAfter(BROTLI_PREFIX, text);
  // A kilobyte may hold a hundred.
  const decompressed =
    bytes.length <= MAX_LENGTH_AT_ONCE / 100
      ? brotliDecompressSync(bytes)
      : await decompressElsewhere(bytes);
  return decompressed.toString();
}

const bytesAfter = (prefix: string, text: string): Buffer =>
  Buffer.from(text.slice(prefix.length), 'base64');
