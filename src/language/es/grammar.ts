import type { Language } from '../en/index.ts';
import { formatAlternatives, intlFormat } from '../intl-format.ts';

/** Numbers have the decimal comma, which most Spanish-speaking countries write. */
export const spanishFormat = intlFormat('es-ES');

export const { count: spanishCount } = spanishFormat;

export const atClock = (clock: string): string =>
  `${clock.startsWith('01') ? 'a la' : 'a las'} ${clock}`;

/** "7 u 8", which `Intl` knows. */
export const spanishJoiners: Language['joiners'] = {
  alternatives: (items) => formatAlternatives(items, 'es-ES'),
  partOf: (part, whole) => `${part} de ${whole}`,
};
