/** Languages of summaries, labels, default names and mail. */
export const LANGS = ['en', 'fr', 'es'] as const;
export type Lang = (typeof LANGS)[number];
