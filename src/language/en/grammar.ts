/** Small words of English that change with a number. */

/** A noun for so many: the singular for 1 alone. */
export const englishNoun = (count: number, one: string, several = `${one}s`): string => (count === 1 ? one : several);

/** A noun after its number. */
export const englishCount = (count: number, one: string, several?: string): string =>
  `${count} ${englishNoun(count, one, several)}`;
