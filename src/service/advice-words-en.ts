import { englishCount, englishNoun } from '../domain/english.ts';
import type { AdvicePhrases, SliceDepths, SliceReadingFacts } from './advice-words.ts';
import { joinList } from './say-lists.ts';

const formatSlice = ({ topCm, bottomCm }: SliceDepths): string => `${topCm} to ${bottomCm} cm`;

const formatSlices = (depths: readonly SliceDepths[]): string => joinList(depths.map(formatSlice), 'en');

const formatSliceReadings = (values: readonly SliceReadingFacts[]): string =>
  joinList(
    values.map((each) => `${formatSlice(each)} (${each.moisture} %)`),
    'en',
  );

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
