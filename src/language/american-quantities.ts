import type { Lang } from '../domain/lang.ts';
import {
  CM_PER_INCH,
  inchesToMm,
  LITRES_PER_US_GALLON,
  M3_PER_ACRE_INCH,
  type UnitSystem,
} from '../domain/units.ts';
import { languageOf } from './index.ts';
import { formatAmount, formatNumber } from './number-format.ts';

export interface UsUnit {
  /** Some units have another symbol for the figure 1. */
  symbol(lang: Lang, figure?: string): string;
  /** In the metric unit. */
  readonly size: number;
  /** As many decimals as people use; without it three digits, which volumes are known to at best. */
  decimals?(value: number): number;
  /** Values entered in it are stored in whole metric units. */
  readonly isStoredWhole?: true;
}

const inches = (lang: Lang): string => languageOf(lang).usUnits.inches;

export const INCHES = {
  symbol: inches,
  size: inchesToMm(1),
  decimals(value) {
    if (value < 0.1) return 3;
    return value < 10 ? 2 : 1;
  },
} satisfies UsUnit;

const INCHES_OF_LENGTH: UsUnit = {
  symbol: inches,
  size: CM_PER_INCH,
  isStoredWhole: true,
  decimals(value) {
    if (value < 1) return 2;
    return value < 3.5 ? 1 : 0;
  },
};

const GALLONS: UsUnit = {
  symbol: (lang) => languageOf(lang).usUnits.gallons,
  size: LITRES_PER_US_GALLON / 1000,
};

const ACRE_INCHES: UsUnit = {
  symbol: (lang) => languageOf(lang).usUnits.acreInches,
  size: M3_PER_ACRE_INCH,
};

/** From here on, people count the water of a field in acre-inches. */
const MANY_M3 = 10 * M3_PER_ACRE_INCH;

/** The metric units of water and of depths. `highest` is the highest value of the quantity. */
export const WATER_UNITS = {
  mm: () => INCHES,
  cm: () => INCHES_OF_LENGTH,
  m3: (highest: number) => (highest < MANY_M3 ? GALLONS : ACRE_INCHES),
};

type WaterUnit = keyof typeof WATER_UNITS;

/** A metric value in the US unit, without its symbol; a rough one with fewer digits. */
export function formatUsFigure(
  value: number,
  { size, decimals }: UsUnit,
  lang: Lang,
  isRough = false,
): string {
  const converted = value / size;
  const exact = decimals ? converted.toFixed(decimals(converted)) : converted.toPrecision(3);
  return withThousands(
    Number(isRough ? Number(exact).toPrecision(converted < 1 ? 1 : 2) : exact),
    lang,
  );
}

/**
 * Like `formatUsFigure`, with a digit more or whole: rounded down for a maximum and up for a
 * minimum, it is accepted as it is said.
 */
export function formatUsLimit(
  value: number,
  { size, decimals, isStoredWhole }: UsUnit,
  lang: Lang,
  limit: 'min' | 'max',
): string {
  if (value === 0) return '0';
  const isMax = limit === 'max';
  // Half a unit more is stored as the next one.
  const rounding = isMax ? 0.5 - 1e-9 : -0.5;
  const converted = (value + (isStoredWhole ? rounding : 0)) / size;
  const usual = decimals?.(converted) ?? 2 - Math.floor(Math.log10(converted));
  const scale = 10 ** (converted < 1000 ? usual + 1 : 0);
  // 0.29 times 100 is a little less than 29.
  const scaled = Number((converted * scale).toPrecision(12));
  return withThousands((isMax ? Math.floor(scaled) : Math.ceil(scaled)) / scale, lang);
}

function withThousands(value: number, lang: Lang): string {
  const { format, usUnits } = languageOf(lang);
  // From 1000 on, figures have three digits, and so no decimals.
  return format
    .number(value)
    .replace(/^\d{4,}$/, (figure) => figure.replace(/\B(?=(?:\d{3}){1,7}$)/g, usUnits.thousands));
}

/** How quantities are written for a person. */
export interface QuantityWording {
  readonly lang: Lang;
  readonly units: UnitSystem;
}

const formatUsQuantity = (value: number, unit: WaterUnit, lang: Lang): string => {
  const usUnit = WATER_UNITS[unit](value);
  return `${formatUsFigure(value, usUnit, lang)} ${usUnit.symbol(lang)}`;
};

/** "12 mm", or "0.47 in (12 mm)". `format` is that of the metric figure. */
export function formatQuantity(
  value: number,
  unit: WaterUnit,
  { lang, units }: QuantityWording,
  format: (value: number, lang: Lang) => string = formatAmount,
): string {
  const metric = `${format(value, lang)} ${unit === 'm3' ? 'm³' : unit}`;
  return units === 'us' ? `${formatUsQuantity(value, unit, lang)} (${metric})` : metric;
}

/** For a label in a picture, where both units have no room: "12", or "0.47". */
export const formatWaterFigure = (mm: number, { lang, units }: QuantityWording): string =>
  units === 'us' ? formatUsFigure(mm, INCHES, lang) : formatNumber(Number(mm.toFixed(1)), lang);

/** The unit in a label whose figures have none: "mm", or "inches". */
export const waterUnitOf = ({ lang, units }: QuantityWording): string =>
  units === 'us' ? languageOf(lang).usUnits.waterUnit : 'mm';

/** "30 cm", or "12 in". */
export const depthLabel = (cm: number, { lang, units }: QuantityWording): string =>
  units === 'us' ? formatUsQuantity(cm, 'cm', lang) : `${formatNumber(cm, lang)} cm`;
