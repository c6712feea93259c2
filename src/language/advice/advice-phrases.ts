import type { DryingRate } from '../../domain/advice/drying-rate.ts';
import type { MissingDoseReason } from '../../domain/irrigation/dose.ts';
import type { AdviceReason, ReviewedWateringBody, UnloggedRiseBody } from '../../schema/advice.ts';
import type { BriefBody } from '../../schema/brief.ts';

export interface AdviceReasonFacts {
  /** The deficit is known. */
  readonly isKnown: boolean;
  /** Hours of the water that is advised, as text. */
  readonly hours: string;
}

export interface SliceDepths {
  readonly topCm: number;
  readonly bottomCm: number;
}

/** A watering that is planned: when it starts, or has started. */
export interface NextWateringFacts {
  readonly at: string;
  readonly isUnderWay: boolean;
}

export interface SliceReadingFacts extends SliceDepths {
  readonly moisture: string;
}

export interface AdvicePhrases {
  /** What each reason means to a person, and the one next step where there is one. */
  readonly reasons: Readonly<Record<AdviceReason, (facts: AdviceReasonFacts) => string>>;
  /** Of old data nothing is advised; `at` with its zone. */
  staleData(name: string, age: string, at: string): string;
  needUnknown(name: string): string;
  noNeed(name: string, at: string): string;
  /** A lack that is less than its readings can tell. */
  negligibleDeficit(name: string, mm: string, at: string): string;
  deficit(name: string, mm: string, at: string): string;
  readingAge(age: string): string;
  /** The amount that refills it, in full or to a percentage. */
  refill(percent: string | null, gift: string): string;
  wholeArea(mm: string): string;
  readonly inStress: string;
  /** How many days it has, and the same as text. */
  stressIn(days: number, text: string): string;
  /** Loss in points per day, also as text, measured over this many dry days or parts of days. */
  readonly dryingPace: Readonly<Record<DryingRate['basis'], (points: number, text: string, count: number) => string>>;
  nothingPlanned(until: string): string;
  readonly alreadyPlanned: string;
  /** The amount is null where a dose is unknown. */
  planned(until: string, count: number, mm: string | null, next: NextWateringFacts, zone: string): string;
  deficitDepth(bottomCm: number): string;
  tooDryForSoil(slices: readonly SliceReadingFacts[]): string;
  withoutValue(slices: readonly SliceDepths[]): string;
  withoutLayer(slices: readonly SliceDepths[]): string;
}

export interface WaterNeedFacts {
  readonly name: string;
  /** Minutes to water it for; else mm; both null where the amount is not known. */
  readonly minutes: { readonly text: string; readonly isOverDay: boolean } | null;
  readonly mm: string | null;
  /** Planned today, which that comes on top of; null where nothing is. */
  readonly planned: { readonly mm: string | null } | null;
  /** Days until stress, 0 for now, with their text. */
  readonly days: { readonly count: number; readonly text: string };
}

/** A probe to be looked at, or asked about, before it is watered. */
export interface CheckFacts {
  readonly name: string;
  readonly reason: BriefBody['checkFirst'][number]['reason'];
}

export interface FiringAlertFacts {
  readonly name: string;
  readonly value: string | null;
  /** When the value was, where it is old. */
  readonly oldAt: string | null;
  readonly threshold: string;
  readonly since: string | null;
}

export interface BriefPhrases {
  readonly noProbe: string;
  /** Nothing is to be done; `ahead` is part of the sentence. */
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
  /** Since when it has been silent; null for ever. */
  gateway(imei: string, modules: number, since: string | null): string;
  probe(name: string, since: string | null): string;
  /** How many waterings wait to be confirmed, the latest at an instant on a probe. */
  toConfirm(count: number, at: string, name: string): string;
  dosesMissing(list: string): string;
  probeMissingDoses(count: number, name: string, lack: MissingDoseReason): string;
  withoutStressPoint(list: string): string;
  readonly nothingPlannedAhead: string;
  /** How many waterings are planned, the first at an instant on a probe. */
  ahead(count: number, at: string, name: string, mm: string | null): string;
}

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

export interface ChartPhrases {
  /** At least one. */
  levels(facts: ChartLevelFacts): string;
  /** How many waterings were done, with their mm in all as text; how many are planned, and how many are of unknown dose. */
  waterings(done: number, mm: string, planned: number, unknown: number): string;
  /** Some of them, the newest first, at least one, and how many more there are before. */
  wateringList(bars: readonly WateringBarFacts[], before: number, zone: string): string;
  parcel(name: string): string;
  /** The last value of each depth in cm, in % as text. */
  depths(values: readonly { readonly depth: number; readonly value: string }[]): string;
  /** A name whose signs the picture cannot show, and what stands there. */
  unsupportedName(name: string, drawn: string): string;
}

export type ResponseKind = ReviewedWateringBody['response'];

/** The newest watering that shows in the soil: when it was, how deep it went, mm gained and mm given. */
export interface NewestResponse {
  readonly at: string;
  readonly deepestCm: number | null;
  readonly gainedMm: string | null;
  readonly appliedMm: string | null;
}

export interface UnloggedRiseFacts {
  readonly at: string;
  /** mm, over the whole area or where it was wet; null where neither is known. */
  readonly amount: { readonly mm: string; readonly isOverall: boolean } | null;
  readonly likely: UnloggedRiseBody['likely'];
  readonly plannedEventId: number | null;
}

export interface ReviewPhrases {
  period(start: string, end: string, zone: string): string;
  noWaterings(name: string, period: string): string;
  /** How many there are, and of each response that occurs. */
  totals(name: string, period: string, total: number, counts: readonly (readonly [ResponseKind, number])[]): string;
  judgedTogether(ids: readonly number[]): string;
  checkRan(ids: readonly number[]): string;
  lostBelow(ids: readonly number[]): string;
  newestResponse(facts: NewestResponse): string;
  unloggedRises(count: number, newest: UnloggedRiseFacts): string;
  /** How many are not shown, not both 0. */
  omitted(waterings: number, rises: number): string;
  readonly noSoilMoisture: string;
}
