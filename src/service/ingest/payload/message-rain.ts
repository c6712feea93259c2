import { type Sample, valueAt } from '../../../domain/ingest/payload-path.ts';
import { itemAt } from '../../../domain/items.ts';
import { MAX_RAIN_MINUTES, type RainItem } from '../../../schema/ingest/ingest-items.ts';
import type { ValueRule } from '../../../schema/ingest/payload-map.ts';
import { toNumber } from './message-values.ts';

/** The batch rejects an item whose amount is not a number. */
export interface MessageRain extends Omit<RainItem, 'mm'> {
  readonly mm: number | string;
}

/**
 * Of two totals of a day from one station, only the larger is used: a gauge that is blocked or dead
 * measures too little.
 */
export function addRain(rain: MessageRain[], added: MessageRain): void {
  const sameTotalIndex = rain.findIndex(
    (other) =>
      isMeasuredDayTotal(other) &&
      isMeasuredDayTotal(added) &&
      other.device === added.device &&
      other.module === added.module,
  );

  if (sameTotalIndex < 0) rain.push(added);
  else if (added.mm > itemAt(rain, sameTotalIndex).mm) rain[sameTotalIndex] = added;
}

const isMeasuredDayTotal = ({ isDayTotal, mm }: MessageRain): boolean =>
  isDayTotal === true && typeof mm === 'number';

/** Over how long rain fell, or of what it is the total. */
export function rainPeriod(
  { minutes, isDayTotal, isRunningTotal }: ValueRule,
  sample: Sample,
): Pick<MessageRain, 'minutes' | 'isDayTotal' | 'isRunningTotal'> {
  const intervalMin =
    typeof minutes === 'object'
      ? toNumber(valueAt(sample, minutes.path)) * (minutes.scale ?? 1)
      : minutes;
  const isValid = intervalMin !== undefined && intervalMin >= 1 && intervalMin <= MAX_RAIN_MINUTES;

  const period: { minutes?: number; isDayTotal?: boolean; isRunningTotal?: boolean } = {};
  if (isValid) period.minutes = Math.round(intervalMin);
  if (isDayTotal) period.isDayTotal = isDayTotal;
  if (isRunningTotal) period.isRunningTotal = isRunningTotal;
  return period;
}
