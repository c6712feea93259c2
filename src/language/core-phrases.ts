/** What this layer says to a person in each language: when something is, and how a text was read. */
export interface CorePhrases {
  /** Names of days by their distance from today. */
  readonly nearDays: ReadonlyMap<number, string>;
  /** "12 Jul", from the day of the month and the month from 1; with its year where that is given. */
  day(day: number, month: number, year: number | null): string;
  /** "today 06:00". */
  instant(day: string, clock: string): string;
  /** "today 06:00 to 06:45". */
  withinDay(day: string, from: string, to: string): string;
  /** From one instant to another, over midnight. */
  acrossDays(from: string, to: string): string;
  /** A parcel whose name is not known. */
  unnamedParcel(id: number): string;
  /** A parcel's name stood for its only probe. */
  onlyProbe(parcel: string, probe: string): string;
  /** A local time that the clocks leap over, read as another. */
  inGap(text: string, clock: string): string;
  /** An answer that lacks what a sentence is drawn from: where, as far as that is told, and in how many places more. */
  incompleteAnswer(places: readonly string[], more: number): string;
  /** The company has declared no zone, and times are in this one. */
  undeclaredZone(zone: string): string;
  /** A local time that comes twice, taken at its first. */
  inFold(text: string, clock: string): string;
}
