/**
 * A key or an access token (JWT) may be sent in place of another value, and quoted values are shown
 * and logged.
 */
export const redactKeys = (text: string): string =>
  text.replace(/acequia_[\w-]{43}/g, 'acequia_…').replace(/eyJ[\w-]{10,}(\.[\w-]*)*/g, 'eyJ…');

/** JSON that leaves out most of a large value: about `maxLength` characters of it are written. */
export function truncatedJson(value: unknown, maxLength: number): string {
  // Each value takes at least one character, so `maxLength` values are enough.
  let remaining = maxLength;
  const cut = (_: string, member: unknown): unknown => {
    if (remaining <= 0) return undefined;
    remaining--;
    return typeof member === 'string' || Array.isArray(member)
      ? member.slice(0, maxLength)
      : member;
  };
  return redactKeys(JSON.stringify(value, cut) ?? String(value));
}

/** "a, b or c" */
export const alternatives = (items: readonly string[], or = 'or'): string =>
  items.length < 2
    ? items.join('')
    : `${items.slice(0, -1).join(', ')} ${or} ${items.slice(-1).join('')}`;

export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Colours, titles, links and the like. Source: ECMA-48, 5.4 and 5.6. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: terminals act on these
const ESCAPE_SEQUENCES = /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b[\]PX^_]\P{Cc}*(?:\x07|\x1b\\)/gu;
const LINE_BREAKS_AND_CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;
/** Zero-width and bidirectional characters, variation selectors, tags, lone surrogates. */
const INVISIBLE = /[\p{C}\p{DI}]+/gu;
/** Matches what `visibleText` removes or replaces; most texts have nothing of it. */
const CHANGED_CHARACTER = /[\p{C}\p{DI}\p{Zl}\p{Zp}]/u;

/**
 * Texts of people and other systems are stored, and returned over REST, unchanged. Before they
 * reach a model, a terminal, a mail or a picture, this removes what cannot be seen: it could carry
 * instructions, or break out of its line.
 */
export const visibleText = (text: string): string =>
  CHANGED_CHARACTER.test(text)
    ? text
        .replace(ESCAPE_SEQUENCES, '')
        .replace(LINE_BREAKS_AND_CONTROLS, ' ')
        .replace(INVISIBLE, '')
    : text;

export const singleLine = (text: string | null | undefined): string =>
  visibleText(text ?? '')
    .replace(/\s+/g, ' ')
    .trim();

/** Leaves no half of a character that takes two UTF-16 units. */
const truncate = (line: string, maxLength: number): string =>
  line.length > maxLength
    ? `${line.slice(0, maxLength - '…'.length).replace(/[\ud800-\udbff]$/, '')}…`
    : line;

/** The rest of a longer text is not read: to clean a megabyte takes a tenth of a second. */
const MAX_CLEANED_LENGTH = 1_000;

/** Quotes a text for a message, on one line, so that the text cannot close its quotes. */
export const quoteUpTo =
  (maxLength: number) =>
  (text: string): string => {
    const line = redactKeys(singleLine(text.slice(0, MAX_CLEANED_LENGTH)));
    return `"${truncate(line, maxLength).replaceAll('"', "'")}"`;
  };

const USUAL_QUOTE_LENGTH = 60;

export const quote = quoteUpTo(USUAL_QUOTE_LENGTH);

const QUOTED = /^"[^"]*"$/;

/**
 * Up to four words without punctuation that could end a sentence or a list entry; also codes,
 * figures and instants.
 */
const PLAIN_NAME = /^(?!.{41})(?:(?:^| )(?:[\p{L}\p{M}\p{N}\p{So}&'’/_+-]|[.:](?=\d))+){1,4}$/u;

/** A plain name of one word in ASCII, as most texts of an answer are, which is quick to see. */
const PLAIN_WORD = /^(?:[\w/+-]|[.:](?=\d)){1,40}$/;

/**
 * A longer or unusual name is quoted in a sentence, so that it cannot be read as part of the
 * sentence.
 */
export function nameInSentence(name: string | null | undefined): string {
  if (typeof name === 'string' && PLAIN_WORD.test(name)) return name;

  const line = singleLine(name?.slice(0, MAX_CLEANED_LENGTH));
  const isQuoted = QUOTED.test(line) && line.length <= USUAL_QUOTE_LENGTH + '""'.length;
  return line === '' || PLAIN_NAME.test(line) || isQuoted ? line : quote(line);
}

/** `field`: the name of the field that the value is of, if it is of one. */
export function mapTexts(
  value: unknown,
  change: (text: string, field?: string) => string,
  field?: string,
): unknown {
  if (typeof value === 'string') return change(value, field);
  if (Array.isArray(value)) return value.map((element) => mapTexts(element, change, field));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      visibleText(name),
      mapTexts(member, change, name),
    ]),
  );
}

/** As `mapTexts`, of a value whose names of fields are visible. */
export const withTexts = <T>(value: T, change: (text: string) => string): T =>
  // `mapTexts` keeps what is no text, so that the type stays.
  mapTexts(value, change) as T;

/** The JSON of a value with visible texts only. */
export function visibleJson(value: unknown): string {
  const json = JSON.stringify(value);
  // JSON.stringify writes control characters as escapes.
  return CHANGED_CHARACTER.test(json) || /\\[bfnrtu]/.test(json)
    ? JSON.stringify(mapTexts(JSON.parse(json), visibleText))
    : json;
}

/** For searches of the page, which has no room for the rest of `foldText`. */
export const withoutCaseAndAccents = (text: string): string =>
  text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/**
 * Removes invisible characters too, and makes each run of spaces one. For spoken words and names
 * alone: addresses are compared by `isSameAddress`, and what grants access is named exactly.
 */
export const foldText = (text: string): string => singleLine(withoutCaseAndAccents(text));

const XML_ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

export const escapeXml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => XML_ENTITIES[character]!);
