import type { MissingDoseReason } from '../../domain/irrigation/dose.ts';
import type { UnloggedRiseBody } from '../../schema/advice.ts';
import type {
  AdvicePhrases,
  BriefPhrases,
  ChartPhrases,
  CheckFacts,
  FiringAlertFacts,
  ResponseKind,
  ReviewPhrases,
  SliceDepths,
  SliceReadingFacts,
  UnloggedRiseFacts,
  WaterNeedFacts,
} from '../advice/advice-phrases.ts';
import { englishCount, englishFormat, englishNoun } from './grammar.ts';

const formatSlice = ({ topCm, bottomCm }: SliceDepths): string => `${topCm} to ${bottomCm} cm`;

const formatSlices = (depths: readonly SliceDepths[]): string => englishFormat.list(depths.map(formatSlice));

const formatSliceReadings = (values: readonly SliceReadingFacts[]): string =>
  englishFormat.list(values.map((each) => `${formatSlice(each)} (${each.moisture} %)`));

export const englishAdvicePhrases: AdvicePhrases = {
  reasons: {
    NO_SOIL_MOISTURE: () => 'It measures no soil moisture: ask for a soil probe of that block (list_modules).',
    NO_DATA: () => 'It has never sent any moisture: see with get_module_health whether it transmits.',
    STALE_DATA: () => 'See with get_module_health why it is silent, and look at the soil by hand meanwhile.',
    UNCONFIRMED_WATERING: () =>
      'A watering planned in the last 24 hours waits to be confirmed: ask whether it ran before watering again.',
    RECENT_WATERING: () =>
      'A watering of the last hours may not have reached the sensors yet: ask again when it has soaked in.',
    TOO_DRY_FOR_SOIL: () =>
      'It reads drier than sun and roots can make the soil that is declared there: look at the sensor and check the soil profile before watering by it.',
    NO_SOIL_PROFILE: () =>
      'What its soil can hold is not known: ask for the texture of its parcel and declare it with set_soil_profile (in no parcel: draw the field capacity with create_annotation).',
    FIELD_CAPACITY_DIFFERS: () =>
      'The drawn field capacity line and the soil profile disagree by more than a point: the state goes by the line, the deficit by the layers. Ask which is right.',
    NO_INSTALLATION: () =>
      'It has no irrigation setup: ask for its equipment and declare it with set_module_installation.',
    MISSING_FLOW_RATE: () =>
      'Minutes need the flow rate in mm/h: ask for it and add it as flowMmPerH with correct_installation.',
    MISSING_IRRIGATED_AREA: () =>
      'Cubic metres need the irrigated area in m2: ask for it and add it as irrigatedAreaM2 with correct_installation.',
    GAPS: () => 'More than a tenth of the readings of the last week are missing (get_module_health).',
    NO_ROOT_DEPTH: () => 'No root depth is set for it (rootDepthCm in the farm file), so all that it monitors counts.',
    SLICE_WITHOUT_VALUE: ({ isKnown }) =>
      isKnown
        ? 'A depth without a value was taken to be as wet as the others.'
        : 'No depth has a value to rest on (a single 0 is none): ask again after the next reading.',
    DEPTH_WITHOUT_LAYER: () =>
      'A depth without a soil layer was taken to hold what the drawn line says, or the soil beside it: declare it with set_soil_profile.',
    DEFAULT_FRACTION_WETTED: () => 'The wetted fraction is the default of the system, not a measured one.',
    LONGER_THAN_A_DAY: ({ hours }) =>
      `That is more than the equipment can do in a day (${hours} hours): split it into several waterings, and look again between them.`,
    NO_STRESS_POINT: () => 'Without a stress point no day of stress can be foreseen.',
    FEW_DRY_DAYS: () =>
      'The last two weeks had too little time without water (three dry days, or three spells of half a day) to foresee a day of stress.',
    NOT_DRYING: () => 'It does not dry between waterings, so no day of stress can be foreseen.',
  },
  staleData: (name, age, at) =>
    `Old data, so nothing is advised: the newest moisture of ${name} is ${age} old, of ${at}.`,
  needUnknown: (name) => `How much water ${name} needs is not known.`,
  noNeed: (name, at) => `${name} needs no water: it is at field capacity or above, ${at}.`,
  negligibleDeficit: (name, mm, at) =>
    `${name} needs no water: it lacks ${mm} mm up to field capacity, less than its readings can tell, ${at}.`,
  deficit: (name, mm, at) => `${name} lacks ${mm} mm in its wetted zone up to field capacity, ${at}.`,
  refill: (percent, gift) =>
    `To refill ${percent === null ? 'it' : `${percent} % of it`}, give ${gift}, without losses or leaching.`,
  wholeArea: (mm) => `${mm} mm over the whole area`,
  inStress: 'It is at the stress point or below already.',
  stressIn: (days, said) =>
    `At the pace at which it dries it is at the stress point in ${said} ${englishNoun(days, 'day')}.`,
  dryingPace: {
    days: (_points, said, count) =>
      `It dries by ${said} points a day: the median of ${count} dry days of the last two weeks, the same hours held against each other.`,
    parts: (_points, said, count) =>
      `It dries by about ${said} points a day: the median of ${count} dry spells of the last two weeks, most of them shorter than a day and reckoned by their share of the day's sun.`,
  },
  nothingPlanned: (until) => `Nothing is planned until ${until}.`,
  planned: (until, count, mm, next, zone) =>
    `Planned until ${until}: ${englishCount(count, 'watering')}, ${mm === null ? 'of unknown dose' : `${mm} mm in all`}, ${next.isUnderWay ? 'one is under way since' : 'the next'} ${next.at} (${zone}).`,
  readingAge: (age) => `That rests on a reading that is ${age} old.`,
  alreadyPlanned: 'What is planned gives that already: nothing need be added to it.',
  deficitDepth: (bottomCm) => `The deficit is that of 0 to ${bottomCm} cm.`,
  tooDryForSoil: (said) => `Too dry for its soil: ${formatSliceReadings(said)}.`,
  withoutValue: (said) => `No fresh value from ${formatSlices(said)}.`,
  withoutLayer: (said) => `No soil layer from ${formatSlices(said)}.`,
};

