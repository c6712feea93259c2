import { DEFAULT_LANG, type Lang } from '../domain/lang.ts';
import type { ConvertedUnit } from '../domain/text/units-of-text.ts';
import {
  CM_PER_FOOT,
  celsiusToFahrenheit,
  LITRES_PER_US_GALLON,
  M2_PER_ACRE,
  M2_PER_HA,
} from '../domain/units.ts';
import { formatUsFigure, INCHES, type UsUnit, WATER_UNITS } from './american-quantities.ts';
import { languageOf } from './index.ts';
import { formatNumber, formatRate } from './number-format.ts';

// Sentences are written with metric units, which is what the rules compute in. For a farm with US
// units, each quantity of a finished sentence is given in those, with the metric one in brackets.

const GALLONS: UsUnit = {
  symbol: (lang) => languageOf(lang).usUnits.gallons,
  size: LITRES_PER_US_GALLON,
};
const GALLONS_PER_HOUR: UsUnit = {
  symbol: (lang) => languageOf(lang).quantities.gallonsPerHour,
  size: LITRES_PER_US_GALLON,
  decimals: (value) => (value < 10 ? 2 : 0),
};
const INCHES_PER_HOUR: UsUnit = { ...INCHES, symbol: (lang) => `${INCHES.symbol(lang)}/h` };
const FEET: UsUnit = {
  symbol: (lang) => languageOf(lang).quantities.feet,
  size: CM_PER_FOOT / 100,
  decimals: (value) => (value < 100 ? 1 : 0),
};
const ACRES: UsUnit = { symbol: (lang) => languageOf(lang).quantities.acres, size: M2_PER_ACRE };
export const SQUARE_FEET: UsUnit = {
  symbol: (lang) => languageOf(lang).quantities.squareFeet,
  size: (CM_PER_FOOT / 100) ** 2,
};
const ACRES_OF_HECTARES: UsUnit = { ...ACRES, size: M2_PER_ACRE / M2_PER_HA };

/** Below, an area is a garden. */
const FEW_M2 = M2_PER_ACRE / 10;

/** Of sentences; temperatures are converted otherwise. */
export type MetricUnit = Exclude<ConvertedUnit, '°C'>;

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

/** "0.71 in" */
export function formatUsQuantity(value: number, unit: MetricUnit, lang: Lang): string {
  const usUnit = US_UNITS[unit](value);
  return `${formatUsFigure(value, usUnit, lang)} ${usUnit.symbol(lang)}`;
}

interface QuantityPatterns {
  readonly figure: RegExp;
  /** Figures, and their unit if they have one: a list without one is not read again from its next figure. */
  readonly quantity: RegExp;
  /** At the end of the text before a quantity. */
  readonly rough: RegExp;
  parse(figure: string): number;
}

const UNIT = 'mm/h|mm|cm|L/h|L|m[23³²]|m|ha';

function quantityPatterns(lang: Lang): QuantityPatterns {
  const { usUnits, quantities } = languageOf(lang);
  const { thousands } = usUnits;
  const { decimal, figureJoiners } = quantities;
  const figure = `\\d{1,3}(?:[${thousands}]\\d{3})+(?:[${decimal}]\\d+)?|\\d+(?:[${decimal}]\\d+)?`;
  const figures = `(?:${figure})(?:(?:${figureJoiners})(?:${figure}))*`;

  return {
    figure: new RegExp(figure, 'g'),
    quantity: new RegExp(
      `(?<![\\d.,:/\\p{L}#-])(?<figures>${figures})(?:[ \u00a0]?(?<unit>${UNIT})(?![\\p{L}\\d/³²]))?`,
      'gu',
    ),
    rough: new RegExp(`(?<!\\p{L})(?:${quantities.rough})[ \u00a0]$`, 'iu'),
    parse: (text) => Number(text.replaceAll(thousands, '').replace(decimal, '.')),
  };
}

const patternsByLang = new Map<Lang, QuantityPatterns>();

function patternsOf(lang: Lang): QuantityPatterns {
  const patterns = patternsByLang.get(lang) ?? quantityPatterns(lang);
  patternsByLang.set(lang, patterns);
  return patterns;
}

/** Stands between figure and unit of a quantity that stays as it is; sentences have no other. */
const SHIELD = '\u241f';

