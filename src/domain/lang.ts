export const LANGS = ['en', 'fr'] as const;
export type Lang = (typeof LANGS)[number];

/**
 * ISO 3166-1 codes of countries where French is the only official language or that of the administration, and of the
 * French territories that have one.
 */
const FRENCH_SPEAKING_COUNTRIES: ReadonlySet<string> = new Set(
  'FR MC SN CI ML BF BJ TG GN NE GA CG CD GP MQ GF RE YT PM BL MF NC PF WF TF'.split(' '),
);

/** The default language of a company. */
export const langOfCountry = (countryCode: string | null): Lang =>
  FRENCH_SPEAKING_COUNTRIES.has(countryCode?.toUpperCase() ?? '') ? 'fr' : 'en';
