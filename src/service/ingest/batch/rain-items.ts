import { isIsoDate } from '../../../domain/calendar.ts';
import { LocalDay } from '../../../domain/local-day.ts';
import { HOUR_MS, MINUTE_MS } from '../../../domain/periods.ts';
import { countTotal, type RainCounter } from '../../../domain/weather/rain-counter.ts';
import { MAX_RAIN_MINUTES, type RainItem, rainItem } from '../../../schema/ingest/ingest-items.ts';
import type { RejectionReason } from '../../../schema/ingest/rejection.ts';
import { MAX_RAIN_MM } from '../../../schema/weather/rain.ts';
import { wholeDay } from '../../weather/rain.ts';
import { fromRainItem, type RainInterval, rainOfDevices } from '../devices/device-readings.ts';
import { ReadingTimeParser } from '../reading-times.ts';
import type { BatchContext } from './batch-context.ts';
import type { GaugeRain } from './gauge-rain.ts';
import { itemExcerpt } from './item-rejections.ts';
import { ACCEPTED, checkItem, type ItemReasons, ParsedItems, rejected } from './parsed-items.ts';
import {
  isStation,
  type Station,
  type StationSource,
  senderOf,
  stationSource,
} from './station-source.ts';

/** How far the clock of a gauge may be ahead. */
const MAX_CLOCK_ERROR_MS = HOUR_MS;

const MORE_THAN_FALLS: ItemReasons = rejected({ text: `more than ${MAX_RAIN_MM} mm of rain` });

interface SentRain extends RainInterval {
  readonly source: Exclude<StationSource, { readonly reason: RejectionReason }>;
  readonly at: number;
  readonly mm: number;
  readonly location: string;
  /** As it was sent. */
  readonly item: unknown;
}

/** Parses what rain gauges measure. */
export class RainParser {
  readonly list = 'rain';
  readonly parsed = new ParsedItems<GaugeRain[]>([]);
  readonly #context: BatchContext;
  readonly #times: ReadingTimeParser;
  readonly #runningTotals: (SentRain & { readonly device: string })[] = [];
  #lateTotals = 0;

  constructor(context: BatchContext) {
    this.#context = context;
    this.#times = new ReadingTimeParser(context);
    this.#addStoredRain();
  }

  /** Running totals that are not newer than the stored one. */
  get lateTotals(): number {
    return this.#lateTotals;
  }

  parse(value: unknown, location: string): ItemReasons {
    const { item, reason } = checkItem(rainItem, value);
    if (reason !== null) return rejected(reason);

    const source = stationSource(item, this.#context);
    if (source.reason !== null) return rejected(source.reason);

    const { at, ...interval } = this.#intervalOf(item);
    const { now, companyZone, clocks } = this.#context;
    const clockReasons = isIsoDate(item.time)
      ? null
      : clocks.rejectionOf(senderOf(source), this.#times, at);
    if (clockReasons !== null) return clockReasons;
    if (Number.isNaN(at)) return rejected(this.#times.rejection);

    const period = periodOfRain(interval, at, companyZone);
    if (period.startedAt < 0) return rejected('time_before_1970');
    if (at > now + MAX_CLOCK_ERROR_MS) return rejected({ text: 'time more than an hour ahead' });

    const { device } = source;
    if (device !== null) this.parsed.senders.add(device);
    const sent: SentRain = { ...interval, source, at, mm: item.mm, location, item: value };
    if (!item.isRunningTotal) return this.#store(sent);
    if (device === null) return rejected({ text: 'a running total needs a device' });

    this.#runningTotals.push({ ...sent, device });
    return ACCEPTED;
  }

  /** Stores what fell between the running totals, and returns the newest of each device. */
  end(): ReadonlyMap<string, RainCounter> {
    const counters = new Map(this.#context.rainCounters);
    const counted = new Map<string, SentRain>();
    for (const sent of this.#runningTotals.toSorted((a, b) => a.at - b.at)) {
      const { device } = sent;
      const total = countTotal(counters.get(device) ?? null, sent);
      if (total === null) {
        this.#lateTotals++;
        continue;
      }

      counters.set(device, total.counter);
      // A later total may correct what was counted before.
      for (const { at, since, mm } of total.rain) {
        const minutes = since === null ? null : minutesOfRain(at - since);
        counted.set(`${device} ${at}`, { ...sent, at, mm, minutes });
      }
    }

    for (const sent of counted.values()) {
      const { location, item } = sent;
      const reasons = this.#store(sent);
      if (reasons.length > 0)
        this.parsed.rejections.add(location, () => itemExcerpt(item), reasons);
    }
    return counters;
  }

  #store({ source, at, mm, location, item, minutes, isDayTotal }: SentRain): ItemReasons {
    if (mm > MAX_RAIN_MM) return MORE_THAN_FALLS;
    const { device, station } = source;
    const interval = { minutes, isDayTotal };

    if (station !== null)
      this.#add(station, periodOfRain(interval, at, this.#context.companyZone), mm);
    else {
      const reading = fromRainItem({ device, at, mm, ...interval });
      this.parsed.unassigned.push({ reading, location, item });
    }
    return ACCEPTED;
  }

  /** When the rain of an item was measured, and over how long. */
  #intervalOf({ time, minutes, isDayTotal }: RainItem): RainInterval & { readonly at: number } {
    if (!isIsoDate(time))
      return {
        at: this.#times.parse(time),
        minutes: minutes ?? null,
        isDayTotal: isDayTotal ?? false,
      };

    const { now, companyZone } = this.#context;
    const day = wholeDay(time, companyZone);
    // The total of today may still rise.
    const at = Math.min(day.endedAt, Math.max(day.startedAt + 1, now));
    return { at, minutes: null, isDayTotal: true };
  }

  /** What devices sent before they were assigned. */
  #addStoredRain(): void {
    const { devices, index, companyZone } = this.#context;
    for (const { moduleId, at, mm, ...interval } of rainOfDevices(devices)) {
      const station = index.byId.get(moduleId);
      if (station !== undefined && isStation(station))
        this.#add(station, periodOfRain(interval, at, companyZone), mm);
    }
  }

  #add({ id, parcelId }: Station, period: ReturnType<typeof periodOfRain>, mm: number): void {
    this.parsed.rows.push({
      ...period,
      moduleId: id,
      parcelId,
      mm,
      source: 'gauge',
      gaugeKey: null,
      note: null,
      createdBy: null,
      createdAt: this.#context.now,
    });
  }
}

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
