import { type ReasonKind, withholdsAmount } from '../../domain/advice/advice-reason.ts';
import type { AdviceRequest } from '../../domain/advice/probe-advice.ts';
import { effectiveRainMm } from '../../domain/advice/rain-effect.ts';
import type { TensionFlag } from '../../domain/facts/suspect-tension.ts';
import type { QualityFlag } from '../../domain/moisture/suspect-readings.ts';
import { HOUR_MIN } from '../../domain/periods.ts';
import { estimate, exact, minutes, rough, share } from '../../domain/text/figures.ts';
import { call, say } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import { formatShare } from '../number-format.ts';
import { lineCall } from '../text/line-call.ts';
import type { AdvisedAmounts } from './amounts/refill-summary.ts';
import type { FirstReason } from './first-reasons.ts';

/** Other parts of the summary describe these. */
type ReasonDescribedElsewhere =
  | FirstReason
  | QualityFlag
  | TensionFlag
  | 'AT_REST'
  | 'NO_RESPONSE'
  | 'FIELD_CAPACITY_IN_DOUBT'
  | 'WILTING_POINT_IN_DOUBT'
  | 'TOO_WET'
  | 'LOG_SHIFTED'
  | 'PROBES_DIFFER'
  | 'GAUGE_DOUBTFUL'
  | 'BY_BALANCE'
  | 'DRY_BY_BALANCE'
  | 'BALANCE_DIFFERS'
  | 'RECENT_RAIN'
  | 'NO_DRY_LEVEL'
  | 'LONGER_THAN_A_DAY'
  | 'PLANNED_TODAY'
  | 'RUNOFF';

type LastReason = Exclude<ReasonKind, ReasonDescribedElsewhere>;

interface ReasonFacts {
  readonly advice: AdvisedAmounts;
  readonly request: AdviceRequest;
  /** Rain of the last days that reaches the roots. */
  readonly fallenMm: number;
}

