export const LANGS = ['en', 'fr', 'es'] as const;
export type Lang = (typeof LANGS)[number];

/** Of answers that a model reads, whatever the company's country: the person's own language is the model's to choose. */
export const DEFAULT_LANG: Lang = 'en';
