/** Levels that stand in a picture, in % as text. */
export interface ChartLevelFacts {
  readonly stressPoint: string | null;
  readonly fieldCapacity: string | null;
  readonly alerts: readonly string[];
}

/** A watering in a picture: when it began, and its dose in mm, null where it is not known. */
export interface WateringBarFacts {
  readonly at: string;
  readonly mm: string | null;
  readonly isPlanned: boolean;
}

/** What is said of a picture, beside the series that it shows. */
export interface ChartPhrases {
  /** At least one. */
  levels(said: ChartLevelFacts): string;
  /** How many waterings were done, with their mm in all as text; how many are planned, and how many are of unknown dose. */
  waterings(done: number, mm: string, planned: number, unknown: number): string;
  /** Some of them, the newest first, at least one, and how many more there are before. */
  wateringList(bars: readonly WateringBarFacts[], before: number, zone: string): string;
  /** Where the probe stands. */
  parcel(name: string): string;
  /** The last value of each depth in cm, in % as text. */
  depths(values: readonly { readonly depth: number; readonly value: string }[]): string;
  /** A name whose signs the picture cannot show, and what stands there. */
  unsupportedName(name: string, drawn: string): string;
}
