import type { WateringAdvice } from '../../domain/advice/advice.ts';
import { effectiveRainMm } from '../../domain/advice/rain-effect.ts';
import { type FactsOf, type Reason, reasonOf } from '../../domain/advice/reason.ts';
import {
  attributesOf,
  delaysWatering,
  isSilence,
  type KindWith,
  type ReasonKind,
  withholdsAmount,
} from '../../domain/advice/reason-kinds.ts';
import { LocalDay } from '../../domain/local-day.ts';
import { HOUR_MIN } from '../../domain/periods.ts';
import { amount, estimate, exact, minutes, share } from '../../domain/text/figures.ts';
import { call, list, say, sentences } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import { dateOf, dayOfYear } from '../../domain/text/times.ts';
import { describeLineDoubt } from '../moisture/line-doubts.ts';
import { describeSuspectReadings } from '../moisture/suspect-readings-summary.ts';
import { describeSuspectTension } from '../monitoring/agronomic-state-summary.ts';
import { formatShare } from '../number-format.ts';
import { lineCall } from '../text/line-call.ts';
import { describeRunoff, describeRuns } from './amounts/runoff-summary.ts';
import { describeBalance, describeClassError, describeDifference } from './deficit-summary.ts';
import type { ReasonContext } from './reason-context.ts';
import {
  describeDepthsExchanged,
  describeDepthsJumped,
  describeDepthsSilent,
  describeExchange,
  describeLogShift,
  describeUnmeasuredRoots,
  describeUnseen,
  describeUnshownRain,
} from './response-summary.ts';

/** Null where there is nothing to say in this answer, or where its facts are unknown. */
type Sentence<Kind extends ReasonKind> =
  | Text
  | ((reason: Reason<Kind>, context: ReasonContext) => Text | null);

/** Figures or advisories say what is implied. */
type SaidKind = Exclude<ReasonKind, KindWith<{ isImplied: true }>>;

