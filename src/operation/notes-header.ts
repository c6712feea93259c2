import { LANGS, type Lang } from '../domain/lang.ts';

/**
 * Asks for the remarks of an answer in a request, by the language that they are to be in ("fr"; "1" leaves it to the
 * service), and carries them beside the body in the response.
 */
export const NOTES_HEADER = 'acequia-remarks';

/** What a request asks for of remarks: null for nothing; the language is null where it is left to the service. */
export function parseNotesRequest(header: string | string[] | undefined): { readonly lang: Lang | null } | null {
  if (header === '1') return { lang: null };
  const lang = LANGS.find((each) => each === header);
  return lang === undefined ? null : { lang };
}

/** As much as is sent of them, in bytes: a client reads no more than some KiB of headers. */
const MAX_HEADER_BYTES = 4096;

/** Remarks as a header carries them: percent-encoded JSON, whole remarks as far as they fit. */
export function formatNotesHeader(notes: readonly string[]): string {
  const included: string[] = [];
  let header = encodeNotes(included);
  for (const remark of notes) {
    included.push(remark);
    const longer = encodeNotes(included);
    if (longer.length > MAX_HEADER_BYTES) break;
    header = longer;
  }
  return header;
}

const encodeNotes = (notes: readonly string[]): string => encodeURIComponent(JSON.stringify(notes));

/** The remarks in such a header; none where it is missing or holds something else. */
export function parseNotesHeader(header: string | undefined): string[] {
  if (header === undefined || header.length > MAX_HEADER_BYTES) return [];
  try {
    const read: unknown = JSON.parse(decodeURIComponent(header));
    return Array.isArray(read) ? read.filter((each) => typeof each === 'string').map(toSingleLine) : [];
  } catch {
    return [];
  }
}

const toSingleLine = (text: string): string => text.replace(/[\p{C}\s]+/gu, ' ').trim();
