import type { ReviewedWateringBody, UnloggedRiseBody } from '../schema/advice.ts';

export type ResponseKind = ReviewedWateringBody['response'];

/** The newest watering that shows in the soil: when it was, how deep it went, mm gained and mm given. */
export interface NewestResponse {
  readonly at: string;
  readonly deepestCm: number | null;
  readonly gainedMm: string | null;
  readonly appliedMm: string | null;
}

/** The newest rise that nobody logged. */
export interface UnloggedRiseFacts {
  readonly at: string;
  /** mm, over the whole area or where it was wet; null where neither is known. */
  readonly amount: { readonly mm: string; readonly isOverall: boolean } | null;
  readonly likely: UnloggedRiseBody['likely'];
  readonly plannedEventId: number | null;
}

/** What is said of waterings held against the curves of their probe. */
export interface ReviewPhrases {
  period(start: string, end: string, zone: string): string;
  noWaterings(name: string, period: string): string;
  /** How many there are, and of each response that occurs. */
  totals(name: string, period: string, total: number, counts: readonly (readonly [ResponseKind, number])[]): string;
  /** Waterings that are each judged with others. */
  judgedTogether(ids: readonly number[]): string;
  checkRan(ids: readonly number[]): string;
  lostBelow(ids: readonly number[]): string;
  newestResponse(said: NewestResponse): string;
  unloggedRises(count: number, newest: UnloggedRiseFacts): string;
  /** How many are not shown, not both 0. */
  omitted(waterings: number, rises: number): string;
  readonly noSoilMoisture: string;
}
