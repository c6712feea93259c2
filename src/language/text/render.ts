import { DEFAULT_LANG, type Lang } from '../../domain/lang.ts';
import { DAY_MIN, HOUR_MIN } from '../../domain/periods.ts';
import { amount, estimate } from '../../domain/text/figures.ts';
import { callText, programPart } from '../../domain/text/program-text.ts';
import type {
  ArgumentName,
  Aside,
  CalledOperation,
  Code,
  Description,
  Duration,
  EmitterDensity,
  Figures,
  Joiner,
  List,
  NextCall,
  Part,
  Precision,
  Text,
  Time,
  Words,
} from '../../domain/text/text.ts';
import type { ConvertedUnit, UnitOfText } from '../../domain/text/units-of-text.ts';
import { alternatives } from '../../domain/text.ts';
import { celsiusToFahrenheit, M2_PER_HA, type UnitSystem } from '../../domain/units.ts';
import { formatUsFigure } from '../american-quantities.ts';
import { SQUARE_FEET, US_UNITS } from '../american-units.ts';
import { withDe } from '../fr/grammar.ts';
import { languageOf } from '../index.ts';
import {
  formatAdvisedMinutes,
  formatAmount,
  formatDaysAhead,
  formatEntered,
  formatEstimate,
  formatMinutes,
  formatMoisture,
  formatNumber,
  formatPrecise,
  formatRate,
  formatTotalHours,
} from '../number-format.ts';
import {
  formatAge,
  formatDate,
  formatDayOfYear,
  formatInstant,
  formatLocalDay,
  formatMove,
  formatTimeSpan,
  formatWeekday,
} from '../time.ts';
import { formatLongDate, formatLongDuration, formatLongInstant } from './long-times.ts';
import { type ArgumentWords, spokenArgument } from './spoken-argument.ts';

/** Sentences that people hear, and the calls that follow from them, which models alone read. */
export interface AnswerText {
  readonly summary: string;
  /** Calls that are likely to come next. */
  readonly next: readonly string[];
}

/** Who reads a text: in which zone, units and language. */
export interface Reader {
  readonly now: number;
  readonly zone: string;
  readonly units: UnitSystem;
  readonly lang?: Lang;
  /** Where no zone is known. */
  readonly times?: 'iso';
  /** Of the tool that was called. */
  readonly argumentWords?: ArgumentWords;
  /** Reads names of arguments and ISO 8601 instead of words. */
  readonly isProgram?: true;
}

export function render(text: Text, reader: Reader): AnswerText {
  const rendering = new Rendering(reader);
  rendering.addAll(text);
  return rendering.result();
}

/** Of a text without instants and units, which is the same for everybody who reads the language. */
export const renderForAll = (text: Text, lang: Lang = DEFAULT_LANG): AnswerText =>
  render(text, { now: 0, zone: 'UTC', units: 'metric', lang });

/** What people hear of it, where the units of the farm do not matter. */
export const inMetric = (text: Text, reader: Omit<Reader, 'units'>): string =>
  render(text, { ...reader, units: 'metric' }).summary;

/** Programs too read it in words, as people do in the zone of this reader. */
export const inWords = (text: Text, reader: Omit<Reader, 'units'>): Description => ({
  kind: 'description',
  text,
  forPrograms: inMetric(text, reader),
});

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

/** Below, an area is said in m2 alone. */
const MIN_HECTARES = 0.01;

const FREEZING_FAHRENHEIT = 32;

/** A text that is being put together for one reader. */
class Rendering {
  readonly #reader: Reader;
  readonly #lang: Lang;
  readonly #calls: string[] = [];
  #output = '';
  /** Brackets of the text itself that are open, within which others are square. */
  #openBrackets = 0;

  constructor(reader: Reader) {
    this.#reader = reader;
    this.#lang = reader.lang ?? DEFAULT_LANG;
  }

