/** Times, names and the reading of arguments. */
export interface CorePhrases {
  /** By their distance from today in days: "yesterday", "today", "tomorrow". */
  readonly nearDays: ReadonlyMap<number, string>;
  /** "12 Jul", "12 Jul 2025"; the month from 1, the year null where it is this one. */
  day(day: number, month: number, year: number | null): string;
  /** "today 06:00". */
  instant(day: string, clock: string): string;
  /** "today 06:00 to 06:45". */
  withinDay(day: string, from: string, to: string): string;
  /** "yesterday 23:30 to today 00:30". */
  acrossDays(from: string, to: string): string;
  unnamedParcel(id: number): string;
  /** A parcel's name was given for a module, and it has one probe. */
  onlyProbe(parcel: string, probe: string): string;
  /** The local time does not exist, because clocks go forward. */
  skippedTime(text: string, clock: string): string;
  /** The local time occurs twice, because clocks go back. */
  repeatedTime(text: string, clock: string): string;
  /** No summary can be made of an answer; `places` are the paths of some missing fields, `more` counts the others. */
  incompleteAnswer(places: readonly string[], more: number): string;
  undeclaredZone(zone: string): string;
}

/** Pages of a list. */
export interface ListPhrases {
  readonly nextPage: string;
  total(count: number): string;
}
