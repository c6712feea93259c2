import { amount, exact } from '../../domain/text/figures.ts';
import { call, counted, list, say, verbatim, word } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import { timeOf, weekday } from '../../domain/text/times.ts';
import type {
  EvapotranspirationMethod,
  WeatherInput,
} from '../../domain/weather/evapotranspiration.ts';
import type { AdvisorySentences } from '../advisory-sentences.ts';
import { shortList } from '../text/names-of-farm.ts';
import { daysAhead } from '../time.ts';
import {
  describeRainAroundWaterings,
  describeRainCountedOnce,
  describeRainInReadings,
  describeRainTotals,
  describeRecentRain,
} from './rain-summary.ts';

/** Says how rain and evapotranspiration were counted. */
export const weatherSentences = {
  rain_counted_once: describeRainCountedOnce,
  rain_not_counted: ({ ids, others }) => {
    const count = ids.length + others;
    return count === 1
      ? say`One of these records is not counted: another one has that rain already.`
      : say`${count} of these records are not counted: others have that rain already.`;
  },
  recent_rain: describeRecentRain,
  rain_totals: describeRainTotals,
  rain_around_waterings: describeRainAroundWaterings,
  rain_in_readings: describeRainInReadings,
  rain_corrected: ({ mm }) => say`It was ${amount(mm, 'mm')} before.`,

  demand_ratio: ({ percent, basis, comingMm, lastMm, method, missing }) => {
    const pace = say`The days until stress assume drying at ${exact(percent, '%')} of the pace of the last two weeks`;
    const change = say`${amount(comingMm, 'mm')} a day, after ${amount(lastMm, 'mm')}`;
    return basis === 'forecast'
      ? say`${pace}: the forecast has a reference evapotranspiration of ${change}.`
      : say`${pace}, as in the last three days: their reference evapotranspiration was ${change} (${describeMethod(method, missing)}).`;
  },
  rain_kept_off: () => say`Plastic mulch keeps rain off, so the expected rain does not count.`,
  forecast_rain: ({ mm, until, probability, isCounted }, context) => {
    const ahead = daysAhead(until, context);
    const end = ahead === 1 ? say`tomorrow` : weekday(until);
    const when = ahead === 0 ? say`for today` : say`until ${end}`;
    const chance = probability === null ? null : say` (${exact(probability, '%')})`;
    return say`${amount(mm, 'mm')} forecast ${when}${chance}${isCounted ? null : say`, which do not count here: hold or water is your choice`}.`;
  },
  needless_after_rain: ({ eventId, at, probes, neededMm, since, ...mm }) => {
    const when =
      since === null ? say`in three days` : say`since the last watering (${timeOf(since)})`;
    const needed = neededMm === 0 ? say`nothing` : amount(neededMm, 'mm');
    const planned = say`${amount(mm.plannedMm, 'mm')} planned ${timeOf(at)} for ${shortList(probes.map(verbatim))}`;
    return say`Skip the ${planned}? ${amount(mm.rainMm, 'mm')} of rain ${when}, ${amount(mm.effectiveMm, 'mm')} of it for the roots, leave ${needed} to give. It stays planned unless you skip it.${call('correct_watering', `eventId: ${eventId}`, 'status: skipped')}`;
  },
  reference_evapotranspiration: ({ mm, days, method, missing, pace }) => {
    const change =
      pace && say`; ${PACE_PERIODS[pace.basis]}, ${exact(pace.percent, '%')} of the last two weeks`;
    return say`Reference evapotranspiration: ${amount(mm, 'mm')} a day in the last ${counted(days, 'day')} (${describeMethod(method, missing)})${change}.`;
  },
} satisfies Partial<AdvisorySentences>;

const PACE_PERIODS = {
  forecast: say`the coming days, by the forecast`,
  recent: say`the last three days`,
} as const;

const describeMethod = (
  method: EvapotranspirationMethod,
  missing: readonly WeatherInput[],
): Text =>
  method === 'penman_monteith'
    ? say`FAO-56 Penman-Monteith`
    : say`Hargreaves, without ${list(missing.map((input) => word(input)))}`;
