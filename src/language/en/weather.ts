import type {
  EvapotranspirationMethod,
  WeatherInput,
} from '../../domain/weather/evapotranspiration.ts';
import { englishCount, englishFormat } from './grammar.ts';

interface CountedOnceFacts {
  readonly id: number;
  readonly others: number;
  readonly mm: string;
  readonly isNewCounted: boolean;
  readonly total: string;
}

export const englishRain = {
  place: (parcel: string | null) => (parcel === null ? 'on the whole farm' : `on ${parcel}`),
  details: (mm: string, place: string, when: string, gauge: string | null) =>
    `${mm} mm ${place}, ${when}${gauge === null ? '' : `, measured by ${gauge}`}`,
  logged: (details: string) => `Rain recorded: ${details}.`,
  corrected: (id: number, details: string, was: string | null) =>
    `Rain record ${id} is now ${details}${was === null ? '' : `; it was ${was} mm`}.`,
  takenBack: (id: number, was: string | null) =>
    `Rain record ${id} is taken back${was === null ? '' : `: its ${was} mm no longer count`}.`,
  countedOnce: ({ id, others, mm, isNewCounted, total }: CountedOnceFacts) => {
    const records = others === 0 ? `Record ${id}` : `Record ${id} and ${others} more`;
    return isNewCounted
      ? `${records} already had ${mm} mm that day: they are not added, and this one counts, ${total} mm for the day.`
      : `${records} already had ${mm} mm that day, which count: this one is not added to them. If it is the right figure, enter it for the whole day.`;
  },
  notCounted: (ids: readonly number[], others: number) =>
    ids.length === 1
      ? `Record ${ids[0]} is not counted: another one has that rain already.`
      : `Records ${ids.join(', ')}${others > 0 ? ` and ${others} more` : ''} are not counted: others have that rain already.`,
  before: (mm: string) => `It was ${mm} mm before.`,
  none: 'No rain is recorded for that.',
  total: (mm: string, days: number, place: string) =>
    `${mm} mm on ${englishCount(days, 'day')} ${place}`,
  list: (places: readonly string[], more: number, newest: string) =>
    `Rain recorded: ${places.join('; ')}${more > 0 ? `; and ${englishCount(more, 'more parcel')}` : ''}. The newest: ${newest}.`,
  page: (count: number, newest: string) =>
    `${englishCount(count, 'record')} of rain, the newest: ${newest}.`,
  row: (mm: string, day: string, parcel: string | null) =>
    `${mm} mm (${day}${parcel === null ? '' : `, ${parcel}`})`,
  recentRain: {
    shown: (mm: string) =>
      `${mm} mm of rain fell a short while ago. Moisture has been rising since, so the readings show it and it is not counted again: ask again when it has soaked in.`,
    unseen: (mm: string) =>
      `${mm} mm of rain may not have reached the sensors yet: ask again when it has soaked in.`,
    counted: (mm: string, effectiveMm: string, percent: string) =>
      `${mm} mm of rain may not have reached the sensors yet: ${effectiveMm} mm of it are taken from what is missing (${percent} % at most, the rest evaporates or runs off). Ask again when it has soaked in.`,
  },
  inReadings: (mm: string, effectiveMm: string, percent: string, since: string | null) =>
    `${mm} mm of rain ${since === null ? 'in the last two weeks' : `since the last watering (${since})`}, about ${effectiveMm} mm of it for the roots (${percent} %): the readings show it already, so it is not counted again.`,
  beside: (places: readonly string[], more: number) =>
    `Rain recorded for the same time: ${places.join('; ')}${more > 0 ? `; and ${englishCount(more, 'more parcel')}` : ''}.`,
  lastDays: (days: number, places: readonly string[], more: number) =>
    `Rain of the last ${englishCount(days, 'day')}: ${places.join('; ')}${more > 0 ? `; and ${englishCount(more, 'more parcel')}` : ''}.`,
  fell: (mm: string, days: number) => `Rain: ${mm} mm on ${englishCount(days, 'day')}.`,
  recent: (rows: readonly string[]) => `Rain: ${rows.join(', ')}.`,
};

const INPUTS: Record<WeatherInput, string> = {
  temperature: 'temperature',
  humidity: 'humidity',
  wind: 'wind',
  radiation: 'radiation',
};

/** Amounts in mm. `needed` is null if nothing is needed, `since` for the last three days. */
interface NeedlessFacts {
  readonly probes: string;
  readonly rain: string;
  readonly effective: string;
  readonly needed: string | null;
  readonly planned: string;
  readonly at: string;
  readonly since: string | null;
  readonly eventId: number;
}

const PACE_PERIODS = {
  forecast: 'the coming days, by the forecast',
  recent: 'the last three days',
} as const;

interface ForecastRainFacts {
  readonly mm: string;
  /** Days from today. */
  readonly ahead: number;
  readonly weekday: string;
  readonly probability: string | null;
  readonly isCounted: boolean;
}

export const englishWeather = {
  method: (method: EvapotranspirationMethod, missing: readonly WeatherInput[]) =>
    method === 'penman_monteith'
      ? 'FAO-56 Penman-Monteith'
      : `Hargreaves, without ${englishFormat.list(missing.map((each) => INPUTS[each]))}`,
  demandPace: {
    forecast: (percent: number, coming: string, last: string, _method: string) =>
      `The days until stress assume drying at ${percent} % of the pace of the last two weeks: the forecast has a reference evapotranspiration of ${coming} mm a day, after ${last} mm.`,
    recent: (percent: number, coming: string, last: string, method: string) =>
      `The days until stress assume drying at ${percent} % of the pace of the last two weeks, as in the last three days: their reference evapotranspiration was ${coming} mm a day, after ${last} mm (${method}).`,
  },
  forecastRain: ({ mm, ahead, weekday, probability, isCounted }: ForecastRainFacts) =>
    `${mm} mm forecast ${ahead === 0 ? 'for today' : `until ${ahead === 1 ? 'tomorrow' : weekday}`}${probability === null ? '' : ` (${probability} %)`}${isCounted ? '' : ', which do not count here: hold or water is your choice'}.`,
  needless: ({ probes, rain, effective, needed, planned, at, since, eventId }: NeedlessFacts) =>
    `Skip the ${planned} mm planned ${at} for ${probes}? ${rain} mm of rain ${since === null ? 'in three days' : `since the last watering (${since})`}, ${effective} mm of it for the roots, leave ${needed === null ? 'nothing' : `${needed} mm`} to give. It stays planned unless you skip it (watering ${eventId}, correct_watering).`,
  evapotranspiration: (
    mm: string,
    days: number,
    method: string,
    pace: { readonly percent: number; readonly basis: 'forecast' | 'recent' } | null,
  ) =>
    `Reference evapotranspiration: ${mm} mm a day in the last ${englishCount(days, 'day')} (${method})${pace === null ? '' : `; ${PACE_PERIODS[pace.basis]}, ${pace.percent} % of the last two weeks`}.`,
};
