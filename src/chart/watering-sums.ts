import { addCivilDays, weekdayOf } from '../domain/calendar.ts';
import { civilAt, midnightAt } from '../domain/zone.ts';
import type { MoistureChart } from './moisture-chart.ts';

/** What one bar stands for: a watering, or all of a local day, week or month where single ones would run into each other. */
const BAR_PERIODS = ['each', 'day', 'week', 'month'] as const;
export type BarPeriod = (typeof BAR_PERIODS)[number];

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
