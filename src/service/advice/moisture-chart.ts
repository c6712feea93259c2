import { roundAmount } from '../../domain/decimal.ts';
import type { ModuleFacts } from '../../domain/facts/probe-facts.ts';
import { onceEach, type ProbeWateringFacts } from '../../domain/facts/watering-facts.ts';
import { LocalDay } from '../../domain/local-day.ts';
import { MAX_FRESH_AGE_MS } from '../../domain/moisture/coverage.ts';
import { rainByDayInPeriod, rainContributions } from '../../domain/weather/rain.ts';
import type { ComposedCall } from '../../operation/call.ts';
import type { FactSource } from '../../operation/fact-source.ts';
import type {
  ChartedRainBody,
  chartQuery,
  MoistureChartBody,
  ShownMoistureBody,
} from '../../schema/advice/moisture-chart.ts';
import type { FieldsOf } from '../../schema/field.ts';
import type { WateringBody } from '../../schema/irrigation/watering.ts';
import type { AgronomicStateBody, MoistureSeriesBody } from '../../schema/moisture/series.ts';
import type { periodQuery } from '../../schema/shared-fields.ts';
import { toIso, toIsoOrNull } from '../../schema/wire-format.ts';
import { witnessed, witnessOfRows } from '../irrigation/waterings.ts';
import { loadWitnesses } from './witnesses.ts';

type ChartSource = Pick<
  FactSource,
  | 'module'
  | 'modules'
  | 'moistureSeries'
  | 'agronomicState'
  | 'wateringBodies'
  | 'waterings'
  | 'waterHours'
  | 'rain'
  | 'alerts'
>;

type PeriodFields = FieldsOf<ReturnType<typeof periodQuery>>;

function isoPeriod({ start, end }: PeriodFields): { start?: string; end?: string } {
  const period: { start?: string; end?: string } = {};
  if (start !== undefined) period.start = toIso(start);
  if (end !== undefined) period.end = toIso(end);
  return period;
}

const MAX_POINTS = 700;

/** More than the readings of 25 hours, one a minute. */
const MAX_RECENT_READINGS = 5000;

export async function chartMoisture(
  { zone, now, advise }: ComposedCall,
  facts: ChartSource,
  moduleId: number,
  { view, theme, ...period }: FieldsOf<typeof chartQuery>,
): Promise<MoistureChartBody> {
  const series = await facts.moistureSeries(moduleId, {
    ...isoPeriod(period),
    maxPoints: MAX_POINTS,
    depths: true,
    align: 'local',
  });
  if (series.hoursBefore != null)
    advise({ kind: 'hours_in_place_of_readings', before: Date.parse(series.hoursBefore) });
  const state = await facts.agronomicState(moduleId);
  const module = await facts.module(moduleId);
  const waterings = await wateringsInPeriod(facts, module, series, showsTension(series, state));
  const done = witnessed(waterings, await dueWaterings(facts, waterings, now));
  const witnesses = await loadWitnesses(facts, done, now);
  const rain = await rainInPeriod(facts, module, series, zone);
  const alerts = await facts.alerts([moduleId]);

  return {
    moduleId,
    start: series.start,
    end: series.end,
    view,
    theme,
    series,
    newest: await newestReadings(facts, moduleId, series, state),
    state,
    alerts: alerts.map(({ threshold }) => threshold),
    waterings,
    ...witnessOfRows(waterings, witnesses),
    rain,
  };
}

/** Null if the period ends before the newest reading, or begins after it. */
async function newestReadings(
  facts: ChartSource,
  moduleId: number,
  series: MoistureSeriesBody,
  state: AgronomicStateBody,
): Promise<MoistureChartBody['newest']> {
  const { start, end, freshness, interval_seconds: interval } = series;
  if (freshness.time === null) return null;
  const newestAt = Date.parse(freshness.time);
  if (newestAt < Date.parse(start) || newestAt >= Date.parse(end)) return null;

  const readings =
    interval === null
      ? series
      : await facts.moistureSeries(moduleId, {
          start: toIso(newestAt - MAX_FRESH_AGE_MS),
          end: toIso(newestAt + 1),
          maxPoints: MAX_RECENT_READINGS,
          depths: true,
        });

  const value = state.value_vwc ?? state.tension?.value ?? readings.statistics?.last.value;
  if (value === undefined) return null;

  const depths = (readings.sensors ?? []).flatMap(({ depth, values }) => {
    const last = values.findLast((value) => value !== null);
    return depth === null || last == null ? [] : [{ depth, value: last }];
  });

  return { value, depths };
}

