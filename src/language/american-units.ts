import {
  CM_PER_FOOT,
  LITRES_PER_US_GALLON,
  M2_PER_ACRE,
  M3_PER_ACRE_INCH,
  mmToInches,
} from '../domain/units.ts';
import { englishFormat, FIGURE_JOINERS } from './en/grammar.ts';

// Sentences are written with metric units, which is what the rules compute in. For a farm with US
// units, each quantity of a finished sentence is given in those, with the metric one in brackets.

interface UsUnit {
  readonly symbol: string;
  /** In the US unit, with as many decimals as people use. */
  convert(value: number): string;
}

const rounded = (value: number, decimals: number): string =>
  englishFormat.grouped(Number(value.toFixed(decimals)));

/** To three significant digits: volumes and areas are not known better. */
const significant = (value: number): string => englishFormat.grouped(Number(value.toPrecision(3)));

const INCHES_OF_WATER: UsUnit = {
  symbol: 'in',
  convert: (mm) => rounded(mmToInches(mm), mm < 2 ? 3 : 2),
};

const INCHES_PER_HOUR: UsUnit = { ...INCHES_OF_WATER, symbol: 'in/h' };

const INCHES_OF_LENGTH: UsUnit = {
  symbol: 'in',
  convert: (cm) => rounded(mmToInches(10 * cm), cm < 10 ? 1 : 0),
};

const FEET: UsUnit = {
  symbol: 'ft',
  convert: (metres) => rounded((100 * metres) / CM_PER_FOOT, metres < 30 ? 1 : 0),
};

const gallonsOf = (litres: number): string => significant(litres / LITRES_PER_US_GALLON);
const GALLONS: UsUnit = { symbol: 'gal', convert: gallonsOf };
const GALLONS_PER_HOUR: UsUnit = {
  symbol: 'gph',
  convert: (litresPerHour) => rounded(litresPerHour / LITRES_PER_US_GALLON, 2),
};
const GALLONS_OF_M3: UsUnit = { symbol: 'gal', convert: (m3) => gallonsOf(1000 * m3) };
const ACRE_INCHES: UsUnit = {
  symbol: 'acre-inches',
  convert: (m3) => significant(m3 / M3_PER_ACRE_INCH),
};
const ACRES: UsUnit = { symbol: 'acres', convert: (m2) => significant(m2 / M2_PER_ACRE) };
const ACRES_OF_HECTARES: UsUnit = {
  symbol: 'acres',
  convert: (hectares) => significant((10_000 * hectares) / M2_PER_ACRE),
};

/** From here on, people count the water of a field in acre-inches. */
const MANY_M3 = 10 * M3_PER_ACRE_INCH;

/** The US unit for a metric one; `highest` is the highest value of the quantity. */
const US_UNITS: Readonly<Record<string, (highest: number) => UsUnit>> = {
  'mm/h': () => INCHES_PER_HOUR,
  mm: () => INCHES_OF_WATER,
  cm: () => INCHES_OF_LENGTH,
  m: () => FEET,
  'L/h': () => GALLONS_PER_HOUR,
  L: () => GALLONS,
  m3: (highest) => (highest < MANY_M3 ? GALLONS_OF_M3 : ACRE_INCHES),
  m2: () => ACRES,
  ha: () => ACRES_OF_HECTARES,
};

const FIGURE = '\\d{1,3}(?:,\\d{3})+(?:\\.\\d+)?|\\d+(?:\\.\\d+)?';
const UNIT = 'mm/h|mm|cm|L/h|L|m[23³²]|m|ha';
const QUANTITY = new RegExp(
  `(?<![\\d.,:/\\p{L}#-])(?<figures>(?:${FIGURE})(?:(?:${FIGURE_JOINERS})(?:${FIGURE}))*) ?(?<unit>${UNIT})(?![\\p{L}\\d/³²])`,
  'gu',
);

/** Stands between figure and unit of a quantity that stays as it is; sentences have no other. */
const SHIELD = '\u241f';

/** In words of a person, such as the name of a probe, a quantity stays as it was written. */
export const shieldQuantities = (text: string): string =>
  text.replace(QUANTITY, (quantity, figures: string) =>
    quantity.replace(figures, figures + SHIELD),
  );

/** "0.71 in (18 mm)"; in brackets "0.71 in [18 mm]". */
export function withUsUnits(sentences: string): string {
  const converted = sentences.replace(QUANTITY, (quantity, ...rest) => {
    const { figures, unit } = rest.at(-1) as { readonly figures: string; readonly unit: string };
    const us = usQuantity(figures, unit.replace('³', '3').replace('²', '2'));
    return isInBrackets(sentences, rest.at(-3) as number)
      ? `${us} [${quantity}]`
      : `${us} (${quantity})`;
  });
  return converted.replaceAll(SHIELD, '');
}

function usQuantity(figures: string, unit: string): string {
  const values = (figures.match(new RegExp(FIGURE, 'g')) ?? []).map(figureValueOf);
  const usUnit = US_UNITS[unit]?.(Math.max(...values));
  if (usUnit === undefined) throw new Error(`There is no US unit for ${unit}`);

  const converted = figures.replace(new RegExp(FIGURE, 'g'), (figure) =>
    usUnit.convert(figureValueOf(figure)),
  );
  return `${converted} ${usUnit.symbol}`;
}

const figureValueOf = (figure: string): number => Number(figure.replaceAll(',', ''));

function isInBrackets(text: string, index: number): boolean {
  const before = text.slice(0, index);
  return before.lastIndexOf('(') > before.lastIndexOf(')');
}
