import type { TimeSlice } from '../../domain/event-loop.ts';
import { normalizeDeviceId } from '../../domain/ingest/payload-values.ts';
import { type WeatherRow, weatherRow } from '../../schema/imports/ingest-batch.ts';
import type { RejectionReason } from '../../schema/imports/rejection.ts';
import type { StationReading } from '../../store/weather/station-readings.ts';
import { type DeviceDirectory, type DeviceNews, keptWeather } from './device-readings.ts';
import { createReadingTimeParser } from './reading-times.ts';
import { type BatchRejections, parseRow, rowExcerpt } from './rejected-rows.ts';
import { findModules, type SensorIndex } from './sensor-index.ts';

export interface StationContext {
  readonly index: SensorIndex;
  readonly devices: DeviceDirectory;
  /** Of times without an offset. */
  readonly zone: string;
  readonly now: number;
  readonly slice: TimeSlice;
}

type FoundStation =
  | { readonly refused: RejectionReason }
  /** Of a device that is not assigned. */
  | { readonly device: string; readonly station: null }
  | { readonly device: string | null; readonly station: SensorIndex['modules'][number] };

export function findStation(
  row: Pick<WeatherRow, 'module' | 'device'>,
  { index, devices }: Pick<StationContext, 'index' | 'devices'>,
): FoundStation {
  const device = row.device === undefined ? null : normalizeDeviceId(row.device);
  const place = device === null ? null : devices.places.get(device);
  if (device !== null && place === undefined) return { device, station: null };
  const found = findModules(index, moduleText(place?.moduleId ?? row.module));
  const [station] = found;
  if (station === undefined) return { refused: 'unknown_module' };
  if (found.length > 1) return { refused: 'several_modules' };
  return station.category === 'WEATHER_STATION'
    ? { device, station }
    : { refused: { text: 'the module is not a weather station' } };
}

const moduleText = (module: WeatherRow['module']): string =>
  typeof module === 'number' ? `#${module}` : (module ?? '');

/** Wind and radiation. */
export async function readStationWeather(
  rows: Iterable<unknown>,
  context: StationContext,
  rejections: BatchRejections,
  news: DeviceNews | null,
): Promise<StationReading[]> {
  const times = createReadingTimeParser(context.zone, context.now);
  const found: StationReading[] = [];
  let index = 0;
  for (const value of rows) {
    const place = `weather[${index++}]`;
    const refuse = (reason: RejectionReason): void => rejections.add(place, () => rowExcerpt(value), [{ reason }]);
    const parsed = parseRow(weatherRow, value);
    if ('refused' in parsed) refuse(parsed.refused);
    else {
      const { row } = parsed;
      const at = times.parse(row.time);
      const source = findStation(row, context);
      if (Number.isNaN(at)) refuse(times.refusal);
      else if ('refused' in source) refuse(source.refused);
      else {
        if (source.device !== null) news?.senders.add(source.device);
        if (source.station === null)
          news?.readings.push({ reading: keptWeather(source.device, at, row), place, given: value });
        else found.push({ module_id: source.station.id, type: row.type, at, value: Math.max(0, row.value) });
      }
    }
    if (context.slice.isOver()) await context.slice.renew();
  }
  return lastOfEach(found);
}

/** One statement cannot write a row twice. */
const lastOfEach = (rows: readonly StationReading[]): StationReading[] => [
  ...new Map(rows.map((row) => [`${row.module_id} ${row.type} ${row.at}`, row])).values(),
];
