/** Numbers from 0 to 99 as English and French say them. Accents are stripped and hyphens are spaces in all of this. */

const ENGLISH_SMALL =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const ENGLISH_TENS = ['twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'];
const FRENCH_SMALL = [
  ...'zero un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize'.split(' '),
  ...['dix sept', 'dix huit', 'dix neuf'],
];
const FRENCH_TENS = ['vingt', 'trente', 'quarante', 'cinquante', 'soixante'];

const VALUES = new Map([...englishNumbers(), ...frenchNumbers()]);
const LONGEST_FIRST = [...VALUES.keys()].sort((a, b) => b.length - a.length);
/** "sept" beside a figure is the month: "1 sept", "sept 12". */
const NUMBER_WORDS = new RegExp(
  `\\b(?!(?<=\\d(?:st|nd|rd|th|er)? )sept\\b|sept \\d)(?:${LONGEST_FIRST.join('|')})\\b`,
  'g',
);

/** Writes the number words of a text as marked figures ("six heures" becomes "#6 heures"); rules match those. */
export function markNumbers(text: string): string {
  return text.replaceAll('#', '?').replace(NUMBER_WORDS, (word) => `#${VALUES.get(word)}`);
}

/** A text without the marks, fit for a message. */
export const unmarkNumbers = (text: string): string => text.replaceAll('#', '');

/** Sources of regular expressions: a number that was said as a word; one said or in figures. */
export const NUMBER_WORD = '#\\d{1,2}';
export const NUMBER = '#?\\d{1,4}';

/** The value of what NUMBER matched, or of a decimal number. */
export const numberValue = (text: string): number => Number(unmarkNumbers(text));

function englishNumbers(): Map<string, number> {
  const words = new Map(ENGLISH_SMALL.map((word, value) => [word, value]));
  ENGLISH_TENS.forEach((tens, index) => {
    const base = 20 + index * 10;
    words.set(tens, base);
    for (let unit = 1; unit <= 9; unit++) words.set(`${tens} ${ENGLISH_SMALL[unit]}`, base + unit);
  });
  return words;
}

function frenchNumbers(): Map<string, number> {
  const small = FRENCH_SMALL;
  const words = new Map(small.map((word, value) => [word, value]));
  const set = (value: number, ...forms: string[]): void => {
    for (const form of forms) words.set(form, value);
  };
  set(1, 'une');
  FRENCH_TENS.forEach((tens, index) => {
    const base = 20 + index * 10;
    set(base, tens);
    set(base + 1, `${tens} et un`, `${tens} et une`, `${tens} un`, `${tens} une`);
    for (let unit = 2; unit <= 9; unit++) set(base + unit, `${tens} ${small[unit]}`);
  });
  for (let unit = 0; unit <= 9; unit++) set(70 + unit, `soixante ${small[10 + unit]}`);
  set(71, 'soixante et onze');
  set(80, 'quatre vingt', 'quatre vingts');
  for (let unit = 1; unit <= 19; unit++) set(80 + unit, `quatre vingt ${small[unit]}`);
  set(81, 'quatre vingt une');
  return words;
}
