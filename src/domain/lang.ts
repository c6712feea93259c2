/** Languages of labels, default names and what people hear. */
export const LANGS = ['en', 'fr'] as const;
export type Lang = (typeof LANGS)[number];
