import { isIsoDate } from '../../../domain/calendar.ts';
import { chunksOf } from '../../../domain/groups.ts';
import { LocalDay } from '../../../domain/local-day.ts';
import { HOUR_MS, MINUTE_MS } from '../../../domain/periods.ts';
import { countTotal, type RainCounter } from '../../../domain/weather/rain-counter.ts';
import { MAX_RAIN_MINUTES, type RainItem, rainItem } from '../../../schema/ingest/ingest-items.ts';
import { MAX_RAIN_MM } from '../../../schema/weather/rain.ts';
import { wholeDay } from '../../weather/rain.ts';
import { fromRainItem, type RainInterval, rainOfDevices } from '../devices/device-readings.ts';
import type { BatchContext } from './batch-context.ts';
import { type GaugeRain, writeGaugeRain } from './gauge-rain.ts';
import {
  addCounts,
  type ItemKind,
  type PlacedItem,
  ROWS_PER_PART,
  timeReasons,
} from './item-kind.ts';
import { itemExcerpt } from './item-rejections.ts';
import { ACCEPTED, type ItemReasons, type ParsedItems, rejected } from './parsed-items.ts';
import {
  type Station,
  type StationTarget,
  stationTarget,
  stationWithId,
} from './station-target.ts';

/** How far the clock of a gauge may be ahead. */
const MAX_CLOCK_ERROR_MS = HOUR_MS;

interface RainRows {
  readonly records: GaugeRain[];
  readonly runningTotals: RunningTotal[];
  /** The newest running total of each device. */
  readonly counters: Map<string, RainCounter>;
  /** Running totals that are not newer than the stored one. */
  lateTotals: number;
}

type RunningTotal = PlacedItem<RainItem, StationTarget & { readonly device: string }>;

/** Items that rain gauges measure. */
export const rainItems: ItemKind<typeof rainItem, StationTarget, RainRows> = {
  schema: rainItem,

  target(item, context) {
    const target = stationTarget(item, context);
    return target.reason === null && isIsoDate(item.time) ? { ...target, clock: null } : target;
  },

  time({ time }, times, { now, companyZone }) {
    if (!isIsoDate(time)) return times.parse(time);
    const day = wholeDay(time, companyZone);
    // The total of today may still rise.
    return Math.min(day.endedAt, Math.max(day.startedAt + 1, now));
  },

  checks({ item, to, at }, times, { now, companyZone }) {
    const reasons = timeReasons(at, times);
    if (reasons.length > 0) return reasons;

    const { startedAt } = periodOfRain(intervalOf(item), at, companyZone);
    if (startedAt < 0) return rejected('time_before_1970');
    if (at > now + MAX_CLOCK_ERROR_MS) return rejected({ text: 'time more than an hour ahead' });
    return item.isRunningTotal && to.device === null
      ? rejected({ text: 'a running total needs a device' })
      : ACCEPTED;
  },

  add(placed, parsed, { companyZone, now }) {
    const { item, at, to } = placed;
    if (to.device !== null) parsed.senders.add(to.device);

    const rain = { ...intervalOf(item), at, mm: item.mm };
    if (!item.isRunningTotal || to.device === null)
      return addRain(parsed, placed, rain, { companyZone, now });

    parsed.rows.runningTotals.push({ ...placed, to: { ...to, device: to.device } });
    return ACCEPTED;
  },

  complete: addRunningTotals,

  *insert({ records }) {
    for (const part of chunksOf(records, ROWS_PER_PART))
      yield async (db, { rain }) => addCounts(rain, await writeGaugeRain(db, part));
  },

  newRows({ devices, index, companyZone, now, rainCounters }) {
    const records: GaugeRain[] = [];
    for (const { moduleId, ...rain } of rainOfDevices(devices)) {
      const station = stationWithId(index, moduleId);
      if (station !== null) records.push(gaugeRainOf(station, rain, { companyZone, now }));
    }
    return { records, runningTotals: [], counters: new Map(rainCounters), lateTotals: 0 };
  },
};

interface MeasuredRain extends RainInterval {
  readonly at: number;
  readonly mm: number;
}

type RainContext = Pick<BatchContext, 'companyZone' | 'now'>;

/** Adds what fell between the running totals. */
function addRunningTotals(parsed: ParsedItems<RainRows>, context: RainContext): void {
  const { rows, rejections } = parsed;
  const counted = new Map<string, { sent: RunningTotal; rain: MeasuredRain }>();
  for (const sent of rows.runningTotals.toSorted((a, b) => a.at - b.at)) {
    const { device } = sent.to;
    const { at: countedAt, item } = sent;
    const total = countTotal(rows.counters.get(device) ?? null, { at: countedAt, mm: item.mm });
    if (total === null) {
      rows.lateTotals++;
      continue;
    }

    rows.counters.set(device, total.counter);
    // A later total may correct what was counted before.
    for (const { at, since, mm } of total.rain) {
      const minutes = since === null ? null : minutesOfRain(at - since);
      const rain = { at, mm, minutes, isDayTotal: intervalOf(item).isDayTotal };
      counted.set(`${device} ${at}`, { sent, rain });
    }
  }

  for (const { sent, rain } of counted.values()) {
    const reasons = addRain(parsed, sent, rain, context);
    if (reasons.length > 0) rejections.add(sent.location, () => itemExcerpt(sent.value), reasons);
  }
}

function addRain(
  { rows, unassigned }: ParsedItems<RainRows>,
  { to, location, value }: PlacedItem<RainItem, StationTarget>,
  rain: MeasuredRain,
  context: RainContext,
): ItemReasons {
  if (rain.mm > MAX_RAIN_MM) return rejected({ text: `more than ${MAX_RAIN_MM} mm of rain` });

  if (to.station !== null) rows.records.push(gaugeRainOf(to.station, rain, context));
  else
    unassigned.push({
      reading: fromRainItem({ device: to.device, ...rain }),
      location,
      item: value,
    });
  return ACCEPTED;
}

const gaugeRainOf = (
  { id, parcelId }: Station,
  { at, mm, ...interval }: MeasuredRain,
  { companyZone, now }: RainContext,
): GaugeRain => ({
  ...periodOfRain(interval, at, companyZone),
  moduleId: id,
  parcelId,
  mm,
  source: 'gauge',
  gaugeKey: null,
  note: null,
  createdBy: null,
  createdAt: now,
});

const intervalOf = ({ time, minutes, isDayTotal }: RainItem): RainInterval =>
  isIsoDate(time)
    ? { minutes: null, isDayTotal: true }
    : { minutes: minutes ?? null, isDayTotal: isDayTotal ?? false };

/** Whole minutes, since intervals of one length are of one kind, unless they would overlap. */
function minutesOfRain(ms: number): number {
  const minutes = ms / MINUTE_MS;
  return Math.min(MAX_RAIN_MINUTES, minutes < 1 ? minutes : Math.round(minutes));
}

function periodOfRain({ minutes, isDayTotal }: RainInterval, at: number, zone: string) {
  const startedAt = at - (minutes ?? 0) * MINUTE_MS;
  // A total at midnight is that of the day that ends.
  const localDay = LocalDay.at(isDayTotal ? at - 1 : startedAt, zone).iso;
  if (isDayTotal) return { ...wholeDay(localDay, zone), endedAt: at };

  return { localDay, startedAt, endedAt: minutes === null ? null : at, isWholeDay: false };
}
