import type { SettingsFacts, TensionFacts } from '../facts/probe-facts.ts';
import type { AgronomicState } from '../moisture/agronomic-state.ts';
import { SETTING_DEFAULTS } from '../moisture/probe-settings.ts';
import type { Slice } from '../soil/slices.ts';
import type { FallenRain } from './probe/recent-rain.ts';
import type { StressForecast } from './probe/stress-forecast.ts';
import type { Reason } from './reason.ts';
import type { TurnDecision } from './turn-decision.ts';
import type { AdvisedWater } from './watering-advice.ts';

export const CONFIDENCES = ['complete', 'partial', 'insufficient'] as const;

/** Shares of the water in %, and the hours a day in which it may run. */
export interface AdviceSettings {
  readonly refillPercent: number;
  readonly efficiencyPercent: number;
  readonly leachingPercent: number;
  readonly hoursPerDay: number;
}

/** The wishes of the caller, beside the facts. */
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
  /** The probe to which the amount belongs; null for an amount by another basis. */
  readonly moduleId: number | null;
  /** Over the whole area; what was given a week, if it is that of the last two weeks. */
  readonly waterMm: number | null;
  readonly durationMin: number | null;
  /** The days to stress of that probe or balance; null if unknown. */
  readonly daysToStress: number | null;
}

/**
 * Whether and how much to water. Amounts have the decimals with which they are shown, so that all
 * answers that compare them agree.
 */
export interface WateringAdvice extends AdvisedWater {
  /** Null for a tensiometer. */
  readonly settings: AdviceSettings | null;
  /** Water to field capacity in mm of the wetted zone. */
  readonly deficitMm: number | null;
  /** What a refill takes over the whole area, where more than can be given at a time. */
  readonly refillMm?: number | undefined;
  /** The share of the area that counts as wetted; null without equipment. */
  readonly fractionWetted: number | null;
  /** The run time divided into days. */
  readonly daily: { readonly days: number; readonly minutesPerDay: number } | null;
  readonly daysToStress: number | null;
  /** Where water comes at some times only. */
  readonly turn?: TurnDecision | undefined;
  readonly confidence: (typeof CONFIDENCES)[number];
  /** In their order, one of each kind. */
  readonly reasons: readonly Reason[];
}

export const NO_AMOUNTS = {
  deficitMm: null,
  refillMm: undefined,
  netMm: null,
  waterMm: null,
  durationMin: null,
  daily: null,
  volumeM3: null,
  daysToStress: null,
  turn: undefined,
  confidence: 'insufficient',
} as const;

export interface ProbeAdvice extends WateringAdvice {
  readonly moduleId: number;
  /** Instant of the newest moisture or tension. */
  readonly at: number | null;
  /** The waterings that run or are planned until the day of stress. */
  readonly planned: {
    readonly until: number;
    readonly count: number;
    /** Null where a dose is missing. */
    readonly waterMm: number | null;
    /** In the past while one is running. */
    readonly nextAt: number | null;
  };
  /** The action to take while the amount is withheld. */
  readonly meanwhile: Meanwhile | null;
  /** Present for a tensiometer. A reason says which of its readings are in doubt. */
  readonly tension?: Omit<TensionFacts, 'suspect'>;
}

/** The advice, and what is said beside it. */
export interface AdviceResult {
  readonly advice: ProbeAdvice;
  readonly rain: FallenRain;
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
  /** The state by the depths that are not in doubt; null where the amount is withheld. */
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
  hoursPerDay: Math.min(
    settings?.hoursPerDay ?? SETTING_DEFAULTS.hoursPerDay,
    settings?.waterTimes?.hoursPerDay ?? SETTING_DEFAULTS.hoursPerDay,
  ),
});
