import { foldText } from '../../domain/strings.ts';
import type { NumberWords } from './language-words.ts';

/** A number word after `numberMarker`. */
export const NUMBER_WORD = '#\\d{1,2}';
export const NUMBER = '#?\\d{1,4}';
export const TWO_DIGITS = '#?\\d{1,2}';

/** "six heures" becomes "#6 heures", and "two point one" "#2.1". */
export function numberMarker({
  values,
  except,
  one,
  and,
  point,
}: NumberWords): (text: string) => string {
  const longestFirst = [...values.keys()].sort((a, b) => b.length - a.length);
  const words = new RegExp(
    `\\b${except === undefined ? '' : `(?!${except})`}(?:${longestFirst.join('|')})\\b`,
    'g',
  );
  // "#3 #100" is three hundred, and "a hundred" is one. (?!) matches nothing.
  const times = new RegExp(`(?<= |^)(?:#?(\\d{1,3})|${one ?? '(?!)'}) #(1000?)(?= |$)`, 'gu');
  // "#300 and #12" is 312: the rest must fit into the zeros.
  const sum = new RegExp(`(?<= |^)#(\\d+(?<=\\d00)) (?:${and} )?#(\\d{1,3})(?= |$)`, 'gu');
  // "#2 point #1", "point #2 #5", "#2 virgule #0 #25". Nobody says a hundred after the point.
  const decimal = new RegExp(
    `(?<= |^)(?:#?(\\d{1,7}) )?(?:${point}) (#\\d(?: #\\d){1,3}|(?:(?:#0|oh) )*(?!#?\\d00)#?\\d{1,3})(?= |$)`,
    'g',
  );

  const addUp = (text: string): string =>
    text.replace(sum, (match, round: string, rest: string) => {
      const head = round.replace(/(?<=\d)(?<!0)0+$|(?<=^0)0+$/, '');
      const zeros = round.length - head.length;
      return rest.length <= zeros ? `#${head}${rest.padStart(zeros, '0')}` : match;
    });

  return (text) => {
    const marked = text.replaceAll('#', '?').replace(words, (word) => `#${values.get(word)}`);
    const multiplied = marked.replace(
      times,
      (_, count: string | undefined, unit: string) => `#${Number(count ?? 1) * Number(unit)}`,
    );
    // Twice: thousands and hundreds, then hundreds and the rest.
    const whole = addUp(addUp(multiplied));
    return whole.replace(
      decimal,
      (_, units: string | undefined, decimals: string) =>
        `#${units ?? 0}.${decimals.replaceAll('oh', '0').replace(/\D/g, '')}`,
    );
  };
}

export const unmarkNumbers = (text: string): string => text.replaceAll('#', '');

export const numberValue = (text: string): number => Number(unmarkNumbers(text));

/** 1 for a word such as "a" or "an". */
export const figureValue = (text: string): number =>
  /\d/.test(text) ? numberValue(text.replace(',', '.')) : 1;

/** The minutes of "a quarter", "et demie", "#20 minutes". */
export function minutesIn(text: string, fractions: NumberWords['fractions']): number {
  const fraction = fractions.find(([pattern]) => new RegExp(pattern, 'u').test(text));
  return fraction === undefined ? numberValue(/#?\d+/.exec(text)?.[0] ?? '0') : fraction[1];
}

/** Serves a language that says "twenty one": tens, a joiner, units. */
export function composeNumbers(
  small: readonly string[],
  tens: readonly string[],
  joiner: string,
): Map<string, number> {
  const words = new Map(small.map((word, value) => [word, value]));
  tens.forEach((ten, index) => {
    const base = 20 + index * 10;
    words.set(ten, base);
    for (let unit = 1; unit <= 9; unit++) words.set(`${ten}${joiner}${small[unit]}`, base + unit);
  });
  return words;
}

export const HESITATIONS = 'u+m+|u+h+|erm?|e+u+h+|he+u+|e+h+|hm+';

/**
 * Lower case, no accents, plain apostrophes, hyphens in words as spaces, no closing punctuation.
 */
export function normalizeWords(text: string): string {
  return foldText(text)
    .replace(/[\u2018\u2019\u02bc`]/g, "'")
    .replace(/(?<=\p{L})[-\u2010\u2011](?=\p{L})/gu, ' ')
    .replace(/\b([ap])(?:\. ?| )m\b\.?/g, '$1m')
    .replace(/(?<!\d),|,(?!\d)/g, ' , ')
    .replace(/(?<![.!?…\s])[.!?…\s]+$/u, '')
    .replace(/(?<=\p{L})\.(?=\s)/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
}
