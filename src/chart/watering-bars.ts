import { addCivilDays, weekdayOf } from '../domain/calendar.ts';
import { civilAt, midnightAt } from '../domain/time-zone.ts';
import { formatChartNumber } from '../language/advice/chart-labels.ts';
import { languageOf } from '../language/index.ts';
import { BAR_PERIODS, type BarPeriod } from '../schema/chart-options.ts';
import { type Plot, TEXT_SIZES } from './frame.ts';
import { rectMarks, textMarks, type VegaLayer } from './marks.ts';
import type { MoistureChart } from './moisture-chart.ts';
import { textWidth } from './text.ts';
import type { ThemeColours } from './theme.ts';

/** The water of a bar, in mm over the whole area; instants in ms. */
export interface WateringSum {
  readonly from: number;
  readonly to: number;
  readonly done: number;
  readonly planned: number;
  /** A dose of it is not known. */
  readonly isUnknown: boolean;
}

/** Bars are at least so far apart, from start to start, in px. */
const MIN_BAR_DISTANCE = 9;

/** The waterings of the period, alone or summed over the shortest span whose bars stand apart on an axis of that width. */
export function wateringSums(chart: MoistureChart, width: number): { span: BarPeriod; sums: WateringSum[] } {
  const px = width / (chart.end - chart.start);
  for (const span of BAR_PERIODS) {
    const sums = sumWaterings(chart, span);
    const standApart = sums.every(
      ({ from }, place) => place === 0 || (from - sums[place - 1]!.from) * px >= MIN_BAR_DISTANCE,
    );
    if (standApart || span === 'month') return { span, sums };
  }
  throw new RangeError('No span is left');
}

function sumWaterings(chart: MoistureChart, span: BarPeriod): WateringSum[] {
  const sums = new Map<number | object, WateringSum>();
  const within = chart.waterings.filter(({ at }) => at >= chart.start && at < chart.end).sort((a, b) => a.at - b.at);
  for (const watering of within) {
    const { at, mm, durationMin, isPlanned } = watering;
    const [from, to] = span === 'each' ? [at, at + (durationMin ?? 0) * 60_000] : barPeriodBounds(at, span, chart.zone);
    const key = span === 'each' ? watering : from;
    const sum = sums.get(key) ?? { from, to, done: 0, planned: 0, isUnknown: false };
    sums.set(key, {
      ...sum,
      done: sum.done + (isPlanned ? 0 : (mm ?? 0)),
      planned: sum.planned + (isPlanned ? (mm ?? 0) : 0),
      isUnknown: sum.isUnknown || mm === null,
    });
  }
  return [...sums.values()];
}

/** The local day, week (from Monday) or month that an instant lies in. */
function barPeriodBounds(at: number, span: Exclude<BarPeriod, 'each'>, zone: string): [from: number, to: number] {
  const { year, month, day } = civilAt(at, zone);
  if (span === 'month') {
    const first = { year, month, day: 1 };
    const next = addCivilDays(first, 31);
    return [midnightAt(first, zone), midnightAt({ ...next, day: 1 }, zone)];
  }
  const date = { year, month, day };
  const first = span === 'day' ? date : addCivilDays(date, 1 - weekdayOf(date));
  return [midnightAt(first, zone), midnightAt(addCivilDays(first, span === 'day' ? 1 : 7), zone)];
}

/** Water as it stands at the foot of a picture, in px of the plot; heights from the foot up. */
export interface Bar {
  readonly x: number;
  readonly x2: number;
  readonly done: number;
  readonly planned: number;
  /** Height of the outline that stands for doses not known. */
  readonly unknown: number;
  /** Its dose; empty where its neighbours leave no room. */
  readonly label: string;
}

export interface WateringBars {
  /** What each stands for. */
  readonly period: BarPeriod;
  readonly bars: readonly Bar[];
}

const MIN_BAR_WIDTH = 7;
const MAX_BAR_HEIGHT = 48;
const MIN_BAR_HEIGHT = 4;
/** Heights of the outline for a dose that is not known: alone, and on top of what is known. */
const UNKNOWN_DOSE_HEIGHT = 24;
const UNKNOWN_DOSE_TOP_HEIGHT = 8;
const BAR_LABEL_GAP = 6;
/** How pale a planned watering is. */
export const PLANNED_OPACITY = 0.45;

