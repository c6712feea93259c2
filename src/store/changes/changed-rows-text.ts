import { compressText, decompressText } from '../compressed-text.ts';
import type { ChangedRow } from '../scope/recorded-rows.ts';

export const encodeRows = (rows: readonly ChangedRow[]): Promise<string> =>
  compressText(JSON.stringify(rows));

export const decodeRows = async (text: string): Promise<ChangedRow[]> =>
  JSON.parse(await decompressText(text));
