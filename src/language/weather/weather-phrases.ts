import type {
  EvapotranspirationMethod,
  WeatherInput,
} from '../../domain/weather/evapotranspiration.ts';
import { englishCount, englishFormat } from '../en/grammar.ts';
import { nextCall } from '../next-calls.ts';

const INPUTS: Record<WeatherInput, string> = {
  temperature: 'temperature',
  humidity: 'humidity',
  wind: 'wind',
  radiation: 'radiation',
};

interface ForecastRainFacts {
  readonly mm: string;
  /** Days from today. */
  readonly ahead: number;
  readonly weekday: string;
  readonly probability: string | null;
  readonly isCounted: boolean;
}

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

const DEMAND_RATIO_PERIODS = {
  forecast: 'the coming days, by the forecast',
  recent: 'the last three days',
} as const;

export const weatherPhrases = {
  method: (method: EvapotranspirationMethod, missing: readonly WeatherInput[]) =>
    method === 'penman_monteith'
      ? 'FAO-56 Penman-Monteith'
      : `Hargreaves, without ${englishFormat.list(missing.map((input) => INPUTS[input]))}`,
  demandRatio: {
    forecast: (percent: number, coming: string, last: string, _method: string) =>
      `The days until stress assume drying at ${percent} % of the pace of the last two weeks: the forecast has a reference evapotranspiration of ${coming} mm a day, after ${last} mm.`,
    recent: (percent: number, coming: string, last: string, method: string) =>
      `The days until stress assume drying at ${percent} % of the pace of the last two weeks, as in the last three days: their reference evapotranspiration was ${coming} mm a day, after ${last} mm (${method}).`,
  },
  forecastRain: ({ mm, ahead, weekday, probability, isCounted }: ForecastRainFacts) =>
    `${mm} mm forecast ${ahead === 0 ? 'for today' : `until ${ahead === 1 ? 'tomorrow' : weekday}`}${probability === null ? '' : ` (${probability} %)`}${isCounted ? '' : ', which do not count here: hold or water is your choice'}.`,
  needless: ({ probes, rain, effective, needed, planned, at, since, eventId }: NeedlessFacts) =>
    `Skip the ${planned} mm planned ${at} for ${probes}? ${rain} mm of rain ${since === null ? 'in three days' : `since the last watering (${since})`}, ${effective} mm of it for the roots, leave ${needed === null ? 'nothing' : `${needed} mm`} to give. It stays planned unless you skip it.${nextCall('correct_watering', `eventId: ${eventId}`, 'status: skipped')}`,
  evapotranspiration: (
    mm: string,
    days: number,
    method: string,
    pace: { readonly percent: number; readonly basis: 'forecast' | 'recent' } | null,
  ) =>
    `Reference evapotranspiration: ${mm} mm a day in the last ${englishCount(days, 'day')} (${method})${pace === null ? '' : `; ${DEMAND_RATIO_PERIODS[pace.basis]}, ${pace.percent} % of the last two weeks`}.`,
};
