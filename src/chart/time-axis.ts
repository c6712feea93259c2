import type { CivilDate } from '../domain/calendar.ts';
import { itemAt } from '../domain/items.ts';
import { LocalDay } from '../domain/local-day.ts';
import { DAY_MIN, DAY_MS, MINUTE_MS, type Period } from '../domain/periods.ts';
import { civilAt } from '../domain/time-zone.ts';
import {
  type ChartLabels,
  formatAxisDate,
  formatAxisTime,
  formatAxisWeekday,
} from '../language/advice/chart-labels.ts';
import { type ChartLayout, plotWidth, TEXT_SIZES } from './layout.ts';
import { type Mark, textWidth } from './scene.ts';

export interface TimeTick {
  readonly at: number;
  readonly label: string;
  readonly labelAt: number;
}

interface AxisStyle {
  readonly zone: string;
  readonly labels: ChartLabels;
  readonly width: number;
  readonly size: number;
}

interface Axis extends Period, AxisStyle {}

/** The longest axes with ticks at clock times, and with ticks at days. */
const MAX_CLOCK_AXIS_MS = 3 * DAY_MS;
const MAX_DAY_AXIS_MS = 150 * DAY_MS;

const MAX_TIME_TICKS = 100;

/** A Monday. */
const FIRST_LABELLED_DAY = LocalDay.parse('1970-01-05');

/** In px, between two labels. */
const TICK_LABEL_GAP = 14;
/** In px, how far a label may extend beyond the plot. */
const MAX_OVERHANG_LEFT = 44;
const MAX_OVERHANG_RIGHT = 24;

/** Null if ticks with this step do not suit the length of the axis. */
type TickMaker = (axis: Axis, step: number) => TimeTick[] | null;

/** The steps in the unit of each kind of ticks: minutes, days or months. The densest come first. */
const TICK_KINDS: readonly { readonly make: TickMaker; readonly steps: readonly number[] }[] = [
  { make: clockTicks, steps: [1, 5, 15, 30, 60, 120, 180, 360, 720] },
  { make: dayNameTicks, steps: [1] },
  { make: dateTicks, steps: [2, 7, 14] },
  { make: monthTicks, steps: [1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1200, 6000, 12_000] },
];

/**
 * Ticks at round local times, as dense as their labels fit. A day on which clocks change is as wide
 * as its 23 or 25 hours.
 */
export function timeTicks({ start, end }: Period, style: AxisStyle): TimeTick[] {
  const axis = { start, end, ...style };
  let ticks: TimeTick[] = [];

  for (const { make, steps } of TICK_KINDS)
    for (const step of steps) {
      const candidate = make(axis, step);
      if (candidate === null) continue;

      ticks = candidate.map((tick) => (hasRoom(tick, axis) ? tick : { ...tick, label: '' }));
      if (areLabelsApart(ticks, axis)) return ticks;
    }

  return ticks;
}

const lengthOf = ({ start, end }: Period): number => end - start;

/** The edges of a label in px from the start of the axis. */
function labelEdges({ labelAt, label }: TimeTick, axis: Axis): { left: number; right: number } {
  const middle = ((labelAt - axis.start) / lengthOf(axis)) * axis.width;
  const half = textWidth(label, axis.size) / 2;
  return { left: middle - half, right: middle + half };
}

function hasRoom(tick: TimeTick, axis: Axis): boolean {
  const { left, right } = labelEdges(tick, axis);
  return left >= -MAX_OVERHANG_LEFT && right <= axis.width + MAX_OVERHANG_RIGHT;
}

function areLabelsApart(ticks: readonly TimeTick[], axis: Axis): boolean {
  const edges = ticks.filter(({ label }) => label !== '').map((tick) => labelEdges(tick, axis));
  return edges.every(({ right }, index) => {
    const next = edges[index + 1];
    return next === undefined || next.left - right >= TICK_LABEL_GAP;
  });
}

const ticksWithin = ({ start, end }: Period, ticks: readonly TimeTick[]): TimeTick[] =>
  ticks.filter(({ at }) => at >= start && at <= end);

function midnightTicks(
  axis: Axis,
  days: readonly LocalDay[],
  labelOf: (date: CivilDate) => string,
): TimeTick[] {
  const ticks = days.map((day) => {
    const at = day.startIn(axis.zone);
    return { at, label: labelOf(day.civil), labelAt: at };
  });
  return ticksWithin(axis, ticks);
}

