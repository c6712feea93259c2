import type { UnitOfText } from './units-of-text.ts';

declare const ofProgram: unique symbol;

/** Words of the program itself, which `say` alone makes of its literal parts. */
export type Words = string & { readonly [ofProgram]: true };

/**
 * How many digits of a figure are written: as recorded or measured, as computed from the soil
 * (`estimate`), as entered, of a rate, or all that it has (`exact`).
 */
export type Precision =
  | 'amount'
  | 'estimate'
  | 'moisture'
  | 'entered'
  | 'rate'
  | 'precise'
  | 'exact';

/** The word between several figures of one unit. */
export type Joiner = 'to' | 'and' | 'or' | 'of';

/** A limit of what is accepted: a minimum, a maximum, or from the first value to the second. */
export type Limit = 'min' | 'max' | 'range';

/** Figures of one unit; a count or another plain number has none. */
export interface Figures {
  readonly kind: 'quantity';
  readonly values: readonly number[];
  readonly unit: UnitOfText | null;
  readonly precision: Precision;
  readonly joiner?: Joiner | undefined;
  /** The values in metric units, where they are rounded so that they add up. */
  readonly metric?: readonly number[] | undefined;
  /** After "about" and the like, where fewer digits are written in converted units. */
  readonly isRough?: true | undefined;
  /** By how much something rises or falls: 1 °C is 1.8 °F. */
  readonly isChange?: true | undefined;
  /** Converted, it is rounded so that it is accepted as it is said. */
  readonly limit?: Limit | undefined;
}

/** An area in m2, with hectares where it is a field. */
export interface Area {
  readonly kind: 'area';
  readonly m2: number;
  readonly limit?: Limit | undefined;
}

/** Emitters per m2. */
export interface EmitterDensity {
  readonly kind: 'density';
  readonly perM2: number;
  /** Default: `rate`. */
  readonly precision?: Precision | undefined;
}

/**
 * `minutes` is "2 h 5 min", `advised` the same in steps that can be set, `age` "3 days", `total`
 * "37 h" or "13 days", `ahead` "about 4 days", `long` "2 days 4 h".
 */
export interface Duration {
  readonly kind: 'duration';
  readonly minutes: number;
  readonly style: 'minutes' | 'advised' | 'age' | 'total' | 'ahead' | 'long';
}

/** Times are in ms, and are said in the zone of the reader, unless they have one. */
export type Time = {
  readonly inZone?: string | undefined;
  /** With the French "de" before it: "d’hier", "du 12 juillet". */
  readonly afterDe?: true | undefined;
} & (
  | {
      readonly kind: 'instant';
      readonly at: number;
      /** The clock alone if this instant is on the same local day. */
      readonly sameDayAs?: number | undefined;
    }
  | { readonly kind: 'dateOf'; readonly at: number }
  /** With the month in full, and never "today". */
  | { readonly kind: 'longInstant'; readonly at: number }
  | { readonly kind: 'longDate'; readonly at: number }
  | { readonly kind: 'period'; readonly from: number; readonly to: number | null }
  /** A local day such as "2026-07-14". */
  | { readonly kind: 'day'; readonly day: string }
  | { readonly kind: 'weekday'; readonly day: string }
  /** A day of each year, such as "11-15". */
  | { readonly kind: 'dayOfYear'; readonly day: string }
  /** A local time such as "06:00". */
  | { readonly kind: 'clock'; readonly clock: string }
  | { readonly kind: 'zone' }
);

/** A text of a person or another system, as it may stand in a sentence. It is never converted. */
export interface Name {
  readonly kind: 'name';
  readonly text: string;
}

export interface List {
  readonly kind: 'list';
  readonly items: readonly Text[];
  readonly joiner: 'and' | 'or';
}

/**
 * A call that is likely to come next. People do not hear it: it stands beside the sentence that
 * it follows from.
 */
export interface NextCall {
  readonly kind: 'call';
  /** Null for what no tool serves: `args` has the words. */
  readonly tool: string | null;
  readonly args: readonly string[];
}

/** An argument or field, such as "startTimes.0": programs read its name, people its words. */
export interface ArgumentName {
  readonly kind: 'argument';
  readonly path: string;
  /** A person hears no article. */
  readonly isBare?: true | undefined;
}

/** Such as "micro_sprinkler". */
export interface Code {
  readonly kind: 'code';
  readonly code: string;
}

/** An operation, which is a tool or, over REST, an endpoint. */
export interface CalledOperation {
  readonly kind: 'operation';
  readonly tool: string;
}

/** In brackets, for programs alone, such as an id. */
export interface Aside {
  readonly kind: 'aside';
  readonly text: Text;
}

/** For people and models; over REST, programs read `forPrograms`. */
export interface Description {
  readonly kind: 'description';
  readonly text: Text;
  readonly forPrograms: string;
}

export type Part =
  | Words
  | Figures
  | Area
  | EmitterDensity
  | Duration
  | Time
  | Name
  | List
  | NextCall
  | ArgumentName
  | Code
  | CalledOperation
  | Aside
  | Description;

/** A message before it is known who reads it: plain data, which threads and HTTP carry. */
export interface Text {
  readonly parts: readonly Part[];
}
