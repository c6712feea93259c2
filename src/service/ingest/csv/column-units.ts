import { roundTo } from '../../../domain/decimal.ts';
import { MEASUREMENT_TYPES, type MeasurementType } from '../../../domain/moisture/measurement.ts';
import { foldText } from '../../../domain/strings.ts';
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

const WATER_COLUMN = { symbol: 'cmH2O', convert: multiplyBy(0.0980665) };
/** A tension in cm is the height of a column of water. */
export const WATER_COLUMN_CM: Unit = { type: 'tensio', ...WATER_COLUMN };

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
    // Head of water of 1 g/cm3 at standard gravity. Source: BIPM SI Brochure, g = 9.80665 m/s2.
    [/\bcm ?(?:h2o|ws|wc)\b/, WATER_COLUMN],
    [/\bm ?(?:h2o|ws|wc)\b/, { symbol: 'mH2O', convert: multiplyBy(9.80665) }],
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

/** Units of what sensors send that are not converted; short ones count in brackets only. */
const OTHER_UNIT =
  /\b(?:psi|pf|atm|j\/kg|k?ohms?|[km]?hz|mv|volts?|raw|counts?|adc|ppm|kelvin|cmhg|mmhg)\b|[([] ?(?:pa|k|v|m?a|in|inch|inches|ft|mm?|g\/g|w\/w|g\/m3|ds\/m) ?[)\]]/;
const LONE_CM = /[([] ?cm ?[)\]]/;

/** Whether a name has a unit in which readings of the type are not read. */
export function hasOtherUnit(name: string, type: MeasurementType): boolean {
  const text = normalizeName(name);
  const { unit, rest } = splitUnitOfName(text);
  if (unit !== null && unit.type !== type) return true;
  return OTHER_UNIT.test(rest) || (type === 'tensio' && unit === null && LONE_CM.test(text));
}

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
