import { intlFormat } from '../intl-format.ts';

/** Months as "Sep", not "Sept"; lists without a comma before "and". */
export const englishFormat = intlFormat('en-US', 'en-GB');

export const { noun: englishNoun, count: englishCount } = englishFormat;
