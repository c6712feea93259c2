import { keysOf } from '../records.ts';

/** Providers whose CSV exports are recognized, with their product names. */
export const CSV_PROFILES = {
  irrimax: 'IrriMAX Live',
  zentra: 'ZENTRA Cloud',
  davis: 'Davis WeatherLink',
  'ecowitt-net': 'ecowitt.net',
  ecowitt: 'Ecowitt',
  ambient: 'Ambient Weather',
  openagri: 'OpenAgri',
  campbell: 'a Campbell Scientific logger (TOA5)',
  hobo: 'Onset HOBOware',
  hobolink: 'Onset HOBOlink',
  weatherlink: 'the WeatherLink program',
  fieldclimate: 'FieldClimate',
} as const;

export type CsvProfileName = keyof typeof CSV_PROFILES;

export const CSV_PROFILE_NAMES = keysOf(CSV_PROFILES);

/** Providers from whose cloud readings are fetched. */
export const PULL_PROVIDERS = ['irrimax', 'zentra', 'davis'] as const;

export type PullProviderName = (typeof PULL_PROVIDERS)[number];

export const DATE_ORDERS = ['dmy', 'mdy'] as const;
/** How a file writes dates such as 03/04/2026. */
export type DateOrder = (typeof DATE_ORDERS)[number];