  addAll({ parts }: Text): void {
    for (const part of parts) {
      if (typeof part === 'string') this.#addWords(part);
      else if (part.kind === 'call') this.#addCall(callText(part));
      else this.#output += this.#format(part);
    }
  }

  result(): AnswerText {
    return {
      summary: this.#output.trimStart(),
      next: [...new Set(this.#calls)],
    };
  }

  #addWords(words: string): void {
    this.#output += words;
    for (const character of words) {
      if (character === '(') this.#openBrackets++;
      if (character === ')') this.#openBrackets--;
    }
  }

  /** A call that stands alone between two sentences goes with a space. */
  #addCall(call: string): void {
    if (this.#output.endsWith(' ')) this.#output = this.#output.slice(0, -1);
    this.#calls.push(call);
  }

  #format(part: Exclude<Part, Words | NextCall>): string {
    switch (part.kind) {
      case 'name':
        return part.text;
      case 'quantity':
        return this.#quantity(part);
      case 'area':
        return this.#area(part.m2);
      case 'density':
        return this.#density(part);
      case 'duration':
        return this.#duration(part);
      case 'list':
        return this.#list(part);
      case 'description':
        return this.#description(part);
      case 'argument':
      case 'code':
      case 'operation':
      case 'aside':
        return this.#programName(part);
      default:
        return this.#reader.isProgram || this.#reader.times === 'iso'
          ? programPart(part)
          : this.#time(part);
    }
  }

  #programName(part: ArgumentName | Code | CalledOperation | Aside): string {
    if (this.#reader.isProgram && part.kind !== 'aside') return programPart(part);
    switch (part.kind) {
      case 'argument':
        return spokenArgument(part, this.#reader.argumentWords);
      case 'code':
        return spokenCode(part.code);
      case 'operation':
        return part.tool.replaceAll('_', ' ');
      case 'aside':
        return this.#reader.isProgram ? ` (${this.#apart(part.text)})` : '';
    }
  }

  #description(part: Description): string {
    const { isProgram, ...person } = this.#reader;
    if (isProgram && person.units === 'metric') return programPart(part);
    return render(part.text, person).summary;
  }

  #list({ items, joiner }: List): string {
    const texts = items.map((item) => this.#apart(item));
    const { format } = languageOf(this.#lang);
    return joiner === 'and' ? format.list(texts) : alternatives(texts);
  }

  #apart(text: Text): string {
    const before = this.#output;
    this.#output = '';
    this.addAll(text);
    const added = this.#output;
    this.#output = before;
    return added;
  }

