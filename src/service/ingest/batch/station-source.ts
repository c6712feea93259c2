import { normalizeDeviceId } from '../../../domain/ingest/payload-values.ts';
import type { WeatherItem } from '../../../schema/ingest/ingest-items.ts';
import type { RejectionReason } from '../../../schema/ingest/rejection.ts';
import { modulesOfItem, modulesWithId, type SensorIndex } from '../sensor-index.ts';
import type { BatchContext } from './batch-context.ts';
import type { Sender } from './sender-clocks.ts';

export type Station = SensorIndex['modules'][number];

/** What sent an item of rain or weather, or why the item is rejected. */
export type StationSource =
  | { readonly device: string | null; readonly station: Station; readonly reason: null }
  /** The device is not assigned. */
  | { readonly device: string; readonly station: null; readonly reason: null }
  | { readonly reason: RejectionReason };

export function stationSource(
  item: Pick<WeatherItem, 'module' | 'device'>,
  { index, devices }: BatchContext,
): StationSource {
  const device = item.device === undefined ? null : normalizeDeviceId(item.device);
  const assignment = device === null ? undefined : devices.assignments.get(device);
  if (device !== null && assignment === undefined) return { device, station: null, reason: null };

  const [station, another] =
    assignment === undefined
      ? modulesOfItem(index, item.module)
      : modulesWithId(index, assignment.moduleId);
  if (station === undefined) return { reason: 'unknown_module' };
  if (another !== undefined) return { reason: 'several_modules' };
  if (!isStation(station)) return { reason: { text: 'the module is not a weather station' } };

  return { device, station, reason: null };
}

type KnownSource = Exclude<StationSource, { readonly reason: RejectionReason }>;

export const senderOf = (source: KnownSource): Sender =>
  source.station === null ? source.device : source.station.id;

export const isStation = ({ category }: Station): boolean => category === 'WEATHER_STATION';
