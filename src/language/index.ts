import type { Lang } from '../domain/lang.ts';
import { english } from './en/index.ts';
import { french } from './fr/index.ts';
import type { Language } from './language.ts';

const LANGUAGES: Readonly<Record<Lang, Language>> = { en: english, fr: french };

export const languageOf = (lang: Lang): Language => LANGUAGES[lang];
