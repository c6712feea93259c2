import { roundAmount } from '../../domain/decimal.ts';
import { readAllRows } from '../../domain/list-pages.ts';
import { MAX_FRESH_AGE_MS } from '../../domain/moisture/coverage.ts';
import { civilAt, midnightAt } from '../../domain/time-zone.ts';
import { rainByDayInPeriod, rainContributions } from '../../domain/weather/rain.ts';
import type { ComposedCall } from '../../operation/call.ts';
import type {
  ChartedRainBody,
  chartQuery,
  MoistureChartBody,
  ShownMoistureBody,
} from '../../schema/advice/moisture-chart.ts';
import type { ModuleBody } from '../../schema/company/company.ts';
import type { FieldsOf } from '../../schema/field.ts';
import type { WateringBody } from '../../schema/irrigation/watering.ts';
import type { AgronomicStateBody, MoistureSeriesBody } from '../../schema/moisture/series.ts';
import type { periodQuery } from '../../schema/shared-fields.ts';
import { toIso, toIsoOrNull } from '../wire-format.ts';
import {
  MAX_RECENT_READINGS,
  type PartReads,
  wateringsBetween,
  wateringsOfParcel,
} from './operation-reads.ts';
import { recordedRain } from './weather.ts';

type ChartOperations = Pick<
  PartReads,
  | 'getModule'
  | 'getMoistureSeries'
  | 'getAgronomicState'
  | 'listAlerts'
  | 'listRain'
  | 'listWaterings'
>;

type PeriodFields = FieldsOf<ReturnType<typeof periodQuery>>;

function isoPeriod({ start, end }: PeriodFields): { start?: string; end?: string } {
  const period: { start?: string; end?: string } = {};
  if (start !== undefined) period.start = toIso(start);
  if (end !== undefined) period.end = toIso(end);
  return period;
}

const MAX_POINTS = 700;

export async function chartMoisture(
  { zone }: ComposedCall,
  operations: ChartOperations,
  moduleId: number,
  { view, theme, ...period }: FieldsOf<typeof chartQuery>,
): Promise<MoistureChartBody> {
  const request = {
    moduleId,
    ...isoPeriod(period),
    maxPoints: MAX_POINTS,
    depths: true,
    align: 'local' as const,
  };
  const series = await operations.getMoistureSeries(request);
  const state = await operations.getAgronomicState({ moduleId });

  const module = await operations.getModule({ moduleId });
  const waterings = await wateringsInPeriod(
    operations,
    module,
    series,
    showsTension(series, state),
  );
  const rain = await rainInPeriod(operations, module, series, zone);
  const alerts = await activeThresholds(operations, moduleId);
  const newest = await newestReadings(operations, moduleId, series, state);

  return {
    moduleId,
    start: series.start,
    end: series.end,
    view,
    theme,
    series,
    newest,
    state,
    alerts,
    waterings,
    rain,
  };
}

/** Null if the period ends before the newest reading, or begins after it. */
async function newestReadings(
  { getMoistureSeries }: ChartOperations,
  moduleId: number,
  series: MoistureSeriesBody,
  state: AgronomicStateBody,
): Promise<MoistureChartBody['newest']> {
  const { start, end, freshness, interval_seconds: interval } = series;
  if (freshness.time === null) return null;
  const newestAt = Date.parse(freshness.time);
  if (newestAt < Date.parse(start) || newestAt >= Date.parse(end)) return null;

  const period = { start: toIso(newestAt - MAX_FRESH_AGE_MS), end: toIso(newestAt + 1) };
  const readings =
    interval === null
      ? series
      : await getMoistureSeries({
          moduleId,
          ...period,
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

const activeThresholds = async (
  { listAlerts }: ChartOperations,
  moduleId: number,
): Promise<number[]> => {
  const alerts = await readAllRows((page) => listAlerts({ moduleId, isActive: true, ...page }));
  return alerts.map(({ threshold }) => Number(threshold));
};

async function wateringsInPeriod(
  operations: ChartOperations,
  module: ModuleBody,
  { start, end }: MoistureSeriesBody,
  ofWholeParcel: boolean,
): Promise<WateringBody[]> {
  const period = { from: Date.parse(start), to: Date.parse(end) };
  const waterings = ofWholeParcel
    ? await wateringsOfParcel(operations, module, period)
    : await wateringsBetween(operations, { moduleId: module.id }, period);
  return waterings.filter(({ status }) => status !== 'skipped');
}

/**
 * Each bar of rain is a whole day, so the rain is read from midnight even if the period begins
 * later.
 */
async function rainInPeriod(
  operations: ChartOperations,
  { parcelId }: ModuleBody,
  { start, end }: MoistureSeriesBody,
  zone: string,
): Promise<ChartedRainBody[]> {
  const period = { from: midnightAt(civilAt(Date.parse(start), zone), zone), to: Date.parse(end) };
  const days = rainByDayInPeriod(await recordedRain(operations, zone, period), parcelId);
  return rainContributions(days).map(
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
  {
    getMoistureSeries,
    getAgronomicState,
  }: Pick<PartReads, 'getMoistureSeries' | 'getAgronomicState'>,
  moduleId: number,
  period: PeriodFields,
): Promise<ShownMoistureBody> {
  const series = await getMoistureSeries({
    moduleId,
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
    state: await getAgronomicState({ moduleId }),
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
