import {
  BACKSLASH,
  CLOSING_BRACE,
  CLOSING_BRACKET,
  COMMA,
  OPENING_BRACE,
  OPENING_BRACKET,
  QUOTE,
} from './json-characters.ts';

/** Each value costs several checks. Only batches come near this number. */
export const MAX_JSON_VALUES = 10_000;

/**
 * Measured before parsing, because JSON.parse has no limits of its own. An empty list counts as two
 * values. Beyond the greatest number of values, nothing more is counted.
 */
export function jsonShape(text: string): { depth: number; values: number } {
  let level = 0;
  let depth = 0;
  let values = 1;
  for (let i = 0; i < text.length && values <= MAX_JSON_VALUES; i++) {
    const char = text.charCodeAt(i);
    if (char === QUOTE) i = endOfString(text, i);
    else if (char === COMMA) values++;
    else if (char === OPENING_BRACE || char === OPENING_BRACKET) {
      values++;
      level++;
      depth = Math.max(depth, level);
    } else if (char === CLOSING_BRACE || char === CLOSING_BRACKET) level--;
  }

  return { depth, values };
}

/** The position of the closing quotation mark, or the end of the text. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return end;
  }
  return text.length;
}
