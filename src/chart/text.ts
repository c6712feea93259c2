/** Names and labels fit to be drawn: nothing in them breaks a picture or runs out of it. */

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Widths in em, a little more than the bundled font's own; what it lacks is drawn as a box about as wide as a wide sign. */
function graphemeWidthEm(sign: string): number {
  if (/^[ .,:;'’|!ijlftr()-]/.test(sign)) return 0.38;
  if (/^[MWmw@%…—ŒÆ]/.test(sign)) return 0.86;
  if (/^[A-ZÀ-ÞΑ-ΩА-Я]/.test(sign)) return 0.66;
  return /^[ -~\u00a0-\u05ff]/.test(sign) ? 0.57 : 1.05;
}

/** About how wide a text is drawn, in px of `size`. */
export const textWidth = (text: string, size: number): number =>
  [...graphemes.segment(text)].reduce((sum, { segment }) => sum + graphemeWidthEm(segment) * size, 0);

/** A text on one line, without signs that an image file cannot hold. */
export const toDrawableLine = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029\ufffe\uffff]+/gu, ' ')
    .trim();

/** A text cut where it would be wider than `width` px, with an ellipsis in place of the rest. */
export function truncateText(text: string, size: number, width: number): string {
  if (textWidth(text, size) <= width) return text;
  const available = width - textWidth('…', size);
  let used = 0;
  let result = '';
  for (const { segment } of graphemes.segment(text)) {
    used += textWidth(segment, size);
    if (used > available) break;
    result += segment;
  }
  return `${result.trimEnd()}…`;
}
