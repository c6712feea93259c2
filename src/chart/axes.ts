import { addCivilDays, type CivilDate, epochDay } from '../domain/calendar.ts';
import type { Period } from '../domain/periods.ts';
import { civilAt, midnightAt, resolveCivil } from '../domain/time-zone.ts';
import {
  type ChartLabels,
  formatAxisDate,
  formatAxisTime,
  formatAxisWeekday,
} from '../language/advice/chart-labels.ts';
import { textWidth } from './text.ts';

/** A mark of the time axis, and where its label stands; some have none. Instants in ms. */
export interface TimeTick {
  readonly at: number;
  readonly label: string;
  readonly labelAt: number;
}

export interface AxisStyle {
  readonly zone: string;
  readonly words: ChartLabels;
  /** Length of the axis, and size of its text, in px. */
  readonly width: number;
  readonly size: number;
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Up to this length clock times are marked, up to that one days, in ms. */
const MAX_CLOCK_TICKS_MS = 3 * DAY_MS;
const MAX_DAY_TICKS_MS = 150 * DAY_MS;

/** More marks than this fit on no axis. */
const MAX_TIME_TICKS = 100;

/** Monday, 5 January 1970, in days since the first of that month. */
const FIRST_MONDAY = 4;

/** Room between labels, and how far they may stand out of the plot on its left and its right, in px. */
const TICK_LABEL_GAP = 14;
const MAX_OVERHANG_LEFT = 44;
const MAX_OVERHANG_RIGHT = 24;

/**
 * Marks of a period at round local times, as close as their labels leave room for. They stand at the instants that the
 * clocks showed them, so that a day of 25 hours is 25 hours wide.
 */
export function timeTicks(period: Period, style: AxisStyle): TimeTick[] {
  const place = (at: number) => ((at - period.start) / (period.end - period.start)) * style.width;
  const half = ({ label }: TimeTick) => textWidth(label, style.size) / 2;
  const hasRoom = (tick: TimeTick) =>
    place(tick.labelAt) - half(tick) >= -MAX_OVERHANG_LEFT &&
    place(tick.labelAt) + half(tick) <= style.width + MAX_OVERHANG_RIGHT;
  const fits = (ticks: readonly TimeTick[]) => {
    const labelled = ticks.filter(({ label }) => label !== '');
    return labelled.every((tick, index) => {
      const next = labelled[index + 1];
      return !next || place(next.labelAt) - place(tick.labelAt) >= half(tick) + half(next) + TICK_LABEL_GAP;
    });
  };
  let ticks: TimeTick[] = [];
  for (const candidate of tickCandidates(period, style)) {
    ticks = candidate.map((tick) => (hasRoom(tick) ? tick : { ...tick, label: '' }));
    if (fits(ticks)) break;
  }
  return ticks;
}

/** Ways to mark a period, closest first. */
function* tickCandidates(period: Period, style: AxisStyle): Generator<TimeTick[]> {
  const length = period.end - period.start;
  if (length <= MAX_CLOCK_TICKS_MS) yield* clockTicks(period, style);
  if (length <= MAX_DAY_TICKS_MS) yield* dayTicks(period, style);
  yield* monthTicks(period, style);
}

const ticksWithin = ({ start, end }: Period, ticks: readonly TimeTick[]): TimeTick[] =>
  ticks.filter(({ at }) => at >= start && at <= end);

/** Marks at the midnights of days, labelled there. */
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

function* clockTicks(period: Period, { zone, words }: AxisStyle): Generator<TimeTick[]> {
  const dates = datesOf(period, zone);
  for (const step of [1, 5, 15, 30, 60, 120, 180, 360, 720])
    if ((period.end - period.start) / MINUTE_MS / step <= MAX_TIME_TICKS)
      yield ticksWithin(
        period,
        dates.flatMap((date) => clockTicksOfDay(date, step, zone, words)),
      );
}

function* dayTicks(period: Period, { zone, words, width, size }: AxisStyle): Generator<TimeTick[]> {
  const { start, end } = period;
  const dates = datesOf(period, zone);
  const named = dates.map((date) => {
    const [at, next] = [midnightAt(date, zone), midnightAt(addCivilDays(date, 1), zone)];
    const [from, to] = [Math.max(start, at), Math.min(end, next)];
    const label = formatAxisWeekday(date, words);
    const hasRoom = ((to - from) / (end - start)) * width >= textWidth(label, size) + TICK_LABEL_GAP;
    return { at, label: hasRoom ? label : '', labelAt: (from + to) / 2 };
  });
  // The name of a day stands in its middle; only of days that the period cuts it may be left out.
  if (named.slice(1, -1).every(({ label }) => label !== '')) yield named;
  for (const step of [2, 7, 14])
    yield midnightTicks(
      period,
      zone,
      dates.filter((date) => (epochDay(date) - FIRST_MONDAY) % step === 0),
      (date) => formatAxisDate(date, words),
    );
}

function* monthTicks(period: Period, { zone, words }: AxisStyle): Generator<TimeTick[]> {
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
      month === 1 ? String(year) : words.format.months('short')[month - 1]!,
    );
  }
}

