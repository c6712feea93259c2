import type { Lang } from '../domain/lang.ts';
import {
  CM_PER_FOOT,
  CM_PER_INCH,
  inchesToMm,
  LITRES_PER_US_GALLON,
  M2_PER_ACRE,
  M3_PER_ACRE_INCH,
  type UnitSystem,
} from '../domain/units.ts';
import { languageOf } from './index.ts';
import { formatAmount, formatNumber } from './number-format.ts';

/** The units of sentences and labels that have one in the United States. */
export type MetricUnit = 'mm' | 'mm/h' | 'cm' | 'm' | 'L' | 'm3' | 'L/h' | 'm2' | 'ha';

interface UsUnit {
  readonly symbol: 'inches' | 'feet' | 'gallons' | 'acreInches' | 'acres' | 'squareFeet';
  readonly isPerHour?: boolean;
  /** In the metric unit. */
  readonly size: number;
  /** As many decimals as people use; null for three digits, which volumes are known to at best. */
  decimals(value: number): number | null;
}

const INCHES: UsUnit = {
  symbol: 'inches',
  size: inchesToMm(1),
  decimals(inches) {
    if (inches < 0.1) return 3;
    return inches < 10 ? 2 : 1;
  },
};
const INCHES_OF_LENGTH: UsUnit = {
  symbol: 'inches',
  size: CM_PER_INCH,
  decimals(inches) {
    if (inches < 1) return 2;
    return inches < 3.5 ? 1 : 0;
  },
};
const FEET: UsUnit = {
  symbol: 'feet',
  size: CM_PER_FOOT / 100,
  decimals: (feet) => (feet < 100 ? 1 : 0),
};
const inThreeDigits = (symbol: UsUnit['symbol'], size: number): UsUnit => ({
  symbol,
  size,
  decimals: () => null,
});
const GALLONS = inThreeDigits('gallons', LITRES_PER_US_GALLON);
const GALLONS_PER_HOUR: UsUnit = {
  ...GALLONS,
  isPerHour: true,
  decimals: (gallons) => (gallons < 10 ? 2 : null),
};
const GALLONS_OF_M3 = inThreeDigits('gallons', LITRES_PER_US_GALLON / 1000);
const ACRE_INCHES = inThreeDigits('acreInches', M3_PER_ACRE_INCH);
const ACRES = inThreeDigits('acres', M2_PER_ACRE);
const SQUARE_FEET = inThreeDigits('squareFeet', (CM_PER_FOOT / 100) ** 2);

/** From here on, people count the water of a field in acre-inches. */
const MANY_M3 = 10 * M3_PER_ACRE_INCH;
/** Below, an area is a garden. */
const FEW_M2 = M2_PER_ACRE / 10;

/** `highest` is the highest value of the quantity. */
const US_UNITS: Readonly<Record<MetricUnit, (highest: number) => UsUnit>> = {
  mm: () => INCHES,
  'mm/h': () => ({ ...INCHES, isPerHour: true }),
  cm: () => INCHES_OF_LENGTH,
  m: () => FEET,
  L: () => GALLONS,
  m3: (highest) => (highest < MANY_M3 ? GALLONS_OF_M3 : ACRE_INCHES),
  'L/h': () => GALLONS_PER_HOUR,
  m2: (highest) => (highest < FEW_M2 ? SQUARE_FEET : ACRES),
  ha: () => ({ ...ACRES, size: M2_PER_ACRE / 10_000 }),
};

interface UsQuantity {
  readonly figures: readonly string[];
  readonly symbol: string;
}

/** The values in the US unit that people have for the metric one. */
export function usQuantity(values: readonly number[], unit: MetricUnit, lang: Lang): UsQuantity {
  const { format, usUnits } = languageOf(lang);
  const { size, symbol, decimals, isPerHour = false } = US_UNITS[unit](Math.max(...values));

  const figures = values.map((metric) => {
    const value = metric / size;
    const places = decimals(value);
    const rounded = Number(places === null ? value.toPrecision(3) : value.toFixed(places));
    return withThousands(format.number(rounded), usUnits.thousands);
  });
  return { figures, symbol: isPerHour ? usUnits.perHour(usUnits[symbol]) : usUnits[symbol] };
}

/** From 1000 on, figures have three digits, and so no decimals. */
const withThousands = (figure: string, separator: string): string =>
  figure.replace(/\B(?=(?:\d{3})+$)/g, separator);

/** "0.71 in" */
export function formatUsQuantity(value: number, unit: MetricUnit, lang: Lang): string {
  const { figures, symbol } = usQuantity([value], unit, lang);
  return `${figures} ${symbol}`;
}

/** How quantities are written for a person. */
export interface QuantityWording {
  readonly lang: Lang;
  readonly units: UnitSystem;
}

/** "12 mm", or "0.47 in (12 mm)". `format` is that of the metric figure. */
export function formatQuantity(
  value: number,
  unit: MetricUnit,
  { lang, units }: QuantityWording,
  format: (value: number, lang: Lang) => string = formatAmount,
): string {
  const metric = `${format(value, lang)} ${unit === 'm3' ? 'm³' : unit}`;
  return units === 'us' ? `${formatUsQuantity(value, unit, lang)} (${metric})` : metric;
}

/** For a label in a picture, where both units have no room: "12", or "0.47". */
export const formatWaterFigure = (mm: number, { lang, units }: QuantityWording): string =>
  units === 'us'
    ? `${usQuantity([mm], 'mm', lang).figures}`
    : formatNumber(Number(mm.toFixed(1)), lang);

/** "rain, mm a day", or "rain, inches a day". */
export const waterLabel = (label: string, { lang, units }: QuantityWording): string =>
  units === 'us' ? label.replace('mm', languageOf(lang).usUnits.waterLabel) : label;

/** "30 cm", or "12 in". */
export const depthLabel = (cm: number, { lang, units }: QuantityWording): string =>
  units === 'us' ? formatUsQuantity(cm, 'cm', lang) : `${formatNumber(cm, lang)} cm`;
