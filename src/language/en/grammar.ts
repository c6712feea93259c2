import { formatAlternatives, intlFormat } from '../intl-format.ts';

/** Months as "Sep", not "Sept"; lists without a comma before "and". */
export const englishFormat = intlFormat('en-US', 'en-GB');

export const { noun: englishNoun, count: englishCount } = englishFormat;

/** Joins the items of a list or the figures of a quantity. */
export const englishJoiners = {
  alternatives: (items: readonly string[]) => formatAlternatives(items, 'en-GB'),
  partOf: (part: string, whole: string) => `${part} of ${whole}`,
};
