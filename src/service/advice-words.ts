import type { DryingRate } from '../domain/drying-pace.ts';
import type { AdviceReason } from '../schema/advice.ts';

/** What the words of a reason draw on. */
export interface AdviceReasonFacts {
  /** The deficit is known. */
  readonly isKnown: boolean;
  /** Hours of the water that is advised, as text. */
  readonly hours: string;
}

/** A slice of soil. */
export interface SliceDepths {
  readonly topCm: number;
  readonly bottomCm: number;
}

/** A watering that is planned: when it starts, or has started. */
export interface NextWateringFacts {
  readonly at: string;
  readonly isUnderWay: boolean;
}

/** A slice with what it reads in %, as text. */
export interface SliceReadingFacts extends SliceDepths {
  readonly moisture: string;
}

/** What is said of the water that a probe's soil needs. Amounts are texts. */
export interface AdvicePhrases {
  /** What each reason means to a person, and the one next step where there is one. */
  readonly reasons: Readonly<Record<AdviceReason, (said: AdviceReasonFacts) => string>>;
  /** Of old data nothing is advised; `at` with its zone. */
  staleData(name: string, age: string, at: string): string;
  needUnknown(name: string): string;
  noNeed(name: string, at: string): string;
  /** A lack that is less than its readings can tell. */
  negligibleDeficit(name: string, mm: string, at: string): string;
  deficit(name: string, mm: string, at: string): string;
  /** The newest reading is not of the last hours. */
  readingAge(age: string): string;
  /** What refills it, or so many % of it where not all. */
  refill(percent: string | null, gift: string): string;
  wholeArea(mm: string): string;
  readonly inStress: string;
  /** How many days it has, and the same as text. */
  stressIn(days: number, said: string): string;
  /** How many points it loses a day, and the same as text, by so many dry days, or parts of days. */
  readonly dryingPace: Readonly<Record<DryingRate['basis'], (points: number, said: string, count: number) => string>>;
  nothingPlanned(until: string): string;
  /** What is planned is as much as what is advised, or more. */
  readonly alreadyPlanned: string;
  /** The amount is null where a dose is unknown. */
  planned(until: string, count: number, mm: string | null, next: NextWateringFacts, zone: string): string;
  deficitDepth(bottomCm: number): string;
  tooDryForSoil(slices: readonly SliceReadingFacts[]): string;
  withoutValue(slices: readonly SliceDepths[]): string;
  withoutLayer(slices: readonly SliceDepths[]): string;
}