const SENTENCES: { readonly [Kind in SaidKind]: Sentence<Kind> } = {
  NO_SOIL_MOISTURE: say`It measures no soil moisture: use a soil probe of that parcel.${call('list_modules', 'parcel')}`,
  AT_REST: (rest, context) => describeRest(rest, context),
  REST_UNKNOWN: say`It is the cold season (the last two weeks averaged below ${exact(8, '°C')}, or it is winter and there is no thermometer), when a crop may be dormant or a field bare, so no amount is given: ask when this crop rests, or whether it needs water all winter.${call('set_probe_settings', 'restFrom: a day or never', 'restUntil')}`,
  RIPE: ({ since }, { target }) =>
    since === undefined
      ? null
      : say`By the usual length of its season the crop of ${target} should be ripe or finished since about ${dayIn(since)} and get no more water, so no amount is given: ask for the day of its harvest, past or planned, or for its stage if it still grows.${call('set_parcel', 'harvestedOn', 'stage')}`,
  ROOF_UNKNOWN: say`By its name this parcel may be in a greenhouse or tunnel, where the recorded rain does not fall, so no amount is given: ask, and say it in the type of the parcel, such as “tomatoes, greenhouse” or “vines, open air”.${call('set_parcel', 'type')}`,
  FROZEN: say`Half of the measured soil or more is frozen, where sensors read too little water, so no amount is given: ask again when it has thawed.`,
  MOSTLY_IN_DOUBT: say`The readings of half of the measured soil or more are in doubt, so no amount is given: check these sensors first.`,
  TENSION_AT_ZERO: describeTensions,
  TENSION_AT_LIMIT: describeTensions,
  TENSION_FELL: describeTensions,
  DEPTHS_JUMPED: describeDepthsJumped,
  DEPTHS_EXCHANGED: (depths) => describeDepthsExchanged(depths),
  MOSTLY_SILENT: ({ depths }) => describeDepthsSilent(depths),
  NEW_PROBE: say`This probe has stood in the soil for less than a week, and the soil around it still settles: give the usual amount until then, and look at the soil by hand.`,
  ROOTS_NOT_MEASURED: say`All of its sensors lie below its roots, or in the uppermost ${exact(10, 'cm')}, which the sun dries, so what its roots lack is unknown: check the root depth and the depths of the sensors.${call('set_probe_settings', 'rootDepthCm')}`,
  SOIL_IN_DOUBT: say`In two weeks it has never drained to what soil of its texture holds, so no amount is given: check the texture of its parcel, and look for standing water. If the texture is right, its field capacity must be drawn.${call('set_soil_profile')}${lineCall('threshold1')}`,
  WATERING_RUNS: say`A watering is running: wait until it has soaked in, then ask again before giving more.`,
  PLANNED_DOSE_UNKNOWN: say`A watering of unknown dose is planned for today: wait for it, or complete its equipment and ask again.${call('correct_installation')}`,
  NO_DATA: say`It has never sent a reading: check whether it transmits.${call('get_module_health')}`,
  STALE_DATA: say`Check why it is silent, and look at the soil by hand meanwhile.${call('get_module_health')}`,
  BY_BALANCE: ({ since, ...facts }, { target, advice }) =>
    since === undefined ? null : describeBalance({ since, ...facts }, target, advice),
  DRY_BY_BALANCE: (balance) =>
    balance.since === undefined
      ? null
      : describeDifference(
          balance,
          say` and its crop be under stress, which its readings do not show: look at the soil by hand first.`,
        ),
  TOP_FROZEN: say`The topsoil is frozen, so water would run off or freeze: wait for the thaw, then ask again.`,
  NO_RESPONSE: (unseen, { advice }) =>
    unseen.startedAt === undefined || advice.reasons.some(isSilence)
      ? null
      : describeUnseen(unseen),
  TOO_WET: ({ since }) =>
    since === undefined
      ? null
      : say`This probe has been more than 4 points above its drawn field capacity since ${dateOf(since)}, although no water came in the last three days, and drained soil does not stay so wet: look for a leak, a wet spot or salt, and whether the roots get air.`,
  PROBES_EXCHANGED: (_, { advice, exchangedWith }) =>
    exchangedWith === null || advice.reasons.some(isSilence)
      ? null
      : describeExchange(exchangedWith),
  LOG_SHIFTED: (shift, { advice }) =>
    shift.startedAt === undefined || advice.reasons.some(isSilence)
      ? null
      : describeLogShift(shift),
  UNCONFIRMED_WATERING: say`A watering planned in the last 24 hours is waiting to be confirmed: ask whether it ran before watering again.`,
  RECENT_WATERING: say`A recent watering may still be soaking in: ask again when it has soaked in.`,
  FIELD_CAPACITY_IN_DOUBT: describeLines,
  WILTING_POINT_IN_DOUBT: describeLines,
  FLOW_RATE_IN_DOUBT: say`A refill would take far longer than a watering usually runs, so the application rate may be entered too low: check the flow and the spacing of the emitters before you go by the hours.${call('correct_installation', 'flowMmPerH')}`,
  TOO_DRY_FOR_SOIL: describeReadings,
  TOO_WET_FOR_SOIL: describeReadings,
  SENSOR_FELL: describeReadings,
  SENSOR_NOISY: describeReadings,
  SENSOR_DRIFTS: describeReadings,
  SENSOR_STUCK: describeReadings,
  DEEP_ROOTS_NOT_MEASURED: (roots) => describeUnmeasuredRoots(roots),
  GAUGE_DOUBTFUL: (rain, { zone }) =>
    rain.mm === undefined ? null : describeUnshownRain(rain, zone),
  BALANCE_DIFFERS: (balance) =>
    balance.since === undefined
      ? null
      : describeDifference(balance, say`, and the difference to its readings grows.`),
  PROBES_DIFFER: (_, { differing }) =>
    differing.length === 0
      ? null
      : say`For its soil it is much wetter or drier than ${list(differing)} on the same valve: look at both places before you water by one of them.`,
  EXPECTED_RAIN: (_, { advice: { deficitMm }, request: { expectedRainMm }, fallenMm }) => {
    const effectiveMm = effectiveRainMm(expectedRainMm, (deficitMm ?? 0) - fallenMm);
    return say`This counts on ${exact(expectedRainMm, 'mm')} of expected rain, ${estimate(effectiveMm, 'mm')} of it for the roots: if less falls, ask again.`;
  },
  // A pace that does not come from the call follows from the weather; an advisory describes that.
  EXPECTED_DEMAND: (_, { request: { demandPercent } }) =>
    demandPercent === undefined
      ? null
      : say`The days until stress are based on your forecast: drying at ${exact(demandPercent, '%')} of the pace of the last two weeks.`,
  TENSION_ONLY: (_, { advice: { tension } }) =>
    tension?.isDry === true
      ? say`A tensiometer shows when to water, not how much: give the usual amount, or go by a soil probe of that parcel, and see whether the tension falls.`
      : null,
  NO_SOIL_PROFILE: say`How much water its soil holds is unknown: ask for the texture of its parcel, then declare it.${call('set_soil_profile')}${lineCall('threshold1')}`,
  FIELD_CAPACITY_ESTIMATED: (error, { advice }) =>
    isDeficitKnown(advice) ? describeClassError(error) : null,
  NO_INSTALLATION: say`It has no irrigation equipment: ask for it and declare it.${call('set_module_installation')}`,
  MISSING_FLOW_RATE: say`Minutes need the application rate, which is missing or far too low: ask for it and correct the equipment.${call('correct_installation', 'flowMmPerH')}`,
  /** The minutes are known: only the volume lacks something. */
  MISSING_IRRIGATED_AREA: say`${call('correct_installation', 'irrigatedAreaM2')}`,
  GAPS: say`More than a tenth of the readings of the last week are missing.${call('get_module_health')}`,
  COMMISSIONING_UNKNOWN: say`Since when it stands in the field is not known: ask, because in its first week the soil around a probe settles.${call('set_module', 'commissionedAt')}`,
  NO_ROOT_DEPTH: say`No root depth is set${call('set_probe_settings', 'rootDepthCm')}, so every depth that it measures counts.`,
  ROOTS_TOO_DEEP: ({ rootDepthCm = 0 }) =>
    say`Its root depth of ${exact(rootDepthCm, 'cm')} is more than its crop usually has: check it.${call('set_probe_settings', 'rootDepthCm')}`,
  SLICE_WITHOUT_VALUE: (_, { advice }) => {
    if (isDeficitKnown(advice))
      return say`A depth without a value was assumed to be as wet as the others.`;
    // Some depths have a value, or what they hold is unknown.
    return advice.reasons.some(withholdsAmount) || reasonOf(advice.reasons, 'NO_SOIL_PROFILE')
      ? null
      : say`No depth has a usable value (a single 0 is ignored): ask again after the next reading.`;
  },
  DEPTH_WITHOUT_LAYER: say`A depth without a soil layer was assumed to hold what the drawn line says, or as much as the soil next to it: declare it.${call('set_soil_profile')}`,
  DEFAULT_FRACTION_WETTED: (_, { advice }) =>
    isDeficitKnown(advice)
      ? say`Its wetted fraction is the default of the system, not a measured one.`
      : null,
  FRACTION_OF_LINE_SPACING: (_, { advice: { fractionWetted } }) =>
    fractionWetted === null
      ? null
      : say`Drip lines at their spacing wet about ${share(fractionWetted)} of the area, so this counts with that and not with the default: if it looks right in the field, enter it as the wetted fraction.${call('correct_installation', `fractionWetted: ${formatShare(fractionWetted)}`)}`,
  PLANNED_TODAY: ({ plannedMm }) =>
    plannedMm === undefined
      ? null
      : say`That is in addition to the ${amount(plannedMm, 'mm')} planned for today, if they run.`,
  RUNOFF: (runoff) => (runoff.rateMmPerH === undefined ? null : describeRunoff(runoff)),
  LONGEST_RUN: (runs) => (runs.parts === undefined ? null : describeRuns(runs)),
  DAILY_LIMIT_TOO_SHORT: (_, { advice: { settings } }) =>
    say`At most ${settings && minutes(HOUR_MIN * settings.hoursPerDay)} a day is too little to catch up: check the application rate, and allow more hours a day if you can.${call('set_probe_settings', 'hoursPerDay')}`,
  NO_STRESS_POINT: say`Without a stress point, no day of stress can be forecast.`,
  THRESHOLDS_CROSSED: say`The wilting point is not below the field capacity, so no day of stress can be forecast: move or delete a line.${call('update_annotation')}${call('delete_annotation')}`,
  FEW_DRY_DAYS: say`The last two weeks had too little time without water (three dry days, or three dry half days) to forecast a day of stress.`,
  NOT_DRYING: say`It does not dry between waterings, so no day of stress can be forecast.`,
};

