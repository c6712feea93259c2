import { chunksOf } from '../../../domain/groups.ts';
import { weatherItem } from '../../../schema/ingest/ingest-items.ts';
import {
  type StationReading,
  saveStationReadings,
} from '../../../store/weather/station-readings.ts';
import { fromWeatherItem, weatherOfDevices } from '../devices/device-readings.ts';
import { addCounts, type ItemKind, ROWS_PER_PART, timeReasons } from './item-kind.ts';
import { ACCEPTED } from './parsed-items.ts';
import {
  type Station,
  type StationTarget,
  stationTarget,
  stationWithId,
} from './station-target.ts';

/** By station, measure and instant, because one statement cannot write a row twice. */
type WeatherRows = Map<string, StationReading>;

/** Wind and radiation. */
export const weatherItems: ItemKind<typeof weatherItem, StationTarget, WeatherRows> = {
  schema: weatherItem,
  target: stationTarget,
  time: ({ time }, times) => times.parse(time),
  checks: ({ at }, times) => timeReasons(at, times),

  add({ item, to, at, value, location }, { rows, unassigned, senders }) {
    if (to.device !== null) senders.add(to.device);
    if (to.station !== null) addWeather(rows, to.station, { ...item, at });
    else {
      const reading = fromWeatherItem(to.device, at, item);
      unassigned.push({ reading, location, item: value });
    }
    return ACCEPTED;
  },

  *insert(rows) {
    for (const part of chunksOf([...rows.values()], ROWS_PER_PART))
      yield async (db, { weather }) => {
        await saveStationReadings(db, part);
        addCounts(weather, { written: part.length });
      };
  },

  newRows({ devices, index }) {
    const rows: WeatherRows = new Map();
    for (const { moduleId, ...reading } of weatherOfDevices(devices)) {
      const station = stationWithId(index, moduleId);
      if (station !== null) addWeather(rows, station, reading);
    }
    return rows;
  },
};

function addWeather(
  rows: WeatherRows,
  station: Station,
  { type, at, value }: Omit<StationReading, 'module_id'>,
): void {
  // At night, a sensor of radiation may measure slightly less than 0.
  const row = { module_id: station.id, type, at, value: Math.max(0, value) };
  rows.set(`${row.module_id} ${type} ${at}`, row);
}
