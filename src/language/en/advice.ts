import type { DryingRate } from '../../domain/advice/drying-rate.ts';
import type { MissingDoseReason } from '../../domain/irrigation/dose.ts';
import type { SensorDoubtReason } from '../../domain/moisture/sensor-doubts.ts';
import type { AdviceReason, ReviewedWateringBody } from '../../schema/advice.ts';
import { englishCount, englishNoun } from './grammar.ts';

interface ReasonFacts {
  readonly isKnown: boolean;
  readonly dailyLimit: string;
  readonly rainMm: string;
  readonly effectiveRainMm: string;
  readonly demandPercent: string;
}

type DescribedReason = Exclude<AdviceReason, SensorDoubtReason | 'RECENT_RAIN' | 'NO_DRY_LEVEL' | 'LONGER_THAN_A_DAY'>;

const REASONS: Record<DescribedReason, (facts: ReasonFacts) => string> = {
  NO_SOIL_MOISTURE: () => 'It measures no soil moisture: use a soil probe of that parcel (list_modules).',
  NO_DATA: () => 'It has never sent a reading: see with get_module_health whether it transmits.',
  STALE_DATA: () => 'See with get_module_health why it is silent, and look at the soil by hand meanwhile.',
  UNCONFIRMED_WATERING: () =>
    'A watering planned in the last 24 hours is waiting to be confirmed: ask whether it ran before watering again.',
  RECENT_WATERING: () => 'A recent watering may not have reached the sensors yet: ask again when it has soaked in.',
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
  DEFAULT_FRACTION_WETTED: () => 'The wetted fraction is the default of the system, not a measured one.',
  EXPECTED_RAIN: ({ rainMm, effectiveRainMm }) =>
    `This counts on ${rainMm} mm of expected rain, ${effectiveRainMm} mm of it for the roots: if less falls, ask again.`,
  EXPECTED_DEMAND: ({ demandPercent }) =>
    `The days until stress rest on your forecast: drying at ${demandPercent} % of the pace of the last two weeks.`,
  DAILY_LIMIT_TOO_SHORT: ({ dailyLimit }) =>
    `At most ${dailyLimit} a day is too little to catch up: check the flow rate, and allow more hours a day if you can (hoursPerDay of set_probe_settings).`,
  NO_STRESS_POINT: () => 'Without a stress point, no day of stress can be forecast.',
  THRESHOLDS_CROSSED: () =>
    'The wilting point is not below the field capacity, so no day of stress can be forecast: move or delete a line (update_annotation, delete_annotation).',
  FEW_DRY_DAYS: () =>
    'The last two weeks had too little time without water (three dry days, or three dry half days) to forecast a day of stress.',
  NOT_DRYING: () => 'It does not dry between waterings, so no day of stress can be forecast.',
};

const DRYING_PACE: Record<DryingRate['basis'], (points: number, text: string, count: number) => string> = {
  newest: (points, text, count) =>
    `It dries by ${text} ${englishNoun(points, 'point')} a day: the mean of the newest dry day and the median of ${count} in the last two weeks, each hour compared with the same hour of the day before.`,
  days: (points, text, count) =>
    `It dries by ${text} ${englishNoun(points, 'point')} a day: the median of ${count} dry days in the last two weeks, each hour compared with the same hour of the day before.`,
  parts: (points, text, count) =>
    `It dries by about ${text} ${englishNoun(points, 'point')} a day: the median of ${count} dry spells in the last two weeks, most of them shorter than a day and scaled by their share of the day's sunshine.`,
};

interface LossFacts {
  readonly netMm: string;
  readonly efficiency: string | null;
  readonly leaching: string | null;
}

