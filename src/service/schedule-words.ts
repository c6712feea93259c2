/** A day of the year, month from 1. */
export interface CalendarDay {
  /** "2026-07-01". */
  readonly text: string;
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

/** A schedule in parts that are said. */
export interface ScheduleFacts {
  readonly id: number;
  readonly target: string;
  readonly frequency: string;
  /** Local times: "05:00 and 18:00". */
  readonly times: string;
  /** Where it is to be named. */
  readonly zone: string | null;
  /** What each watering is given. */
  readonly amount: string;
  readonly isActive: boolean;
}

/** What a change made of the waterings ahead. */
export interface ScheduleChangeFacts {
  readonly moved: number;
  /** Start times as they were and as they are, where a watering can move. */
  readonly from: string;
  readonly to: string;
  readonly updated: number;
  readonly added: number;
  readonly removed: number;
  /** Corrected by hand, and left alone. */
  readonly keptManual: number;
}

/** What is said of schedules. */
export interface SchedulePhrases {
  everyDays(days: number): string;
  /** Days from 1 (Monday) to 7 (Sunday). */
  weekly(weekdays: readonly number[]): string;
  schedule(said: ScheduleFacts, from: CalendarDay, until: CalendarDay | null, countsByItself: boolean): string;
  row(said: ScheduleFacts): string;
  readonly noMatch: string;
  /** The zone of all, where they share one. */
  page(rows: readonly string[], zone: string | null): string;
  readonly nothingPlanned: string;
  planned(count: number, next: string): string;
  withoutDose(count: number): string;
  changes(said: ScheduleChangeFacts): string;
  stillWatersToday(times: string): string;
  removedToday(times: string): string;
  duplicate(id: number): string;
  readonly differentAreas: string;
}
