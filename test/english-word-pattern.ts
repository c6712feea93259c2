const ENGLISH_WORDS =
  'the and of with is are was were has have had in to from at by for it its this that no not none any all each every below above until since today yesterday tomorrow watering waterings moisture soil yet more last newest declare ask';

/** Words that the language shares with English. */
const SHARED_WORDS: Readonly<Record<string, readonly string[]>> = { es: ['no', 'declare'] };

/** English words that no sentence of the language contains. */
export function englishWordIn(lang: string): RegExp {
  const words = ENGLISH_WORDS.split(' ').filter((word) => !SHARED_WORDS[lang]?.includes(word));
  return new RegExp(`(?<![\\p{L}\\d_.])(${words.join('|')})(?![\\p{L}\\d_.])`, 'iu');
}
