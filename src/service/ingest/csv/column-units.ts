import { roundTo } from '../../../domain/decimal.ts';
import { MEASUREMENT_TYPES, type MeasurementType } from '../../../domain/moisture/measurement.ts';
import { foldText } from '../../../domain/text.ts';
import { fahrenheitToCelsius } from '../../../domain/units.ts';

export interface Unit {
  readonly type: MeasurementType;
  readonly symbol: string;
  /** Converts to the unit in which readings are stored; absent if the unit is that. */
  readonly convert?: (value: number) => number;
}

/** Rounding hides binary errors: 0.29 m3/m3 is 29 %. */
const CONVERTED_DECIMALS = 9;
const multiplyBy =
  (factor: number) =>
  (value: number): number =>
    roundTo(value * factor, CONVERTED_DECIMALS);

type MeasurementUnit = readonly [spelling: RegExp, unit: Omit<Unit, 'type'>];

/** The spellings of each unit in a normalized name. The first that fits counts. */
const UNITS_OF_TYPE: Readonly<Record<MeasurementType, readonly MeasurementUnit[]>> = {
  humidity: [
    [
      // "m3/m3", "cm^3 cm^-3" or "m3·m-3 vwc".
      /c?m ?\^? ?3 ?(?:[/·.*] ?)?c?m ?\^? ?-? ?3(?!\d)(?: vwc)?/,
      { symbol: 'm3/m3', convert: multiplyBy(100) },
    ],
    [/(?:vol\.? ?-? ?%|% ?(?:vol\b\.?|vwc\b|v\/v)?)/, { symbol: '%' }],
  ],
  temperature: [
    [
      // "°C", also with a broken degree sign, "deg C", "oC", "celsius", "(c)" or " c" at the end.
      /(?:[°º\ufffd] ?|\bdeg(?:rees?)?\.? ?|\bo(?=c\b))c(?:elsius)?\b|\bcelsius\b|\(c\)|(?<= )c$/,
      { symbol: 'deg C' },
    ],
    [
      /(?:[°º\ufffd] ?|\bdeg(?:rees?)?\.? ?|\bo(?=f\b))f\b|\bfahrenheit\b|\(f\)|(?<= )f$/,
      {
        symbol: 'deg F',
        convert: (value) => roundTo(fahrenheitToCelsius(value), CONVERTED_DECIMALS),
      },
    ],
  ],
  tensio: [
    [/\bk ?pa\b/, { symbol: 'kPa' }],
    [/\b(?:cbar|centibars?|cb)\b/, { symbol: 'kPa' }],
    [/\b(?:mbar|hpa)\b/, { symbol: 'hPa', convert: multiplyBy(0.1) }],
    [/\bbar\b/, { symbol: 'bar', convert: multiplyBy(100) }],
    [/\bmpa\b/, { symbol: 'MPa', convert: multiplyBy(1000) }],
  ],
};

const UNITS: readonly (readonly [spelling: RegExp, unit: Unit])[] = MEASUREMENT_TYPES.flatMap(
  (type) => UNITS_OF_TYPE[type].map(([spelling, unit]) => [spelling, { type, ...unit }] as const),
);

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
  for (const [spelling, unit] of UNITS)
    if (spelling.test(normalizedName)) return { unit, rest: normalizedName.replace(spelling, ' ') };
  return { unit: null, rest: normalizedName };
}
