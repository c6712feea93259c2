import type { UsualRoots } from '../balance/usual-roots.ts';
import type { SuspectReading } from '../facts/probe-facts.ts';
import type { CommonJump, ExchangedDepths, UnseenWaterings } from '../facts/response-facts.ts';
import type { SuspectTension } from '../facts/suspect-tension.ts';
import type { CycleAndSoak } from '../irrigation/runoff.ts';
import type { Runs } from '../irrigation/runs.ts';
import type { LineDoubt } from '../moisture/line-limits.ts';
import { REASON_KINDS, type ReasonKind } from './reason-kinds.ts';
import type { UnshownRain } from './response/unshown-rain.ts';

/** The inputs of a water balance that nobody has entered, or no weather gives. */
export const BALANCE_NEEDS = [
  'crop',
  'stage',
  'root_depth',
  'soil',
  'weather',
  'doses',
  'full_soil',
] as const;
export type BalanceNeed = (typeof BALANCE_NEEDS)[number];

/**
 * Why the soil is taken to have been at field capacity before the first day: somebody said so, rain
 * and waterings filled it, or the crop was planted.
 */
export const FULL_SOIL_BASES = ['said', 'filled', 'planting'] as const;

export type FullSoilBasis = (typeof FULL_SOIL_BASES)[number];

/** The crop is at rest until this day, or its harvest is or was on that one; local dates. */
export interface Rest {
  readonly until: string | null;
  readonly harvestedOn: string | null;
}

/**
 * `deficitMm`: of the wetted zone. `since`: the first local day that is computed. `from`: why its
 * soil was full then, where no reading says how full it was.
 */
export interface BalanceFacts extends Partial<BalanceErrorFacts> {
  readonly since: string;
  readonly deficitMm: number;
  readonly from?: FullSoilBasis | undefined;
  /** Over that of the tables; null where its falls do not show it, absent where none were looked for. */
  readonly waterUse?: number | null | undefined;
}

/** Absent where a balance is compared with readings, or a service does not tell it. */
export interface BalanceErrorFacts {
  /** Two of three such balances are no further off, in mm of the wetted zone. */
  readonly errorMm: number;
  /** By its own measurements, and not by those of other fields. */
  readonly isErrorOwn: boolean;
}

/** `since`: its newest reading, in ms; null for none in the last two weeks. */
export interface SilentDepth {
  readonly depthCm: number;
  readonly since: number | null;
}

/** The sensors tell of the soil down to `measuredToCm`, above most of the uptake of the roots. */
export interface UnmeasuredRoots {
  readonly measuredToCm: number;
  readonly rootDepthCm: number;
}

interface SuspectTensions {
  readonly suspect: readonly SuspectTension[];
}

interface DoubtedLines {
  readonly lines: readonly LineDoubt[];
}

interface SuspectReadings {
  readonly readings: readonly SuspectReading[];
}

interface Silence {
  /** The inputs that a balance in place of the probe lacks. */
  readonly balanceNeeds: readonly BalanceNeed[];
}

