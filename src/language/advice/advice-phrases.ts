import type { AdviceReason } from '../../domain/advice/advice-reason.ts';
import type { DryingRate } from '../../domain/facts/drying-rate.ts';
import type { TensionFlag } from '../../domain/facts/suspect-tension.ts';
import type { QualityFlag } from '../../domain/moisture/suspect-readings.ts';
import { englishCount, englishNoun } from '../en/grammar.ts';
import { nextCall, nextLine, sameCallWith } from '../next-calls.ts';

export type DescribedReason = Exclude<
  AdviceReason,
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
  | 'RUNOFF'
>;

export interface ReasonFacts {
  readonly isKnown: boolean;
  readonly dailyLimit: string;
  readonly rainMm: string;
  readonly effectiveRainMm: string;
  readonly demandPercent: string;
  readonly fractionWetted: string;
  readonly rootDepthCm: string;
  /** The silent depths with their last readings; empty if the answer does not name them. */
  readonly silentDepths: string;
  /** By how much all depths rose, and when; empty if the answer does not say so. */
  readonly jump: string;
}

const REASONS: Record<DescribedReason, (facts: ReasonFacts) => string> = {
  NO_SOIL_MOISTURE: () =>
    `It measures no soil moisture: use a soil probe of that parcel.${nextCall('list_modules', 'parcel')}`,
  REST_UNKNOWN: () =>
    `The last two weeks were colder than 8 °C on average, when a crop may be dormant or a field bare, so no amount is given: ask when this crop rests, or whether it needs water all winter.${nextCall('set_probe_settings', 'restFrom: a day or never', 'restUntil')}`,
  FROZEN: () =>
    'Half of the measured soil or more is frozen, where sensors read too little water, so no amount is given: ask again when it has thawed.',
  MOSTLY_IN_DOUBT: () =>
    'The readings of half of the measured soil or more are in doubt, so no amount is given: check these sensors first.',
  MOSTLY_SILENT: ({ silentDepths }) =>
    `Half of the measured soil or more has no recent reading that can be used${silentDepths === '' ? '' : ` (none from ${silentDepths})`}, so no amount is given: check these sensors.`,
  DEPTHS_JUMPED: ({ jump }) =>
    `All of its depths rose at once${jump === '' ? '' : `, ${jump}`}, with no watering or rain recorded, and water takes hours to come so far down, so no amount is given: ask whether water came then, and log it; if not, check the plug, the cable and the power of the probe.${nextCall('log_watering')}`,
  FLOW_RATE_IN_DOUBT: () =>
    `A refill would take far longer than a watering usually runs, so the application rate may be entered too low: check the flow and the spacing of the emitters before you go by the hours.${nextCall('correct_installation', 'flowMmPerH')}`,
  NO_DATA: () =>
    `It has never sent a reading: check whether it transmits.${nextCall('get_module_health')}`,
  STALE_DATA: () =>
    `Check why it is silent, and look at the soil by hand meanwhile.${nextCall('get_module_health')}`,
  TOP_FROZEN: () =>
    'The topsoil is frozen, so water would run off or freeze: wait for the thaw, then ask again.',
  UNCONFIRMED_WATERING: () =>
    'A watering planned in the last 24 hours is waiting to be confirmed: ask whether it ran before watering again.',
  RECENT_WATERING: () =>
    'A recent watering may still be soaking in: ask again when it has soaked in.',
  TENSION_ONLY: () =>
    'A tensiometer shows when to water, not how much: give the usual amount, or go by a soil probe of that parcel, and see whether the tension falls.',
  NO_SOIL_PROFILE: () =>
    `How much water its soil holds is unknown: ask for the texture of its parcel, then declare it.${nextCall('set_soil_profile')}${nextLine('threshold1')}`,
  FIELD_CAPACITY_ESTIMATED: () =>
    `Its field capacity is that of a texture class, so the deficit can be off by some 15 mm.${nextCall('suggest_thresholds')}`,
  NO_INSTALLATION: () =>
    `It has no irrigation equipment: ask for it and declare it.${nextCall('set_module_installation')}`,
  MISSING_FLOW_RATE: () =>
    `Minutes need the application rate, which is missing or far too low: ask for it and correct the equipment.${nextCall('correct_installation', 'flowMmPerH')}`,
  /** The minutes are known: only the volume lacks something. */
  MISSING_IRRIGATED_AREA: () => nextCall('correct_installation', 'irrigatedAreaM2'),
  GAPS: () =>
    `More than a tenth of the readings of the last week are missing.${nextCall('get_module_health')}`,
  NO_ROOT_DEPTH: () =>
    `No root depth is set${nextCall('set_probe_settings', 'rootDepthCm')}, so every depth that it measures counts.`,
  ROOTS_TOO_DEEP: ({ rootDepthCm }) =>
    `Its root depth of ${rootDepthCm} cm is more than its crop usually has: check it.${nextCall('set_probe_settings', 'rootDepthCm')}`,
  SLICE_WITHOUT_VALUE: ({ isKnown }) =>
    isKnown
      ? 'A depth without a value was assumed to be as wet as the others.'
      : 'No depth has a usable value (a single 0 is ignored): ask again after the next reading.',
  DEPTH_WITHOUT_LAYER: () =>
    `A depth without a soil layer was assumed to hold what the drawn line says, or as much as the soil next to it: declare it.${nextCall('set_soil_profile')}`,
  DEFAULT_FRACTION_WETTED: () =>
    'Its wetted fraction is the default of the system, not a measured one.',
  NEW_PROBE: () =>
    'This probe has stood in the soil for less than a week, and the soil around it still settles: give the usual amount until then, and look at the soil by hand.',
  ROOTS_NOT_MEASURED: () =>
    `All of its sensors lie below its roots, or in the uppermost 10 cm, which the sun dries, so what its roots lack is unknown: check the root depth and the depths of the sensors.${nextCall('set_probe_settings', 'rootDepthCm')}`,
  SOIL_IN_DOUBT: () =>
    `In two weeks it has never drained to what soil of its texture holds, so no amount is given: check the texture of its parcel, and look for standing water. If the texture is right, its field capacity must be drawn.${nextCall('set_soil_profile')}${nextLine('threshold1')}`,
  COMMISSIONING_UNKNOWN: () =>
    `Since when it stands in the field is not known: ask, because in its first week the soil around a probe settles.${nextCall('set_module', 'commissionedAt')}`,
  WATERING_RUNS: () =>
    'A watering is running: wait until it has soaked in, then ask again before giving more.',
  PLANNED_DOSE_UNKNOWN: () =>
    `A watering of unknown dose is planned for today: wait for it, or complete its equipment and ask again.${nextCall('correct_installation')}`,
  FRACTION_OF_LINE_SPACING: ({ fractionWetted }) =>
    `Drip lines at their spacing wet about ${fractionWetted} of the area, so this counts with that and not with the default: if it looks right in the field, enter it as the wetted fraction.${nextCall('correct_installation', `fractionWetted: ${fractionWetted}`)}`,
  EXPECTED_RAIN: ({ rainMm, effectiveRainMm }) =>
    `This counts on ${rainMm} mm of expected rain, ${effectiveRainMm} mm of it for the roots: if less falls, ask again.`,
  EXPECTED_DEMAND: ({ demandPercent }) =>
    `The days until stress are based on your forecast: drying at ${demandPercent} % of the pace of the last two weeks.`,
  DAILY_LIMIT_TOO_SHORT: ({ dailyLimit }) =>
    `At most ${dailyLimit} a day is too little to catch up: check the application rate, and allow more hours a day if you can.${nextCall('set_probe_settings', 'hoursPerDay')}`,
  NO_STRESS_POINT: () => 'Without a stress point, no day of stress can be forecast.',
  THRESHOLDS_CROSSED: () =>
    `The wilting point is not below the field capacity, so no day of stress can be forecast: move or delete a line.${nextCall('update_annotation')}${nextCall('delete_annotation')}`,
  FEW_DRY_DAYS: () =>
    'The last two weeks had too little time without water (three dry days, or three dry half days) to forecast a day of stress.',
  NOT_DRYING: () => 'It does not dry between waterings, so no day of stress can be forecast.',
};

