import type { ChartedRain, ChartedWatering } from '../../chart/moisture-chart.ts';
import { rainSums } from '../../chart/rain-bars.ts';
import { depthColours, THEME_COLOURS, type ThemeColours } from '../../chart/theme.ts';
import { type ValueScale, valueScale } from '../../chart/value-axis.ts';
import { wateringSums } from '../../chart/watering-bars.ts';
import { ALERT_DEFAULTS } from '../../domain/alerts/alert-episodes.ts';
import type { Period } from '../../domain/periods.ts';
import type { ChartTheme } from '../../schema/advice/advice.ts';
import type { BacktestBody } from '../../schema/alerts/alert.ts';
import type { AnnotationBody } from '../../schema/alerts/annotation.ts';
import { type Adjustment, isPulled, linesWith } from '../thresholds/adjustment.ts';
import type { Choice } from '../thresholds/adjustment-bar.tsx';
import type { BacktestRequest } from '../thresholds/backtest-feed.ts';
import {
  comfortBand,
  type ThresholdLine,
  thresholdLinesOf,
  type WatchingAlert,
  watchesWith,
  watchingAlertOf,
} from '../thresholds/threshold-lines.ts';
import type { ChartTexts } from './chart-texts.ts';
import {
  type AxisRange,
  type DrawnRange,
  type PlotLayout,
  plotLayout,
  plotWidthOf,
} from './plot-layout.ts';
import { chartedRain, chartedWaterings, type ProbeData } from './probe-data.ts';
import {
  type Curve,
  curveWithin,
  type DepthsPoint,
  type LinePoint,
  lineSegments,
} from './series.ts';
import { resolutionFor } from './tiles.ts';

export interface DrawnLine {
  readonly key: string;
  readonly colour: string;
  readonly segments: readonly (readonly LinePoint[])[];
}

/** An end is null while the episode lasts: it is drawn up to now. */
export interface DrawnEpisode {
  readonly start: number;
  readonly end: number | null;
}

export interface DrawingProps {
  readonly drawn: DrawnRange;
  /** Null while it moves. */
  readonly view: Period | null;
  readonly layout: PlotLayout;
  readonly range: AxisRange;
  readonly colours: ThemeColours;
  readonly texts: ChartTexts;
  readonly now: number;
  readonly lines: readonly DrawnLine[];
  readonly waterings: readonly ChartedWatering[];
  readonly rain: readonly ChartedRain[];
  readonly episodes: readonly DrawnEpisode[];
  /** The threshold whose episodes are drawn. */
  readonly alertAt: number | null;
  readonly annotations: readonly AnnotationBody[];
}

interface ModelInput {
  readonly data: ProbeData;
  readonly moduleId: number;
  readonly zone: string;
  readonly theme: ChartTheme;
  readonly showsDepths: boolean;
  readonly adjustment: Adjustment | null;
  readonly now: number;
  readonly width: number;
  readonly height: number;
  readonly view: Period;
  readonly drawn: DrawnRange;
  /**
   * The range of the last drawing while it moves, so that the curve keeps its height; otherwise
   * null.
   */
  readonly fixedRange: ValueScale | null;
  /** ms; the start of the period of backtests. */
  readonly testedFrom: number;
}

/** All that is drawn from what is loaded. */
export function chartModel(input: ModelInput) {
  const { data, moduleId, zone, adjustment, now, drawn, view, width, height } = input;
  const facts = data.facts();
  const storedLines = facts === null ? [] : thresholdLinesOf(facts);
  const lines = linesWith(storedLines, adjustment);
  const comfort = facts === null ? null : comfortBand(facts, lines);
  const loadedEvents = data.events.loaded().map(({ value }) => value);
  const waterings = chartedWaterings(loadedEvents, moduleId);
  const rain = chartedRain(loadedEvents, data.module()?.parcelId ?? null, zone);
  const layout = plotLayout({
    width,
    height,
    hasRain: rain.length > 0,
    hasWaterings: waterings.length > 0,
  });

  const resolution = resolutionFor(view, plotWidthOf(layout));
  const curve = curveWithin(drawn.period, resolution, zone, data.series.loaded());
  const wateringPeriod =
    waterings.length === 0
      ? null
      : wateringSums({ ...drawn.period, zone, waterings }, drawn.width).period;
  const drawnLines = linesOf(curve, input);
  const range =
    input.fixedRange ??
    rangeOf(
      drawnLines.flatMap(({ segments }) => segments.flat().map(({ value }) => value)),
      [...lines.map(({ value }) => value), ...(comfort?.stress == null ? [] : [comfort.stress])],
      curve,
    );

  const request = backtestRequestOf(
    facts === null ? null : watchingAlertOf(facts),
    adjustment,
    input.testedFrom,
  );
  const answer = request === null ? undefined : data.backtests.answerTo(request);
  const drawnAnswer = answer ?? (isPulled(adjustment) ? data.backtests.newest() : undefined);

  return {
    theme: input.theme,
    facts,
    storedLines,
    lines,
    comfort,
    layout,
    curve,
    range,
    drawnLines,
    waterings,
    rain,
    request,
    wateringPeriod,
    rainPeriod:
      rain.length === 0 ? null : rainSums({ ...drawn.period, zone, rain }, drawn.width).period,
    // Episodes of the last answer stay until the next one comes.
    episodes: request === null || drawnAnswer === undefined ? [] : toEpisodes(drawnAnswer),
    firedInView:
      !answer || input.testedFrom > view.start ? null : episodesWithin(answer, view, now),
    newest: newestOf(facts),
    adjustments: {
      backtest: answer,
      hasFailed: request !== null && answer === undefined && data.backtests.hasFailed(request),
      stress: comfort?.stress ?? null,
      choices:
        adjustment === null
          ? []
          : suggestedChoices(adjustment.line, input, comfort?.stress ?? null),
    },
    cursorValues: (point: DepthsPoint) =>
      drawnLines.flatMap(({ key, colour }) => {
        const index = curve.sensors.findIndex(({ id }) => String(id) === key);
        const value = index < 0 ? point.value : (point.depths[index] ?? null);
        return value === null ? [] : [{ value, colour }];
      }),
  };
}