export const englishAdvicePhrases = {
  reasons: REASONS,
  staleData: (name: string, age: string, at: string) =>
    `Old data, so there is no advice: the newest moisture of ${name} is ${age} old, from ${at}.`,
  needUnknown: (name: string) => `How much water ${name} needs is unknown.`,
  noNeed: (name: string, at: string) => `${name} needs no water: it is at or above field capacity, ${at}.`,
  negligibleDeficit: (name: string, mm: string, at: string) =>
    `${name} needs no water: it lacks ${mm} mm to reach field capacity, less than its readings can tell, ${at}.`,
  deficit: (name: string, mm: string, at: string) =>
    `${name} lacks ${mm} mm in its wetted zone to reach field capacity, ${at}.`,
  refill: (percent: string | null, gift: string, losses: LossFacts | null) =>
    `To refill ${percent === null ? 'it' : `${percent} % of it`}, give ${gift}, ${losses === null ? 'not counting losses or leaching' : `of which ${losses.netMm} mm for the roots: ${losses.efficiency === null ? 'no losses' : `efficiency ${losses.efficiency} %`}, ${losses.leaching === null ? 'no leaching' : `leaching ${losses.leaching} %`}`}.`,
  /** `more`: days, null for more than two weeks. */
  split: (limit: string, each: string, isToday: boolean, more: number | null) =>
    `At most ${limit} a day: ${each} ${isToday ? 'today' : 'tonight'}, ${more === 1 ? `${each} tomorrow` : `then ${each} a day for ${more === null ? 'more than two weeks' : `${more} more days`}`}; from the second day on, check again first.`,
  rainSuffices: (isExpected: boolean) =>
    `The ${isExpected ? 'expected rain' : 'rain'} would be enough: nothing needs to be given now.`,
  wholeArea: (mm: string) => `${mm} mm over the whole area`,
  inStress: 'It is already at or below the stress point.',
  stressIn: (days: string) => `As fast as it dries now, it reaches the stress point in ${days}.`,
  stressInExpectedWeather: (days: string) => `In the expected weather, it reaches the stress point in ${days}.`,
  dryingPace: DRYING_PACE,
  nothingPlanned: (until: string) => `Nothing is planned until ${until}.`,
  planned: (until: string, count: number, mm: string | null, next: { at: string; isUnderWay: boolean }, zone: string) =>
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
  noProbe: 'There are no probes yet: say which ones you have and where (set_module adds them), or import a farm file.',
  allQuiet: (zone: string, nextWatering: string) =>
    `All is quiet (${zone}): no probe is known to need more water today than is planned, no alert is firing and every device is sending data; ${nextWatering}.`,
  noNeed: 'No probe is known to need more water today than is planned.',
  more: (count: number) => `${count} more`,
  list: (rows: readonly string[], more: number) => (more > 0 ? [...rows, `and ${more} more`] : rows).join('; '),
  needs: (list: string) => `Water today: ${list}.`,
  valve: (parcel: string, dry: number, probes: number, driest: string) =>
    `${parcel} (${dry} of ${probes} probes: ${driest})`,
  atMoisture: (name: string, value: string) => `${name} at ${value} %`,
  neededTime: (today: string, total: string | null) =>
    `for ${today}${total === null ? '' : ` today of ${total} in all`}`,
  neededMm: (mm: string | null) => (mm === null ? 'by an amount that is not known yet' : `by ${mm} mm`),
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
  watering: (at: string, name: string, mm: string | null) => `${at} on ${name}${mm === null ? '' : `, ${mm} mm`}`,
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
  unjudgedTension: (name: string, value: string, from: string | null, to: string | null) =>
    `${name} at ${value} kPa${from === null ? '' : `, on its soil usually watered at ${from} to ${to} kPa`}`,
  nothingPlannedAhead: 'nothing is planned within 48 hours',
  ahead: (count: number, list: string) =>
    `${count === 1 ? 'one watering is' : `${count} waterings are`} planned within 48 hours: ${list}`,
};

