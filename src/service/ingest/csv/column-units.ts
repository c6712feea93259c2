import { roundTo } from '../../../domain/decimal.ts';
import type { MeasurementType } from '../../../domain/moisture/measurement.ts';
import { foldText } from '../../../domain/text.ts';
import { fahrenheitToCelsius } from '../../../domain/units.ts';

export interface Unit {
  readonly type: MeasurementType;
  readonly symbol: string;
  /** Converts to %, deg C or kPa; absent if the unit is one of these. */
  readonly convert?: (value: number) => number;
}

/** Rounding hides binary errors: 0.29 m3/m3 is 29 %. */
const CONVERTED_DECIMALS = 9;
const multiplyBy =
  (factor: number) =>
  (value: number): number =>
    roundTo(value * factor, CONVERTED_DECIMALS);

const FAHRENHEIT: Unit = {
  type: 'temperature',
  symbol: 'deg F',
  convert: (value) => roundTo(fahrenheitToCelsius(value), CONVERTED_DECIMALS),
};

/** The spellings of each unit in a normalized name. */
const UNITS: readonly (readonly [RegExp, Unit])[] = [
  [
    // "m3/m3", "cm^3 cm^-3" or "m3·m-3 vwc".
    /c?m ?\^? ?3 ?(?:[/·.*] ?)?c?m ?\^? ?-? ?3(?!\d)(?: vwc)?/,
    { type: 'humidity', symbol: 'm3/m3', convert: multiplyBy(100) },
  ],
  [/(?:vol\.? ?%|% ?(?:vol\b\.?|vwc\b|v\/v)?)/, { type: 'humidity', symbol: '%' }],
  [
    // "°C", also with a broken degree sign, "deg C", "oC", "celsius", "(c)" or " c" at the end.
    /(?:[°º\ufffd] ?|\bdeg(?:rees?)?\.? ?|\bo(?=c\b))c(?:elsius)?\b|\bcelsius\b|\(c\)|(?<= )c$/,
    { type: 'temperature', symbol: 'deg C' },
  ],
  [/(?:[°º\ufffd] ?|\bdeg(?:rees?)?\.? ?|\bo(?=f\b))f\b|\bfahrenheit\b|\(f\)|(?<= )f$/, FAHRENHEIT],
  [/\bk ?pa\b/, { type: 'tensio', symbol: 'kPa' }],
  [/\b(?:cbar|centibars?|cb)\b/, { type: 'tensio', symbol: 'kPa' }],
  [/\b(?:mbar|hpa)\b/, { type: 'tensio', symbol: 'hPa', convert: multiplyBy(0.1) }],
  [/\bbar\b/, { type: 'tensio', symbol: 'bar', convert: multiplyBy(100) }],
  [/\bmpa\b/, { type: 'tensio', symbol: 'MPa', convert: multiplyBy(1000) }],
];

/** Makes names equal that differ in case, accents or underscores: "Soil_Moisture 10cm (m³/m³)". */
export const normalizeName = (name: string): string =>
  foldText(name.normalize('NFKC').replaceAll('_', ' '));

/** The unit in the name of a column. */
export const unitOf = (name: string): Unit | null => splitUnitOfName(normalizeName(name)).unit;

/** The unit of a symbol alone. In a name, "c" and "f" are units after a space only. */
export const unitOfSymbol = (symbol: string): Unit | null => unitOf(` ${symbol}`);

/** `rest` is the name without the unit. */
export function splitUnitOfName(normalizedName: string): {
  readonly unit: Unit | null;
  readonly rest: string;
} {
  for (const [pattern, unit] of UNITS)
    if (pattern.test(normalizedName)) return { unit, rest: normalizedName.replace(pattern, ' ') };
  return { unit: null, rest: normalizedName };
}
