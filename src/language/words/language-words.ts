import type { MeasurementType } from '../../domain/moisture/measurement.ts';
import type { WeatherValueName } from '../../schema/weather/weather-days.ts';
import type { IntlFormat } from '../intl-format.ts';
import type { ClockPhrase, PartOfDay } from './word-rule.ts';

/**
 * Source of a regular expression over text from `normalizeWords`, with number words as marked
 * figures ("#6").
 */
type Pattern = string;

/** `{}` stands for a number of days, a length of time or a weekday: "{} ago", "il y a {}". */
type Template = string;

/**
 * The parser itself knows what all languages share: figures, "6:30", "6h30", "6 pm", ISO dates and
 * unit symbols.
 */
export interface LanguageWords {
  format: IntlFormat;
  numbers: NumberWords;
  durations: DurationWords;
  days: DayWords;
  starts: StartWords;
  ends: EndWords;
  clock: ClockWords;
  amounts: AmountWords;
  /** After `hour` a bare number is an hour ("at 6"), after `date` it is not. */
  fillers: { hour: Pattern; date: Pattern; other: Pattern };
  tenses: { past: Pattern; future: Pattern };
  /** The words for "until" before an end. Matched before accents are removed. */
  until: Pattern;
  /** Words before and between depths: "at 10 and 30 cm". */
  besideDepths: Pattern;
  /** Words that agree to a question: lower case, without accents. */
  yes: readonly string[];
  columns: ColumnWords;
  weatherColumns: WeatherColumnWords;
}

/** Words in the column names of a readings file: lower case, no accents, separated by spaces. */
export interface ColumnWords {
  /** A date and a time in one cell. */
  instant: string;
  date: string;
  clock: string;
  module: string;
  type: string;
  depth: string;
  value: string;
  unit: string;
  /** Moisture of the soil or of the air. */
  humidity: string;
  soil: string;
  fillers: string;
}

/** A column of a file of daily weather. `mm` is rain. */
export type WeatherColumn = 'day' | 'parcel' | 'mm' | WeatherValueName;

/**
 * The words of spreadsheets and weather services for these columns: lower case, without accents,
 * spaces and punctuation, separated by spaces.
 */
export type WeatherColumnWords = Partial<Record<WeatherColumn, string>>;

/**
 * Words in the column names of files: lower case, no accents, separated by spaces. Files come in
 * more languages than answers are given in.
 */
export interface FileWords {
  readonly columns: Partial<ColumnWords>;
  readonly measurements: Readonly<Record<MeasurementType, string>>;
  readonly weatherColumns: WeatherColumnWords;
}

export interface NumberWords {
  /** 0 to 99, a hundred, a thousand and, where they are one word, the other hundreds. */
  values: ReadonlyMap<string, number>;
  /** Places where a number word is another word: in French "1 sept" is a date. */
  except?: Pattern;
  /** Words for one that are not number words: "an hour". */
  one?: Pattern;
  and: Pattern;
  /** A million, with what stands between it and the unit. */
  million: Pattern;
  /** The decimal point as it is said. */
  point: Pattern;
  /** Fractions of hours with their minutes; the first that a text contains counts. */
  fractions: readonly (readonly [pattern: Pattern, minutes: number])[];
}

interface DurationWords {
  hours: Pattern;
  minutes: Pattern;
  seconds: Pattern;
  /** A fraction of an hour: "half an hour". */
  fractionOfHour: Pattern;
  /** A fraction after a number of hours: the end of "an hour and a half", without "and". */
  fractionAfterHours: Pattern;
  /** Patterns with the groups `hours` (one if absent) and `plus`: "two and a half hours". */
  others?: (figure: Pattern) => readonly Pattern[];
  now: Pattern;
  ago: readonly Template[];
  ahead: readonly Template[];
}

