export interface CorePhrases {
  readonly nearDays: ReadonlyMap<number, string>;
  /** "12 Jul", "12 Jul 2025"; month from 1, year null if it is the current one. */
  day(day: number, month: number, year: number | null): string;
  instant(day: string, clock: string): string;
  /** "today 06:00 to 06:45". */
  withinDay(day: string, from: string, to: string): string;
  acrossDays(from: string, to: string): string;
  unnamedParcel(id: number): string;
  /** A parcel's name was used for a module, and the parcel has one probe. */
  onlyProbe(parcel: string, probe: string): string;
  skippedTime(text: string, clock: string): string;
  repeatedTime(text: string, clock: string): string;
  /** `places` are the paths of some missing fields, `more` counts the others. */
  incompleteAnswer(places: readonly string[], more: number): string;
  undeclaredZone(zone: string): string;
}

export interface ListPhrases {
  readonly nextPage: string;
  total(count: number): string;
}

export interface QuestionPhrases {
  /** Asks for a missing flow rate; equipment of a parcel counts for all of its probes. */
  flowRate(probe: { readonly name: string; readonly isOfParcel: boolean }): string;
  readonly flowRateTitle: string;
  flowRateGiven(flowMmPerH: string): string;
  flowRateNotEntered(flowMmPerH: string, why: string): string;
  whichOne(text: string): string;
}
