import type { ArgumentName } from '../../domain/text/text.ts';

/**
 * What people call an argument, an item of its list ("0") or a member of that; null where its name
 * in words says it.
 */
export type ArgumentWords = (path: readonly string[]) => string | null;

/** Units and other endings that are not said, in the name of an argument of another tool. */
const SILENT_ENDING = /(Id|Min|Mm|Cm|M|M2|M3|Percent)$/;

const nameInWords = (name: string): string =>
  name
    .replace(SILENT_ENDING, '')
    .replace(/([a-z])([A-Z])/g, (_, end: string, start: string) => `${end} ${start.toLowerCase()}`);

/**
 * With its article, unless it is a numbered item ("start time 1"); a path that has no words, such as
 * "style.fill", is said as it is.
 */
export function spokenArgument(
  { path, isBare }: ArgumentName,
  wordsOf: ArgumentWords | undefined,
): string {
  const [, index, member, deeper] = path.split('.');
  if (Number.isNaN(Number(index ?? 0)) || deeper !== undefined) return path;
  const words = argumentInWords(path, wordsOf);
  const isNumbered = index !== undefined && member === undefined;
  return isBare || isNumbered ? words : `the ${words}`;
}

/** "layers.2" is the third layer, and "layers.2.depthTopCm" what is wrong with it. */
function argumentInWords(path: string, wordsOf: ArgumentWords = () => null): string {
  const [name = '', index, member] = path.split('.');
  const words = wordsOf([name]) ?? nameInWords(name);
  if (index === undefined) return words;

  const item = `${wordsOf([name, index]) ?? words.replace(/s$/, '')} ${Number(index) + 1}`;
  if (member === undefined) return item;
  return `${wordsOf([name, index, member]) ?? nameInWords(member)}, in ${item},`;
}