  #quantity(quantity: Figures): string {
    const { values, unit, joiner, isRough = false } = quantity;
    const { units } = this.#reader;
    if (this.#reader.isProgram && (units === 'metric' || unit === null))
      return programPart(quantity);
    if (unit === null) return this.#metricFigures(quantity, joiner);

    const metric = `${this.#metricFigures(quantity, joiner)} ${unit}`;
    if (units === 'metric' || !isConverted(unit)) return metric;
    if (unit === '°C') return `${this.#fahrenheit(quantity)} °F ${this.#inBrackets(metric)}`;

    const usUnit = US_UNITS[unit](Math.max(...values));
    const figures = values.map((value) => formatUsFigure(value, usUnit, this.#lang, isRough));
    return `${this.#joined(figures, joiner)} ${usUnit.symbol(this.#lang)} ${this.#inBrackets(metric)}`;
  }

  #metricFigures(
    { values, unit, precision, metric = values }: Figures,
    joiner: Joiner | undefined,
  ): string {
    const format = FORMATS[precision];
    const isBesideUs = this.#reader.units === 'us' && unit !== null && isConverted(unit);
    const figures = metric.map((value) => {
      const figure = format(value, this.#lang);
      // What was entered in US units has metric figures such as 1.89271.
      return isBesideUs && /[.,]\d{2}/.test(figure) ? formatRate(value, this.#lang) : figure;
    });
    return this.#joined(figures, joiner);
  }

  #joined(figures: readonly string[], joiner: Joiner | undefined): string {
    const { format, time } = languageOf(this.#lang);
    const [first = '', second = ''] = figures;
    if (joiner === 'to') return time.range(first, second);
    if (joiner === 'comma') return figures.join(', ');
    if (joiner === 'of') return `${first} of ${second}`;
    return joiner === 'or' ? alternatives(figures) : format.list(figures);
  }

  #fahrenheit({ values, joiner, isChange }: Figures): string {
    const figures = values.map((celsius) => {
      const fahrenheit = celsiusToFahrenheit(celsius) - (isChange ? FREEZING_FAHRENHEIT : 0);
      return formatNumber(Number(fahrenheit.toFixed(1)), this.#lang);
    });
    return this.#joined(figures, joiner);
  }

  #area(m2: number): string {
    const inM2 = estimate(m2, 'm2');
    const hectares = m2 / M2_PER_HA;
    if (hectares < MIN_HECTARES) return this.#quantity(inM2);

    const field = amount(hectares, 'ha');
    // Acres with hectares have no need of the same area in m2.
    return this.#reader.units === 'us'
      ? this.#quantity(field)
      : `${this.#quantity(field)} (${this.#quantity(inM2)})`;
  }

  #density(part: EmitterDensity): string {
    const { perM2, precision = 'rate' } = part;
    const density = FORMATS[precision](perM2, this.#lang);
    if (this.#reader.units === 'metric')
      return this.#reader.isProgram ? programPart(part) : `${density} emitters per m2`;
    const squareFeet = formatUsFigure(1 / perM2, SQUARE_FEET, this.#lang);
    return `one emitter per ${squareFeet} sq ft ${this.#inBrackets(`${density} per m2`)}`;
  }

  #duration({ minutes, style }: Duration): string {
    switch (style) {
      case 'minutes':
        return formatMinutes(minutes);
      case 'advised':
        return formatAdvisedMinutes(minutes);
      case 'age':
        return formatAge(minutes, this.#lang);
      case 'total':
        return formatTotalHours(minutes / HOUR_MIN, this.#lang);
      case 'long':
        return formatLongDuration(minutes, this.#lang);
      case 'ahead':
        return formatDaysAhead(minutes / DAY_MIN, this.#lang);
    }
  }

  #time(time: Time): string {
    const text = this.#timeAlone(time);
    return time.afterDe ? withDe(text) : text;
  }

  #timeAlone(time: Time): string {
    const reader = { ...this.#reader, zone: time.inZone ?? this.#reader.zone };
    switch (time.kind) {
      case 'dateOf':
        return formatDate(new Date(time.at).toISOString(), reader);
      case 'longInstant':
        return formatLongInstant(time.at, reader);
      case 'longDate':
        return formatLongDate(time.at, reader);
      case 'day':
        return formatLocalDay(time.day, reader);
      case 'weekday':
        return formatWeekday(time.day);
      case 'dayOfYear':
        return formatDayOfYear(time.day);
      case 'instant':
        return time.sameDayAs === undefined
          ? formatInstant(time.at, reader)
          : formatMove({ from: time.sameDayAs, to: time.at }, reader).to;
      case 'period':
        return formatTimeSpan(time.from, time.to, reader);
      case 'clock':
        return time.clock;
      case 'zone':
        return reader.zone;
    }
  }

  #inBrackets(text: string): string {
    return this.#openBrackets > 0 ? `[${text}]` : `(${text})`;
  }
}

/** "micro sprinkler"; SOIL_PROBE stays as it is written. */
const spokenCode = (code: string): string =>
  code === code.toLowerCase() ? code.replaceAll('_', ' ') : code;

const isConverted = (unit: UnitOfText): unit is ConvertedUnit => unit in US_UNITS || unit === '°C';
