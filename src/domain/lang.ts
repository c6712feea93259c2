/** Languages of labels, default names and what people hear. */
export const LANGS = ['en', 'fr'] as const;
export type Lang = (typeof LANGS)[number];

/**
 * Countries (ISO 3166-1) that write to their people in French alone: where it is the one official language or that of the
 * administration, and the French territories with a code of their own.
 */
const FRENCH_SPEAKING_COUNTRIES: ReadonlySet<string> = new Set(
  'FR MC SN CI ML BF BJ TG GN NE GA CG CD GP MQ GF RE YT PM BL MF NC PF WF TF'.split(' '),
);

/** The language that a company is written to in, where nobody chose one. */
export const langOfCountry = (countryCode: string | null): Lang =>
  FRENCH_SPEAKING_COUNTRIES.has(countryCode?.toUpperCase() ?? '') ? 'fr' : 'en';
