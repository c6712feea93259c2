/** Units that a sentence may have. Those that the United States have otherwise are converted. */
export type ConvertedUnit = 'mm' | 'mm/h' | 'cm' | 'm' | 'm2' | 'm3' | 'L' | 'L/h' | 'ha' | '°C';

export type UnitOfText =
  | ConvertedUnit
  | 's'
  | 'min'
  | 'h'
  | '%'
  | 'kPa'
  | 'dS/m'
  | 'km/h'
  | 'dBm'
  | 'mV'
  | 'V'
  | 'm/s'
  | 'W/m2'
  | 'm3/h'
  | 'mL/h'
  | 'in/h'
  | 'cm/h'
  | 'mm/day';
