import { LANGS } from '../domain/lang.ts';
import { mapTexts, quoteUpTo, singleLine } from '../language/text.ts';
import { type NoteOrText, parseNotes } from '../schema/note.ts';

/** In a request: the language of notes ("fr"; "1": the service's choice). In a response: the notes. */
export const NOTES_HEADER = 'acequia-remarks';

/** Requests facts instead of sentences. A service that does not know it sends sentences. */
export const NOTE_FACTS_HEADER = 'acequia-note-facts';

/** In the response of a write: the id of its change. */
export const CHANGE_HEADER = 'acequia-change-id';

type RequestHeaders = Readonly<Record<string, string | string[] | undefined>>;

export function parseNotesRequest(headers: RequestHeaders) {
  const header = headers[NOTES_HEADER];
  const lang = LANGS.find((each) => each === header) ?? null;
  return lang === null && header !== '1' ? null : { lang, wantsFacts: headers[NOTE_FACTS_HEADER] === '1' };
}

/** Clients read only some KiB of headers. */
const MAX_HEADER_BYTES = 4096;

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

const quoteSentence = quoteUpTo(300);

/** A sentence of another service is quoted: it is not ours. */
export function parseNotesHeader(header: string | undefined): NoteOrText[] {
  if (header === undefined || header.length > MAX_HEADER_BYTES) return [];
  try {
    const notes = parseNotes(mapTexts(JSON.parse(decodeURIComponent(header)), singleLine));
    return notes.map((note) => (typeof note === 'string' ? quoteSentence(note) : note));
  } catch {
    return [];
  }
}
