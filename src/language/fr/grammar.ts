import { intlFormat } from '../intl-format.ts';

export const frenchFormat = intlFormat('fr-FR');

export const { noun: frenchNoun, count: frenchCount } = frenchFormat;

export const startsWithElidedVowel = (text: string): boolean =>
  /^[aeiouœæ]/iu.test(text.normalize('NFD')) || /^hier\b/.test(text);

/** "de North 1", "d’Ouest"; "du 12 juillet", "d’hier", "de demain". */
export function withDe(text: string): string {
  if (text.startsWith('le ')) return `du ${text.slice(3)}`;
  return startsWithElidedVowel(text) ? `d’${text}` : `de ${text}`;
}

/** "jusqu’au 12 juillet", "jusqu’à hier". */
export const withJusqua = (text: string): string =>
  text.startsWith('le ') ? `jusqu’au ${text.slice(3)}` : `jusqu’à ${text}`;