const MISSING_INPUTS: Record<MissingDoseReason, string> = {
  NO_INSTALLATION: 'its equipment',
  MISSING_FLOW_RATE: 'its flow rate in mm/h',
  MISSING_IRRIGATED_AREA: 'its irrigated area in m2',
};

const formatSince = (at: string | null): string => (at === null ? 'never heard of' : `since ${at}`);

const CHECKS: Record<CheckFacts['reason'], string> = {
  UNCONFIRMED_WATERING: 'did its planned watering run?',
  RECENT_WATERING: 'watered lately',
  TOO_DRY_FOR_SOIL: 'drier than its soil can be',
};

function formatNeededAmount({ minutes, mm }: WaterNeedFacts): string {
  if (minutes !== null) return `for ${minutes.said} min${minutes.isOverDay ? ' (longer than a day)' : ''}`;
  return mm === null ? 'by an amount not known yet' : `by ${mm} mm`;
}

const formatPlannedToday = ({ planned }: WaterNeedFacts): string =>
  planned === null
    ? ''
    : ` beyond ${planned.mm === null ? 'a watering of unknown dose' : `the ${planned.mm} mm`} planned today`;

const formatStress = ({ days: { count, said } }: WaterNeedFacts): string =>
  count === 0 ? 'under stress' : `stress in ${said} ${englishNoun(count, 'day')}`;

const formatMoisture = ({ value, oldAt }: FiringAlertFacts): string =>
  value === null ? 'moisture unknown' : `${value} %${oldAt === null ? '' : ` of ${oldAt}`}`;

export const englishBriefPhrases: BriefPhrases = {
  noProbe: 'There is no probe yet: bring in your farm with "acequia import farm.json", or try one with "acequia demo".',
  allQuiet: (zone, ahead) =>
    `All is quiet (${zone}): no probe is known to need more water today than is planned, no alert is firing and everything transmits; ${ahead}.`,
  noNeed: 'No probe is known to need more water today than is planned.',
  list: (rows, more) => (more > 0 ? [...rows, `${more} more`] : rows).join('; '),
  needs: (list) => `Water today: ${list}.`,
  need: (said) => `${said.name} ${formatNeededAmount(said)}${formatPlannedToday(said)}, ${formatStress(said)}`,
  checkFirst: (list) => `Check first: ${list}.`,
  check: (said) => `${said.name} (${CHECKS[said.reason]})`,
  firing: (list) => `Alerts firing: ${list}.`,
  alert: (said) =>
    `${said.name}, ${formatMoisture(said)}, threshold ${said.threshold} %${said.since === null ? '' : `, since ${said.since}`}`,
  silentGateways: (list) => `Silent gateways: ${list}.`,
  silentProbes: (list) => `Silent probes: ${list}.`,
  gateway: (imei, modules, at) => `${imei} with ${englishCount(modules, 'module')}, ${formatSince(at)}`,
  probe: (name, at) => `${name}, ${formatSince(at)}`,
  toConfirm: (count, at, name) =>
    count === 1
      ? `Did the watering planned on ${name} ${at} run? It waits to be confirmed.`
      : `${count} waterings wait to be confirmed, the latest ${at} on ${name}.`,
  dosesMissing: (list) => `Doses missing: ${list}.`,
  probeMissingDoses: (count, name, lack) => `${count} on ${name} for want of ${MISSING_INPUTS[lack]}`,
  withoutStressPoint: (list) => `Without a stress point to judge by: ${list}; declare the soil with set_soil_profile.`,
  nothingPlannedAhead: 'nothing is planned in the next 48 hours',
  ahead: (count, at, name, mm) => {
    const first = `${at} on ${name}${mm === null ? '' : `, ${mm} mm`}`;
    return count === 1
      ? `one watering is planned in the next 48 hours: ${first}`
      : `${count} waterings are planned in the next 48 hours, the first ${first}`;
  },
};

