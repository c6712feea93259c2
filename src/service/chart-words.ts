/** Levels that stand in a picture, in % as text. */
export interface SaidLevels {
  readonly stressPoint: string | null;
  readonly fieldCapacity: string | null;
  readonly alerts: readonly string[];
}

/** What is said of a picture, beside the series that it shows. */
export interface ChartWords {
  /** At least one. */
  levels(said: SaidLevels): string;
  /** How many waterings were done, with their mm in all as text; how many are planned, and how many are of unknown dose. */
  waterings(done: number, mm: string, planned: number, unknown: number): string;
}
