import { isRecord } from '../records.ts';

const UNREAD_CODES = [
  'ignored',
  'unreadable',
  'no_value',
  'not_decoded',
  'unknown_envelope',
  'other_network',
  'other_preset',
  'read_by_preset',
  'unread_topic',
  'failed_measurement',
  'unset_clock',
  'skipped_hour',
  'hour_not_repeated',
  'fraction',
  'unknown_unit',
  'value_refused',
  'no_valid_value',
  'no_known_field',
  'no_field',
  'other',
] as const;
export type UnreadCode = (typeof UNREAD_CODES)[number];

/** Why a message, or a value in it, was not read. */
export interface UnreadReason {
  readonly code: UnreadCode;
  /** In English, as the errors of the API are. */
  readonly text: string;
}

/** As another process sends it, whose version may be another one. */
export type SentReason = string | { readonly code: string; readonly text: string };

/** True of a message of which other values may have been stored. */
export const isReadInPart = ({ code }: UnreadReason): boolean => code === 'value_refused';

export function receivedReason(sent: SentReason): UnreadReason {
  if (typeof sent === 'string') return { code: codeOfOldReason(sent), text: sent };
  const code = UNREAD_CODES.find((each) => each === sent.code) ?? 'other';
  return { code, text: sent.text };
}

/** Encodes it for a column that had the text alone. */
export const encodeReason = ({ code, text }: UnreadReason): string =>
  JSON.stringify({ code, text });

export const decodeReason = (stored: string): UnreadReason => receivedReason(sentReason(stored));

function sentReason(stored: string): SentReason {
  try {
    const reason: unknown = JSON.parse(stored);
    if (!isRecord(reason)) return stored;
    const { code, text } = reason;
    return typeof code === 'string' && typeof text === 'string' ? { code, text } : stored;
  } catch {
    return stored;
  }
}

/**
 * The code of a text without one, of which only two were ever looked at. Such texts lie in stores
 * of versions that stored the text alone, until the device gives readings, and come from such
 * versions of `acequia ingest mqtt`. Can go, with texts as stored reasons, once a migration has
 * rewritten `unread_messages` and no such version is supported as a client.
 */
export function codeOfOldReason(text: string): UnreadCode {
  if (text.startsWith('a value was refused')) return 'value_refused';
  return text.startsWith('no field is known') ? 'no_known_field' : 'other';
}
