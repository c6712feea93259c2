import type { DryingRate } from '../../domain/advice/drying-rate.ts';
import type { MissingDoseReason } from '../../domain/irrigation/dose.ts';
import type { SensorDoubtReason } from '../../domain/moisture/sensor-doubts.ts';
import type { AdviceReason } from '../../schema/advice/advice.ts';
import { englishCount, englishNoun } from './grammar.ts';

interface ReasonFacts {
  readonly isKnown: boolean;
  readonly dailyLimit: string;
  readonly rainMm: string;
  readonly effectiveRainMm: string;
  readonly demandPercent: string;
}

export type DescribedReason = Exclude<
  AdviceReason,
  SensorDoubtReason | 'RECENT_RAIN' | 'NO_DRY_LEVEL' | 'LONGER_THAN_A_DAY'
>;

const REASONS: Record<DescribedReason, (facts: ReasonFacts) => string> = {
  NO_SOIL_MOISTURE: () =>
    'It measures no soil moisture: use a soil probe of that parcel (list_modules).',
  NO_DATA: () => 'It has never sent a reading: check with get_module_health whether it transmits.',
  STALE_DATA: () =>
    'Check with get_module_health why it is silent, and look at the soil by hand meanwhile.',
  UNCONFIRMED_WATERING: () =>
    'A watering planned in the last 24 hours is waiting to be confirmed: ask whether it ran before watering again.',
  RECENT_WATERING: () =>
    'A recent watering may not have reached the sensors yet: ask again when it has soaked in.',
  TENSION_ONLY: () =>
    'A tensiometer shows whether to water, not how much: give the usual amount, or go by a soil probe of that parcel, and see whether the tension falls.',
  NO_SOIL_PROFILE: () =>
    'How much water its soil holds is unknown: ask for the texture of its parcel, then declare it with set_soil_profile (without a parcel, draw the field capacity with create_annotation).',
  FIELD_CAPACITY_ESTIMATED: () =>
    'The field capacity is that of a texture class, not measured here: even in the right class the deficit can be off by some 15 mm. suggest_thresholds finds it from past waterings; drawn with create_annotation, it counts.',
  NO_INSTALLATION: () =>
    'It has no irrigation setup: ask for its equipment and declare it with set_module_installation.',
  MISSING_FLOW_RATE: () =>
    'Minutes need the flow rate in mm/h, which is missing or far too low: ask for it and set flowMmPerH with correct_installation.',
  MISSING_IRRIGATED_AREA: () =>
    'Cubic metres need the irrigated area in m2: ask for it and add it as irrigatedAreaM2 with correct_installation.',
  GAPS: () => 'More than a tenth of the readings of the last week are missing (get_module_health).',
  NO_ROOT_DEPTH: () =>
    'No root depth is set (rootDepthCm of set_probe_settings), so every depth that it measures counts.',
  SLICE_WITHOUT_VALUE: ({ isKnown }) =>
    isKnown
      ? 'A depth without a value was assumed to be as wet as the others.'
      : 'No depth has a usable value (a single 0 is ignored): ask again after the next reading.',
  DEPTH_WITHOUT_LAYER: () =>
    'A depth without a soil layer was assumed to hold what the drawn line says, or as much as the soil next to it: declare it with set_soil_profile.',
  DEFAULT_FRACTION_WETTED: () =>
    'The wetted fraction is the default of the system, not a measured one.',
  EXPECTED_RAIN: ({ rainMm, effectiveRainMm }) =>
    `This counts on ${rainMm} mm of expected rain, ${effectiveRainMm} mm of it for the roots: if less falls, ask again.`,
  EXPECTED_DEMAND: ({ demandPercent }) =>
    `The days until stress are based on your forecast: drying at ${demandPercent} % of the pace of the last two weeks.`,
  DAILY_LIMIT_TOO_SHORT: ({ dailyLimit }) =>
    `At most ${dailyLimit} a day is too little to catch up: check the flow rate, and allow more hours a day if you can (hoursPerDay of set_probe_settings).`,
  NO_STRESS_POINT: () => 'Without a stress point, no day of stress can be forecast.',
  THRESHOLDS_CROSSED: () =>
    'The wilting point is not below the field capacity, so no day of stress can be forecast: move or delete a line (update_annotation, delete_annotation).',
  FEW_DRY_DAYS: () =>
    'The last two weeks had too little time without water (three dry days, or three dry half days) to forecast a day of stress.',
  NOT_DRYING: () => 'It does not dry between waterings, so no day of stress can be forecast.',
};

