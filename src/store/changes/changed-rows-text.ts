import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { ChangedRow } from '../scope/recorded-rows.ts';

/**
 * A setup that completes thousands of doses changes nearly identical rows, which compress to a
 * thirtieth.
 */
const COMPRESSED_FROM_LENGTH = 65_536;
const COMPRESSED = 'deflate:';

export function encodeRows(rows: readonly ChangedRow[]): string {
  const json = JSON.stringify(rows);
  return json.length < COMPRESSED_FROM_LENGTH
    ? json
    : COMPRESSED + deflateRawSync(json).toString('base64');
}

export const decodeRows = (text: string): ChangedRow[] =>
  JSON.parse(
    text.startsWith(COMPRESSED)
      ? inflateRawSync(Buffer.from(text.slice(COMPRESSED.length), 'base64')).toString()
      : text,
  );
