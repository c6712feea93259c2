export const LANGS = ['en', 'fr', 'es'] as const;
export type Lang = (typeof LANGS)[number];
