export const HESITATIONS = 'u+m+|u+h+|erm?|e+u+h+|he+u+|e+h+|hm+';

/** Lower case, no accents, plain apostrophes, hyphens in words as spaces, no closing punctuation. */
export function normalizeWords(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[\u2018\u2019\u02bc`]/g, "'")
    .replace(/(?<=\p{L})[-\u2010\u2011](?=\p{L})/gu, ' ')
    .replace(/\b([ap])(?:\. ?| )m\b\.?/g, '$1m')
    .replace(/(?<!\d),|,(?!\d)/g, ' , ')
    .replace(/(?<=\p{L})\.(?=\s|$)|[.!?…\s]+$/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
}