const localInstant = (day: CivilDate, minutes: number, zone: string): number =>
  resolveCivil({ ...day, hour: Math.floor(minutes / 60), minute: minutes % 60, second: 0, millisecond: 0 }, zone).at;

function datesOf({ start, end }: Period, zone: string): CivilDate[] {
  const { year, month, day } = civilAt(start, zone);
  const first = { year, month, day };
  const last = epochDay(civilAt(end, zone));
  return Array.from({ length: last - epochDay(first) + 1 }, (_, after) => addCivilDays(first, after));
}

/** Every so many minutes of a day; midnight bears the day's name. What a clock change leaves out is left out. */
function clockTicksOfDay(day: CivilDate, step: number, zone: string, words: ChartLabels): TimeTick[] {
  return Array.from({ length: 1440 / step }, (_, index) => index * step).flatMap((minutes) => {
    const at = localInstant(day, minutes, zone);
    const { hour, minute } = civilAt(at, zone);
    if (minutes > 0 && hour * 60 + minute !== minutes) return [];
    return { at, label: minutes === 0 ? formatAxisWeekday(day, words) : formatAxisTime(hour, minute), labelAt: at };
  });
}

/** The part of the values that an axis shows, and its marks. */
export interface ValueScale {
  readonly low: number;
  readonly high: number;
  readonly ticks: readonly number[];
}

const TICK_STEPS = [0.5, 1, 2, 5, 10, 20, 25, 50, 100, 200, 500];
const MAX_VALUE_TICKS = 6;

/** An axis is at least this long: a flat curve shall look flat. */
const MIN_VALUE_RANGE = 5;

/** An axis that holds all these values with a little room, at round marks; never below `least`. */
export function valueScale(values: readonly number[], least: number): ValueScale {
  let low = values.length === 0 ? 10 : Math.min(...minAndMax(values));
  let high = values.length === 0 ? 40 : Math.max(...minAndMax(values));
  const middle = (low + high) / 2;
  if (high - low < MIN_VALUE_RANGE) [low, high] = [middle - MIN_VALUE_RANGE / 2, middle + MIN_VALUE_RANGE / 2];
  const margin = (high - low) * 0.06;
  [low, high] = [Math.max(least, low - margin), high + margin];
  const step = TICK_STEPS.find((each) => (high - low) / each <= MAX_VALUE_TICKS) ?? (high - low) / MAX_VALUE_TICKS;
  const ticks: number[] = [];
  for (let tick = Math.ceil(low / step) * step; tick <= high; tick += step) ticks.push(tick);
  return { low, high, ticks };
}

/** Lowest and highest, without handing a year of values to one call. */
const minAndMax = (values: readonly number[]): [number, number] =>
  values.reduce<[number, number]>(
    ([low, high], value) => [Math.min(low, value), Math.max(high, value)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  );
