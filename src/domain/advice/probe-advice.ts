import type { UsualRoots } from '../balance/usual-roots.ts';
import type { SettingsFacts, SuspectReading, TensionFacts } from '../facts/probe-facts.ts';
import type { ResponseFacts } from '../facts/response-facts.ts';
import type { CycleAndSoak } from '../irrigation/runoff.ts';
import type { AgronomicState } from '../moisture/agronomic-state.ts';
import type { LineDoubt } from '../moisture/line-limits.ts';
import { SETTING_DEFAULTS } from '../moisture/probe-settings.ts';
import type { Slice } from '../soil/slices.ts';
import type { KindWith, ReasonKind } from './advice-reason.ts';
import type { RainInReadings, RecentRain } from './probe/recent-rain.ts';
import type { StressForecast } from './probe/stress-forecast.ts';
import type { UnshownRain } from './response/unshown-rain.ts';

/** What a water balance needs and nobody has said, or no weather tells. */
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

/**
 * What a balance adds to an advice: it stands in for a silent probe, or differs more and more from
 * one that reports, even so far that it is dry and the readings are not.
 */
export type BalanceReason = KindWith<{ of: 'balance' }>;

export const CONFIDENCES = ['complete', 'partial', 'insufficient'] as const;

/** Shares of the water in %, and the hours a day in which it may run. */
export interface AdviceSettings {
  readonly refillPercent: number;
  readonly efficiencyPercent: number;
  readonly leachingPercent: number;
  readonly hoursPerDay: number;
}

/** What is asked beside the facts. */
export interface AdviceRequest {
  /** Share of the deficit in %; default: the probe's setting. */
  readonly refillPercent?: number | undefined;
  /** Rain in mm that the caller expects before the next watering. */
  readonly expectedRainMm: number;
  /** Expected demand of the air in % of the last two weeks; default: what the weather says. */
  readonly demandPercent?: number | undefined;
}

/**
 * Where the amount comes from while that of the probe is in doubt: from a probe on the same valve,
 * from the water balance, or from the waterings of the last two weeks, of which a person may not
 * have confirmed all.
 */
export const MEANWHILE_BASES = ['probe', 'balance', 'recent', 'unconfirmed'] as const;

export interface Meanwhile {
  readonly basis: (typeof MEANWHILE_BASES)[number];
  /** Whose amount it is; null unless it is that of a probe. */
  readonly moduleId: number | null;
  /** Over the whole area; what was given a week, if it is that of the last two weeks. */
  readonly waterMm: number | null;
  readonly durationMin: number | null;
  /** Of that probe or balance; null if unknown. */
  readonly daysToStress: number | null;
}

/**
 * Whether and how much to water at a probe. Amounts have the decimals with which they are shown, so
 * that all answers that compare them agree.
 */
export interface ProbeAdvice {
  readonly moduleId: number;
  /** Instant of the newest moisture or tension. */
  readonly at: number | null;
  /** Null for a tensiometer. */
  readonly settings: AdviceSettings | null;
  /** Water to field capacity in mm of the wetted zone. */
  readonly deficitMm: number | null;
  /** For the roots, and to be applied, in mm over the whole area. */
  readonly netMm: number | null;
  readonly waterMm: number | null;
  readonly durationMin: number | null;
  /** The share of the area that counts as wetted; null without equipment. */
  readonly fractionWetted: number | null;
  /** Where the root depth is not set, or deeper than is usual. */
  readonly usualRoots?: UsualRoots & { readonly rootDepthCm: number | null };
  /** The run time divided into days. */
  readonly daily: { readonly days: number; readonly minutesPerDay: number } | null;
  readonly volumeM3: number | null;
  /** What is planned for today, in mm over the whole area, which the amounts leave out. */
  readonly takenOffMm?: number;
  /** How to give it without runoff. */
  readonly runoff?: CycleAndSoak;
  readonly daysToStress: number | null;
  /** The waterings that run or are planned until then. */
  readonly planned: {
    readonly until: number;
    readonly count: number;
    /** Null where a dose is missing. */
    readonly waterMm: number | null;
    /** In the past while one is running. */
    readonly nextAt: number | null;
  };
  /** Of a crop at rest or harvested, until which day, or when it was; local dates. Null in season. */
  readonly rest: { readonly until: string | null; readonly harvestedOn: string | null } | null;
  readonly confidence: (typeof CONFIDENCES)[number];
  readonly reasons: readonly ReasonKind[];
  readonly doubts: readonly SuspectReading[];
  readonly doubtedLines?: readonly LineDoubt[];
  /** What `NO_RESPONSE` or `LOG_SHIFTED` follow from. */
  readonly response: ResponseFacts;
  /** Since when it has been `TOO_WET`. */
  readonly wetSince: number | null;
  /** The modules of `PROBES_DIFFER`. */
  readonly differing: readonly number[];
  /** What to do while the amount is withheld. */
  readonly meanwhile: Meanwhile | null;
  /** What `GAUGE_DOUBTFUL` follows from. */
  readonly unshownRain: UnshownRain | null;
  /**
   * The water balance where it stands in for a silent probe, or where it differs more and more from
   * one. The deficit is in mm of the wetted zone, `since` the first local day that is computed,
   * `from` says why its soil was full then, where no reading set it right.
   */
  readonly balance: {
    readonly since: string;
    readonly deficitMm: number;
    readonly reason: BalanceReason;
    readonly from?: FullSoilBasis;
  } | null;
  /** What a balance in place of a silent probe lacks. */
  readonly balanceNeeds: readonly BalanceNeed[];
  readonly tension?: TensionFacts;
}

/** The advice, and what is said beside it. */
export interface AdviceResult {
  readonly advice: ProbeAdvice;
  readonly recentRain: (RecentRain & { readonly effectiveMm: number | null }) | null;
  readonly rainInReadings: RainInReadings | null;
  /** Null without a deficit, or where it is withheld. */
  readonly deficit: {
    /** The depth to which it reaches. */
    readonly bottomCm: number;
    readonly withoutValue: readonly Slice[];
    /** They count as slices without a value too. */
    readonly inDoubt: readonly Slice[];
    readonly frozen: readonly Slice[];
    readonly withoutLayer: readonly Slice[];
  } | null;
  /** Of the depths that are not in doubt; null where the amount is withheld. */
  readonly state: AgronomicState | null;
  /** Null for a tensiometer, or where it is withheld. */
  readonly stress: StressForecast | null;
}

export const adviceSettings = (
  settings: SettingsFacts | null,
  { refillPercent }: Pick<AdviceRequest, 'refillPercent'> = {},
): AdviceSettings => ({
  refillPercent: refillPercent ?? settings?.refillPercent ?? SETTING_DEFAULTS.refillPercent,
  efficiencyPercent: settings?.efficiencyPercent ?? SETTING_DEFAULTS.efficiencyPercent,
  leachingPercent: settings?.leachingPercent ?? SETTING_DEFAULTS.leachingPercent,
  hoursPerDay: settings?.hoursPerDay ?? SETTING_DEFAULTS.hoursPerDay,
});