/** Else nothing is said of how far an amount may be off, or of how to give one. */
const isDeficitKnown = ({ deficitMm }: WateringAdvice): boolean => deficitMm !== null;

function describeTensions({ suspect = [] }: FactsOf<'TENSION_FELL'>): Text {
  return sentences(describeSuspectTension(suspect));
}

function describeReadings({ readings = [] }: FactsOf<'SENSOR_FELL'>, { now }: ReasonContext): Text {
  return sentences(describeSuspectReadings(readings, { now }));
}

function describeLines({ lines = [] }: FactsOf<'WILTING_POINT_IN_DOUBT'>): Text {
  return sentences(
    lines.map(
      (doubt) =>
        say`${describeLineDoubt(doubt)}: check it, and move it or draw it again at the same height to confirm it.`,
    ),
  );
}

function describeRest(
  { until, harvestedOn }: FactsOf<'AT_REST'>,
  { target, now, zone }: ReasonContext,
): Text {
  const isAhead = harvestedOn != null && harvestedOn > LocalDay.at(now, zone).iso;
  return sentences([
    until == null
      ? null
      : say`${target} needs no watering now: its crop is at rest until ${dayIn(until)}.${call('set_probe_settings', 'restUntil')}${call('set_parcel', 'plantedOn')}`,
    harvestedOn == null
      ? null
      : say`${target} needs no watering now: its crop ${isAhead ? say`ripens for its harvest` : say`was harvested`} on ${dayIn(harvestedOn)}.${call('set_parcel', 'harvestedOn')}`,
  ]);
}

