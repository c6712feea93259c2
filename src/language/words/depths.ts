import { LANGUAGE_WORDS } from '../index.ts';

const SEPARATOR = /[\s,;/+&]+/;
const FIGURE = /^\(?(\d{1,5}([.]\d+)?)(cm)?[).]*$/i;
/** The words in "at 10 and 30 cm", in every language. */
const BESIDE_FIGURES = new RegExp(
  `^\\(?(?:${LANGUAGE_WORDS.map(({ besideDepths }) => besideDepths).join('|')}|cm)[).]*$`,
  'i',
);

const MAX_DEPTH_CM = 10_000;

/** Depths in cm, or the first word that is neither a depth nor stands beside one. */
export type ParsedDepths =
  | { readonly depths: readonly number[] }
  | { readonly unknownWord: string };

/** Parses "10, 20, 30", "10 20 30 cm", "at 10 and 30 cm". */
export function parseDepths(text: string): ParsedDepths {
  const depths: number[] = [];
  for (const word of text.split(SEPARATOR)) {
    if (word === '' || BESIDE_FIGURES.test(word)) continue;

    const depth = Number(FIGURE.exec(word)?.[1] ?? Number.NaN);
    if (!(depth <= MAX_DEPTH_CM)) return { unknownWord: word };
    depths.push(depth);
  }

  return { depths };
}

export const isOfDepths = (word: string): boolean => FIGURE.test(word) || BESIDE_FIGURES.test(word);
