import { formatIsoDate, isIsoDate } from '../../../domain/calendar.ts';
import { HOUR_MS, MINUTE_MS } from '../../../domain/periods.ts';
import { civilAt } from '../../../domain/time-zone.ts';
import { type RainItem, rainItem } from '../../../schema/ingest/ingest-items.ts';
import { wholeDay } from '../../weather/rain.ts';
import { fromRainItem, type RainInterval, rainOfDevices } from '../devices/device-readings.ts';
import { ReadingTimeParser } from '../reading-times.ts';
import type { BatchContext } from './batch-context.ts';
import type { GaugeRain } from './gauge-rain.ts';
import { ACCEPTED, checkItem, type ItemReasons, ParsedItems, rejected } from './parsed-items.ts';
import { isStation, type Station, stationSource } from './station-source.ts';

/** How far the clock of a gauge may be ahead. */
const MAX_CLOCK_ERROR_MS = HOUR_MS;

/** Parses what rain gauges measure. */
export class RainParser {
  readonly list = 'rain';
  readonly parsed = new ParsedItems<GaugeRain[]>([]);
  readonly #context: BatchContext;
  readonly #times: ReadingTimeParser;

  constructor(context: BatchContext) {
    this.#context = context;
    this.#times = new ReadingTimeParser(context);
    this.#addStoredRain();
  }

  parse(value: unknown, location: string): ItemReasons {
    const { item, reason } = checkItem(rainItem, value);
    if (reason !== null) return rejected(reason);

    const { at, ...interval } = this.#intervalOf(item);
    if (Number.isNaN(at)) return rejected(this.#times.rejection);

    const { now, companyZone } = this.#context;
    const period = periodOfRain(interval, at, companyZone);
    if (period.startedAt < 0) return rejected('time_before_1970');
    if (at > now + MAX_CLOCK_ERROR_MS) return rejected({ text: 'time more than an hour ahead' });

    const source = stationSource(item, this.#context);
    if (source.reason !== null) return rejected(source.reason);

    const { device, station } = source;
    if (device !== null) this.parsed.senders.add(device);
    if (station !== null) this.#add(station, period, item.mm);
    else {
      const reading = fromRainItem({ device, at, mm: item.mm, ...interval });
      this.parsed.unassigned.push({ reading, location, item: value });
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

function periodOfRain({ minutes, isDayTotal }: RainInterval, at: number, zone: string) {
  const startedAt = at - (minutes ?? 0) * MINUTE_MS;
  // A total at midnight is that of the day that ends.
  const localDay = formatIsoDate(civilAt(isDayTotal ? at - 1 : startedAt, zone));
  if (isDayTotal) return { ...wholeDay(localDay, zone), endedAt: at };

  return { localDay, startedAt, endedAt: minutes === null ? null : at, isWholeDay: false };
}
