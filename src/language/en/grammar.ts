import { intlFormat } from '../intl-format.ts';

/** Months as "Sep", not "Sept"; lists without a comma before "and". */
export const englishFormat = intlFormat('en-US', 'en-GB');

export const { noun: englishNoun, count: englishCount } = englishFormat;

/**
 * A pattern of what stands between figures of one unit: "10, 20 and 30 cm", "6.9 of 7.6 mm". A comma
 * alone separates different things: "on Almond 1, 12 mm".
 */
export const FIGURE_JOINERS = ', and |, (?=[\\d., ]+ (?:and|or) \\d)| and | to | of | or ';
