import type { ConvertedUnit } from '../domain/text/units-of-text.ts';
import { CM_PER_FOOT, LITRES_PER_US_GALLON, M2_PER_ACRE, M2_PER_HA } from '../domain/units.ts';
import { INCHES, type UsUnit, WATER_UNITS } from './american-quantities.ts';
import { languageOf } from './index.ts';

type Decimals = (value: number) => number;

/**
 * Two digits of what would be 0, such as the least spacing of emitters: 0.033 ft (0.01 m). One of
 * the lowest application rate: 0.00004 in/h (0.001 mm/h).
 */
function withoutRoundingToZero(decimals: Decimals): Decimals {
  return (value) => {
    const usual = decimals(value);
    if (value <= 0 || Number(value.toFixed(usual)) !== 0) return usual;
    const first = Math.ceil(-Math.log10(value));
    return Math.max(first, Math.min(5, first + 1));
  };
}

const GALLONS: UsUnit = {
  symbol: (lang) => languageOf(lang).usUnits.gallons,
  size: LITRES_PER_US_GALLON,
};
const GALLONS_PER_HOUR: UsUnit = {
  symbol: (lang) => languageOf(lang).quantities.gallonsPerHour,
  size: LITRES_PER_US_GALLON,
  decimals: withoutRoundingToZero((value) => (value < 10 ? 2 : 0)),
};
const INCHES_PER_HOUR: UsUnit = {
  symbol: (lang) => `${INCHES.symbol(lang)}/h`,
  size: INCHES.size,
  decimals: withoutRoundingToZero(INCHES.decimals),
};
const FEET: UsUnit = {
  symbol: (lang) => languageOf(lang).quantities.feet,
  size: CM_PER_FOOT / 100,
  decimals: withoutRoundingToZero((value) => (value < 100 ? 1 : 0)),
};
const ACRES: UsUnit = {
  symbol: (lang, figure) => languageOf(lang).quantities[figure === '1' ? 'acre' : 'acres'],
  size: M2_PER_ACRE,
};
export const SQUARE_FEET: UsUnit = {
  symbol: (lang) => languageOf(lang).quantities.squareFeet,
  size: (CM_PER_FOOT / 100) ** 2,
};
const ACRES_OF_HECTARES: UsUnit = { ...ACRES, size: M2_PER_ACRE / M2_PER_HA };

/** Below, an area is a garden. */
const FEW_M2 = M2_PER_ACRE / 10;

/** Without °C, whose conversion has an offset as well. */
type MetricUnit = Exclude<ConvertedUnit, '°C'>;

/** `highest` is the highest value of the quantity. */
export const US_UNITS = {
  ...WATER_UNITS,
  'mm/h': () => INCHES_PER_HOUR,
  m: () => FEET,
  L: () => GALLONS,
  'L/h': () => GALLONS_PER_HOUR,
  m2: (highest: number) => (highest < FEW_M2 ? SQUARE_FEET : ACRES),
  ha: () => ACRES_OF_HECTARES,
} satisfies Record<MetricUnit, (highest: number) => UsUnit>;
