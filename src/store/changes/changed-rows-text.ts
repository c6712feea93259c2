import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { ChangedRow } from '../scope/recorded-rows.ts';

/**
 * A setup that completes thousands of doses changes nearly identical rows, which compress to a
 * thirtieth.
 */
const MIN_LENGTH_TO_COMPRESS = 65_536;
const COMPRESSED_PREFIX = 'deflate:';

export function encodeRows(rows: readonly ChangedRow[]): string {
  const json = JSON.stringify(rows);
  return json.length < MIN_LENGTH_TO_COMPRESS
    ? json
    : COMPRESSED_PREFIX + deflateRawSync(json).toString('base64');
}

export const decodeRows = (text: string): ChangedRow[] =>
  JSON.parse(
    text.startsWith(COMPRESSED_PREFIX)
      ? inflateRawSync(Buffer.from(text.slice(COMPRESSED_PREFIX.length), 'base64')).toString()
      : text,
  );