export const englishChartPhrases = {
  levels: (levels: readonly string[]) => `Drawn with ${levels.join(', ')}.`,
  stressPoint: (value: string) => `stress point ${value} %`,
  fieldCapacity: (value: string) => `field capacity ${value} %`,
  wiltingPoint: (value: string) => `wilting point ${value} %`,
  wetLevel: (value: string) => `wet level ${value} kPa`,
  dryLevel: (value: string) => `dry level ${value} kPa`,
  higherIsDrier: 'Higher is drier.',
  ofParcel: 'The waterings are those of its parcel.',
  alertBelow: (value: string) => `alert below ${value} %`,
  noWaterings: 'No waterings in that period.',
  waterings: (counts: readonly string[]) => `In that period ${counts.join('; ')}.`,
  doneWaterings: (count: number, mm: string) => `${englishCount(count, 'watering')} done, ${mm} mm in all`,
  plannedWaterings: (count: number) => `${englishCount(count, 'watering')} planned`,
  unknownDoses: (count: number) => `${count} of unknown dose`,
  watering: (at: string, mm: string | null, isPlanned: boolean) =>
    `${at} ${mm === null ? 'dose unknown' : `${mm} mm`}${isPlanned ? ' (planned)' : ''}`,
  earlierWaterings: (count: number) => `${count} earlier`,
  newestWaterings: (rows: readonly string[], zone: string) => `Newest first (${zone}): ${rows.join('; ')}.`,
  parcel: (name: string) => `It is in ${name}.`,
  newest: (value: string) => `Newest reading: ${value}.`,
  depths: (values: readonly { readonly depth: number; readonly value: string }[]) =>
    `Newest by depth: ${values.map(({ depth, value }) => `${depth} cm ${value} %`).join(', ')}.`,
  unsupportedName: (name: string, drawn: string) =>
    `The font of the picture cannot write ${name}: it says ${drawn} instead.`,
};

export const englishResponses: Record<ReviewedWateringBody['response'], string> = {
  reached: 'reached the root zone',
  below_roots: 'reached below the roots',
  no_response: 'showed no response',
  too_early: 'too recent to judge',
  no_data: 'without data',
};

export const englishReview = {
  period: (start: string, end: string, zone: string) => `from ${start} to ${end} (${zone})`,
  noWaterings: (name: string, period: string) => `No watering is logged as done on ${name} ${period}.`,
  totals: (name: string, period: string, total: number, responses: string) =>
    `${englishCount(total, 'watering')} of ${name} ${period}: ${responses}.`,
  response: (response: ReviewedWateringBody['response'], count: number) => `${count} ${englishResponses[response]}`,
  assessedTogether: (ids: string) => `Assessed together, because they are at most 3 hours apart: ${ids}.`,
  checkRan: (ids: string, _count: number) => `Check whether ${ids} ran and reached the probe (no response).`,
  reachedBelow: (ids: string, _count: number) =>
    `Water of ${ids} reached below the roots: if that happens often, give less at a time.`,
  newestResponse: (
    at: string,
    deepestCm: number | null,
    gainedMm: string | null,
    appliedMm: string | null,
    hasLosses: boolean,
  ) => {
    const gained = gainedMm === null ? '' : `, and the soil gained ${gainedMm} mm`;
    const against =
      gainedMm === null || appliedMm === null
        ? ''
        : ` of ${appliedMm} mm in the wetted zone${hasLosses ? ', less losses' : ''}`;
    return `The newest with a visible effect, ${at}: down to ${deepestCm} cm${gained}${against}.`;
  },
  implausibleGain: (ids: string, count: number) =>
    `The sensors show far more water than ${count === 1 ? 'watering' : 'waterings'} ${ids} gave: unless it rained, check flow rate, wetted fraction and the placement of the probe.`,
  riseAmount: (mm: string, isOverall: boolean) =>
    `, about ${mm} mm ${isOverall ? 'over the whole area' : 'in the wetted soil'}`,
  ifIrrigation: ' if it was irrigation',
  likely: {
    watering: 'more likely a watering than rain',
    unknown: 'a watering or rain',
  },
  roseElsewhere: 'at the same time as on other parcels: rain, or all were watered',
  unloggedRises: (count: number, newest: string) =>
    `${englishCount(count, 'rise')} with no watering logged; the newest ${newest}.`,
  plannedThen: (eventId: number) =>
    `Watering ${eventId} was planned then: if it ran, confirm it with correct_watering.`,
  rainRises: (count: number, at: string, mm: string) =>
    `Recorded rain explains ${englishCount(count, 'rise')}; the newest ${at}, ${mm} mm of rain.`,
  askFirst: (rainMm: string | null) =>
    rainMm === null
      ? 'No rain is recorded for then, so ask before you log a watering.'
      : `The ${rainMm} mm of rain recorded for then do not explain it, so ask before you log a watering.`,
  olderWaterings: (count: number) => englishCount(count, 'older watering'),
  olderRises: (count: number) => englishCount(count, 'older rise'),
  omitted: (rows: string) => `Left out: ${rows}; give a higher limit or an earlier end.`,
  noSoilMoisture: 'It measures no soil moisture, so the effect of a watering cannot be seen.',
};