const LAST_REASONS: Readonly<Record<LastReason, Text | ((facts: ReasonFacts) => Text | null)>> = {
  NO_SOIL_MOISTURE: say`It measures no soil moisture: use a soil probe of that parcel.${call('list_modules', 'parcel')}`,
  NO_DATA: say`It has never sent a reading: check whether it transmits.${call('get_module_health')}`,
  STALE_DATA: say`Check why it is silent, and look at the soil by hand meanwhile.${call('get_module_health')}`,
  TENSION_ONLY: ({ advice: { tension } }) =>
    tension?.isDry === true
      ? say`A tensiometer shows when to water, not how much: give the usual amount, or go by a soil probe of that parcel, and see whether the tension falls.`
      : null,
  NO_SOIL_PROFILE: say`How much water its soil holds is unknown: ask for the texture of its parcel, then declare it.${call('set_soil_profile')}${lineCall('threshold1')}`,
  FIELD_CAPACITY_ESTIMATED: ({ advice }) =>
    isDeficitKnown(advice)
      ? say`Its field capacity is that of a texture class, so the deficit can be off by some ${rough(exact(15, 'mm'))}.${call('suggest_thresholds')}`
      : null,
  NO_INSTALLATION: say`It has no irrigation equipment: ask for it and declare it.${call('set_module_installation')}`,
  MISSING_FLOW_RATE: say`Minutes need the application rate, which is missing or far too low: ask for it and correct the equipment.${call('correct_installation', 'flowMmPerH')}`,
  /** The minutes are known: only the volume lacks something. */
  MISSING_IRRIGATED_AREA: say`${call('correct_installation', 'irrigatedAreaM2')}`,
  GAPS: say`More than a tenth of the readings of the last week are missing.${call('get_module_health')}`,
  NO_ROOT_DEPTH: say`No root depth is set${call('set_probe_settings', 'rootDepthCm')}, so every depth that it measures counts.`,
  ROOTS_TOO_DEEP: ({ advice: { usualRoots } }) =>
    say`Its root depth of ${exact(usualRoots?.rootDepthCm ?? 0, 'cm')} is more than its crop usually has: check it.${call('set_probe_settings', 'rootDepthCm')}`,
  SLICE_WITHOUT_VALUE: ({ advice }) => {
    if (isDeficitKnown(advice))
      return say`A depth without a value was assumed to be as wet as the others.`;
    // Some depths have a value, or what they hold is unknown.
    return advice.reasons.some(tellsWhyUnknown)
      ? null
      : say`No depth has a usable value (a single 0 is ignored): ask again after the next reading.`;
  },
  DEPTH_WITHOUT_LAYER: say`A depth without a soil layer was assumed to hold what the drawn line says, or as much as the soil next to it: declare it.${call('set_soil_profile')}`,
  DEFAULT_FRACTION_WETTED: ({ advice }) =>
    isDeficitKnown(advice)
      ? say`Its wetted fraction is the default of the system, not a measured one.`
      : null,
  COMMISSIONING_UNKNOWN: say`Since when it stands in the field is not known: ask, because in its first week the soil around a probe settles.${call('set_module', 'commissionedAt')}`,
  FRACTION_OF_LINE_SPACING: ({ advice: { fractionWetted } }) =>
    fractionWetted === null
      ? null
      : say`Drip lines at their spacing wet about ${share(fractionWetted)} of the area, so this counts with that and not with the default: if it looks right in the field, enter it as the wetted fraction.${call('correct_installation', `fractionWetted: ${formatShare(fractionWetted)}`)}`,
  EXPECTED_RAIN: ({ advice: { deficitMm }, request: { expectedRainMm }, fallenMm }) => {
    const effectiveMm = effectiveRainMm(expectedRainMm, (deficitMm ?? 0) - fallenMm);
    return say`This counts on ${exact(expectedRainMm, 'mm')} of expected rain, ${estimate(effectiveMm, 'mm')} of it for the roots: if less falls, ask again.`;
  },
  // A pace that does not come from the call follows from the weather; an advisory describes that.
  EXPECTED_DEMAND: ({ request: { demandPercent } }) =>
    demandPercent === undefined
      ? null
      : say`The days until stress are based on your forecast: drying at ${exact(demandPercent, '%')} of the pace of the last two weeks.`,
  DAILY_LIMIT_TOO_SHORT: ({ advice: { settings } }) =>
    say`At most ${settings && minutes(HOUR_MIN * settings.hoursPerDay)} a day is too little to catch up: check the application rate, and allow more hours a day if you can.${call('set_probe_settings', 'hoursPerDay')}`,
  NO_STRESS_POINT: say`Without a stress point, no day of stress can be forecast.`,
  THRESHOLDS_CROSSED: say`The wilting point is not below the field capacity, so no day of stress can be forecast: move or delete a line.${call('update_annotation')}${call('delete_annotation')}`,
  FEW_DRY_DAYS: say`The last two weeks had too little time without water (three dry days, or three dry half days) to forecast a day of stress.`,
  NOT_DRYING: say`It does not dry between waterings, so no day of stress can be forecast.`,
};

/** Else nothing is said of how far an amount may be off, or of how to give one. */
const isDeficitKnown = ({ deficitMm }: AdvisedAmounts): boolean => deficitMm !== null;

const tellsWhyUnknown = (reason: ReasonKind): boolean =>
  withholdsAmount(reason) || reason === 'NO_SOIL_PROFILE';

const isLast = (reason: ReasonKind): reason is LastReason => reason in LAST_REASONS;

/** What is left to say of an advice, and what to do about it. */
export function describeReasons(
  advice: AdvisedAmounts,
  request: AdviceRequest,
  fallenMm: number,
): Text[] {
  const facts = { advice, request, fallenMm };
  return advice.reasons.filter(isLast).flatMap((reason) => {
    const sentence = LAST_REASONS[reason];
    return (typeof sentence === 'function' ? sentence(facts) : sentence) ?? [];
  });
}
