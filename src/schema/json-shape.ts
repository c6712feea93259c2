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
 * values.
 */
export function jsonShape(text: string): { depth: number; values: number } {
  let level = 0;
  let depth = 0;
  let values = 1;
  let isInString = false;
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i);
    if (isInString) {
      // The escaped character is skipped, because it may be a quotation mark.
      if (char === BACKSLASH) i++;
      else if (char === QUOTE) isInString = false;
    } else if (char === QUOTE) isInString = true;
    else if (char === COMMA) values++;
    else if (char === OPENING_BRACE || char === OPENING_BRACKET) {
      values++;
      level++;
      depth = Math.max(depth, level);
    } else if (char === CLOSING_BRACE || char === CLOSING_BRACKET) level--;
  }

  return { depth, values };
}