export const englishChartPhrases: ChartPhrases = {
  levels: ({ stressPoint, fieldCapacity, alerts }) => {
    const levels = [
      ...(stressPoint === null ? [] : [`stress point ${stressPoint} %`]),
      ...(fieldCapacity === null ? [] : [`field capacity ${fieldCapacity} %`]),
      ...alerts.map((threshold) => `alert below ${threshold} %`),
    ];
    return `Drawn with ${levels.join(', ')}.`;
  },
  waterings: (done, mm, planned, unknown) => {
    const parts = [
      ...(done === 0 ? [] : [`${englishCount(done, 'watering')} done, ${mm} mm in all`]),
      ...(planned === 0 ? [] : [`${englishCount(planned, 'watering')} planned`]),
      ...(unknown === 0 ? [] : [`${unknown} of unknown dose`]),
    ];
    return parts.length === 0 ? 'No watering in that period.' : `In that period ${parts.join('; ')}.`;
  },
  wateringList: (bars, before, zone) => {
    const rows = bars.map(
      ({ at, mm, isPlanned }) => `${at} ${mm === null ? 'dose unknown' : `${mm} mm`}${isPlanned ? ' (planned)' : ''}`,
    );
    return `Newest first (${zone}): ${[...rows, ...(before === 0 ? [] : [`${before} before`])].join('; ')}.`;
  },
  parcel: (name) => `It stands in ${name}.`,
  depths: (values) => `Last by depth: ${values.map(({ depth, value }) => `${depth} cm ${value} %`).join(', ')}.`,
  unsupportedName: (name, drawn) => `The picture's letters cannot write ${name}: it says ${drawn} instead.`,
};

const RESPONSE_TEXTS: Record<ResponseKind, string> = {
  reached: 'reached the root zone',
  below_roots: 'went below the roots',
  no_response: 'showed no response',
  too_early: 'cannot be seen yet',
  no_data: 'met no data',
};

const LIKELY_SOURCES: Record<UnloggedRiseBody['likely'], string> = {
  watering: 'more likely a watering than rain',
  rain: 'more likely rain',
  unknown: 'a watering or rain',
};

function describeRiseAmount({ amount, likely }: UnloggedRiseFacts): string {
  if (amount === null) return '';
  const text = `, about ${amount.mm} mm ${amount.isOverall ? 'over the whole area' : 'where it was wet'}`;
  return amount.isOverall && likely === 'unknown' ? `${text} if it was irrigation` : text;
}

export const englishReview: ReviewPhrases = {
  period: (start, end, zone) => `from ${start} to ${end} (${zone})`,
  noWaterings: (name, period) => `No watering is logged as done on ${name} ${period}.`,
  totals: (name, period, total, counts) => {
    const parts = counts.map(([response, amount]) => `${amount} ${RESPONSE_TEXTS[response]}`);
    return `${englishCount(total, 'watering')} of ${name} ${period}: ${englishFormat.list(parts)}.`;
  },
  judgedTogether: (ids) => `Judged as one with those at most 3 hours apart: ${englishFormat.list(ids)}.`,
  checkRan: (ids) => `Check whether ${englishFormat.list(ids)} ran and reached the probe (no response).`,
  lostBelow: (ids) => `Water of ${englishFormat.list(ids)} was lost below the roots: give less at a time.`,
  newestResponse: ({ at, deepestCm, gainedMm, appliedMm }) => {
    const gained = gainedMm === null ? '' : `, and the soil gained ${gainedMm} mm`;
    const against = gainedMm === null || appliedMm === null ? '' : ` of ${appliedMm} mm in the wetted zone`;
    return `The newest that shows, ${at}: down to ${deepestCm} cm${gained}${against}.`;
  },
  unloggedRises: (rises, rise) => {
    const { at, likely, plannedEventId } = rise;
    const planned =
      plannedEventId === null
        ? ''
        : ` Watering ${plannedEventId} was planned then: if it ran, confirm it with correct_watering.`;
    return `${englishCount(rises, 'rise')} that nobody logged; the newest ${at}${describeRiseAmount(rise)}, ${LIKELY_SOURCES[likely]}.${planned} No rain is measured, so ask before logging one.`;
  },
  omitted: (waterings, rises) => {
    const omitted = [
      ...(waterings === 0 ? [] : [englishCount(waterings, 'older watering')]),
      ...(rises === 0 ? [] : [englishCount(rises, 'older rise')]),
    ];
    return `Left out: ${omitted.join(' and ')}; give a higher limit or an earlier end.`;
  },
  noSoilMoisture: 'It measures no soil moisture, so nothing shows what a watering did.',
};