/** The water of the period as bars as long as what they stand for, labelled where there is room. */
export function wateringBars(chart: MoistureChart, width: number): WateringBars {
  const { span: period, sums } = wateringSums(chart, width);
  const most = Math.max(0, ...sums.map(({ done, planned }) => done + planned));
  const px = width / (chart.end - chart.start);
  const place = (at: number) => Math.max(0, Math.min(width, (at - chart.start) * px));
  const bars = sums.map((sum) => {
    const x = Math.min(place(sum.from), width - MIN_BAR_WIDTH);
    const between = period === 'each' ? 0 : 2;
    const x2 = Math.max(x + (period === 'each' ? MIN_BAR_WIDTH : 1), place(sum.to) - between);
    const heightOfDose = (mm: number) => (mm === 0 ? 0 : Math.max(MIN_BAR_HEIGHT, (mm / most) * MAX_BAR_HEIGHT));
    return {
      x,
      x2,
      done: heightOfDose(sum.done),
      planned: heightOfDose(sum.planned),
      unknown: !sum.isUnknown ? 0 : sum.done + sum.planned === 0 ? UNKNOWN_DOSE_HEIGHT : UNKNOWN_DOSE_TOP_HEIGHT,
      label: doseLabel(sum, chart),
    };
  });
  const labelled = barsWithRoomForLabel(bars);
  return { period, bars: bars.map((bar, index) => (labelled.has(index) ? bar : { ...bar, label: '' })) };
}

/** "3.2"; "?" without a dose, "3.2 + ?" where one of several is not known. */
function doseLabel({ done, planned, isUnknown }: WateringSum, { lang }: MoistureChart): string {
  const mm = formatChartNumber(done + planned, languageOf(lang).chartLabels);
  if (!isUnknown) return mm;
  return done + planned === 0 ? '?' : `${mm} + ?`;
}

const barHeight = ({ done, planned, unknown }: Bar): number => done + planned + unknown;

/** Which bars are labelled: those with a question first, then the tallest, where neither another label nor a taller bar stands. */
function barsWithRoomForLabel(bars: readonly Bar[]): Set<number> {
  const occupied: (readonly [from: number, to: number])[] = [];
  const labelled = new Set<number>();
  const rank = (bar: Bar) => barHeight(bar) + (bar.unknown > 0 ? 2 * MAX_BAR_HEIGHT : 0);
  const order = bars.map((_, index) => index).sort((a, b) => rank(bars[b]!) - rank(bars[a]!) || a - b);
  for (const index of order) {
    const bar = bars[index]!;
    const half = (textWidth(bar.label, TEXT_SIZES.small) + BAR_LABEL_GAP) / 2;
    const [from, to] = [(bar.x + bar.x2) / 2 - half, (bar.x + bar.x2) / 2 + half];
    const isCovered = bars.some((other) => barHeight(other) > barHeight(bar) && other.x < to && other.x2 > from);
    if (isCovered || occupied.some((other) => other[0] < to && other[1] > from)) continue;
    occupied.push([from, to]);
    labelled.add(index);
  }
  return labelled;
}

type BarPart = 'done' | 'planned' | 'unknown';

/** Bars at the foot of the plot, planned water on top of what was given, with their doses above them. */
export function barLayers({ bars }: WateringBars, { height: foot }: Plot, colours: ThemeColours): VegaLayer[] {
  const stacked = (part: BarPart, ...below: BarPart[]) =>
    bars
      .filter((bar) => bar[part] > 0)
      .map((bar) => {
        const y2 = below.reduce((y, each) => y - bar[each], foot);
        return { x: bar.x, x2: bar.x2, y: y2 - bar[part], y2 };
      });
  const labels = bars
    .filter(({ label }) => label !== '')
    .map((bar) => ({ text: bar.label, x: (bar.x + bar.x2) / 2, y: foot - barHeight(bar) - 11 }));
  return [
    ...rectMarks(stacked('done'), { color: colours.water, opacity: 1 }),
    ...rectMarks(stacked('planned', 'done'), { color: colours.water, opacity: PLANNED_OPACITY }),
    ...rectMarks(stacked('unknown', 'done', 'planned'), {
      fill: 'transparent',
      stroke: colours.water,
      strokeWidth: 2,
    }),
    ...textMarks(labels, { colour: colours.text, size: TEXT_SIZES.small, align: 'center' }),
  ];
}
