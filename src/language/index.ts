import { LANGS, type Lang } from '../domain/lang.ts';
import type { Language } from './en/index.ts';
import { english } from './en/index.ts';
import { spanish } from './es/index.ts';
import { french } from './fr/index.ts';
import type { LanguageWords } from './words/language-words.ts';

export type { Language };

const LANGUAGES: Readonly<Record<Lang, Language>> = { en: english, fr: french, es: spanish };

/** Input is understood in every language, whatever the language of the answers. */
export const LANGUAGE_WORDS: readonly LanguageWords[] = Object.values(LANGUAGES).map(({ words }) => words);

export const languageOf = (lang: Lang): Language => LANGUAGES[lang];

const LANG_OF_COUNTRY: ReadonlyMap<string, Lang> = new Map(
  LANGS.flatMap((lang) => LANGUAGES[lang].countries.map((country) => [country, lang] as const)),
);

export const langOfCountry = (countryCode: string | null): Lang =>
  LANG_OF_COUNTRY.get(countryCode?.toUpperCase() ?? '') ?? 'en';
