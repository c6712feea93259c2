import type { DryingRate } from '../../domain/advice/drying-rate.ts';
import { effectiveRainMm, splitRecentRain } from '../../domain/advice/rain-effect.ts';
import { addCivilDays, formatIsoDate } from '../../domain/calendar.ts';
import type { WeatherFacts } from '../../domain/facts/weather-facts.ts';
import { readAllRows } from '../../domain/list-pages.ts';
import type { TimedValue } from '../../domain/moisture/series.ts';
import { minRiseHeight } from '../../domain/moisture/wetting-events.ts';
import { civilAt, midnightAt } from '../../domain/time-zone.ts';
import {
  type RecordedRain,
  rainByDayInPeriod,
  rainContributions,
  toRainRecord,
  withMargin,
} from '../../domain/weather/rain.ts';
import { parcelName } from '../../language/summary-context.ts';
import type { ComposedCall } from '../../operation/call.ts';
import type { Advisory } from '../../schema/advisory.ts';
import type { ModuleBody } from '../../schema/company/company.ts';
import type { WateringBody } from '../../schema/irrigation/watering.ts';
import type { DemandRatioBody, WeatherPageBody } from '../../schema/weather/weather.ts';
import { rainTotals } from '../weather/rain.ts';
import { toIso } from '../wire-format.ts';
import { lastWateringEnd, type PartReads } from './operation-reads.ts';

type RainOperations = Pick<PartReads, 'listRain'>;

/** Includes the records shortly before and after the period, because they decide what counts. */
export async function recordedRain(
  { listRain }: RainOperations,
  zone: string,
  period: { readonly from: number; readonly to: number },
): Promise<RecordedRain> {
  const around = withMargin(period);
  const [from, to] = [toIso(Math.max(0, around.from!)), toIso(around.to!)];
  const rows = await readAllRows((page) => listRain({ from, to, totals: 'none', ...page }));
  return { ...period, records: rows.map((row) => toRainRecord(row, zone)) };
}

/** Local days, today included. */
export function rainOfLastDays(
  { now, zone }: Pick<ComposedCall, 'now' | 'zone'>,
  operations: RainOperations,
  days: number,
): Promise<RecordedRain> {
  const from = midnightAt(addCivilDays(civilAt(now, zone), 1 - days), zone);
  return recordedRain(operations, zone, { from, to: now + 1 });
}

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

/** Recorded rain that an advice counts or mentions. */
interface RecentRain {
  readonly mm: number;
  /** True if the sensors show it already, so that it is not counted again. */
  readonly isShown: boolean;
  /** The rain to subtract from the need, before the share that reaches the roots is applied. */
  readonly countedMm: number;
}

interface RecentRainInputs {
  readonly newestAt: number | null;
  readonly depths: readonly { readonly points: readonly TimedValue[] }[];
  readonly done: readonly WateringBody[];
  readonly module: Pick<ModuleBody, 'parcelId'>;
  readonly rain: RecordedRain;
}

/**
 * The readings already include the rain since the last watering that has soaked in. Only rain that
 * they cannot show yet is subtracted from the deficit that they show. Null if there is no recent
 * rain.
 */
export function recentRain(
  call: ComposedCall,
  { newestAt, depths, done, module, rain }: RecentRainInputs,
): RecentRain | null {
  if (newestAt === null) return null;

  const wateredAt = lastWateringEnd(done);
  const { recentMm, isShown, earlierMm } = splitRecentRain(
    rainContributions(rainByDayInPeriod(rain, module.parcelId)),
    {
      newestAt,
      depths: depths.map(({ points }) => ({ points, minRise: minRiseHeight(points) })),
      since: wateredAt ?? Number.NEGATIVE_INFINITY,
    },
  );
  if (earlierMm > 0)
    call.advise({
      kind: 'rain_in_readings',
      mm: earlierMm,
      effectiveMm: effectiveRainMm(earlierMm),
      since: wateredAt,
    });

  return recentMm === 0 ? null : { mm: recentMm, isShown, countedMm: isShown ? 0 : recentMm };
}

/**
 * Null if the weather adds nothing to the drying rate: without a forecast, the coming days are
 * assumed to be like the newest ones, which a rate of the newest day already includes.
 */
export function demandRatioBeyond(
  { pace }: WeatherPageBody,
  rate: DryingRate,
): DemandRatioBody | null {
  if (pace === null) return null;
  return pace.basis === 'recent' && rate.basis === 'newest' ? null : pace;
}

export function adviseOfDemandRatio(
  call: ComposedCall,
  { percent, basis, missing, ...amounts }: NonNullable<WeatherFacts['pace']>,
): void {
  if (percent !== 100)
    call.advise({ kind: 'demand_ratio', percent, basis, ...amounts, missing: [...missing] });
}

/** Less rain wets the leaves and not the soil. */
const MIN_RAIN_MM = 1;
const FORECAST_DAYS = 5;

/** Gives the rain of the next days, until the last one with rain. */
export function adviseOfForecastRain(
  call: ComposedCall,
  { forecast }: WeatherFacts,
  isCounted: boolean,
): void {
  const last = formatIsoDate(addCivilDays(civilAt(call.now, call.zone), FORECAST_DAYS - 1));
  const days = (forecast?.days ?? []).filter(({ day }) => day <= last);
  const wet = days.filter(({ rainMm }) => rainMm !== null && rainMm >= MIN_RAIN_MM);
  const until = wet.at(-1)?.day;
  if (until === undefined) return;
  const mm = days.reduce((sum, { day, rainMm }) => (day <= until ? sum + (rainMm ?? 0) : sum), 0);
  const chances = wet.flatMap(({ rainProbability }) => rainProbability ?? []);
  const probability = chances.length === 0 ? null : Math.max(...chances);
  call.advise({ kind: 'forecast_rain', mm, until, probability, isCounted });
}

const EVAPOTRANSPIRATION_DAYS = 7;

/** Gives the reference evapotranspiration of the last days before today. */
export function adviseOfEvapotranspiration(call: ComposedCall, { data, pace }: WeatherFacts): void {
  const today = civilAt(call.now, call.zone);
  const from = formatIsoDate(addCivilDays(today, -EVAPOTRANSPIRATION_DAYS));
  const days = data.flatMap(({ et0Mm, ...rest }) =>
    et0Mm !== null && rest.day >= from && rest.day < formatIsoDate(today)
      ? [{ ...rest, et0Mm }]
      : [],
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