function clockTicks(axis: Axis, minutes: number): TimeTick[] | null {
  const length = lengthOf(axis);
  if (length > MAX_CLOCK_AXIS_MS || length / MINUTE_MS / minutes > MAX_TIME_TICKS) return null;
  return ticksWithin(
    axis,
    daysOf(axis).flatMap((day) => clockTicksOfDay(day, minutes, axis)),
  );
}

/** The name of each day in its middle. Only days that the axis cuts off may lack a name. */
function dayNameTicks(axis: Axis): TimeTick[] | null {
  if (lengthOf(axis) > MAX_DAY_AXIS_MS) return null;

  const { start, end, zone, labels, width, size } = axis;
  const ticks = daysOf(axis).map((day) => {
    const at = day.startIn(zone);
    const from = Math.max(start, at);
    const to = Math.min(end, day.next().startIn(zone));
    const name = formatAxisWeekday(day, labels);
    const dayWidth = ((to - from) / (end - start)) * width;
    const isWide = dayWidth >= textWidth(name, size) + TICK_LABEL_GAP;
    return { at, label: isWide ? name : '', labelAt: (from + to) / 2 };
  });

  return ticks.slice(1, -1).every(({ label }) => label !== '') ? ticks : null;
}

function dateTicks(axis: Axis, days: number): TimeTick[] | null {
  if (lengthOf(axis) > MAX_DAY_AXIS_MS) return null;
  const labelled = daysOf(axis).filter((day) => FIRST_LABELLED_DAY.daysUntil(day) % days === 0);
  return midnightTicks(axis, labelled, (date) => formatAxisDate(date, axis.labels));
}

function monthTicks(axis: Axis, months: number): TimeTick[] | null {
  const first = Math.ceil(monthAt(axis.start, axis.zone) / months);
  const last = Math.floor(monthAt(axis.end, axis.zone) / months);
  const count = last - first + 1;
  if (count > MAX_TIME_TICKS) return null;

  const firstDays = Array.from({ length: count }, (_, index) => {
    const month = (first + index) * months;
    return LocalDay.of({ year: Math.floor(month / 12), month: (month % 12) + 1, day: 1 });
  });
  const names = axis.labels.format.months('short');
  return midnightTicks(axis, firstDays, ({ year, month }) =>
    month === 1 ? String(year) : itemAt(names, month - 1),
  );
}

/** Months since the year 0. */
function monthAt(at: number, zone: string): number {
  const { year, month } = civilAt(at, zone);
  return year * 12 + month - 1;
}

const daysOf = ({ start, end, zone }: Axis): LocalDay[] =>
  LocalDay.at(start, zone).until(LocalDay.at(end, zone));

/** Local times that a clock change skips have no tick. */
function clockTicksOfDay(day: LocalDay, step: number, { zone, labels }: Axis): TimeTick[] {
  return Array.from({ length: DAY_MIN / step }, (_, index) => index * step).flatMap((minutes) => {
    const { at } = day.resolve(minutes * MINUTE_MS, zone);
    const { hour, minute } = civilAt(at, zone);
    if (minutes > 0 && hour * 60 + minute !== minutes) return [];
    const label = minutes === 0 ? formatAxisWeekday(day, labels) : formatAxisTime(hour, minute);
    return [{ at, label, labelAt: at }];
  });
}

export function timeAxisMarks({ chart, plot, colours, labels, xOf }: ChartLayout): Mark[] {
  const { left, right, top, bottom } = plot;
  const size = TEXT_SIZES.label;
  const labelStyle = { fill: colours.muted, size, align: 'center' } as const;
  const ticks = timeTicks(chart, { zone: chart.zone, labels, width: plotWidth(plot), size });

  return [
    ...ticks
      .filter(({ at }) => at >= chart.start && at <= chart.end)
      .map(({ at }): Mark => {
        const x = xOf(at);
        return {
          kind: 'rule',
          from: { x, y: top },
          to: { x, y: bottom + 5 },
          stroke: colours.grid,
        };
      }),
    {
      kind: 'rule',
      from: { x: left, y: bottom },
      to: { x: right, y: bottom },
      stroke: colours.muted,
    },
    ...ticks
      .filter(({ label }) => label !== '')
      .map(
        ({ label, labelAt }): Mark => ({
          kind: 'text',
          lines: [label],
          x: xOf(labelAt),
          y: bottom + 19,
          ...labelStyle,
        }),
      ),
  ];
}