export interface LossFacts {
  readonly netMm: string;
  readonly efficiency: string | null;
  readonly leaching: string | null;
}

interface RefillFacts {
  readonly percent: string | null;
  readonly amount: string;
  readonly losses: LossFacts | null;
  readonly isDue: boolean;
  /** What is given later is asked about again. */
  readonly isLater: boolean;
}

function describeLosses(losses: LossFacts | null): string {
  if (losses === null) return 'not counting losses or leaching';
  const efficiency = losses.efficiency === null ? 'no losses' : `efficiency ${losses.efficiency} %`;
  const leaching = losses.leaching === null ? 'no leaching' : `leaching ${losses.leaching} %`;
  return `of which ${losses.netMm} mm for the roots: ${efficiency}, ${leaching}`;
}

function describeFurtherDays(each: string, furtherDays: number | null): string {
  if (furtherDays === 1) return `${each} tomorrow`;
  return `then ${each} a day for ${furtherDays === null ? 'more than two weeks' : `${furtherDays} more days`}`;
}

const formatPoints = (points: number, text: string): string =>
  `${text} ${englishNoun(points, 'point')}`;

/** `text` is the formatted number of points. */
const DRYING_RATE: Record<
  DryingRate['basis'],
  (points: number, text: string, count: number) => string
