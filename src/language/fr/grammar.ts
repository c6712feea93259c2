import { say, verbatim } from '../../domain/text/say.ts';
import type { Name, Text } from '../../domain/text/text.ts';
import type { Language } from '../en/index.ts';
import { formatAlternatives, intlFormat } from '../intl-format.ts';

export const frenchFormat = intlFormat('fr-FR');

export const { count: frenchCount } = frenchFormat;

const startsWithElidedVowel = (text: string): boolean =>
  /^[aeiouœæ]/iu.test(text.normalize('NFD')) || /^hier\b/.test(text);

/** "de North 1", "d’Ouest"; "du 12 juillet", "d’hier", "de demain". */
export function withDe(text: string): string {
  if (text.startsWith('le ')) return `du ${text.slice(3)}`;
  return startsWithElidedVowel(text) ? `d’${text}` : `de ${text}`;
}

/** "de North 1", "d’Ouest (bloc nord)": of a name, or a text that begins with one. */
export function sayDe(named: Name | Text): Text {
  const [first, ...others] = 'parts' in named ? named.parts : [named];
  if (typeof first !== 'object' || first.kind !== 'name') return say`de ${named}`;
  return { parts: [verbatim(withDe(first.text)), ...others] };
}

/** "jusqu’au 12 juillet", "jusqu’à hier". */
export const withJusqua = (text: string): string =>
  text.startsWith('le ') ? `jusqu’au ${text.slice(3)}` : `jusqu’à ${text}`;

export const frenchJoiners: Language['joiners'] = {
  alternatives: (items) => formatAlternatives(items, 'fr-FR'),
  partOf: (part, whole) => `${part} sur ${whole}`,
};
