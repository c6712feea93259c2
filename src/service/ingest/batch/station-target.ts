import { normalizeDeviceId } from '../../../domain/ingest/payload-values.ts';
import type { WeatherItem } from '../../../schema/ingest/ingest-items.ts';
import { modulesOfItem, modulesWithId, type SensorIndex } from '../sensor-index.ts';
import type { BatchContext } from './batch-context.ts';
import type { Target } from './item-kind.ts';

export type Station = SensorIndex['modules'][number];

/** The station that measured rain or weather, or a device that is not assigned to one yet. */
export type StationTarget =
  | { readonly device: string | null; readonly station: Station }
  | { readonly device: string; readonly station: null };

export function stationTarget(
  item: Pick<WeatherItem, 'module' | 'device'>,
  { index, devices }: BatchContext,
): Target<StationTarget> {
  const device = item.device === undefined ? null : normalizeDeviceId(item.device);
  const assignment = device === null ? undefined : devices.assignments.get(device);
  if (device !== null && assignment === undefined)
    return { to: { device, station: null }, clock: device, reason: null };

  const [station, another] =
    assignment === undefined
      ? modulesOfItem(index, item.module)
      : modulesWithId(index, assignment.moduleId);
  if (station === undefined) return { reason: 'unknown_module' };
  if (another !== undefined) return { reason: 'several_modules' };
  if (!isStation(station)) return { reason: { text: 'the module is not a weather station' } };

  return { to: { device, station }, clock: station.id, reason: null };
}

/** Null if the module is not a weather station. */
export function stationWithId({ byId }: SensorIndex, moduleId: number): Station | null {
  const module = byId.get(moduleId);
  return module !== undefined && isStation(module) ? module : null;
}

const isStation = ({ category }: Station): boolean => category === 'WEATHER_STATION';