> = {
  newest: (points, text, count) =>
    `It dries by ${formatPoints(points, text)} a day: the mean of the newest dry day and the median of ${count} in the last two weeks, each hour compared with the same hour of the day before.`,
  days: (points, text, count) =>
    `It dries by ${formatPoints(points, text)} a day: the median of ${count} dry days in the last two weeks, each hour compared with the same hour of the day before.`,
  parts: (points, text, count) =>
    `It dries by about ${formatPoints(points, text)} a day: the median of ${count} dry spells in the last two weeks, most of them shorter than a day and scaled up by how much of the day's sunshine they had.`,
};

interface PlannedWateringFacts {
  readonly until: string;
  readonly count: number;
  readonly mm: string | null;
  readonly next: { readonly at: string; readonly isUnderWay: boolean };
  readonly zone: string;
}

/** The most frequent cause first. */
const BALANCE_CHECKS =
  'See whether all waterings and rain are logged and the waterings ran, then whether its application rate, wetted fraction and crop are right, and then check the probe.';

export const advicePhrases = {
  /** Where the water counts: equipment that wets the whole area leaves no dry zone. */
  zone: (fractionWetted: number | null) => (fractionWetted === 1 ? 'root zone' : 'wetted zone'),
  reasons: REASONS,
  wateringsOf: (times: string) => `the waterings of ${times}`,
  wateringsSince: (count: number, first: string) => `the ${count} waterings since ${first}`,
  noResponse: (waterings: string, areScheduled: boolean) =>
    `${areScheduled ? 'Did they run? ' : ''}No depth showed ${waterings}: ${areScheduled ? 'ask first, because nobody confirmed them; if they ran, check' : 'check'} the valve and the filter, and whether the probe stands in the wetted soil.`,
  logShifted: (waterings: string, days: number) =>
    `The log may be wrong by ${englishCount(Math.abs(days), 'day')}: no depth showed ${waterings}, but each time the soil became wetter ${englishCount(Math.abs(days), 'day')} ${days > 0 ? 'later' : 'earlier'}, when none is logged. Ask for the days and correct them.${nextCall('correct_watering')}`,
  probesDiffer: (names: string) =>
    `For its soil it is much wetter or drier than ${names} on the same valve: look at both places before you water by one of them.`,
  meanwhile: {
    byProbe: (name: string, amount: string | null) =>
      amount === null
        ? `Until it is checked, go by ${name} on the same valve, which needs no water.`
        : `Until it is checked, go by ${name} on the same valve: give ${amount}.`,
    byProbeLater: (name: string, days: string, amount: string) =>
      `Until it is checked, go by ${name} on the same valve, which does not need water now: ${days} until the stress point; to refill it would take ${amount}.`,
    byBalance: (amount: string | null) =>
      amount === null
        ? 'Until it is checked, go by the water balance, which asks for no water.'
        : `Until it is checked, go by the water balance: give ${amount}.`,
    byBalanceLater: (days: string, amount: string) =>
      `Until it is checked, go by the water balance, which asks for no water now: ${days} until the stress point; to refill it would take ${amount}.`,
    asBefore: (amount: string, isUnconfirmed: boolean) =>
      `Until it is checked, go on as in the last two weeks: ${amount} a week${isUnconfirmed ? ', if all of that ran' : ''}.`,
  },
  /** `first` is null for rain of one day. */
  unshownRain: (mm: string, first: string | null, last: string) =>
    `No depth rose after ${mm} mm of rain (${first === null ? last : `${first} to ${last}`}), although the soil had room for it: the gauge or the probe is wrong, and no rain is counted. Check the gauge, and whether the probe touches the soil.`,
  tooWet: (since: string) =>
    `This probe has been more than 4 points above its drawn field capacity since ${since}, although no water came in the last three days, and drained soil does not stay so wet: look for a leak, a wet spot or salt, and whether the roots get air.`,
  staleData: (name: string, age: string, at: string) =>
    `Old data, so there is no advice: the newest moisture of ${name} is ${age} old, from ${at}.`,
  atRest: (name: string, day: string) =>
    `${name} needs no watering now: its crop is at rest until ${day}.${nextCall('set_probe_settings', 'restUntil')}${nextCall('set_parcel', 'plantedOn')}`,
  harvested: (name: string, day: string) =>
    `${name} needs no watering now: its crop was harvested on ${day}.${nextCall('set_parcel', 'harvestedOn')}`,
  oldData: (name: string, age: string, at: string) =>
    `The newest moisture of ${name} is ${age} old, from ${at}.`,
  deficitByBalance: (start: string, name: string, mm: string, zone: string) =>
    `By the balance of rain, waterings and evapotranspiration since ${start}, if every watering was logged, ${name} lacks ${mm} mm in its ${zone} to reach field capacity.`,
  noNeedByBalance: (start: string, name: string) =>
    `By the balance of rain, waterings and evapotranspiration since ${start}, if every watering was logged, ${name} needs no water.`,
  balanceDiffers: (since: string, mm: string) =>
    `By the balance of rain, waterings and evapotranspiration since ${since} it would lack ${mm} mm, and the difference to its readings grows. ${BALANCE_CHECKS}`,
  dryByBalance: (since: string, mm: string) =>
    `By the balance of rain, waterings and evapotranspiration since ${since} it would lack ${mm} mm and its crop be under stress, which its readings do not show: look at the soil by hand first. ${BALANCE_CHECKS}`,
  balanceNeeds: (needs: string) =>
    `While it is silent, the balance of rain, waterings and evapotranspiration could tell how much water it needs. Missing for that: ${needs}.`,
  balanceNeed: {
    crop: `the crop of its parcel${nextCall('set_parcel', 'type')}`,
    stage: `the day of planting, or the growth stage${nextCall('set_parcel', 'plantedOn or stage')}`,
    root_depth: `the root depth${nextCall('set_probe_settings', 'rootDepthCm')}`,
    soil: `the soil${nextCall('set_soil_profile')}`,
    weather:
      'the temperatures of the days since its soil was full (an import, or a weather station)',
    doses: 'the doses of its waterings (its equipment)',
    full_soil: `a day on which rain or a watering filled its soil${nextCall('log_watering')}${nextCall('advise_watering', 'parcel', 'filledOn')}`,
  },
  ofProbe: (name: string, sentence: string) => `${name}: ${sentence}`,
  withoutReadings: (names: string) =>
    `Unknown without readings of the soil: ${names}.${nextCall('get_module_health')}`,
  moreProbes: (count: number) =>
    `${englishCount(count, 'more probe')} of this parcel ${count === 1 ? 'is' : 'are'} less urgent.${sameCallWith('module')}`,
  /** Of a parcel without a probe. */
  parcelNeedUnknown: (name: string, needs: string) =>
    `No probe measures ${name}, so a balance of rain, waterings and evapotranspiration has to tell how much water it needs. Missing for that: ${needs}.`,
  parcelDeficit: (name: string, start: string, mm: string, zone: string) =>
    `No probe measures ${name}. By the balance of rain, waterings and evapotranspiration since ${start}, it lacks ${mm} mm in its ${zone} to reach field capacity.`,
  parcelNoNeed: (name: string, start: string) =>
    `No probe measures ${name}. By the balance of rain, waterings and evapotranspiration since ${start}, it needs no water.`,
  fullSoil: {
    said: (since: string) => `${since}, when, as you say, its soil was full`,
    filled: (since: string) => `${since}, before which rain or waterings had filled its soil`,
    planting: (since: string) =>
      `planting on ${since}, when its soil is taken to have been at field capacity`,
  },
  noWateringCounted: `No watering is counted since then: if there was one, it lacks less; ask for the last day on which its soil was full.${sameCallWith('filledOn')}`,
  needUnknown: (name: string) => `How much water ${name} needs is unknown.`,
  lineInDoubt: (doubt: string) =>
    `${doubt}: check it, and move it or draw it again at the same height to confirm it.`,
  noNeed: (name: string, at: string) =>
    `${name} needs no water: it is at or above field capacity, ${at}.`,
  /** Of a probe with some depths in doubt. */
  noNeedElsewhere: (name: string, at: string) =>
    `${name} lacks no water at the depths that can be trusted, ${at}; whether it does at the others is unknown.`,
  negligibleDeficit: (name: string, mm: string, at: string) =>
    `${name} needs no water: it lacks ${mm} mm to reach field capacity, less than its readings can tell, ${at}.`,
  /** `name` is null in a sentence after another about the probe. */
  deficit: (name: string | null, mm: string, zone: string, at: string) =>
    `${name ?? 'It'} lacks ${mm} mm in its ${zone} to reach field capacity, ${at}.`,
  refill: ({ percent, amount, losses, isDue, isLater }: RefillFacts) =>
    `To refill ${percent === null ? 'it' : `${percent} % of it`}${isDue ? ', give' : ' would take'} ${amount}${isLater && losses === null ? '' : `, ${describeLosses(losses)}`}.`,
  /** `limit` is null for whole days, `furtherDays` for more than two weeks. */
  split: (limit: string | null, each: string, isToday: boolean, furtherDays: number | null) =>
    `${limit === null ? 'That is more than a day' : `At most ${limit} a day`}: ${each} ${isToday ? 'today' : 'tonight'}, ${describeFurtherDays(each, furtherDays)}; from the second day on, check again first.`,
  beyondPlanned: (mm: string) =>
    `That is in addition to the ${mm} mm planned for today, if they run.`,
  plannedSuffices: 'What is planned for today is enough, if it runs.',
  rainSuffices: (isExpected: boolean) =>
    `The ${isExpected ? 'expected rain' : 'rain'} would be enough: nothing needs to be given now.`,
  wholeArea: (mm: string) => `${mm} mm over the whole area`,
  inStress: 'It is already at or below the stress point.',
  stressIn: (days: string) => `As fast as it dries now, it reaches the stress point in ${days}.`,
  stressInExpectedWeather: (days: string) =>
    `In the expected weather, it reaches the stress point in ${days}.`,
  dryingRate: DRYING_RATE,
  slowingDown: (residual: string) =>
    `Soil dries more slowly the drier it is, so the days until stress are the mean of that pace and of an exponential fall towards ${residual} %.`,
  nothingPlanned: (until: string) => `No watering is planned between now and ${until}.`,
  planned: ({ until, count, mm, next, zone }: PlannedWateringFacts) =>
    `Planned until ${until}: ${englishCount(count, 'watering')}, ${mm === null ? 'of unknown dose' : `${mm} mm in all`}, ${next.isUnderWay ? 'one running since' : 'the next'} ${next.at} (${zone}).`,
  /** `since` is null for more than two weeks. */
  silentDepths: (depthsCm: string, since: string | null) =>
    `${depthsCm} cm ${since === null ? 'for more than two weeks' : `since ${since}`}`,
  jump: (points: string, at: string) => `by ${points} points or more ${at}`,
  readingAge: (age: string) => `That is based on a reading that is ${age} old.`,
  plannedLater: 'What is planned after today gives as much, if you can wait and if it runs.',
  alreadyPlanned: 'The planned waterings are enough, if they run.',
  deficitDepth: (bottomCm: string) => `The deficit is for 0 to ${bottomCm} cm.`,
  slice: (topCm: string, bottomCm: string) => `${topCm} to ${bottomCm} cm`,
  withoutValue: (slices: string) => `No recent value from ${slices}.`,
  inDoubt: (slices: string) =>
    `Left out because its readings are in doubt, and taken to be as wet as the rest: ${slices}.`,
  frozen: (slices: string) =>
    `Left out because the soil is frozen there, and taken to be as wet as the rest: ${slices}.`,
  withoutLayer: (slices: string) => `No soil layer from ${slices}.`,
};
