import { foldText } from '../../domain/strings.ts';
import { LANGUAGE_WORDS } from '../index.ts';

/** Accepts any language, and a single letter, as people answer at a terminal. */
export const saysYes = (answer: string): boolean =>
  LANGUAGE_WORDS.some(({ yes }) => yes.includes(foldText(answer)));
