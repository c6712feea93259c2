import { DEFAULT_LANG, LANGS, type Lang } from '../domain/lang.ts';
import type { Language } from './en/index.ts';
import { english } from './en/index.ts';
import { spanish } from './es/index.ts';
import { french } from './fr/index.ts';
import type { LanguageWords } from './words/language-words.ts';

export type { Language };

const LANGUAGES: Readonly<Record<Lang, Language>> = { en: english, fr: french, es: spanish };

/** Input is understood in every language, whatever the language of the answers. */
export const LANGUAGE_WORDS: readonly LanguageWords[] = Object.values(LANGUAGES).map(
  ({ words }) => words,
);

export const ALL_LANGUAGES: readonly Language[] = Object.values(LANGUAGES);

export const languageOf = (lang: Lang): Language => LANGUAGES[lang];

export const langOfCountry = (countryCode: string | null): Lang =>
  LANGS.find((lang) => LANGUAGES[lang].countries.includes(countryCode?.toUpperCase() ?? '')) ??
  DEFAULT_LANG;
