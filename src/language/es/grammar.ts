import { intlFormat } from '../intl-format.ts';

/** With the decimal comma, which most Spanish-speaking countries write. */
export const spanishFormat = intlFormat('es-ES');

export const { count: spanishCount, noun: spanishNoun } = spanishFormat;

/** "de North 1"; "del 12 de julio", "de ayer". */
export const withDel = (text: string): string =>
  text.startsWith('el ') ? `del ${text.slice(3)}` : `de ${text}`;

export const fromClock = (clock: string): string =>
  `${clock.startsWith('01') ? 'de la' : 'de las'} ${clock}`;

export const atClock = (clock: string): string =>
  `${clock.startsWith('01') ? 'a la' : 'a las'} ${clock}`;