/** In words of a person, such as the name of a probe, a quantity stays as it was written. */
export const shieldQuantities = (text: string, lang: Lang = DEFAULT_LANG): string =>
  text.replace(patternsOf(lang).quantity, (quantity, figures: string, unit: string | undefined) =>
    unit === undefined ? quantity : quantity.replace(figures, figures + SHIELD),
  );

export const withoutShields = (text: string): string => text.replaceAll(SHIELD, '');

/** Hectares are followed by the same area in m2, which acres with hectares have no need of. */
const SAME_AREA = /( ha) \([\d.,]+ m[2²]\)/g;

/** "0.71 in (18 mm)"; in brackets "0.71 in [18 mm]". */
export function withUsUnits(text: string, lang: Lang = DEFAULT_LANG): string {
  const { quantity: pattern, figure, rough, parse } = patternsOf(lang);
  const sentences = withUsEmitters(text.replace(SAME_AREA, '$1'), lang);

  const converted = sentences.replace(pattern, (quantity, ...rest) => {
    const { figures, unit } = rest.at(-1) as { readonly figures: string; readonly unit?: string };
    if (unit === undefined) return quantity;

    const metricUnit = unit.replace('³', '3').replace('²', '2') as MetricUnit;
    const values = (figures.match(figure) ?? []).map(parse);
    const usUnit = US_UNITS[metricUnit](Math.max(...values));
    const offset = rest.at(-3) as number;
    const isRough = rough.test(textBefore(sentences, offset));
    const us = figures.replace(figure, (text) =>
      formatUsFigure(parse(text), usUnit, lang, isRough),
    );
    const metric = quantity.replace(figure, (text) => roundExact(text, parse(text), lang));
    return `${us} ${usUnit.symbol(lang)} ${inBrackets(metric, sentences, offset)}`;
  });
  return withoutShields(withFahrenheit(converted));
}

/** "one emitter per 5.4 sq ft (2 per m2)" */
const withUsEmitters = (text: string, lang: Lang): string =>
  text.replace(/(?<![\d.])([\d.]+) emitters per m2/g, (_, density: string) => {
    const squareFeet = formatUsFigure(1 / Number(density), SQUARE_FEET, lang);
    return `one emitter per ${squareFeet} sq ft (${density}${SHIELD} per m2)`;
  });

const TEMPERATURE = '[-\u2212]?\\d+(?:\\.\\d+)?';
const CELSIUS = new RegExp(
  `(?<change>\\b(?:up|down|by) )?(?<![\\d.,])(?<figures>${TEMPERATURE}(?: (?:to|and|or) ${TEMPERATURE}){0,2}) °C`,
  'gi',
);

/** "73.4 °F (23 °C)"; a rise of 1 °C is one of 1.8 °F. Only English sentences name temperatures. */
const withFahrenheit = (text: string): string =>
  text.replace(CELSIUS, (_, change: string | undefined, figures: string, offset: number) => {
    const freezing = change === undefined ? 32 : 0;
    const fahrenheit = figures.replace(new RegExp(TEMPERATURE, 'g'), (figure) => {
      const celsius = Number(figure.replace('\u2212', '-'));
      return formatNumber(Number((celsiusToFahrenheit(celsius) - 32 + freezing).toFixed(1)));
    });
    return `${change ?? ''}${fahrenheit} °F ${inBrackets(`${figures} °C`, text, offset)}`;
  });

/** What was entered in US units has metric figures such as 1.89271, which nobody reads beside them. */
const roundExact = (figure: string, value: number, lang: Lang): string =>
  /[.,]\d{2}/.test(figure) ? formatRate(value, lang) : figure;

/** In characters: no word or bracket of a sentence that matters to a quantity is farther before it. */
const MAX_DISTANCE = 500;

const textBefore = (text: string, index: number): string =>
  text.slice(Math.max(0, index - MAX_DISTANCE), index);

/** Square ones within brackets. */
function inBrackets(metric: string, text: string, index: number): string {
  const before = textBefore(text, index);
  return before.lastIndexOf('(') > before.lastIndexOf(')') ? `[${metric}]` : `(${metric})`;
}

const QUOTED = /("[^"]*")/;

/** What is quoted, such as an example or what a person wrote, stays as it is. */
export const withUsUnitsOutsideQuotes = (text: string): string =>
  text
    .split(QUOTED)
    .map((part) => (QUOTED.test(part) ? part : withUsUnits(part)))
    .join('');
