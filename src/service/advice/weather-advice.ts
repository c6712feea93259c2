import { totalMm } from '../../domain/advice/rain-effect.ts';
import type { WeatherFacts } from '../../domain/facts/weather-facts.ts';
import { LocalDay } from '../../domain/local-day.ts';
import { forecastRain } from '../../domain/weather/forecast-rain.ts';
import type { RainContribution, RecordedRain } from '../../domain/weather/rain.ts';
import { parcelName } from '../../language/summary-context.ts';
import type { ComposedCall } from '../../operation/call.ts';
import type { Advisory } from '../../schema/advisory.ts';
import { rainTotals } from '../weather/rain.ts';

/** Gives the rain of one parcel, or of the farm and each parcel with rain of its own. */
export async function adviseOfRainTotals(
  { directory, advise }: Pick<ComposedCall, 'directory' | 'advise'>,
  rain: RecordedRain,
  { parcelId, lastDays }: { readonly parcelId?: number | null; readonly lastDays: number | null },
): Promise<void> {
  const totals: Extract<Advisory, { kind: 'rain_totals' }>['totals'] = [];
  for (const { parcelId: id, ...total } of rainTotals(rain, parcelId))
    totals.push({ parcel: id === null ? null : await parcelName(directory, id), ...total });
  if (totals.length > 0) advise({ kind: 'rain_totals', totals, lastDays });
}

export function adviseOfDemandRatio(
  call: ComposedCall,
  { percent, basis, missing, ...amounts }: NonNullable<WeatherFacts['pace']>,
): void {
  if (percent !== 100)
    call.advise({ kind: 'demand_ratio', percent, basis, ...amounts, missing: [...missing] });
}

const FORECAST_DAYS = 5;

/** Gives the rain that the next days are still to bring. `rain` is what has been recorded there. */
export function adviseOfForecastRain(
  call: ComposedCall,
  { forecast }: WeatherFacts,
  rain: readonly RainContribution[],
  isCounted: boolean,
): void {
  const today = LocalDay.at(call.now, call.zone);
  const day = today.iso;
  const last = today.plus(FORECAST_DAYS - 1).iso;
  const ofToday = rain.filter(({ record }) => record.localDay === day);
  const expected = forecastRain(
    (forecast?.days ?? []).filter((each) => each.day <= last),
    {
      day,
      measuredMm: totalMm(ofToday),
    },
  );
  if (expected !== null) call.advise({ kind: 'forecast_rain', ...expected, isCounted });
}

const EVAPOTRANSPIRATION_DAYS = 7;

/** Gives the reference evapotranspiration of the last days before today. */
export function adviseOfEvapotranspiration(call: ComposedCall, { data, pace }: WeatherFacts): void {
  const today = LocalDay.at(call.now, call.zone);
  const from = today.plus(-EVAPOTRANSPIRATION_DAYS).iso;
  const days = data.flatMap(({ et0Mm, ...rest }) =>
    et0Mm !== null && rest.day >= from && rest.day < today.iso ? [{ ...rest, et0Mm }] : [],
  );
  if (days.length === 0) return;

  call.advise({
    kind: 'reference_evapotranspiration',
    mm: days.reduce((sum, { et0Mm }) => sum + et0Mm / days.length, 0),
    days: days.length,
    method: days.some(({ method }) => method === 'hargreaves') ? 'hargreaves' : 'penman_monteith',
    missing: [...new Set(days.flatMap(({ missing }) => missing))],
    pace: pace === null ? null : { percent: pace.percent, basis: pace.basis },
  });
}
