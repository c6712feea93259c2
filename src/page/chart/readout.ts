import type { ChartedRain, ChartedWatering } from '../../chart/moisture-chart.ts';
import { depthColours } from '../../chart/theme.ts';
import type { Measure } from '../../domain/moisture/series.ts';
import { pointEnd } from '../../domain/moisture/series-points.ts';
import { DAY_MS, MINUTE_MS, type Period } from '../../domain/periods.ts';
import { formatBucketLength, formatChartPeriod } from '../../language/advice/chart-labels.ts';
import type { ChartTheme } from '../../schema/advice/advice.ts';
import type { ReadoutFacts } from './chart-frame.tsx';
import type { ChartTexts } from './chart-texts.ts';
import { type Curve, type DepthsPoint, isOfReadings, nearestPoint } from './series.ts';

interface ReadoutInput {
  readonly texts: ChartTexts;
  readonly theme: ChartTheme;
  readonly curve: Curve;
  readonly facts: object | null;
  readonly newest: { readonly at: number; readonly value: number | null } | null;
  readonly waterings: readonly ChartedWatering[];
  readonly rain: readonly ChartedRain[];
  /** Under the finger; null where there is no reading. */
  readonly point: DepthsPoint | null;
  /** Null without a finger: then the newest values are shown. */
  readonly at: number | null;
}

export function describeReadout({
  texts,
  theme,
  curve,
  facts,
  newest,
  waterings,
  rain,
  point,
  at,
}: ReadoutInput): ReadoutFacts {
  const { labels, page } = texts;
  if (at === null) {
    if (newest === null)
      return {
        time: facts === null ? page.loading : labels.neverSent,
        value: null,
        depths: [],
        water: [],
      };

    const depths = describeDepths(
      nearestPoint(curve.points, newest.at, curve.intervalMs),
      curve,
      theme,
      texts,
    );

    return {
      time: `${labels.newest}, ${texts.instant(newest.at)}`,
      value: newest.value === null ? null : texts.value(newest.value),
      // A mean is not the newest value of a depth.
      depths: isOfReadings(curve) ? depths : depths.map((each) => ({ ...each, value: '' })),
      water: [],
    };
  }

  const shownAt = point?.at ?? at;
  const span = {
    start: shownAt,
    end: shownAt + (isOfReadings(curve) ? MINUTE_MS : curve.intervalMs),
  };
  const mean = isOfReadings(curve)
    ? ''
    : `, ${labels.meanOver(formatBucketLength(curve.intervalMs, labels))}`;

  return {
    time:
      point === null ? `${texts.instant(at)}, ${page.gap}` : `${texts.instant(point.at)}${mean}`,
    value: point?.value == null ? null : texts.value(point.value),
    depths: describeDepths(point, curve, theme, texts),
    water: waterDuring(span, waterings, rain, texts),
  };
}

function describeDepths(
  point: DepthsPoint | null,
  { sensors }: Curve,
  theme: ChartTheme,
  texts: ChartTexts,
) {
  if (point === null || sensors.length < 2) return [];

  const colours = depthColours(sensors.length, theme);
  return sensors.flatMap(({ depth }, index) => {
    const value = point.depths[index] ?? null;
    return value === null || depth === null
      ? []
      : [
          {
            name: `${depth} ${texts.labels.depthUnit}`,
            value: texts.value(value),
            colour: colours[index]!,
          },
        ];
  });
}

/**
 * A shorter watering is found as if it ran this long, because its bar is narrower than a finger.
 */
const MIN_WATERING_MS = 45 * MINUTE_MS;

function waterDuring(
  { start, end }: Period,
  waterings: readonly ChartedWatering[],
  rain: readonly ChartedRain[],
  { page, zone, number }: ChartTexts,
): string[] {
  const overlapping = waterings.filter(
    ({ at, durationMin }) =>
      at < end && at + Math.max(MIN_WATERING_MS, (durationMin ?? 0) * MINUTE_MS) > start,
  );
  const rainDays = rain.filter(({ at }) => at < end && pointEnd(at, DAY_MS, zone) > start);

  return [
    ...overlapping.map(({ mm, isPlanned }) =>
      mm === null ? page.unknownWatering(isPlanned) : page.wateringAt(number(mm), isPlanned),
    ),
    ...rainDays.map(({ mm }) => page.rainAt(number(mm))),
  ];
}

interface SummaryInput extends Omit<ReadoutInput, 'point' | 'at' | 'theme' | 'facts' | 'newest'> {
  readonly view: Period;
  readonly measure: Measure;
  readonly firedInView: number | null;
}

/** Read aloud by screen readers in place of the drawing. */
export function spokenSummary({
  texts,
  curve,
  waterings,
  rain,
  view,
  measure,
  firedInView,
}: SummaryInput): string {
  const { labels, page, zone } = texts;
  const isInView = (at: number): boolean => at >= view.start && at < view.end;

  const values = curve.points.flatMap(({ at, value }) =>
    isInView(at) && value !== null ? [value] : [],
  );
  const period = formatChartPeriod(view.start, view.end, zone, labels);
  const name = labels.measure[measure];
  const done = waterings.filter(({ at, isPlanned }) => isInView(at) && !isPlanned);
  const rainMm = rain.filter(({ at }) => isInView(at)).reduce((sum, { mm }) => sum + mm, 0);
  const sentences = [
    values.length === 0
      ? page.emptyView(name, period)
      : page.view({
          measure: name,
          period,
          lowest: texts.value(values.reduce((least, value) => Math.min(least, value))),
          highest: texts.value(values.reduce((most, value) => Math.max(most, value))),
          last: texts.value(values.at(-1)!),
        }),
    done.length > 0 &&
      page.waterings(done.length, texts.number(done.reduce((sum, { mm }) => sum + (mm ?? 0), 0))),
    rainMm > 0 && page.rainSum(texts.number(rainMm)),
    firedInView !== null && page.fired(firedInView),
  ];

  return sentences.filter(Boolean).join(' ');
}
