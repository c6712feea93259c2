import { roundTo } from '../../domain/decimal.ts';
import { DEFAULT_LANG, type Lang } from '../../domain/lang.ts';
import { amount, estimate } from '../../domain/text/figures.ts';
import { programPart } from '../../domain/text/program-text.ts';
import type {
  Area,
  EmitterDensity,
  Figures,
  Joiner,
  Limit,
  Precision,
} from '../../domain/text/text.ts';
import type { ConvertedUnit, UnitOfText } from '../../domain/text/units-of-text.ts';
import { celsiusToFahrenheit, M2_PER_HA, type UnitSystem } from '../../domain/units.ts';
import { formatUsFigure, formatUsLimit, type UsUnit } from '../american-quantities.ts';
import { SQUARE_FEET, US_UNITS } from '../american-units.ts';
import { languageOf } from '../index.ts';
import {
  formatAmount,
  formatEntered,
  formatEstimate,
  formatMoisture,
  formatNumber,
  formatPrecise,
  formatRate,
  PRECISE_DIGITS,
} from '../number-format.ts';
import type { Reader } from './reader.ts';

type Format = (value: number, lang?: Lang) => string;

const FORMATS: Readonly<Record<Precision, Format>> = {
  amount: formatAmount,
  estimate: formatEstimate,
  moisture: formatMoisture,
  entered: formatEntered,
  rate: formatRate,
  precise: formatPrecise,
  exact: formatNumber,
};

/** Values that were entered in US units have metric figures such as 1.89271. */
const formatConverted: Format = (value, lang) =>
  roundTo(value, 1) === value ? formatNumber(value, lang) : formatRate(value, lang);

const FORMATS_BESIDE_US: typeof FORMATS = {
  ...FORMATS,
  precise: (value, lang) => formatConverted(Number(value.toPrecision(PRECISE_DIGITS)), lang),
  exact: formatConverted,
};

/** Below, an area is said in m2 alone. */
const MIN_HECTARES = 0.01;

export const NO_BREAK_SPACE = '\u00a0';

const FREEZING_FAHRENHEIT = 32;

type InBrackets = (text: string) => string;

/** In the units of the reader; the metric figures stand in brackets beside US ones. */
export function renderFigures(
  part: Figures | Area | EmitterDensity,
  reader: Reader,
  inBrackets: InBrackets,
): string {
  const rendering = new FigureRendering(reader, inBrackets);
  switch (part.kind) {
    case 'quantity':
      return rendering.quantity(part);
    case 'area':
      return rendering.area(part);
    case 'density':
      return rendering.density(part);
  }
}

class FigureRendering {
  readonly #units: UnitSystem;
  readonly #lang: Lang;
  readonly #isProgram: boolean;
  readonly #inBrackets: InBrackets;
  /** Before a unit. */
  readonly #space: string;

  constructor(
    { units, lang = DEFAULT_LANG, isProgram, keepsTogether }: Reader,
    inBrackets: InBrackets,
  ) {
    this.#units = units;
    this.#lang = lang;
    this.#isProgram = isProgram === true;
    this.#inBrackets = inBrackets;
    this.#space = keepsTogether ? NO_BREAK_SPACE : ' ';
  }

  quantity(quantity: Figures): string {
    const { values, unit, joiner, limit, isRough = false } = quantity;
    const units = this.#units;
    if (this.#isProgram && (units === 'metric' || unit === null)) return programPart(quantity);
    if (unit === null) return this.#metricFigures(quantity);

    const metric = `${this.#metricFigures(quantity)}${this.#space}${unit}`;
    if (units === 'metric' || !isConverted(unit)) return metric;
    if (unit === '°C')
      return `${this.#fahrenheit(quantity)}${this.#space}°F ${this.#inBrackets(metric)}`;

    const usUnit = US_UNITS[unit](Math.max(...values));
    const figures =
      limit === undefined
        ? this.#usFigures(values, usUnit, isRough)
        : this.#usLimits(values, usUnit, limit);
    const joined = this.#joined(figures, joiner);
    return `${joined}${this.#space}${usUnit.symbol(this.#lang, joined)} ${this.#inBrackets(metric)}`;
  }

  /** Values that differ read apart: 23.6 and 24 in, not twice 24, for 60 and 61 cm. */
  #usFigures(values: readonly number[], unit: UsUnit, isRough: boolean): string[] {
    const figuresIn = (each: UsUnit): string[] =>
      values.map((value) => formatUsFigure(value, each, this.#lang, isRough));
    const figures = figuresIn(unit);
    const { decimals } = unit;
    if (decimals === undefined || new Set(figures).size === new Set(values).size) return figures;
    return figuresIn({ ...unit, decimals: (value) => decimals(value) + 1 });
  }

  #usLimits(values: readonly number[], unit: UsUnit, limit: Limit): string[] {
    const sideOf = (index: number) => (index === 0 ? 'min' : 'max');
    return values.map((value, index) =>
      formatUsLimit(value, unit, this.#lang, limit === 'range' ? sideOf(index) : limit),
    );
  }

  #metricFigures({ values, unit, precision, joiner, metric = values }: Figures): string {
    const isBesideUs = this.#units === 'us' && unit !== null && isConverted(unit);
    const format = (isBesideUs ? FORMATS_BESIDE_US : FORMATS)[precision];
    const figures = metric.map((value) => format(value, this.#lang));
    return this.#joined(figures, joiner);
  }

  #joined(figures: readonly string[], joiner: Joiner | undefined): string {
    const { format, time, joiners } = languageOf(this.#lang);
    const [first = '', second = ''] = figures;
    if (joiner === 'to') return time.range(first, second);
    if (joiner === 'of') return joiners.partOf(first, second);
    return joiner === 'or' ? joiners.alternatives(figures) : format.list(figures);
  }

  #fahrenheit({ values, joiner, isChange }: Figures): string {
    const figures = values.map((celsius) => {
      const fahrenheit = celsiusToFahrenheit(celsius) - (isChange ? FREEZING_FAHRENHEIT : 0);
      return formatNumber(Number(fahrenheit.toFixed(1)), this.#lang);
    });
    return this.#joined(figures, joiner);
  }

  area({ m2, limit }: Area): string {
    const inM2 = { ...estimate(m2, 'm2'), limit };
    const hectares = m2 / M2_PER_HA;
    if (hectares < MIN_HECTARES) return this.quantity(inM2);

    const field = { ...amount(hectares, 'ha'), limit };
    // Acres with hectares have no need of the same area in m2.
    return this.#units === 'us'
      ? this.quantity(field)
      : `${this.quantity(field)} (${this.quantity(inM2)})`;
  }

  density(part: EmitterDensity): string {
    const { perM2, precision = 'rate' } = part;
    const density = FORMATS[precision](perM2, this.#lang);
    if (this.#units === 'metric')
      return this.#isProgram ? programPart(part) : `${density} emitters per m2`;
    const squareFeet = formatUsFigure(1 / perM2, SQUARE_FEET, this.#lang);
    return `one emitter per ${squareFeet} sq ft ${this.#inBrackets(`${density} per m2`)}`;
  }
}

const isConverted = (unit: UnitOfText): unit is ConvertedUnit => unit in US_UNITS || unit === '°C';
