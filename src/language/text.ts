import { redactKeys } from '../schema/error.ts';

/** Most of what follows the first `most` characters is left out, so that large values are not written whole. */
export function truncatedJson(value: unknown, most: number): string {
  // Each value writes at least one character, so `most` values are enough.
  let left = most;
  const cut = (_: string, each: unknown): unknown => {
    if (left-- <= 0) return undefined;
    return typeof each === 'string' || Array.isArray(each) ? each.slice(0, most) : each;
  };
  return redactKeys(JSON.stringify(value, cut) ?? String(value));
}

export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export const singleLine = (text: string | null | undefined): string => text?.replace(/[\p{C}\s]+/gu, ' ').trim() ?? '';

/** In characters. What follows is not read: a text of a megabyte takes a tenth of a second. */
const MAX_QUOTED_LENGTH = 1_000;

/** For a message: on one line, quoted, at most 60 characters. */
export function quote(text: string): string {
  const line = redactKeys(singleLine(text.slice(0, MAX_QUOTED_LENGTH)));
  return `"${line.length > 60 ? `${line.slice(0, 57)}…` : line}"`;
}

/** Without case and accents, runs of spaces as one. */
export const foldText = (text: string): string =>
  text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replace(/\s+/g, ' ').trim();
