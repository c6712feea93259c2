export const LANGS = ['en', 'fr', 'es'] as const;
export type Lang = (typeof LANGS)[number];

/** Models read it whatever the company's country, and reply in the language of the person. */
export const DEFAULT_LANG: Lang = 'en';
