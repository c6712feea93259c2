import type { Measure } from '../../domain/moisture/measurement.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../domain/periods.ts';
import {
  type ChartLabels,
  formatChartNumber,
  formatChartValue,
} from '../../language/advice/chart-labels.ts';
import { formatQuantity, type QuantityWording } from '../../language/american-quantities.ts';
import { type Language, languageOf } from '../../language/index.ts';
import { formatDate, formatInstant } from '../../language/time.ts';
import type { PageTexts } from '../page-texts.ts';

/** Formats for one language, one zone and one unit. */
export interface ChartTexts extends QuantityWording {
  readonly zone: string;
  readonly labels: ChartLabels;
  readonly page: PageTexts;
  /** The phrases of the chart alone. */
  readonly phrases: Language['pageChart'];
  /** "22.4 %" */
  value(value: number): string;
  number(value: number): string;
  /** "12.4 mm" */
  water(mm: number): string;
  /** "today 06:15" */
  instant(at: number): string;
  /** "41 hours", "13 days" */
  hours(hours: number): string;
  /** "today", "24 Jun" */
  date(at: number): string;
  /** In whole days. */
  days(ms: number): string;
}

export function chartTexts(
  { lang, units }: QuantityWording,
  zone: string,
  now: number,
  measure: Measure,
): ChartTexts {
  const { chartLabels: labels, page, pageChart: phrases } = languageOf(lang);
  return {
    lang,
    units,
    zone,
    labels,
    page,
    phrases,
    value: (value) => formatChartValue(value, measure, labels),
    number: (value) => formatChartNumber(value, labels),
    water: (mm) => formatQuantity(mm, 'mm', { lang, units }),
    instant: (at) => formatInstant(at, { lang, zone, now }),
    hours(hours) {
      const ms = hours * HOUR_MS;
      if (ms < HOUR_MS) return labels.age(Math.round(ms / MINUTE_MS), 'minute');
      return ms < 2 * DAY_MS
        ? labels.age(Math.round(hours), 'hour')
        : labels.age(Math.round(ms / DAY_MS), 'day');
    },
    date: (at) => formatDate(new Date(at).toISOString(), { lang, zone, now }),
    days: (ms) => labels.age(Math.floor(ms / DAY_MS), 'day'),
  };
}
