import { addCivilDays, type CivilDate, epochDay } from '../domain/calendar.ts';
import { DAY_MIN, DAY_MS, MINUTE_MS, type Period } from '../domain/periods.ts';
import { civilAt, midnightAt, resolveCivil } from '../domain/time-zone.ts';
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

const MAX_CLOCK_TICKS_MS = 3 * DAY_MS;
const MAX_DAY_TICKS_MS = 150 * DAY_MS;

const MAX_TIME_TICKS = 100;

/** 5 January 1970 in days since 1 January 1970. */
const FIRST_MONDAY = 4;

/** In px, between two labels. */
const TICK_LABEL_GAP = 14;
/** In px, how far a label may extend beyond the plot. */
const MAX_OVERHANG_LEFT = 44;
const MAX_OVERHANG_RIGHT = 24;

/** Ticks at round local times, as dense as their labels fit. A day of 25 hours is 25 hours wide. */
export function timeTicks(period: Period, style: AxisStyle): TimeTick[] {
  const xOf = (at: number) => ((at - period.start) / (period.end - period.start)) * style.width;
  const halfWidth = ({ label }: TimeTick) => textWidth(label, style.size) / 2;
  const hasRoom = (tick: TimeTick) =>
    xOf(tick.labelAt) - halfWidth(tick) >= -MAX_OVERHANG_LEFT &&
    xOf(tick.labelAt) + halfWidth(tick) <= style.width + MAX_OVERHANG_RIGHT;

  const fits = (ticks: readonly TimeTick[]) => {
    const labelled = ticks.filter(({ label }) => label !== '');
    return labelled.every((tick, index) => {
      const next = labelled[index + 1];
      return (
        !next ||
        xOf(next.labelAt) - xOf(tick.labelAt) >= halfWidth(tick) + halfWidth(next) + TICK_LABEL_GAP
      );
    });
  };

  let ticks: TimeTick[] = [];
  for (const candidate of tickCandidates(period, style)) {
    ticks = candidate.map((tick) => (hasRoom(tick) ? tick : { ...tick, label: '' }));
    if (fits(ticks)) break;
  }

  return ticks;
}

function* tickCandidates(period: Period, style: AxisStyle): Generator<TimeTick[]> {
  const length = period.end - period.start;
  if (length <= MAX_CLOCK_TICKS_MS) yield* clockTicks(period, style);
  if (length <= MAX_DAY_TICKS_MS) yield* dayTicks(period, style);
  yield* monthTicks(period, style);
}

const ticksWithin = ({ start, end }: Period, ticks: readonly TimeTick[]): TimeTick[] =>
  ticks.filter(({ at }) => at >= start && at <= end);

const midnightTicks = (
  period: Period,
  zone: string,
  dates: readonly CivilDate[],
  label: (date: CivilDate) => string,
): TimeTick[] =>
  ticksWithin(
    period,
    dates.map((date) => {
      const at = midnightAt(date, zone);
      return { at, label: label(date), labelAt: at };
    }),
  );

function* clockTicks(period: Period, { zone, labels }: AxisStyle): Generator<TimeTick[]> {
  const dates = datesOf(period, zone);
  for (const step of [1, 5, 15, 30, 60, 120, 180, 360, 720])
    if ((period.end - period.start) / MINUTE_MS / step <= MAX_TIME_TICKS)
      yield ticksWithin(
        period,
        dates.flatMap((date) => clockTicksOfDay(date, step, zone, labels)),
      );
}

function* dayTicks(
  period: Period,
  { zone, labels, width, size }: AxisStyle,
): Generator<TimeTick[]> {
  const { start, end } = period;
  const dates = datesOf(period, zone);
  const dayNames = dates.map((date) => {
    const [at, next] = [midnightAt(date, zone), midnightAt(addCivilDays(date, 1), zone)];
    const [from, to] = [Math.max(start, at), Math.min(end, next)];
    const label = formatAxisWeekday(date, labels);
    const hasRoom =
      ((to - from) / (end - start)) * width >= textWidth(label, size) + TICK_LABEL_GAP;
    return { at, label: hasRoom ? label : '', labelAt: (from + to) / 2 };
  });
  // Only days that the period cuts off may lack a name.
  if (dayNames.slice(1, -1).every(({ label }) => label !== '')) yield dayNames;

  for (const step of [2, 7, 14])
    yield midnightTicks(
      period,
      zone,
      dates.filter((date) => (epochDay(date) - FIRST_MONDAY) % step === 0),
      (date) => formatAxisDate(date, labels),
    );
}

function* monthTicks(period: Period, { zone, labels }: AxisStyle): Generator<TimeTick[]> {
  const [first, last] = [period.start, period.end].map((at) => {
    const { year, month } = civilAt(at, zone);
    return year * 12 + month - 1;
  }) as [number, number];

  for (const step of [1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1200, 6000, 12_000]) {
    const begin = Math.ceil(first / step);
    const count = Math.floor(last / step) - begin + 1;
    if (count > MAX_TIME_TICKS) continue;

    const dates = Array.from({ length: count }, (_, index) => {
      const month = (begin + index) * step;
      return { year: Math.floor(month / 12), month: (month % 12) + 1, day: 1 };
    });
    yield midnightTicks(period, zone, dates, ({ year, month }) =>
      month === 1 ? String(year) : labels.format.months('short')[month - 1]!,
    );
  }
}

const localInstant = (day: CivilDate, minutes: number, zone: string): number =>
  resolveCivil(
    { ...day, hour: Math.floor(minutes / 60), minute: minutes % 60, second: 0, millisecond: 0 },
    zone,
  ).at;

function datesOf({ start, end }: Period, zone: string): CivilDate[] {
  const { year, month, day } = civilAt(start, zone);
  const first = { year, month, day };
  const last = epochDay(civilAt(end, zone));
  return Array.from({ length: last - epochDay(first) + 1 }, (_, after) =>
    addCivilDays(first, after),
  );
}

/** Local times that a clock change skips have no tick. */
function clockTicksOfDay(
  day: CivilDate,
  step: number,
  zone: string,
  labels: ChartLabels,
): TimeTick[] {
  return Array.from({ length: DAY_MIN / step }, (_, index) => index * step).flatMap((minutes) => {
    const at = localInstant(day, minutes, zone);
    const { hour, minute } = civilAt(at, zone);
    if (minutes > 0 && hour * 60 + minute !== minutes) return [];
    return {
      at,
      label: minutes === 0 ? formatAxisWeekday(day, labels) : formatAxisTime(hour, minute),
      labelAt: at,
    };
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
