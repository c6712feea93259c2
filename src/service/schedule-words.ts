/** A day of the year, month from 1. */
export interface SaidDay {
  /** "2026-07-01". */
  readonly text: string;
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

/** A schedule in parts that are said. */
export interface SaidSchedule {
  readonly id: number;
  readonly target: string;
  readonly rhythm: string;
  /** Local times: "05:00 and 18:00". */
  readonly times: string;
  /** Where it is to be named. */
  readonly zone: string | null;
  /** What each watering is given. */
  readonly given: string;
  readonly isActive: boolean;
}

/** What a change made of the waterings ahead. */
export interface SaidChange {
  readonly moved: number;
  /** Start times as they were and as they are, where a watering can move. */
  readonly from: string;
  readonly to: string;
  readonly renewed: number;
  readonly added: number;
  readonly removed: number;
  /** Corrected by hand, and left alone. */
  readonly left: number;
}

/** What is said of schedules. */
export interface ScheduleWords {
  everyDays(days: number): string;
  /** Days from 1 (Monday) to 7 (Sunday). */
  weekly(weekdays: readonly number[]): string;
  whole(said: SaidSchedule, from: SaidDay, until: SaidDay | null, countsByItself: boolean): string;
  row(said: SaidSchedule): string;
  readonly noneMatches: string;
  /** The zone of all, where they share one. */
  page(rows: readonly string[], zone: string | null): string;
  readonly nothingPlanned: string;
  planned(count: number, next: string): string;
  withoutDose(count: number): string;
  changed(said: SaidChange): string;
  stillToday(times: string): string;
  goneToday(times: string): string;
  twin(id: number): string;
  readonly differentAreas: string;
}
