import { weatherItem } from '../../../schema/ingest/ingest-items.ts';
import type { StationReading } from '../../../store/weather/station-readings.ts';
import { fromWeatherItem, weatherOfDevices } from '../devices/device-readings.ts';
import { ReadingTimeParser } from '../reading-times.ts';
import type { BatchContext } from './batch-context.ts';
import { ACCEPTED, checkItem, type ItemReasons, ParsedItems, rejected } from './parsed-items.ts';
import { isStation, type Station, senderOf, stationSource } from './station-source.ts';

/** By station, measure and instant, because one statement cannot write a row twice. */
export type WeatherRows = Map<string, StationReading>;

/** Parses wind and radiation. */
export class WeatherParser {
  readonly list = 'weather';
  readonly parsed = new ParsedItems<WeatherRows>(new Map());
  readonly #context: BatchContext;
  readonly #times: ReadingTimeParser;

  constructor(context: BatchContext) {
    this.#context = context;
    this.#times = new ReadingTimeParser(context);
    this.#addStoredWeather();
  }

  parse(value: unknown, location: string): ItemReasons {
    const { item, reason } = checkItem(weatherItem, value);
    if (reason !== null) return rejected(reason);

    const source = stationSource(item, this.#context);
    if (source.reason !== null) return rejected(source.reason);

    const at = this.#times.parse(item.time);
    const { clocks } = this.#context;
    const clockReasons = clocks.rejectionOf(senderOf(source), this.#times, at);
    if (clockReasons !== null) return clockReasons;
    if (Number.isNaN(at)) return rejected(this.#times.rejection);

    const { device, station } = source;
    if (device !== null) this.parsed.senders.add(device);
    if (station !== null) this.#add(station, { ...item, at });
    else
      this.parsed.unassigned.push({
        reading: fromWeatherItem(device, at, item),
        location,
        item: value,
      });

    return ACCEPTED;
  }

  /** What devices sent before they were assigned. */
  #addStoredWeather(): void {
    const { devices, index } = this.#context;
    for (const { moduleId, ...reading } of weatherOfDevices(devices)) {
      const station = index.byId.get(moduleId);
      if (station !== undefined && isStation(station)) this.#add(station, reading);
    }
  }

  #add(station: Station, { type, at, value }: Omit<StationReading, 'module_id'>): void {
    const row = {
      module_id: station.id,
      type,
      at,
      // At night, a sensor of radiation may measure slightly less than 0.
      value: Math.max(0, value),
    };
    this.parsed.rows.set(`${row.module_id} ${type} ${at}`, row);
  }
}
