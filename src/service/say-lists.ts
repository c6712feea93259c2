/** "05:00", "05:00 and 18:00", "10, 30 and 60". */
export const joined = (words: readonly (string | number)[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
