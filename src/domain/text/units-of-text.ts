/** Units that a sentence may have and that the United States have otherwise: they are converted. */
const CONVERTED_UNITS = ['mm', 'mm/h', 'cm', 'm', 'm2', 'm3', 'L', 'L/h', 'ha', '°C'] as const;

/** Units that a sentence may have. */
export const UNITS_OF_TEXT = [
  ...CONVERTED_UNITS,
  's',
  'min',
  'h',
  '%',
  'kPa',
  'dS/m',
  'km/h',
  'dBm',
  'mV',
  'V',
  'm/s',
  'W/m2',
  'm3/h',
  'mL/h',
  'in/h',
  'cm/h',
  'mm/day',
] as const;

export type ConvertedUnit = (typeof CONVERTED_UNITS)[number];
export type UnitOfText = (typeof UNITS_OF_TEXT)[number];
