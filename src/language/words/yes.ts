import { foldText } from '../../domain/text.ts';
import { LANGUAGE_WORDS } from '../index.ts';

/** In any language; a single letter too, as people answer at a terminal. */
export const saysYes = (answer: string): boolean =>
  LANGUAGE_WORDS.some(({ yes }) => yes.includes(foldText(answer)));