const formatPoints = (points: number, text: string): string =>
  `${text} ${englishNoun(points, 'point')}`;

/** `text` is the formatted number of points. */
const DRYING_PACE: Record<
  DryingRate['basis'],
  (points: number, text: string, count: number) => string
> = {
  newest: (points, text, count) =>
    `It dries by ${formatPoints(points, text)} a day: the mean of the newest dry day and the median of ${count} in the last two weeks, each hour compared with the same hour of the day before.`,
  days: (points, text, count) =>
    `It dries by ${formatPoints(points, text)} a day: the median of ${count} dry days in the last two weeks, each hour compared with the same hour of the day before.`,
  parts: (points, text, count) =>
    `It dries by about ${formatPoints(points, text)} a day: the median of ${count} dry spells in the last two weeks, most of them shorter than a day and scaled by their share of the day's sunshine.`,
};

export interface LossFacts {
  readonly netMm: string;
  readonly efficiency: string | null;
  readonly leaching: string | null;
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

interface PlannedWateringFacts {
  readonly until: string;
  readonly count: number;
  readonly mm: string | null;
  readonly next: { readonly at: string; readonly isUnderWay: boolean };
  readonly zone: string;
}

export const englishAdvicePhrases = {
  reasons: REASONS,
  staleData: (name: string, age: string, at: string) =>
    `Old data, so there is no advice: the newest moisture of ${name} is ${age} old, from ${at}.`,
  needUnknown: (name: string) => `How much water ${name} needs is unknown.`,
  noNeed: (name: string, at: string) =>
    `${name} needs no water: it is at or above field capacity, ${at}.`,
  negligibleDeficit: (name: string, mm: string, at: string) =>
    `${name} needs no water: it lacks ${mm} mm to reach field capacity, less than its readings can tell, ${at}.`,
  deficit: (name: string, mm: string, at: string) =>
    `${name} lacks ${mm} mm in its wetted zone to reach field capacity, ${at}.`,
  refill: (percent: string | null, amount: string, losses: LossFacts | null) =>
    `To refill ${percent === null ? 'it' : `${percent} % of it`}, give ${amount}, ${describeLosses(losses)}.`,
  /** `furtherDays` is null for more than two weeks. */
  split: (limit: string, each: string, isToday: boolean, furtherDays: number | null) =>
    `At most ${limit} a day: ${each} ${isToday ? 'today' : 'tonight'}, ${describeFurtherDays(each, furtherDays)}; from the second day on, check again first.`,
  rainSuffices: (isExpected: boolean) =>
    `The ${isExpected ? 'expected rain' : 'rain'} would be enough: nothing needs to be given now.`,
  wholeArea: (mm: string) => `${mm} mm over the whole area`,
  inStress: 'It is already at or below the stress point.',
  stressIn: (days: string) => `As fast as it dries now, it reaches the stress point in ${days}.`,
  stressInExpectedWeather: (days: string) =>
    `In the expected weather, it reaches the stress point in ${days}.`,
  dryingPace: DRYING_PACE,
  nothingPlanned: (until: string) => `Nothing is planned until ${until}.`,
  planned: ({ until, count, mm, next, zone }: PlannedWateringFacts) =>
    `Planned until ${until}: ${englishCount(count, 'watering')}, ${mm === null ? 'of unknown dose' : `${mm} mm in all`}, ${next.isUnderWay ? 'one running since' : 'the next'} ${next.at} (${zone}).`,
  readingAge: (age: string) => `That is based on a reading that is ${age} old.`,
  alreadyPlanned: 'The planned waterings already cover it: nothing needs to be added.',
  deficitDepth: (bottomCm: string) => `The deficit is for 0 to ${bottomCm} cm.`,
  slice: (topCm: string, bottomCm: string) => `${topCm} to ${bottomCm} cm`,
  withoutValue: (slices: string) => `No recent value from ${slices}.`,
  withoutLayer: (slices: string) => `No soil layer from ${slices}.`,
};

const MISSING_INPUTS: Record<MissingDoseReason, string> = {
  NO_INSTALLATION: 'its equipment',
  MISSING_FLOW_RATE: 'its flow rate in mm/h',
  MISSING_IRRIGATED_AREA: 'its irrigated area in m2',
};

export const englishBriefPhrases = {
  noProbe:
    'There are no probes yet: say which ones you have and where (set_module adds them), or import a farm file.',
  allQuiet: (zone: string, nextWatering: string) =>
    `All is quiet (${zone}): no probe is known to need more water today than is planned, no alert is firing and every device is sending data; ${nextWatering}.`,
  noNeed: 'No probe is known to need more water today than is planned.',
  more: (count: number) => `${count} more`,
  list: (rows: readonly string[], more: number) =>
    (more > 0 ? [...rows, `and ${more} more`] : rows).join('; '),
  needs: (list: string) => `Water today: ${list}.`,
  valve: (parcel: string, dry: number, probes: number, driest: string) =>
    `${parcel} (${dry} of ${probes} probes: ${driest})`,
  atMoisture: (name: string, value: string) => `${name} at ${value} %`,
  neededTime: (today: string, total: string | null) =>
    `for ${today}${total === null ? '' : ` today of ${total} in all`}`,
  neededMm: (mm: string | null) =>
    mm === null ? 'by an amount that is not known yet' : `by ${mm} mm`,
  beyondPlanned: (mm: string | null) =>
    `beyond ${mm === null ? 'a watering of unknown dose' : `the ${mm} mm`} planned today`,
  underStress: 'under stress',
  stressIn: (days: string) => `stress in ${days}`,
  checkFirst: (list: string) => `Check first: ${list}.`,
  checks: {
    UNCONFIRMED_WATERING: 'did the planned watering run?',
    RECENT_WATERING: 'watered recently',
    TOO_DRY_FOR_SOIL: 'too dry for the soil',
    TOO_WET_FOR_SOIL: 'too wet for the soil',
    SENSOR_STUCK: 'stuck',
  },
  firing: (list: string) => `Alerts firing: ${list}.`,
  moisture: (value: string | null, oldAt: string | null) =>
    value === null ? 'moisture unknown' : `${value} %${oldAt === null ? '' : ` from ${oldAt}`}`,
  threshold: (value: string) => `threshold ${value} %`,
  silentGateways: (list: string) => `Silent gateways: ${list}.`,
  silentProbes: (list: string) => `Silent probes: ${list}.`,
  gateway: (imei: string, modules: string) => (modules === '' ? imei : `${imei} with ${modules}`),
  since: (at: string) => `since ${at}`,
  noContact: 'no contact yet',
  oneToConfirm: (at: string, name: string) =>
    `Did the watering planned on ${name} ${at} run? It is waiting to be confirmed.`,
  toConfirm: (count: number, list: string) => `${count} waterings await confirmation: ${list}.`,
  watering: (at: string, name: string, mm: string | null) =>
    `${at} on ${name}${mm === null ? '' : `, ${mm} mm`}`,
  dosesMissing: (list: string) => `Doses missing: ${list}.`,
  probeMissingDoses: (count: number, name: string, reason: MissingDoseReason) =>
    `${count} on ${name} without ${MISSING_INPUTS[reason]}`,
  withoutStressPoint: (list: string) => `No stress point: ${list}; see set_soil_profile.`,
  crossedThresholds: (list: string) =>
    `The wilting point is not below the field capacity: ${list}; move or delete a line (update_annotation, delete_annotation).`,
  tension: (name: string, value: string, dryLevel: string) =>
    `${name}, at ${value} kPa above its dry level of ${dryLevel} (higher is drier)`,
  withoutDryLevel: (list: string) =>
    `No dry level (higher is drier): ${list}; draw it with create_annotation (chartType tensio, fill dry).`,
  tensionWithoutDryLevel: (name: string, value: string, from: string | null, to: string | null) =>
    `${name} at ${value} kPa${from === null ? '' : `, on its soil usually watered at ${from} to ${to} kPa`}`,
  nothingPlannedAhead: 'nothing is planned within 48 hours',
  ahead: (count: number, list: string) =>
    `${count === 1 ? 'one watering is' : `${count} waterings are`} planned within 48 hours: ${list}`,
};

export const englishOverview = {
  noProbe: (stations: number) =>
    `There are no probes, only ${englishCount(stations, 'weather station')}: set_module adds probes.`,
  driest: (probes: number, list: string) =>
    probes === 1 ? `${list}.` : `Driest of ${probes} probes: ${list}.`,
  driestTension: (list: string) => `Highest tension, which is drier: ${list}.`,
  noValue: (probes: number) =>
    probes === 1
      ? 'The only probe has no fresh value to go by.'
      : `None of the ${probes} probes has a fresh value to go by.`,
  moisture: (name: string, value: string) => `${name}, ${value} %`,
  tension: (name: string, value: string) => `${name}, ${value} kPa`,
  comfort: 'in comfort',
  saturated: 'saturated',
  noNeed: 'None is known to need more water today than is planned.',
  needs: (count: number, list: string) =>
    `${count} ${count === 1 ? 'needs' : 'need'} water today: ${list}.`,
  next: (list: string) => `Next: ${list}.`,
  checkFirst: (list: string) => `Check before watering: ${list}.`,
  firing: (list: string) => `Alerts firing: ${list}.`,
  silent: (list: string) => `Silent: ${list}.`,
  unjudged: (list: string) => `No stress point or dry level to judge by: ${list}.`,
  omittedProbes: (count: number) =>
    `${count} less urgent ${count === 1 ? 'one is' : 'ones are'} not listed here.`,
};

interface DrainedMoistureFacts {
  readonly least: string;
  readonly most: string;
  readonly isDoubtful: boolean;
}

const THOROUGH_WATERING =
  'Water once until no sensor rises any more, and draw what it holds two days later (create_annotation, fill threshold1).';

function countWettings(count: number): string {
  if (count === 0) return 'no wetting';
  return count === 1 ? 'only one wetting' : `only ${count} wettings`;
}

export const englishSuggestion = {
  drainedMoisture: (
    name: string,
    value: string,
    count: number,
    { least, most, isDoubtful }: DrainedMoistureFacts,
  ) =>
    `Once drained, ${name} holds ${value} %${isDoubtful ? '' : ', its field capacity'}: the median 24 to 48 hours after ${count} wettings that reached its deepest sensor, ${least === most ? `all at ${least}` : `between ${least} and ${most}`} %.`,
  wettings: (times: string, areMore: boolean, zone: string) =>
    `${areMore ? 'The latest reached' : 'They reached'} it at these times: ${times} (${zone}).`,
  tooLow: (inForce: string) =>
    `That is far below the ${inForce} % in force, so it is hardly the field capacity: these waterings were probably too small to fill the soil, or its texture is declared wrong. ${THOROUGH_WATERING}`,
  tooWide: `They differ too much for one field capacity: some of these waterings were probably too small to fill the soil. ${THOROUGH_WATERING}`,
  noSoilMoisture: (name: string) =>
    `${name} has no soil moisture sensor, so it shows no field capacity.`,
  stressPoint: (value: string) => `With it, plants begin to suffer at ${value} %.`,
  noStressPoint:
    'The stress point needs a wilting point below it as well: declare the soil of its parcel with set_soil_profile.',
  offer: (value: string, exact: number, inForce: string | null) =>
    `${inForce === null ? 'No field capacity is in force' : `${inForce} % is in force`}: ask whether ${value} % shall count, then draw it with create_annotation (h-line, fill threshold1, p1 [now in ms, ${exact}]).`,
  tooFew: (name: string, count: number, needed: number) =>
    `The field capacity of ${name} cannot be determined from its readings: in the last year ${countWettings(count)} reached its deepest sensor from above and then drained for two days without more water, and ${needed} are needed.`,
  unusedWettings: (reasons: string) => `Not counted: ${reasons}.`,
  unusedReasons: {
    wateredAgain: (count: number) => `${count} followed by more water within two days`,
    tooRecent: (count: number) => `${count} less than two days ago`,
    gaps: (count: number) => `${count} with too few readings afterwards`,
  },
  howToGetMore:
    'Water until the deepest sensor rises, wait two days, and ask again; or draw a field capacity that the person knows.',
};
