import type { DryingRate } from '../../domain/advice/drying-rate.ts';
import type { MissingDoseReason } from '../../domain/irrigation/dose.ts';
import type { AdviceReason, BriefBody, ReviewedWateringBody, UnloggedRiseBody } from '../../schema/advice.ts';

export interface AdviceReasonFacts {
  readonly isKnown: boolean;
  readonly hours: string;
}

export interface SliceDepths {
  readonly topCm: number;
  readonly bottomCm: number;
}

export interface NextWateringFacts {
  readonly at: string;
  readonly isUnderWay: boolean;
}

export interface SliceReadingFacts extends SliceDepths {
  readonly moisture: string;
}

export interface AdvicePhrases {
  readonly reasons: Readonly<Record<AdviceReason, (facts: AdviceReasonFacts) => string>>;
  staleData(name: string, age: string, at: string): string;
  needUnknown(name: string): string;
  noNeed(name: string, at: string): string;
  negligibleDeficit(name: string, mm: string, at: string): string;
  deficit(name: string, mm: string, at: string): string;
  readingAge(age: string): string;
  refill(percent: string | null, gift: string): string;
  wholeArea(mm: string): string;
  readonly inStress: string;
  /** How many days it has, and the same as text. */
  stressIn(days: number, text: string): string;
  /** Loss in points per day, also as text, measured over this many dry days or parts of days. */
  readonly dryingPace: Readonly<Record<DryingRate['basis'], (points: number, text: string, count: number) => string>>;
  nothingPlanned(until: string): string;
  readonly alreadyPlanned: string;
  planned(until: string, count: number, mm: string | null, next: NextWateringFacts, zone: string): string;
  deficitDepth(bottomCm: number): string;
  tooDryForSoil(slices: readonly SliceReadingFacts[]): string;
  withoutValue(slices: readonly SliceDepths[]): string;
  withoutLayer(slices: readonly SliceDepths[]): string;
}

export interface WaterNeedFacts {
  readonly name: string;
  readonly minutes: { readonly text: string; readonly isOverDay: boolean } | null;
  readonly mm: string | null;
  readonly planned: { readonly mm: string | null } | null;
  /** Days until stress, 0 for now, with their text. */
  readonly days: { readonly count: number; readonly text: string };
}

export interface CheckFacts {
  readonly name: string;
  readonly reason: BriefBody['checkFirst'][number]['reason'];
}

export interface FiringAlertFacts {
  readonly name: string;
  readonly value: string | null;
  /** When the value was read, if it is old. */
  readonly oldAt: string | null;
  readonly threshold: string;
  readonly since: string | null;
}

export interface BriefPhrases {
  readonly noProbe: string;
  allQuiet(zone: string, plannedAhead: string): string;
  readonly noNeed: string;
  /** Rows of a list, and how many more there are. */
  list(rows: readonly string[], more: number): string;
  needs(list: string): string;
  need(facts: WaterNeedFacts): string;
  checkFirst(list: string): string;
  check(facts: CheckFacts): string;
  firing(list: string): string;
  alert(facts: FiringAlertFacts): string;
  silentGateways(list: string): string;
  silentProbes(list: string): string;
  /** `since` is when it became silent; null if it was never heard from. */
  gateway(imei: string, modules: number, since: string | null): string;
  probe(name: string, since: string | null): string;
  toConfirm(count: number, at: string, name: string): string;
  dosesMissing(list: string): string;
  probeMissingDoses(count: number, name: string, lack: MissingDoseReason): string;
  withoutStressPoint(list: string): string;
  readonly nothingPlannedAhead: string;
  ahead(count: number, at: string, name: string, mm: string | null): string;
}

export interface ChartLevelFacts {
  readonly stressPoint: string | null;
  readonly fieldCapacity: string | null;
  readonly alerts: readonly string[];
}

export interface WateringBarFacts {
  readonly at: string;
  readonly mm: string | null;
  readonly isPlanned: boolean;
}

export interface ChartPhrases {
  levels(facts: ChartLevelFacts): string;
  waterings(done: number, mm: string, planned: number, unknown: number): string;
  wateringList(bars: readonly WateringBarFacts[], before: number, zone: string): string;
  parcel(name: string): string;
  depths(values: readonly { readonly depth: number; readonly value: string }[]): string;
  /** A name that the chart font cannot draw, and what is drawn instead. */
  unsupportedName(name: string, drawn: string): string;
}

export type ResponseKind = ReviewedWateringBody['response'];

export interface NewestResponse {
  readonly at: string;
  readonly deepestCm: number | null;
  readonly gainedMm: string | null;
  readonly appliedMm: string | null;
}

export interface UnloggedRiseFacts {
  readonly at: string;
  /** mm, over the whole area or the wetted zone; null if unknown. */
  readonly amount: { readonly mm: string; readonly isOverall: boolean } | null;
  readonly likely: UnloggedRiseBody['likely'];
  readonly plannedEventId: number | null;
}

export interface ReviewPhrases {
  period(start: string, end: string, zone: string): string;
  noWaterings(name: string, period: string): string;
  totals(name: string, period: string, total: number, counts: readonly (readonly [ResponseKind, number])[]): string;
  judgedTogether(ids: readonly number[]): string;
  checkRan(ids: readonly number[]): string;
  lostBelow(ids: readonly number[]): string;
  newestResponse(facts: NewestResponse): string;
  unloggedRises(count: number, newest: UnloggedRiseFacts): string;
  /** At least one of the two is above 0. */
  omitted(waterings: number, rises: number): string;
  readonly noSoilMoisture: string;
}
