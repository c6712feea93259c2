/** Providers whose exports are recognized, with the names that their owners give them. */
export const CSV_PROFILES = {
  irrimax: 'IrriMAX Live',
  zentra: 'ZENTRA Cloud',
  davis: 'Davis WeatherLink',
  ecowitt: 'Ecowitt',
  openagri: 'OpenAgri',
} as const;

export type CsvProfileName = keyof typeof CSV_PROFILES;

export const CSV_PROFILE_NAMES = Object.keys(CSV_PROFILES) as [CsvProfileName, ...CsvProfileName[]];
