import type { ReviewedWateringBody, UnloggedRiseBody } from '../schema/advice.ts';

export type SaidResponse = ReviewedWateringBody['response'];

/** The newest watering that shows in the soil: when it was, how deep it went, mm gained and mm given. */
export interface SaidNewest {
  readonly at: string;
  readonly deepestCm: number | null;
  readonly gainedMm: string | null;
  readonly givenMm: string | null;
}

/** The newest rise that nobody logged. */
export interface SaidRise {
  readonly at: string;
  /** mm, over the whole area or where it was wet; null where neither is known. */
  readonly amount: { readonly mm: string; readonly isOverall: boolean } | null;
  readonly likely: UnloggedRiseBody['likely'];
  readonly plannedEventId: number | null;
}

/** What is said of waterings held against the curves of their probe. */
export interface ReviewWords {
  period(start: string, end: string, zone: string): string;
  none(name: string, period: string): string;
  /** How many there are, and of each response that occurs. */
  sum(name: string, period: string, total: number, counts: readonly (readonly [SaidResponse, number])[]): string;
  /** Waterings that are each judged with others. */
  pulses(ids: readonly number[]): string;
  checkRan(ids: readonly number[]): string;
  lostBelow(ids: readonly number[]): string;
  newest(said: SaidNewest): string;
  unlogged(count: number, newest: SaidRise): string;
  /** How many are not shown, not both 0. */
  leftOut(waterings: number, rises: number): string;
  readonly noSoilMoisture: string;
}