const showsTension = ({ type }: MoistureSeriesBody, { tension }: AgronomicStateBody): boolean =>
  type === 'tensio' && tension !== undefined;

async function wateringsInPeriod(
  facts: ChartSource,
  { id: moduleId, parcelId }: ModuleFacts,
  { start, end }: MoistureSeriesBody,
  ofWholeParcel: boolean,
): Promise<WateringBody[]> {
  const isOfParcel = ofWholeParcel && parcelId !== null;
  const found = await facts.wateringBodies({
    targets: [isOfParcel ? { parcelId } : { moduleId }],
    from: Date.parse(start),
    to: Date.parse(end),
  });
  const waterings = isOfParcel ? onceEach(found, moduleId) : found;
  return waterings.filter(({ status }) => status !== 'skipped');
}

/** The planned ones that have begun and count as done. */
async function dueWaterings(
  facts: ChartSource,
  waterings: readonly WateringBody[],
  now: number,
): Promise<readonly ProbeWateringFacts[]> {
  const begun = waterings
    .filter(({ status }) => status === 'planned')
    .map(({ startedAt }) => Date.parse(startedAt))
    .filter((startedAt) => startedAt <= now);
  if (begun.length === 0) return [];

  const targets = [...new Set(waterings.map(({ moduleId }) => moduleId))];
  const counted = await facts.waterings({
    targets: targets.map((moduleId) => ({ moduleId })),
    from: Math.min(...begun),
    to: Math.max(...begun) + 1,
    status: 'done',
  });
  const planned = new Set(waterings.flatMap(({ id, status }) => (status === 'planned' ? id : [])));
  return counted.filter(({ id }) => planned.has(id));
}

/**
 * Each bar of rain is a whole day, so the rain is read from midnight even if the period begins
 * later.
 */
async function rainInPeriod(
  facts: ChartSource,
  { parcelId }: ModuleFacts,
  { start, end }: MoistureSeriesBody,
  zone: string,
): Promise<ChartedRainBody[]> {
  const from = LocalDay.at(Date.parse(start), zone).startIn(zone);
  const rain = await facts.rain({ from, to: Date.parse(end) });
  return rainContributions(rainByDayInPeriod(rain, parcelId)).map(
    ({ record: { localDay, isWholeDay, startedAt, endedAt }, mm }) => ({
      day: localDay,
      startedAt: isWholeDay ? null : toIso(startedAt),
      endedAt: isWholeDay ? null : toIsoOrNull(endedAt),
      mm: roundAmount(mm),
    }),
  );
}

const MAX_SUMMARY_POINTS = 48;
/** A longer period is summarized by the day. */
const MAX_HOURLY_DAYS = 14;

/** Reads what the summary needs: the page that it opens reads its own data. */
export async function showMoisture(
  facts: Pick<FactSource, 'moistureSeries' | 'agronomicState'>,
  moduleId: number,
  period: PeriodFields,
): Promise<ShownMoistureBody> {
  const series = await facts.moistureSeries(moduleId, {
    ...isoPeriod(period),
    maxPoints: MAX_SUMMARY_POINTS,
    align: 'local',
    dailyBeyondDays: MAX_HOURLY_DAYS,
  });

  return {
    moduleId,
    start: series.start,
    end: series.end,
    series,
    state: await facts.agronomicState(moduleId),
  };
}

export const conciseShownMoisture = ({
  series: { type, unit, statistics },
  ...body
}: ShownMoistureBody) => ({
  ...body,
  type,
  unit,
  statistics,
});
