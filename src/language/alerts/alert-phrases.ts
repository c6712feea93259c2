import type { AnnotationShape, ChartType, ThresholdFill } from '../../domain/alerts/annotation.ts';

export interface AlertRuleFacts {
  readonly threshold: string;
  readonly resolveAt: string;
  readonly reminderTime: string;
  readonly zone: string;
}

/** Values in % of volume and instants, as text. */
export interface AlertStateFacts {
  readonly value: string | null;
  readonly at: string | null;
  readonly isStale: boolean;
  readonly since: string | null;
  readonly isBelow: boolean;
}

export interface BacktestFacts {
  readonly times: number;
  readonly isCut: boolean;
  readonly hoursBelow: string;
  readonly reminders: number;
}

export interface AlertPhrases {
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
  firing(
    rule: Pick<AlertRuleFacts, 'threshold' | 'resolveAt'>,
    state: Pick<AlertStateFacts, 'value' | 'isBelow'>,
    since: string,
  ): string;
  firingOnStaleData(since: string, last: string): string;
  moreFiring(count: number): string;

  readonly withoutProbe: string;
  readonly noSoilMoisture: string;
  notifies(person: string): string;
  currentState(state: string): string;
  neverResolves(resolveAt: string): string;
  lineMoves(threshold: string): string;
  readonly lineStays: string;
  unsentMail(messages: number): string;
  /** `answer` is the last one of the mail server. */
  rejectedMail(messages: number, answer: string | null): string;
  readonly seeDoctor: string;

  readonly ownDisabled: string;
  olderDisabled(height: string): string;
  ownArmed(height: string): string;
  olderArmed(height: string): string;
  newerCounts(height: string): string;
  moved(from: string, to: string, isActive: boolean): string;

  wouldHaveFired(level: string, name: string, times: BacktestFacts): string;
  lastEpisode(isOnly: boolean, start: string, end: string | null, zone: string, lowest: string): string;
  readonly noneInForce: string;
  inForce(rule: { threshold: string; hysteresis: string; reminderTime: string }, times: BacktestFacts): string;
  readonly nothingToBacktest: string;
  olderEpisodesOmitted(left: number, all: number): string;
}

export type HeightUnitCode = 'vwc' | 'vwc_max' | 'mm' | 'temperature' | 'tensio' | null;

export interface DrawingFacts {
  readonly shape: AnnotationShape;
  readonly threshold: ThresholdFill | null;
  /** Thresholds are used on the humidity curve only. */
  readonly counts: boolean;
  readonly height: string;
  readonly unit: HeightUnitCode;
  readonly when: string;
}

export interface AnnotationPhrases {
  /** "the wilting point as a line at 14 % (vwc)", "a segment, today 06:00 to 07:00 (Europe/Paris)". */
  drawing(facts: DrawingFacts): string;
  created(chart: ChartType, name: string, drawing: string): string;
  updated(chart: ChartType, name: string, drawing: string): string;
  readonly deleted: string;
  nothingDrawn(chart: ChartType, name: string): string;
  list(chart: ChartType, name: string, count: number, counting: readonly string[]): string;
  olderOmitted(count: number): string;
  readonly noSoilMoisture: string;
  contentPartRemoved(part: 'style' | 'text'): string;
}
