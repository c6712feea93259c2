import type { ArgumentName } from '../../domain/text/text.ts';

/**
 * Gives the words for an argument, an item of its list ("0") or a member of that; null where no
 * field is called so.
 */
export type ArgumentWords = (path: readonly string[]) => string | null;

/**
 * With its article, unless it is a numbered item ("start time 1"); what has no words, such as
 * "style.fill" or an argument of another tool, is said as it is.
 */
export function spokenArgument(
  { path, isBare }: ArgumentName,
  wordsOf: ArgumentWords = () => null,
): string {
  const steps = path.split('.');
  const words = wordsOf(steps);
  if (words === null) return path;

  const [name = '', index = '', member] = steps;
  const withArticle = isBare ? words : `the ${words}`;
  if (!/^\d+$/.test(index)) return withArticle;

  const number = Number(index) + 1;
  if (member === undefined) return numbered(words, number);
  const item = wordsOf([name, index]);
  return item === null ? path : `${withArticle}, in ${numbered(item, number)},`;
}

/** "corner 2 of the outline" */
function numbered(words: string, number: number): string {
  const [item, ...rest] = words.split(' of ');
  return [`${item} ${number}`, ...rest].join(' of ');
}
