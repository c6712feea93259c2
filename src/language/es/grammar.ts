import { intlFormat } from '../intl-format.ts';

/** Numbers have the decimal comma, which most Spanish-speaking countries write. */
export const spanishFormat = intlFormat('es-ES');

export const { count: spanishCount, noun: spanishNoun } = spanishFormat;

export const atClock = (clock: string): string =>
  `${clock.startsWith('01') ? 'a la' : 'a las'} ${clock}`;
