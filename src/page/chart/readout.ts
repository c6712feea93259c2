import type { ChartedRain, ChartedWatering } from '../../chart/moisture-chart.ts';
import { depthColours } from '../../chart/theme.ts';
import { itemAt } from '../../domain/items.ts';
import { pointEnd } from '../../domain/moisture/series-points.ts';
import { DAY_MS, MINUTE_MS, type Period } from '../../domain/periods.ts';
import { formatBucketLength, formatChartPeriod } from '../../language/advice/chart-labels.ts';
import { depthLabel } from '../../language/american-quantities.ts';
import type { ChartModel } from './chart-model.ts';
import { describeDone } from './data/done-water.ts';
import { type DepthsPoint, isOfReadings, nearestPoint } from './data/series-tiles.ts';

interface ReadoutValue {
  readonly name: string;
  readonly value: string;
  readonly colour: string;
}

export interface Readout {
  readonly time: string;
  readonly value: string | null;
  readonly depths: readonly ReadoutValue[];
  readonly water: readonly string[];
}

type ReadoutModel = Pick<
  ChartModel,
  'texts' | 'theme' | 'curve' | 'facts' | 'newest' | 'waterings' | 'rain'
>;

/**
 * `point` is the reading under the finger, null where there is none; `at` is null without a finger:
 * then the newest values are shown.
 */
export const describeReadout = (
  model: ReadoutModel,
  point: DepthsPoint | null,
  at: number | null,
): Readout =>
  at === null ? describeNewest(model) : describeInstant(model, point, point?.at ?? at);

function describeNewest(model: ReadoutModel): Readout {
  const { curve, facts, newest, texts } = model;
  const { labels, page } = texts;
  if (newest === null) {
    const time = facts === null ? page.loading : labels.neverSent;
    return { time, value: null, depths: [], water: [] };
  }

  const nearest = nearestPoint(curve.points, newest.at, curve.intervalMs);
  const depths = describeDepths(model, nearest);

  return {
    time: `${labels.newest}, ${texts.instant(newest.at)}`,
    value: newest.value === null ? null : texts.value(newest.value),
    // A mean is not the newest value of a depth, so that depths are shown without values.
    depths: isOfReadings(curve) ? depths : depths.map((depth) => ({ ...depth, value: '' })),
    water: [],
  };
}

function describeInstant(model: ReadoutModel, point: DepthsPoint | null, at: number): Readout {
  const { curve, texts } = model;
  const { labels, phrases } = texts;
  const isReading = isOfReadings(curve);

  let detail = '';
  if (point === null) detail = `, ${phrases.gap}`;
  else if (!isReading)
    detail = `, ${labels.meanOver(formatBucketLength(curve.intervalMs, labels))}`;

  const span = { start: at, end: at + (isReading ? MINUTE_MS : curve.intervalMs) };
  return {
    time: texts.instant(at) + detail,
    value: point?.value == null ? null : texts.value(point.value),
    depths: describeDepths(model, point),
    water: waterDuring(span, model),
  };
}

/** The text that screen readers read. */
export const spokenReadout = ({ time, value, depths, water }: Readout): string =>
  [time, value, ...depths.map((depth) => `${depth.name} ${depth.value}`), ...water]
    .filter(Boolean)
    .join(', ');

function describeDepths(
  { curve: { sensors }, theme, texts }: ReadoutModel,
  point: DepthsPoint | null,
): ReadoutValue[] {
  if (point === null || sensors.length < 2) return [];

  const colours = depthColours(sensors.length, theme);
  return sensors.flatMap(({ depth }, index) => {
    const value = point.depths[index];
    if (value == null || depth === null) return [];

    const name = depthLabel(depth, texts);
    return [{ name, value: texts.value(value), colour: itemAt(colours, index) }];
  });
}

/**
 * A shorter watering is found as if it ran this long, because its bar is narrower than a finger.
 */
const MIN_WATERING_MS = 45 * MINUTE_MS;

function waterDuring(
  { start, end }: Period,
  { waterings, rain, texts: { page, phrases, zone, water } }: ReadoutModel,
): string[] {
  const endOf = ({ at, durationMin }: ChartedWatering): number =>
    at + Math.max(MIN_WATERING_MS, (durationMin ?? 0) * MINUTE_MS);
  const endOfDay = ({ at }: ChartedRain): number => pointEnd(at, DAY_MS, zone);

  const wateringsThen = waterings.filter(
    (watering) => watering.at < end && endOf(watering) > start,
  );
  const rainThen = rain.filter((day) => day.at < end && endOfDay(day) > start);

  return [
    ...wateringsThen.map(
      ({ mm, isPlanned, isAssumed }) =>
        phrases.wateringAt(mm === null ? `(${page.unknownDose})` : water(mm), isPlanned) +
        (isAssumed ? ` (${page.seenBy.assumed})` : ''),
    ),
    ...rainThen.map(({ mm }) => phrases.rainAt(water(mm))),
  ];
}

/** Read aloud by screen readers in place of the drawing. */
export function spokenSummary(model: ChartModel): string {
  const { texts, curve, waterings, rain, view, measure, backtest } = model;
  const { labels, page, phrases, zone } = texts;
  const isInView = ({ at }: { readonly at: number }): boolean => at >= view.start && at < view.end;

  const points = curve.points.filter(isInView);
  const values = points.flatMap(({ value }) => value ?? []);
  const last = values.at(-1);
  const period = formatChartPeriod(view.start, view.end, zone, labels);
  const name = labels.measure[measure];
  const done = waterings.filter((watering) => isInView(watering) && !watering.isPlanned);
  const rainMm = rain.filter(isInView).reduce((sum, { mm }) => sum + mm, 0);

  const sentences = [
    last === undefined
      ? phrases.emptyView(name, period)
      : phrases.view({
          measure: name,
          period,
          lowest: texts.value(Math.min(...values)),
          highest: texts.value(Math.max(...values)),
          last: texts.value(last),
        }),
  ];
  if (done.length > 0) {
    const { unknownDose: unknown, seenBy } = page;
    const words = { water: texts.water, unknown, assumed: seenBy.assumed };
    sentences.push(phrases.waterings(done.length, describeDone(done, words)));
  }
  if (rainMm > 0) sentences.push(phrases.rainSum(texts.water(rainMm)));
  if (backtest !== null && backtest.firedInView !== null)
    sentences.push(phrases.fired(backtest.firedInView));

  return sentences.join(' ');
}
