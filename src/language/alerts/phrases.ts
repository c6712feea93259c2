import type { AnnotationShape, ChartType, ThresholdFill } from '../../domain/alerts/annotation.ts';

/** A rule in parts that are said; values in % of volume, as text. */
export interface AlertRuleFacts {
  readonly threshold: string;
  /** Value at which it resolves. */
  readonly resolveAt: string;
  /** "08:00". */
  readonly reminderTime: string;
  readonly zone: string;
}

/** How an alert stands. Values in % of volume, as text; instants as they are said. */
export interface AlertStateFacts {
  /** The newest value that counts and its instant; null without one. */
  readonly value: string | null;
  readonly at: string | null;
  readonly isStale: boolean;
  /** Since when it has been firing; null while it is quiet. */
  readonly since: string | null;
  readonly isBelow: boolean;
}

/** How often and how long a threshold would have fired. */
export interface BacktestFacts {
  readonly times: number;
  /** More of them are left out. */
  readonly isCut: boolean;
  readonly hoursBelow: string;
  readonly reminders: number;
}

/** What is said of alerts, of the lines they are born from, and of thresholds that are tried. */
export interface AlertPhrases {
  /** Where there is no probe; with the parcel where one is named. */
  noProbe(parcel: string | null): string;
  /** "quiet: 24.1 % today 11:45", "firing since yesterday 06:00: 18.4 % is below 20 %". */
  state(rule: AlertRuleFacts, state: AlertStateFacts): string;
  readonly neverEvaluated: string;
  readonly disabled: string;
  created(target: string, rule: AlertRuleFacts): string;
  updated(target: string, rule: AlertRuleFacts, isActive: boolean): string;
  readonly noneMatches: string;
  row(target: string, threshold: string, currentState: string): string;
  page(rows: readonly string[], zone: string): string;
  /** What a person hears where they look at the probe. */
  firing(
    rule: Pick<AlertRuleFacts, 'threshold' | 'resolveAt'>,
    state: Pick<AlertStateFacts, 'value' | 'isBelow'>,
    since: string,
  ): string;
  /** The same where the newest that it heard is old. */
  firingOnStaleData(since: string, last: string): string;
  /** How many others of the probe fire, beside those that were said. */
  moreFiring(count: number): string;

  readonly withoutProbe: string;
  readonly noSoilMoisture: string;
  notifies(person: string): string;
  standing(state: string): string;
  neverResolves(resolveAt: string): string;
  lineMoves(threshold: string): string;
  readonly lineStays: string;
  unsentMail(messages: number): string;
  /** Messages refused for good, and what the mail server last answered. */
  rejectedMail(messages: number, answer: string | null): string;
  readonly seeDoctor: string;

  readonly ownDisabled: string;
  olderDisabled(height: string): string;
  ownArmed(height: string): string;
  olderArmed(height: string): string;
  newerCounts(height: string): string;
  moved(from: string, to: string, isActive: boolean): string;

  wouldHaveFired(level: string, name: string, times: BacktestFacts): string;
  /** One of them, or the last of several; without an end while it is open. */
  lastEpisode(isOnly: boolean, start: string, end: string | null, zone: string, lowest: string): string;
  readonly noneInForce: string;
  inForce(rule: { threshold: string; hysteresis: string; reminderTime: string }, times: BacktestFacts): string;
  readonly nothingToBacktest: string;
  olderEpisodesOmitted(left: number, all: number): string;
}

/** The unit of a height: of moisture, of the measure of a curve, or null where it has none. */
export type HeightUnitCode = 'vwc' | 'vwc_max' | 'mm' | 'temperature' | 'tensio' | null;

/** A drawing in parts that are said. */
export interface DrawingFacts {
  readonly shape: AnnotationShape;
  readonly threshold: ThresholdFill | null;
  /** A threshold that counts is on the humidity curve. */
  readonly counts: boolean;
  readonly height: string;
  readonly unit: HeightUnitCode;
  /** When it is, with its zone. */
  readonly when: string;
}

/** What is said of what is drawn on a curve. */
export interface AnnotationPhrases {
  /** "the wilting point as a line at 14 % (vwc)", "a segment, today 06:00 to 07:00 (Europe/Paris)". */
  drawing(said: DrawingFacts): string;
  created(chart: ChartType, name: string, drawing: string): string;
  updated(chart: ChartType, name: string, drawing: string): string;
  readonly deleted: string;
  nothingDrawn(chart: ChartType, name: string): string;
  /** How many there are, and the thresholds that count. */
  list(chart: ChartType, name: string, count: number, counting: readonly string[]): string;
  /** How many older ones are not shown. */
  olderOmitted(count: number): string;
  readonly noSoilMoisture: string;
  contentPartRemoved(part: 'style' | 'text'): string;
}