/** The facts that reasons follow from; the others have none of their own. */
export interface ReasonFacts {
  AT_REST: Rest;
  /** The local date since which it needs no more water, by the usual length of its season. */
  RIPE: { readonly since: string };
  TENSION_AT_ZERO: SuspectTensions;
  TENSION_AT_LIMIT: SuspectTensions;
  TENSION_FELL: SuspectTensions;
  DEPTHS_JUMPED: CommonJump;
  DEPTHS_EXCHANGED: ExchangedDepths;
  MOSTLY_SILENT: { readonly depths: readonly SilentDepth[] };
  NO_DATA: Silence;
  STALE_DATA: Silence;
  BY_BALANCE: BalanceFacts;
  DRY_BY_BALANCE: BalanceFacts;
  NO_RESPONSE: UnseenWaterings;
  PROBES_EXCHANGED: { readonly moduleId: number };
  /** `days`: negative where the soil became wetter before the logged days. */
  LOG_SHIFTED: { readonly days: number; readonly startedAt: readonly number[] };
  TOO_WET: { readonly since: number };
  FIELD_CAPACITY_IN_DOUBT: DoubtedLines;
  WILTING_POINT_IN_DOUBT: DoubtedLines;
  TOO_DRY_FOR_SOIL: SuspectReadings;
  TOO_WET_FOR_SOIL: SuspectReadings;
  SENSOR_FELL: SuspectReadings;
  SENSOR_NOISY: SuspectReadings;
  SENSOR_DRIFTS: SuspectReadings;
  SENSOR_STUCK: SuspectReadings;
  DEEP_ROOTS_NOT_MEASURED: UnmeasuredRoots;
  GAUGE_DOUBTFUL: UnshownRain;
  BALANCE_DIFFERS: BalanceFacts;
  /** Modules on the same valve. */
  PROBES_DIFFER: { readonly moduleIds: readonly number[] };
  /**
   * How far the deficit may be off, in mm of the wetted zone, and the field capacity by its own
   * wettings in %; absent without one.
   */
  FIELD_CAPACITY_ESTIMATED: { readonly errorMm: number; readonly offered?: number };
  /** The usual roots of its crop. */
  NO_ROOT_DEPTH: UsualRoots;
  ROOTS_TOO_DEEP: UsualRoots & { readonly rootDepthCm: number };
  /** Over the whole area, of which the amounts are less. */
  PLANNED_TODAY: { readonly plannedMm: number };
  RUNOFF: CycleAndSoak;
  LONGEST_RUN: Runs;
}

/** They are unknown where a service does not tell them, or where they do not matter. */
type KnownOrNot<Facts> = Facts | { readonly [Name in keyof Facts]?: undefined };

export type FactsOf<Kind extends ReasonKind> = Kind extends keyof ReasonFacts
  ? KnownOrNot<ReasonFacts[Kind]>
  : object;

/**
 * Why an advice is what it is, with its facts. Mapped by kind, which pairs it with its sentence.
 */
export type Reason<Kind extends ReasonKind = ReasonKind> = {
  [K in Kind]: { readonly kind: K } & FactsOf<K>;
}[Kind];

/** The reason of a kind, of which an advice has at most one. */
export const reasonOf = <Kind extends ReasonKind>(
  reasons: readonly Reason[],
  kind: Kind,
): Extract<Reason, { kind: Kind }> | undefined =>
  reasons.find((reason): reason is Extract<Reason, { kind: Kind }> => reason.kind === kind);

/** The crop is at rest, so that it needs no water. */
export const isResting = ({ reasons }: { readonly reasons: readonly Reason[] }): boolean =>
  reasonOf(reasons, 'AT_REST') !== undefined;

/** The readings of moisture sensors that are in doubt. */
export const readingsInDoubt = (reasons: readonly Reason[]): SuspectReading[] =>
  reasons.flatMap((reason) => ('readings' in reason ? (reason.readings ?? []) : []));

/** Sorts by the order of the table, and keeps one of each kind. */
export const inOrder = (reasons: readonly Reason[]): Reason[] =>
  REASON_KINDS.flatMap((kind) => reasons.find((reason) => reason.kind === kind) ?? []);

/** A reason of this kind with its facts, which the types of both pair. */
export const reasonWith = <Kind extends ReasonKind>(
  kind: Kind,
  facts: FactsOf<Kind>,
): Reason<Kind> => ({ kind, ...facts });

/** How the reasons of a group follow from what it needs: their facts, or null. */
export type Finders<Inputs> = {
  readonly [Kind in ReasonKind]?: (inputs: Inputs) => FactsOf<Kind> | null;
};

export const findReasons = <Inputs>(finders: Finders<Inputs>, inputs: Inputs): Reason[] =>
  REASON_KINDS.flatMap((kind) => findReason(kind, finders, inputs) ?? []);

function findReason<Kind extends ReasonKind, Inputs>(
  kind: Kind,
  finders: Finders<Inputs>,
  inputs: Inputs,
): Reason<Kind> | null {
  const facts = finders[kind]?.(inputs) ?? null;
  return facts === null ? null : reasonWith(kind, facts);
}

/** The facts of a reason that has none of its own. */
export const factsIf = (applies: boolean): object | null => (applies ? {} : null);
