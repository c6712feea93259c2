/**
 * The value as JSON, complete in its first `most` characters: most of what follows is left out, so that a message about a
 * batch of megabytes does not write it out first.
 */
export function truncatedJson(value: unknown, most: number): string {
  // Each value writes at least one character, so `most` values are enough.
  let left = most;
  const cut = (_: string, each: unknown): unknown => {
    if (left-- <= 0) return undefined;
    return typeof each === 'string' || Array.isArray(each) ? each.slice(0, most) : each;
  };
  return JSON.stringify(value, cut) ?? String(value);
}

export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** On one line, without invisible characters. */
export const singleLine = (text: string | null | undefined): string => text?.replace(/[\p{C}\s]+/gu, ' ').trim() ?? '';

/** For a message: on one line, quoted, at most 60 characters. */
export function quote(text: string): string {
  const line = singleLine(text);
  return `"${line.length > 60 ? `${line.slice(0, 57)}…` : line}"`;
}

/** Without case and accents, runs of spaces as one. */
export const foldText = (text: string): string =>
  text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replace(/\s+/g, ' ').trim();
