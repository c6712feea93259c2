import { rainSums } from '../../chart/rain-bars.ts';
import { depthColours } from '../../chart/theme.ts';
import { type ValueScale, valueScale } from '../../chart/value-axis.ts';
import { wateringSums } from '../../chart/watering-bars.ts';
import { itemAt } from '../../domain/items.ts';
import { type Measure, measureOf } from '../../domain/moisture/measurement.ts';
import type { Period } from '../../domain/periods.ts';
import type { QuantityWording } from '../../language/american-quantities.ts';
import type { ChartTheme } from '../../schema/advice/moisture-chart.ts';
import { type Adjustment, linesWith } from '../thresholds/adjustment.ts';
import { backtestModel } from '../thresholds/backtest-model.ts';
import { comfortBand, type ProbeLevels, thresholdLinesOf } from '../thresholds/threshold-lines.ts';
import { chartTexts } from './chart-texts.ts';
import type { ProbeData } from './data/probe-data.ts';
import {
  type Curve,
  curveWithin,
  type DepthsPoint,
  type LinePoint,
  lineSegments,
} from './data/series-tiles.ts';
import { resolutionFor } from './data/tiles.ts';
import { chartedRain, chartedWaterings } from './data/water-events.ts';
import { COLOURS } from './drawing/colours.ts';
import { type DrawnRange, drawnRangeFor, plotLayout, plotWidthOf } from './drawing/plot-layout.ts';

export interface DrawnLine {
  readonly key: string;
  readonly colour: string;
  readonly segments: readonly (readonly LinePoint[])[];
}

interface ModelInput extends QuantityWording {
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
  readonly lastDrawn: DrawnRange | null;
  /**
   * The range of the last drawing while it moves, so that the curve keeps its height; otherwise
   * null.
   */
  readonly fixedRange: ValueScale | null;
}

export type ChartModel = ReturnType<typeof chartModel>;

/** Everything that the chart draws, computed from what is loaded. */
export function chartModel(input: ModelInput) {
  const { data, zone, theme, adjustment, now, width, height, view } = input;
  const { facts } = data;
  const { waterings, rain } = waterOf(input);
  const hasWaterings = waterings.length > 0;
  const hasRain = rain.length > 0;

  const layout = plotLayout({ width, height, hasRain, hasWaterings });
  const plotWidth = plotWidthOf(layout);
  const drawn = drawnRangeFor(view, plotWidth, input.lastDrawn);
  const barsInput = { ...drawn.period, zone, waterings, rain };

  const resolution = resolutionFor(view, plotWidth);
  const curve = curveWithin(drawn.period, resolution, zone, data.series.loaded);
  const drawnLines = drawnLinesOf(curve, input);
  const storedLines = facts === null ? [] : thresholdLinesOf(facts);
  const lines = linesWith(storedLines, adjustment);
  const comfort = facts === null ? null : comfortBand(facts, lines);
  const levels = lines.map(({ value }) => value);
  if (comfort?.stress != null) levels.push(comfort.stress);

  const type = curve.type ?? (facts?.state.tension ? 'tensio' : 'humidity');
  const measure = measureOf(type, data.module?.category);

  return {
    facts,
    theme,
    measure,
    texts: chartTexts(input, zone, now, measure),
    now,
    view,
    layout,
    drawn,
    curve,
    range: input.fixedRange ?? rangeOf(drawnLines, levels, measure),
    drawnLines,
    waterings,
    wateringBarsPer: hasWaterings ? wateringSums(barsInput, drawn.width).barsPer : null,
    rain,
    rainBarsPer: hasRain ? rainSums(barsInput, drawn.width).period : null,
    storedLines,
    lines,
    comfort,
    backtest: backtestModel(input),
    newest: newestOf(facts),
  };
}

function waterOf({ data, moduleId, zone }: ModelInput) {
  const events = data.events.loaded.map(({ value }) => value);
  return {
    waterings: chartedWaterings(events, moduleId),
    rain: chartedRain(events, data.module?.parcelId ?? null, zone),
  };
}

function drawnLinesOf(curve: Curve, { showsDepths, theme, now }: ModelInput): DrawnLine[] {
  const { sensors } = curve;
  if (!showsDepths || sensors.length < 2)
    return [
      {
        key: 'summary',
        colour: COLOURS.curve,
        segments: lineSegments(curve, now, ({ value }) => value),
      },
    ];

  const colours = depthColours(sensors.length, theme);
  return sensors.map(({ id }, index) => ({
    key: String(id),
    colour: itemAt(colours, index),
    segments: lineSegments(curve, now, (point) => point.depths[index] ?? null),
  }));
}

/** Includes lines far from the curve, such as a field capacity. */
function rangeOf(
  drawnLines: readonly DrawnLine[],
  levels: readonly number[],
  measure: Measure,
): ValueScale {
  const values = drawnLines.flatMap(({ segments }) => segments.flat().map(({ value }) => value));
  return valueScale([...values, ...levels], measure);
}

function newestOf(
  facts: ProbeLevels | null,
): { readonly at: number; readonly value: number | null } | null {
  if (facts === null || facts.state.time === null) return null;
  const { time, value_vwc, tension } = facts.state;
  return {
    at: Date.parse(time),
    value: tension === undefined ? value_vwc : (tension.value ?? null),
  };
}

/** The values that a cursor on a point marks, in the colours of their lines. */
export function cursorMarks({ curve, drawnLines }: ChartModel, point: DepthsPoint) {
  return drawnLines.flatMap(({ key, colour }) => {
    // The key of the summary line is not the id of a sensor.
    const index = curve.sensors.findIndex(({ id }) => String(id) === key);
    const value = index < 0 ? point.value : point.depths[index];
    return value == null ? [] : [{ value, colour }];
  });
}