interface DayWords {
  offsets: readonly (readonly [pattern: Pattern, days: number])[];
  days: Pattern;
  weeks: Pattern;
  ago: readonly Template[];
  ahead: Template;
  /** Numbers of days that may mean whole weeks: "il y a huit jours". */
  daysOrWeeks?: Pattern;
  shortWeekdays?: readonly Pattern[];
  shortMonths: readonly Pattern[];
  lastWeekday: Template;
  nextWeekday: Template;
  comingWeekday: Template;
  /** A weekday that may be past or coming: "this Friday". */
  thisWeekday: Template;
  /** Ordinals in words, from the first on, with tens as marked figures. */
  ordinals: readonly string[];
  ordinal: Pattern;
  of: Pattern;
  /** On no day of the year. */
  never: Pattern;
}

type PeriodUnit = 'month' | 'year';

/** Words for the day from which something holds. */
interface StartWords {
  since: Pattern;
  beginning: Pattern;
  months: Pattern;
  years: Pattern;
  /** Serves a language in which "since" takes a length of time too, or has another word for it. */
  lasting?: Template;
  /** `back` is how many months or years ago the named period is: "last year" is 1. */
  periods: readonly (readonly [pattern: Pattern, unit: PeriodUnit, back: number])[];
  /**
   * For the latest such month before this one. English has none: "last May" could be the one
   * before.
   */
  lastMonth?: readonly Template[];
  /** Stands before a month or year, with the space or apostrophe that follows. */
  firstOf: Pattern;
  /** Words in the same position for a part that has no first day: "the middle of May". */
  partOf: Pattern;
  yearWord: Pattern;
  season: Pattern;
}

/** Words for the last day of a period. */
interface EndWords {
  /** Stands before a month or a period, with the space or apostrophe that follows. */
  lastOf: Pattern;
  /** `ahead` is how many months or years ahead the named period is: "next month" is 1. */
  periods: readonly (readonly [pattern: Pattern, unit: PeriodUnit, ahead: number])[];
}

interface ClockWords {
  noon: Pattern;
  midnight: Pattern;
  /** The words that may follow "06:30". */
  hours: Pattern;
  phrases: readonly ClockWording[];
  /** Phrases that could be an hour or a span of hours: "five to seven". */
  hourOrSpan?: Pattern;
  parts: readonly PartWording[];
  /** A night that may be the past or the coming one. */
  whichNight?: Pattern;
}

/**
 * The groups are h (a number, noon or midnight), m, amPm, and past and to (minutes or a fraction).
 */
export interface ClockWording {
  pattern: Pattern;
  /** `figures` is exact or written, depending on the digits. By default spoken. */
  form?: ClockPhrase['form'] | 'figures';
  /** Days from today, if the words also name a day: "ce midi". */
  day?: number;
}

interface PartWording {
  pattern: Pattern;
  part: PartOfDay;
  isThis?: boolean;
  /** Days from today, if the words also name a day: "last evening". */
  day?: number;
}

interface AmountWords {
  units: Record<
    | 'millimetre'
    | 'centimetre'
    | 'metre'
    | 'inch'
    | 'litre'
    | 'hectolitre'
    | 'kilolitre'
    | 'cubicMetre'
    | 'squareMetre'
    | 'hectare'
    | 'percent',
    Pattern
  >;
  per: Pattern;
  half: Pattern;
  andAHalf: Pattern;
  rough: Pattern;
  fillers: Pattern;
  /** Stands before the whole amount: "el 40 por ciento", "at 40 %". */
  before: Pattern;
  /** US and imperial gallons differ. */
  gallon: Pattern;
  /** Parts of a unit with their number, "a quarter inch", and the words after one ("of an"). */
  parts: { words: readonly (readonly [pattern: Pattern, parts: number])[]; of: Pattern };
  /** Figures of units that are not metric are written "1,375" and "0.5" in this language. */
  hasEnglishFigures?: boolean;
  /** Units of the United States and Britain. */
  customary: Record<
    'foot' | 'acre' | 'square' | 'cubic' | 'hundredth' | 'american' | 'imperial',
    Pattern
  >;
}
