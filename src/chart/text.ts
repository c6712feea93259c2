const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** An estimate; the box for a missing glyph is as wide as a wide character. */
function graphemeWidthEm(grapheme: string): number {
  if (/^[ .,:;'’|!ijlftr()-]/.test(grapheme)) return 0.38;
  if (/^[MWmw@%…—ŒÆ]/.test(grapheme)) return 0.86;
  if (/^[A-ZÀ-ÞΑ-ΩА-Я]/.test(grapheme)) return 0.66;
  return /^[ -~\u00a0-\u05ff]/.test(grapheme) ? 0.57 : 1.05;
}

export const textWidth = (text: string, size: number): number =>
  [...graphemes.segment(text)].reduce((sum, { segment }) => sum + graphemeWidthEm(segment) * size, 0);

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
