/**
 * Units of people and the stored ones: °C, mm and m/s for weather; for what is entered see
 * `UNIT_QUANTITIES`. US and imperial units: NIST Handbook 44, appendix C.
 */

/** The units of entered quantities, with what each measures. */
export const UNIT_QUANTITIES = {
  min: 'time',
  h: 'time',
  mm: 'depth',
  m3: 'volume',
  cm: 'length',
  m: 'length',
  m2: 'area',
  'L/h': 'flow',
  'mm/h': 'rate',
  share: 'share',
  '%': 'share',
} as const;

export type EnteredUnit = keyof typeof UNIT_QUANTITIES;
/**
 * A depth is one of water; that of roots or of a layer is a length. A share of the whole is 0 to 1.
 */
export type Quantity = (typeof UNIT_QUANTITIES)[EnteredUnit];

export const UNIT_SYSTEMS = ['metric', 'us'] as const;
export type UnitSystem = (typeof UNIT_SYSTEMS)[number];

const US = 'US';

/** A gallon that is not named is the US one where the farm is in the United States. */
export const hasUsGallons = (countryCode: string | null): boolean => countryCode === US;

/** The units of answers: those that are set, else those that are usual in the country. */
export const unitSystemOf = (
  units: UnitSystem | null | undefined,
  countryCode: string | null,
): UnitSystem => units ?? (countryCode === US ? 'us' : 'metric');

const MM_PER_INCH = 25.4;
export const CM_PER_INCH = 2.54;
export const CM_PER_FOOT = 30.48;
export const M2_PER_HA = 10_000;
export const M2_PER_ACRE = 4046.8564224;
export const M3_PER_ACRE_INCH = (M2_PER_ACRE * MM_PER_INCH) / 1000;
export const LITRES_PER_US_GALLON = 3.785411784;
export const LITRES_PER_IMPERIAL_GALLON = 4.54609;
export const LITRES_PER_CUBIC_FOOT = 28.316846592;

export const fahrenheitToCelsius = (fahrenheit: number): number => ((fahrenheit - 32) * 5) / 9;

export const celsiusToFahrenheit = (celsius: number): number => (celsius * 9) / 5 + 32;

export const inchesToMm = (inches: number): number => inches * MM_PER_INCH;

export const mmToInches = (mm: number): number => mm / MM_PER_INCH;

export const milesPerHourToMetresPerSecond = (milesPerHour: number): number =>
  milesPerHour * 0.44704;

export const kilometresPerHourToMetresPerSecond = (kilometresPerHour: number): number =>
  kilometresPerHour / 3.6;
