import type { Lang } from '../domain/lang.ts';
import { english } from './en/index.ts';
import { french } from './fr/index.ts';
import type { Language } from './language.ts';
import type { LanguageWords } from './words/language-words.ts';

export type { Language };

const LANGUAGES: Readonly<Record<Lang, Language>> = { en: english, fr: french };

/** Phrases are understood in every language, whichever one the person is answered in. */
export const LANGUAGE_WORDS: readonly LanguageWords[] = Object.values(LANGUAGES).map(({ words }) => words);

export const languageOf = (lang: Lang): Language => LANGUAGES[lang];