function linesOf(curve: Curve, { showsDepths, theme, now }: ModelInput): DrawnLine[] {
  const colours = depthColours(curve.sensors.length, theme);
  const depths = curve.sensors.map(({ id }, index) => ({
    key: String(id),
    colour: colours[index]!,
    segments: lineSegments(curve, now, (point) => point.depths[index] ?? null),
  }));
  if (showsDepths && curve.sensors.length > 1) return depths;
  const segments = lineSegments(curve, now, ({ value }) => value);
  return [{ key: 'summary', colour: THEME_COLOURS[theme].curve, segments }];
}

/** Includes lines far from the curve, such as a field capacity. */
const rangeOf = (
  values: readonly number[],
  levels: readonly number[],
  { type }: Curve,
): ValueScale =>
  valueScale([...values, ...levels], type === 'temperature' ? Number.NEGATIVE_INFINITY : 0);

/** The rule of the line that is being pulled, otherwise of the alert in force. */
function backtestRequestOf(
  inForce: WatchingAlert | null,
  adjustment: Adjustment | null,
  start: number,
): BacktestRequest | null {
  const rule = (
    alert: Pick<WatchingAlert, 'hysteresis' | 'reminderTime'>,
    threshold: number,
  ): BacktestRequest => ({
    threshold,
    hysteresis: Number(alert.hysteresis),
    reminderTime: alert.reminderTime,
    start,
  });

  if (isPulled(adjustment) && watchesWith(adjustment.line))
    return rule(adjustment.line.alert ?? ALERT_DEFAULTS, adjustment.value);

  return inForce === null ? null : rule(inForce, Number(inForce.threshold));
}

const toEpisodes = ({ episodes }: BacktestBody): DrawnEpisode[] =>
  episodes.map(({ start, end }) => ({
    start: Date.parse(start),
    end: end === null ? null : Date.parse(end),
  }));

const episodesWithin = ({ episodes }: BacktestBody, view: Period, now: number): number =>
  episodes.filter(
    ({ start, end }) =>
      Date.parse(start) < view.end && (end === null ? now : Date.parse(end)) > view.start,
  ).length;

function newestOf(
  facts: ChartFacts,
): { readonly at: number; readonly value: number | null } | null {
  if (facts === null || facts.state.time === null) return null;
  const { time, value_vwc, tension } = facts.state;
  return {
    at: Date.parse(time),
    value: tension === undefined ? value_vwc : (tension.value ?? null),
  };
}

type ChartFacts = ReturnType<ProbeData['facts']>;

/** Values found in the readings, the stress point, or those usual for the texture. */
function suggestedChoices(
  line: ThresholdLine,
  { data }: ModelInput,
  stress: number | null,
): Choice[] {
  const { kind } = line;
  const suggested = data.suggestion();
  const typical = data.facts()?.state.tension?.typical;
  const tenth = (value: number): number => Number(value.toFixed(1));

  if (
    kind === 'fieldCapacity' &&
    suggested !== null &&
    suggested.fieldCapacity !== null &&
    suggested.doubt === null
  )
    return [{ value: tenth(suggested.fieldCapacity), reason: 'suggested' }];

  if ((kind === 'alert' || kind === 'newAlert') && stress !== null)
    return [{ value: tenth(stress), reason: 'atStressPoint' }];
  if (kind === 'wetLevel' && typical) return [{ value: typical.wetLevel, reason: 'fromSoil' }];
  if (kind === 'dryLevel' && typical)
    return [
      { value: typical.dryFrom, reason: 'fromSoil' },
      ...(typical.dryTo === typical.dryFrom
        ? []
        : [{ value: typical.dryTo, reason: 'fromSoil' as const }]),
    ];

  return [];
}
