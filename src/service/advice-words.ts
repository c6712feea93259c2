import type { DryingPace } from '../domain/drying-pace.ts';
import type { AdviceReason } from '../schema/advice.ts';

/** What the words of a reason draw on. */
export interface SaidGrounds {
  /** The deficit is known. */
  readonly isKnown: boolean;
  /** Hours of the water that is advised, as text. */
  readonly hours: string;
}

/** A slice of soil. */
export interface SaidSlice {
  readonly topCm: number;
  readonly bottomCm: number;
}

/** A watering that is planned: when it starts, or has started. */
export interface SaidNext {
  readonly at: string;
  readonly isUnderWay: boolean;
}

/** A slice with what it reads in %, as text. */
export interface SaidReading extends SaidSlice {
  readonly moisture: string;
}

/** What is said of the water that a probe's soil needs. Amounts are texts. */
export interface AdviceWords {
  /** What each reason means to a person, and the one next step where there is one. */
  readonly reasons: Readonly<Record<AdviceReason, (said: SaidGrounds) => string>>;
  /** Of old data nothing is advised; `at` with its zone. */
  old(name: string, age: string, at: string): string;
  unknown(name: string): string;
  noNeed(name: string, at: string): string;
  /** A lack that is less than its readings can tell. */
  hardlyLacks(name: string, mm: string, at: string): string;
  lacks(name: string, mm: string, at: string): string;
  /** The newest reading is not of the last hours. */
  aged(age: string): string;
  /** What refills it, or so many % of it where not all. */
  give(percent: string | null, gift: string): string;
  wholeArea(mm: string): string;
  readonly inStress: string;
  /** How many days it has, and the same as text. */
  stressIn(days: number, said: string): string;
  /** How many points it loses a day, and the same as text, by so many dry days, or parts of days. */
  readonly pace: Readonly<Record<DryingPace['seenIn'], (points: number, said: string, count: number) => string>>;
  nothingPlanned(until: string): string;
  /** What is planned is as much as what is advised, or more. */
  readonly covered: string;
  /** The amount is null where a dose is unknown. */
  planned(until: string, count: number, mm: string | null, next: SaidNext, zone: string): string;
  depth(bottomCm: number): string;
  tooDry(slices: readonly SaidReading[]): string;
  withoutValue(slices: readonly SaidSlice[]): string;
  withoutLayer(slices: readonly SaidSlice[]): string;
}
