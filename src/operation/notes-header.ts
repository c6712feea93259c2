import { LANGS, type Lang } from '../domain/lang.ts';
import { singleLine } from '../language/text.ts';
import { type NoteOrText, parseNotes } from '../schema/note.ts';

/**
 * Asks in a request for the notes on an answer, by the language that they are to be in ("fr"; "1" leaves it to the
 * service), and carries them beside the body in the response.
 */
export const NOTES_HEADER = 'acequia-remarks';

/** Asks, beside NOTES_HEADER, for facts in place of sentences. A service that does not know it sends sentences. */
export const NOTE_FACTS_HEADER = 'acequia-note-facts';

type RequestHeaders = Readonly<Record<string, string | string[] | undefined>>;

export interface NotesRequest {
  /** Null where the language is left to the service. */
  readonly lang: Lang | null;
  readonly wantsFacts: boolean;
}

/** Null where a request asks for no notes. */
export function parseNotesRequest(headers: RequestHeaders): NotesRequest | null {
  const header = headers[NOTES_HEADER];
  const lang = LANGS.find((each) => each === header) ?? null;
  return lang === null && header !== '1' ? null : { lang, wantsFacts: headers[NOTE_FACTS_HEADER] === '1' };
}

/** Clients read only some KiB of headers. */
const MAX_HEADER_BYTES = 4096;

/** Notes as a header carries them: percent-encoded JSON, whole notes as far as they fit. */
export function formatNotesHeader(notes: readonly NoteOrText[]): string {
  const included: NoteOrText[] = [];
  let header = encodeNotes(included);
  for (const note of notes) {
    included.push(note);
    const longer = encodeNotes(included);
    if (longer.length > MAX_HEADER_BYTES) break;
    header = longer;
  }
  return header;
}

const encodeNotes = (notes: readonly NoteOrText[]): string => encodeURIComponent(JSON.stringify(notes));

/** The notes in such a header; none where it is missing or holds something else. */
export function parseNotesHeader(header: string | undefined): NoteOrText[] {
  if (header === undefined || header.length > MAX_HEADER_BYTES) return [];
  try {
    const onOneLine = (_: string, value: unknown): unknown => (typeof value === 'string' ? singleLine(value) : value);
    return parseNotes(JSON.parse(decodeURIComponent(header), onOneLine));
  } catch {
    return [];
  }
}