const dayIn = (date: string) => dayOfYear(date.slice('2026-'.length));

const isSaid = (reason: Reason): reason is Reason<SaidKind> => reason.kind in SENTENCES;

/** The sentences of these reasons, in their order. */
export const describeReasons = (reasons: readonly Reason[], context: ReasonContext): Text[] =>
  reasons.filter(isSaid).flatMap((reason) => describeReason(reason, context) ?? []);

function describeReason<Kind extends SaidKind>(
  reason: Reason<Kind>,
  context: ReasonContext,
): Text | null {
  const sentence: Sentence<Kind> = SENTENCES[reason.kind];
  return typeof sentence === 'function' ? sentence(reason, context) : sentence;
}

/** Says why there is no amount, or what a person must know before watering by it. */
export const describeDoubts = (context: ReasonContext): Text[] =>
  describeReasons(
    context.advice.reasons.filter((reason) => isFirst(reason) && !delaysWatering(reason)),
    context,
  );

/** Says those of the first reasons that matter only to a person who waters now. */
export const describeDelays = (context: ReasonContext): Text[] =>
  describeReasons(
    context.advice.reasons.filter((reason) => isFirst(reason) && delaysWatering(reason)),
    context,
  );

/** Says what the figures leave open, and what to do about it. */
export const describeRemainingReasons = (
  context: ReasonContext,
  isWanted: (reason: Reason) => boolean = () => true,
): Text[] =>
  describeReasons(
    context.advice.reasons.filter(
      (reason) => attributesOf(reason.kind).place === undefined && isWanted(reason),
    ),
    context,
  );

const isFirst = ({ kind }: Reason): boolean => attributesOf(kind).place === 'first';
